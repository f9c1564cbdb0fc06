from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import importlib, sys
package = importlib.import_module({package!r})
for name in package.__all__:
    getattr(package, name)
heavy = "aiohttp anthropic httpx litellm numpy onnxruntime openai pydantic regex tokenizers"
print([name for name in heavy.split() if name in sys.modules])
"""


@pytest.mark.parametrize("package", ["agent_judge.llm", "agent_judge.rag", "agent_judge.models"])
def test_no_public_name_loads_a_client(package: str) -> None:
    """What calls a model is imported when a model is made, not before."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(package=package)],
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.strip() == "[]"
