"""This library as one of the systems of a side-by-side harness (`common.Driver`).

The harness imports it from its own folder: copy or link this file there, or put that folder on
PYTHONPATH.
"""

from __future__ import annotations

from common import Driver, cases

d = Driver(
    "agent_judge",
    "agent-judge",
    "agent_judge",
    imports={
        "user": "from agent_judge import JudgmentContext, Jury, Majority",
        "package": "import agent_judge",
    },
    cli=["agent-judge", "--help"],
)


def _judge():
    from agent_judge import Check, Cost, Judgment, judge

    @judge(cost=Cost.MEMORY)
    def same(context):
        passed = context.output == context.expected
        check = Check("equal", passed)
        if passed:
            return Judgment.passing("same", checks=(check,))
        return Judgment.failing("different", checks=(check,))

    return same


def _contexts(count):
    from agent_judge import JudgmentContext

    return [
        JudgmentContext(goal=case["input"], output=case["output"], expected=case["expected"])
        for case in cases(count)
    ]


@d.task("det_direct", note="evaluate(judge, context) for each case")
def det_direct(count, concurrency, url):
    """One judge, case by case."""
    from agent_judge import evaluate

    contexts, judge = _contexts(count), _judge()
    with d.measure():
        judgments = [evaluate(judge, context) for context in contexts]
    return sum(judgment.passed for judgment in judgments)


@d.task("det_jury", plan=[(10000, 5), (100000, 3)], note="Jury([…] * 3).vote for each case")
def det_jury(count, concurrency, url):
    """A jury of three, case by case."""
    from agent_judge import Jury

    contexts, judge = _contexts(count), _judge()
    jury = Jury([judge, judge, judge])
    with d.measure():
        verdicts = [jury.vote(context) for context in contexts]
    return sum(verdict.passed for verdict in verdicts)


if __name__ == "__main__":
    d.main()
