from __future__ import annotations

import subprocess
import sys

import pytest

from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judgment import Judgment, ReasonCode, Status
from agent_judge.llm import (
    Classifier,
    JsonClassifier,
    LabelClassifier,
    Scale,
    ScoreClassifier,
)
from agent_judge.llm.reading import READER_VERSION
from agent_judge.models import FinishReason, ModelResponse
from agent_judge.scores import BooleanScore, CategoricalScore, NumericalScore
from agent_judge.usage import Usage

LABELS = LabelClassifier(
    {"good": Status.PASS, "poor": Status.FAIL, "unsure": Status.ABSTAIN}, {"good": 1.0}
)
SCORES = ScoreClassifier(0.7, Scale(0, 10))
BOTH = JsonClassifier(score="score", threshold=0.5)
CLASSIFIERS: tuple[Classifier, ...] = (LABELS, SCORES, JsonClassifier(), BOTH)


def classify(classifier: Classifier, text: str) -> Judgment:
    """The judgment by a reply that nothing is known of but its text."""
    return classifier(ModelResponse(text))


@pytest.mark.parametrize("reply", [" GOOD\n", "good", "**Good**", "Good."])
def test_a_label_stands_for_its_status(reply: str) -> None:
    """Case, outer markup and an end mark do not matter. (contract: judges:P6)"""
    judgment = classify(LABELS, reply)

    assert (judgment.status, judgment.label) == (Status.PASS, "good")


@pytest.mark.parametrize("reply", ["not good", "Poor, but good", "goodness", "It is good"])
def test_a_label_in_other_words_judges_nothing(reply: str) -> None:
    """Never inside a word or sentence, never negated or qualified. (contract: judges:P7)"""
    assert classify(LABELS, reply).status is Status.ERROR


@pytest.mark.parametrize("reply", ["", "It is fine.", "good\n\npoor"])
def test_an_unreadable_reply_is_an_error_that_keeps_it(reply: str) -> None:
    """No label, or two: ERROR with the raw reply. (contract: judges:P8)"""
    judgment = classify(LABELS, reply)

    assert (judgment.status, judgment.code) == (Status.ERROR, ReasonCode.UNREADABLE_REPLY)
    assert judgment.evidence["reply"] == reply
    assert judgment.evidence["fault"] in ("empty", "no_verdict", "conflicting")


def test_only_a_label_declared_so_abstains() -> None:
    """The model itself has to say that it is undecided. (contract: judges:P8)"""
    judgment = classify(LABELS, "Unsure. The log is empty.")

    assert (judgment.status, judgment.label) == (Status.ABSTAIN, "unsure")
    assert judgment.reasoning == "Unsure. The log is empty."
    assert judgment.score is None


def test_a_label_is_worth_what_was_declared() -> None:
    """With a number it gives a score, without one the label alone. (contract: judges:P9)"""
    good, poor = classify(LABELS, "good"), classify(LABELS, "poor")

    assert good.score == CategoricalScore("good", ("good", "poor", "unsure"), {"good": 1.0})
    assert (poor.score, poor.label) == (None, "poor")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"labels": {}}, "at least one"),
        ({"labels": {" ": Status.PASS}}, "needs a letter or digit"),
        ({"labels": {"a": Status.PASS, "A": Status.FAIL}}, "cannot be told from another"),
        ({"labels": {"a": Status.ERROR}}, "must mean PASS, FAIL or ABSTAIN"),
        ({"labels": {"a": "pass"}}, "must mean PASS, FAIL or ABSTAIN"),
        ({"labels": {"a": Status.PASS}, "numbers": {"a": 2}}, r"outside 0\.\.1"),
        ({"labels": {"a": Status.PASS}, "numbers": {"b": 1}}, "not a category"),
    ],
)
def test_labels_that_mean_nothing_are_refused(arguments: dict[str, object], message: str) -> None:
    """One label twice, blank or none at all, or a status it cannot mean. (contract: judges:P10)"""
    with pytest.raises(ArgumentError, match=message):
        LabelClassifier(**arguments)  # type: ignore[arg-type]


def test_labels_map_to_a_status() -> None:
    """A list says nothing of what they mean. (contract: judges:P10)"""
    with pytest.raises(ArgumentTypeError, match="map each label to a Status"):
        LabelClassifier(["pass"])  # type: ignore[arg-type]


@pytest.mark.parametrize("classifier", CLASSIFIERS)
@pytest.mark.parametrize(
    ("finish_reason", "code"),
    [
        (FinishReason.LENGTH, ReasonCode.TRUNCATED),
        (FinishReason.REFUSAL, ReasonCode.REFUSED),
        (FinishReason.CONTENT_FILTER, ReasonCode.REFUSED),
        (FinishReason.OTHER, ReasonCode.MODEL_FAILED),
    ],
)
def test_a_reply_that_is_not_complete_judges_nothing(
    classifier: Classifier, finish_reason: FinishReason, code: ReasonCode
) -> None:
    """Cut, refused or ended otherwise: an error with its own code. (contract: judges:P11)"""
    reply = 'good\n\n{"verdict": "good", "score": 9, "pass": true}'

    judgment = classifier(ModelResponse(reply, finish_reason=finish_reason))

    assert (judgment.status, judgment.code) == (Status.ERROR, code)
    assert judgment.evidence["reply"] == reply


@pytest.mark.parametrize("classifier", CLASSIFIERS)
@pytest.mark.parametrize("reply", ["nothing", '{"verdict": "good", "score": 0.9, "pass": true}'])
def test_model_and_usage_are_on_the_judgment(classifier: Classifier, reply: str) -> None:
    """As they were reported, whether or not the reply was read. (contract: judges:P12)"""
    usage = Usage(input_tokens=3, calls=1)

    judgment = classifier(ModelResponse(reply, usage=usage, model="m-1"))

    assert (judgment.usage, judgment.evidence["model"]) == (usage, "m-1")
    assert judgment.evidence["reader"] == READER_VERSION


def test_what_was_not_reported_stays_unknown() -> None:
    """No model and no usage is made up. (contract: judges:P12)"""
    judgment = classify(LABELS, "good")

    assert judgment.usage is None
    assert "model" not in judgment.evidence


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        ("Score: 7", Status.PASS),
        ("Score: 6.9/10", Status.FAIL),
        ('{"score": 7, "reason": "ok"}', Status.PASS),
    ],
)
def test_a_score_passes_where_it_reaches_the_mark(reply: str, status: Status) -> None:
    """The raw number is kept with its scale, and the mark is recorded. (contract: judges:P15)"""
    judgment = classify(SCORES, reply)

    assert judgment.status is status
    assert isinstance(judgment.score, NumericalScore)
    assert (judgment.score.high, judgment.evidence["threshold"]) == (10, 0.7)


@pytest.mark.parametrize(
    "reply",
    [
        "Score: 11",
        "Score: 85%",
        '{"score": NaN}',
        '{"score": 8, "score": 9}',
        '{"score": 8, "rating": 9}',
        '{"reason": "fine"}',
        '{"score": 8, "reason": "contrast between "alike" and "own""}',
    ],
)
def test_a_score_that_cannot_be_taken_is_an_error(reply: str) -> None:
    """Off the scale, not finite, twice, contradicted, missing or broken. (contract: judges:P14)"""
    judgment = classify(SCORES, reply)

    assert (judgment.status, judgment.code) == (Status.ERROR, ReasonCode.UNREADABLE_REPLY)


@pytest.mark.parametrize("classifier", [ScoreClassifier(0.5), BOTH])
@pytest.mark.parametrize(
    ("reply", "status", "said"),
    [
        ('{"pass": true, "score": 0}', Status.FAIL, "says that it passes"),
        ('{"pass": false, "score": 0.75}', Status.PASS, "says that it fails"),
    ],
)
def test_a_claim_that_contradicts_the_score_is_recorded(
    classifier: Classifier, reply: str, status: Status, said: str
) -> None:
    """The mark decides, and an advisory check tells of the contradiction.

    (contract: judges:P15, cases:A23)
    """
    judgment = classify(classifier, reply)

    assert judgment.status is status
    [check] = judgment.checks
    assert (check.passed, check.advisory) == (False, True)
    assert said in check.message


@pytest.mark.parametrize("classifier", [ScoreClassifier(0.5), BOTH])
@pytest.mark.parametrize("claim", ["", '"pass": true, ', '"pass": "perhaps", '])
def test_a_claim_that_agrees_or_says_nothing_is_not_recorded(
    classifier: Classifier, claim: str
) -> None:
    """There is nothing to tell of. (contract: judges:P15)"""
    judgment = classify(classifier, f'{{{claim}"score": 1}}')

    assert (judgment.status, judgment.checks) == (Status.PASS, ())


@pytest.mark.parametrize(
    ("reply", "passed"),
    [
        ('{"reason": "it runs", "pass": true}', True),
        ('So:\n```json\n{"pass": false, "reason": "it runs"}\n```', False),
        ('{"result": {"Pass": true, "reason": "it runs"}}', True),
    ],
)
def test_an_object_says_whether_it_passes(reply: str, passed: bool) -> None:
    """A boolean is a boolean, wherever the object stands. (contract: judges:P14)"""
    judgment = classify(JsonClassifier(), reply)

    assert judgment.passed is passed
    assert (judgment.score, judgment.reasoning) == (BooleanScore(passed), "it runs")


@pytest.mark.parametrize(
    "reply",
    [
        "Pass.",
        '{"pass": "true"}',
        '{"pass": 1}',
        '{"pass": null}',
        '{"passed": true}',
        '{"pass": true, "Pass": false}',
        '{"pass": true',
    ],
)
def test_nothing_but_a_boolean_says_whether_it_passes(reply: str) -> None:
    """Not prose, not a word, not a number, not another key. (contract: judges:P14)"""
    assert classify(JsonClassifier(), reply).code in (
        ReasonCode.UNREADABLE_REPLY,
        ReasonCode.TRUNCATED,
    )


def test_the_structured_answer_comes_before_the_text() -> None:
    """Where the backend gave the object, the text is not looked at. (contract: judges:P14)"""
    response = ModelResponse("poor", structured={"verdict": "good", "pass": True, "score": 9})

    judgments = [classifier(response) for classifier in (LABELS, SCORES, JsonClassifier())]

    assert [judgment.evidence["form"] for judgment in judgments] == ["structured"] * 3
    assert all(judgment.passed for judgment in judgments)


def test_what_was_peculiar_about_a_reply_is_recorded() -> None:
    """A tolerated slip shows in the evidence."""
    judgment = classify(SCORES, '{"score": "8", // of ten\n}')

    assert judgment.evidence["notes"] == ("comment", "trailing_comma", "number_as_text")


@pytest.mark.parametrize(
    ("classifier", "verdict"),
    [
        (LABELS, {"verdict": {"type": "string", "enum": ["good", "poor", "unsure"]}}),
        (SCORES, {"score": {"type": "number", "description": "from 0 to 10"}}),
        (JsonClassifier(), {"pass": {"type": "boolean"}}),
    ],
)
def test_a_schema_asks_for_what_is_read(
    classifier: LabelClassifier | ScoreClassifier | JsonClassifier, verdict: dict[str, object]
) -> None:
    """The reason comes before the verdict, and nothing else is allowed. (contract: judges:P14)"""
    schema = classifier.schema.plain

    assert schema["properties"] == {"reason": {"type": "string"}, **verdict}
    assert schema["required"] == ["reason", *verdict]
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ScoreClassifier(1.5), r"must lie in 0\.\.1"),
        (lambda: ScoreClassifier(0.5, keys=()), "there must be a key"),
        (lambda: ScoreClassifier(0.5, keys=("reason",)), "must not be blank or name the reason"),
        (lambda: JsonClassifier(passed=None), "there must be a key"),
        (lambda: JsonClassifier(passed=" "), "must not be blank"),
        (lambda: JsonClassifier(score="score"), "belong together"),
        (lambda: JsonClassifier(threshold=0.5), "belong together"),
    ],
)
def test_a_classifier_that_could_read_nothing_is_refused(make: object, message: str) -> None:
    """What is wrong is known when it is built."""
    with pytest.raises(ArgumentError, match=message):
        make()  # type: ignore[operator]


def test_a_scale_is_a_scale() -> None:
    """A pair of numbers is none, and neither is one string several keys."""
    with pytest.raises(ArgumentTypeError, match="scale must be a Scale"):
        ScoreClassifier(0.5, (0, 10))  # type: ignore[arg-type]
    with pytest.raises(ArgumentTypeError, match="not one string"):
        ScoreClassifier(0.5, keys="score")  # type: ignore[arg-type]


def test_importing_it_loads_little() -> None:
    """Neither a package that calls models nor asyncio is needed to read a reply."""
    program = (
        "import sys, agent_judge.llm.classifiers\n"
        "print([name for name in ('aiohttp', 'openai', 'asyncio') if name in sys.modules])"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "[]"
