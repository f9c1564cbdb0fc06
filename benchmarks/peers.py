"""One string comparison in another library, run by `overhead.py` in that library's environment.

    python peers.py NAME COUNT

Prints one line of JSON: the version, and CPU seconds a case.
"""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version


def cases(count):
    """Pairs of output and expectation; every tenth differs."""
    for index in range(count):
        answer = f"The answer to question {index} is {index * 7919 % 10007}."
        yield (answer if index % 10 else answer + " Probably."), answer


def autoevals(pairs):
    """Its scorer called for each case."""
    from autoevals import ExactMatch

    scorer = ExactMatch()
    return lambda: sum(scorer.eval(output, expected).score == 1 for output, expected in pairs)


def pydantic_evals(pairs):
    """Its data set runner, over a task that looks the output up."""
    from pydantic_evals import Case, Dataset
    from pydantic_evals.evaluators import EqualsExpected

    dataset = Dataset(
        name="overhead",
        cases=[
            Case(name=str(index), inputs=str(index), expected_output=expected)
            for index, (_, expected) in enumerate(pairs)
        ],
        evaluators=[EqualsExpected()],
    )

    async def task(index):
        return pairs[int(index)][0]

    def run():
        report = dataset.evaluate_sync(task, progress=False)
        return sum(all(a.value for a in case.assertions.values()) for case in report.cases)

    return run


def deepeval(pairs):
    """Its metric called for each test case."""
    from deepeval.metrics import ExactMatchMetric
    from deepeval.test_case import LLMTestCase

    metric = ExactMatchMetric()
    tests = [
        LLMTestCase(input="q", actual_output=output, expected_output=expected)
        for output, expected in pairs
    ]

    def run():
        passed = 0
        for test in tests:
            metric.measure(test, _show_indicator=False)
            passed += metric.success
        return passed

    return run


def main():
    """Measure the library of that name."""
    name, count = sys.argv[1], int(sys.argv[2])
    run = {"autoevals": autoevals, "pydantic_evals": pydantic_evals, "deepeval": deepeval}[name](
        list(cases(count))
    )
    before = time.process_time()
    passed = run()
    seconds = time.process_time() - before
    if passed != count - (count + 9) // 10:
        raise SystemExit(f"{name} passed {passed} of {count}")
    print(json.dumps({"version": version(name.replace("_", "-")), "cpu": seconds / count}))


if __name__ == "__main__":
    main()
