from __future__ import annotations

import pytest

from agent_judge import JudgmentContext, NumericalScore, ReasonCode, Source, Status, evaluate
from agent_judge.errors import ArgumentError, ArgumentTypeError
from agent_judge.judges import AnswerRelevanceScreen, GroundednessScreen, SimilarityJudge
from agent_judge.judges.meaning import groundedness, relevance, similarity, small_talk
from agent_judge.judgment import Judgment
from agent_judge.protocol import Judge

GOAL = "How long do customers have to return an item?"
BRIDGE = (
    "The iron bridge in Halden was opened in May 1884 after three years of work. It is 212 metres "
    "long. Ida Krogh designed it; 140 workers built it. It was closed to trains in 1971."
)


def similar(output: str, expected: str) -> float:
    """How near two texts are."""
    judgment = evaluate(SimilarityJudge(expected, threshold=0), JudgmentContext(output=output))
    assert isinstance(judgment.score, NumericalScore)
    return judgment.score.value


def relevant(output: str, goal: str = GOAL) -> Judgment:
    """What the screen says of an answer."""
    return evaluate(AnswerRelevanceScreen(), JudgmentContext(goal=goal, output=output))


def grounded(output: str, *sources: str) -> Judgment:
    """What the screen says of an output and its sources."""
    kept = tuple(Source(source) for source in sources or (BRIDGE,))
    return evaluate(GroundednessScreen(), JudgmentContext(output=output, sources=kept))


class TestSimilarity:
    def test_near_meanings_are_nearer_than_others(self) -> None:
        """The cosines that the published weights give, up to int8 and the processor."""
        assert similar("A feline rested on a rug.", "The cat sat on the mat.") == pytest.approx(
            0.553, abs=0.03
        )
        assert similar("Revenue rose in Europe.", "The cat sat on the mat.") < 0.1

    def test_a_negation_is_not_seen(self) -> None:
        """What the docstring says it cannot see, it cannot see."""
        assert similar("The invoice was not issued.", "The invoice was issued.") > 0.7

    def test_the_same_text_is_as_near_as_can_be(self) -> None:
        """Also where case and accents differ, which the encoder does not see."""
        assert similar("Crème brûlée", "creme BRULEE") == pytest.approx(1, abs=1e-6)

    def test_the_threshold_decides_and_is_recorded(self) -> None:
        """A score at the mark passes; a bound that nobody gave is none."""
        context = JudgmentContext(output="A feline rested on a rug.", expected="The cat sat.")

        below = evaluate(SimilarityJudge(threshold=0.99), context)
        above = evaluate(SimilarityJudge(threshold=0.1), context)

        assert (below.status, above.status) == (Status.FAIL, Status.PASS)
        assert below.evidence["threshold"] == 0.99
        with pytest.raises(TypeError, match="threshold"):
            SimilarityJudge("The cat sat.")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]

    def test_an_opposite_is_no_less_than_nothing(self) -> None:
        """Negative cosines count as 0, and so does an output without any text."""
        assert similar("Revenue rose by 15 percent in Europe.", "The cat sat on the mat.") == 0
        assert similar("", "The cat sat on the mat.") == 0
        assert similar("\u200b \n", "The cat sat on the mat.") == 0

    def test_a_text_does_not_depend_on_its_neighbours(self) -> None:
        """Int8 inference would scale a batch by its greatest value; each text runs alone."""
        alone = similar("The cat sat on the mat.", "A feline rested on a rug.")
        similar("1 2 3 4 5 6 7 8 9", "x" * 90 + " !!!! " * 100)

        assert similar("The cat sat on the mat.", "A feline rested on a rug.") == alone

    def test_the_end_of_a_long_text_counts(self) -> None:
        """It is compared in parts, which are counted."""
        text = "The cat sat on the mat. " * 80
        other = "Revenue rose by 15 percent in Europe. " * 60
        judge = SimilarityJudge(text, threshold=0.9)

        same = evaluate(judge, JudgmentContext(output=text))
        changed = evaluate(judge, JudgmentContext(output=text + other))

        assert same.passed
        assert not changed.passed
        assert changed.metadata["parts"] == {"output": 5, "expected": 3}


class TestRelevance:
    def test_an_output_on_another_subject_fails(self) -> None:
        """And the reasoning says how far it is."""
        judgment = relevant("Tides are caused by the gravity of the moon.")

        assert judgment.status is Status.FAIL
        assert "bar 0.08" in judgment.reasoning
        assert judgment.metadata["bar"] == 0.08

    @pytest.mark.parametrize(
        "output",
        [
            "Unused goods can be sent back for 30 days.",
            "Customers may never return an item.",
            "I do not know how long customers have.",
        ],
    )
    def test_an_output_on_the_subject_is_left_to_others(self, output: str) -> None:
        """Right, wrong or no answer: the screen never passes."""
        judgment = relevant(output)

        assert judgment.status is Status.ABSTAIN
        assert "left to others" in judgment.reasoning

    @pytest.mark.parametrize(
        ("output", "goal"),
        [
            ("30 days", GOAL),
            ("hello world", "Decode this base64 string: aGVsbG8gd29ybGQ="),
            ("The revenue of the second quarter rose.", "Summarise the document"),
            ("", GOAL),
            ("ᚠᛇᚻ ᛒᛦᚦ ᚠᚱᚩᚠᚢᚱ ᚠᛁᚱᚪ ᚷᛖᚻᚹᛦᛚᚳᚢᛗ ᛋᚳᛖᚪᛚ", GOAL),
            ("Ware kann dreißig Tage lang zurückgegeben werden.", GOAL),
            ("Tides are caused by the gravity of the moon.", "Wie lange kann man Ware umtauschen?"),
        ],
    )
    def test_what_tells_no_subject_is_left_to_others(self, output: str, goal: str) -> None:
        """Too few words, or none that the encoder knows: no finding is made up."""
        assert relevant(output, goal).status is Status.ABSTAIN
        assert relevant(output, goal).checks == ()

    def test_one_part_on_the_subject_is_enough(self) -> None:
        """A long answer is not failed for an aside; all its parts are looked at."""
        aside = "Tides are caused by the gravity of the moon and the sun. " * 60

        judgment = relevant(aside + "Customers have 30 days to return an item.")

        assert judgment.status is Status.ABSTAIN
        assert relevant(aside).status is Status.FAIL
        assert judgment.checks[0].examined == 4

    def test_the_goal_and_the_bar_can_be_given(self) -> None:
        """The goal of the run is then not looked at."""
        judge = AnswerRelevanceScreen("What causes the tides of the ocean?", bar=0.3)
        context = JudgmentContext(goal=GOAL, output="Customers have 30 days to return an item.")

        judgment = evaluate(judge, context)

        assert judgment.status is Status.FAIL
        assert judgment.metadata["bar"] == 0.3


class TestGroundedness:
    def test_a_claim_that_the_sources_lack_fails(self) -> None:
        """It is named, and the others are counted."""
        judgment = grounded("Ida Krogh designed the bridge. Insulin was first given in Toronto.")

        assert judgment.status is Status.FAIL
        assert "'Insulin was first given in Toronto.'" in judgment.reasoning
        assert [(check.passed, check.examined) for check in judgment.checks] == [
            (False, 1),
            (True, 1),
        ]

    def test_a_number_that_the_sources_lack_fails(self) -> None:
        """However near the claim is."""
        judgment = grounded("The bridge was opened in May 1886.")

        assert judgment.status is Status.FAIL
        assert judgment.reasoning == "absent from the sources: the number 1886"

    @pytest.mark.parametrize(
        "output",
        [
            "The bridge was opened in May 1884 and closed to trains after 87 years.",
            "The bridge was never opened.",
            "Ida Krogh did not design the bridge.",
        ],
    )
    def test_what_is_near_the_sources_is_left_to_others(self, output: str) -> None:
        """Supported or contradicted: the screen cannot tell, and never passes."""
        judgment = grounded(output)

        assert judgment.status is Status.ABSTAIN
        assert "left to others" in judgment.reasoning

    @pytest.mark.parametrize(
        "output",
        [
            "",
            "Yes.",
            "Is it?",
            "I hope this helps you, my friend!",
            "Please feel free to ask if you have further questions.",
            "The documents that you gave me contain no answer to this.",
            *[said for said in small_talk.SMALL_TALK if not said.endswith("?")],
        ],
    )
    def test_an_output_without_claims_is_left_to_others(self, output: str) -> None:
        """Nothing was looked for, and it says so."""
        judgment = grounded(output)

        assert judgment.status is Status.ABSTAIN
        assert "no claim" in judgment.reasoning
        assert judgment.checks == ()

    def test_numbers_of_the_goal_are_given(self) -> None:
        """An answer may repeat what it was asked."""
        source = (Source(BRIDGE),)
        context = JudgmentContext(
            goal="Was it open in 1999?", output="The bridge was closed in 1999.", sources=source
        )

        assert evaluate(GroundednessScreen(), context).status is Status.ABSTAIN

    def test_beside_another_language_no_claim_is_called_absent(self) -> None:
        """The encoder sees no likeness across languages; numbers are the same in all of them."""
        german = "Unbenutzte Ware kann innerhalb von 30 Tagen zurückgegeben werden."

        claim = grounded("Customers can send back goods that are not used.", german)
        number = grounded("Customers can send them back for 60 days.", german)

        assert claim.status is Status.ABSTAIN
        assert claim.metadata["not_examined"] == {"beside other languages": 1}
        assert number.status is Status.FAIL

    def test_a_source_of_a_few_names_is_in_no_language(self) -> None:
        """It does not keep the screen from looking in the others."""
        assert grounded("Insulin was first given in Toronto.", BRIDGE, "Krogh, Ida").failed_checks

    def test_numbers_can_be_ignored(self) -> None:
        """And are then not counted as examined."""
        judge = GroundednessScreen(BRIDGE, numbers="ignore")

        judgment = evaluate(judge, JudgmentContext(output="The bridge was opened in May 1886."))

        assert judgment.status is Status.ABSTAIN
        assert judgment.metadata["numbers"] == 0

    def test_where_nothing_can_be_said_of_numbers_they_are_counted_apart(self) -> None:
        """Sources full of numbers explain everything."""
        table = "The rivets of the iron bridge: " + " ".join(map(str, range(1000, 1300)))

        judgment = grounded("The iron bridge has 5555 rivets.", table)

        assert judgment.status is Status.ABSTAIN
        assert judgment.metadata["not_examined"] == {"numbers": 1}

    def test_given_sources_come_before_those_of_the_run(self) -> None:
        """One or several."""
        judge = GroundednessScreen(["Insulin was first given to a boy in Toronto.", " "])
        context = JudgmentContext(
            output="Ida Krogh designed the bridge.", sources=(Source(BRIDGE),)
        )

        assert evaluate(judge, context).status is Status.FAIL

    def test_only_so_many_absences_are_named(self) -> None:
        """The others are counted, and no check is lost."""
        output = " ".join(f"The boat carried {number} sacks." for number in range(3000, 3030))

        judgment = grounded(output, "The boat carried sacks.")

        failed = judgment.failed_checks
        assert len(failed) == groundedness.MAX_REPORTED + 1
        assert sum(check.examined for check in failed) == 30
        assert judgment.reasoning.endswith("; 27 more")


JUDGES: list[Judge] = [
    SimilarityJudge(threshold=0.5),
    AnswerRelevanceScreen(),
    GroundednessScreen(),
]


@pytest.mark.parametrize("judge", JUDGES, ids=lambda judge: type(judge).__name__)
def test_missing_evidence_is_an_abstention(judge: Judge) -> None:
    """No output; an output, but nothing to compare it with; sources that are all blank."""
    blank = (Source(" \n"),)
    contexts = [
        JudgmentContext(goal=GOAL, expected="x", sources=(Source(BRIDGE),)),
        JudgmentContext(output="The bridge was opened in May 1884."),
        JudgmentContext(goal=" ", output="The bridge was opened in May.", sources=blank),
        JudgmentContext(output="The bridge was opened in May.", sources=(Source("\u200b"),)),
    ]

    for context in contexts:
        judgment = evaluate(judge, context)
        assert judgment.status is Status.ABSTAIN
        assert judgment.code is ReasonCode.MISSING_INPUT


@pytest.mark.parametrize("judge", JUDGES, ids=lambda judge: type(judge).__name__)
def test_an_output_that_is_no_text_is_an_error(judge: Judge) -> None:
    """It is not read as something else unless that was asked for."""
    context = JudgmentContext(goal=GOAL, output=[1], expected="x", sources=(Source(BRIDGE),))

    assert evaluate(judge, context).code is ReasonCode.MALFORMED_EVIDENCE


@pytest.mark.parametrize(
    ("judge", "context"),
    [
        (JUDGES[0], JudgmentContext(output="x" * (similarity.MAX_TEXT + 1), expected="x")),
        (JUDGES[1], JudgmentContext(output="x" * (relevance.MAX_TEXT + 1), goal=GOAL)),
        (
            JUDGES[2],
            JudgmentContext(output="x" * (groundedness.MAX_OUTPUT + 1), sources=(Source("x"),)),
        ),
        (
            JUDGES[2],
            JudgmentContext(output="x", sources=(Source("x" * groundedness.MAX_SOURCES),) * 2),
        ),
    ],
)
def test_what_is_too_large_is_an_error(judge: Judge, context: JudgmentContext) -> None:
    """It is not cut."""
    assert evaluate(judge, context).code is ReasonCode.TOO_LARGE


@pytest.mark.parametrize("expected", [" ", "\u200b"])
def test_nothing_is_near_to_nothing(expected: str) -> None:
    """An expected text without anything to read is an error, not a score."""
    context = JudgmentContext(output="The cat sat on the mat.", expected=expected)

    assert evaluate(JUDGES[0], context).code is ReasonCode.MALFORMED_EVIDENCE


def test_wrong_arguments_are_refused() -> None:
    """When the judge is built, by name."""
    with pytest.raises(ArgumentError, match="threshold"):
        SimilarityJudge("x", threshold=1.5)
    with pytest.raises(ArgumentError, match="goal is blank"):
        AnswerRelevanceScreen(" ")
    with pytest.raises(ArgumentError, match="bar"):
        AnswerRelevanceScreen(bar=-0.1)
    with pytest.raises(ArgumentError, match="sources is an empty list"):
        GroundednessScreen([])
    with pytest.raises(ArgumentTypeError, match="sources"):
        GroundednessScreen(7)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    with pytest.raises(ArgumentError, match="numbers must be one of"):
        GroundednessScreen(numbers="maybe")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("judge", "figures"),
    [
        (SimilarityJudge, [".80"]),
        (AnswerRelevanceScreen, [".985"]),
        (GroundednessScreen, [".945", ".535"]),
    ],
)
def test_the_measured_figures_are_what_people_read_first(judge: type, figures: list[str]) -> None:
    """The first line of the docstring, which `agent-judge list` prints, has them."""
    first = (judge.__doc__ or "").partition("\n")[0]

    assert [figure for figure in figures if figure not in first] == []
