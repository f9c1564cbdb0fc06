from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from agent_judge.errors import ArgumentError, ArgumentTypeError, UnsupportedVersionError, WireError
from agent_judge.models import (
    Feature,
    FinishReason,
    ImagePart,
    Message,
    ModelError,
    ModelOptions,
    ModelRequest,
    ModelResponse,
    RecordingModel,
    ReplayModel,
    UnknownRequestError,
)
from agent_judge.usage import Usage


class Counting:
    """A model that numbers its answers."""

    def __init__(self, name: str = "counting") -> None:
        self.name = name
        self.features = frozenset({Feature.SEED})
        self.asked = 0

    async def __call__(self, request: ModelRequest, /) -> ModelResponse:  # noqa: ARG002
        """Answer anything."""
        self.asked += 1
        return ModelResponse(f"{self.name} {self.asked}", usage=Usage(output_tokens=self.asked))


def question(text: str = "Is 2 + 2 = 4?", sample: int = 0) -> ModelRequest:
    """A request for a sample."""
    return ModelRequest(
        [Message.system("Judge."), Message.user(text)],
        ModelOptions(temperature=0),
        cache_key={"sample": sample},
    )


@pytest.fixture
def cassette(tmp_path: Path) -> Path:
    """A place for a cassette."""
    return tmp_path / "judge.jsonl"


def record(
    path: Path, *requests: ModelRequest, append: bool = False, name: str = "counting"
) -> None:
    """Record a model that is asked these."""
    model = RecordingModel(Counting(name), path, append=append)

    async def run() -> None:
        for request in requests:
            await model(request)

    asyncio.run(run())


def replay(model: ReplayModel, *requests: ModelRequest) -> list[str]:
    """The texts of the replies to these."""

    async def run() -> list[str]:
        return [(await model(request)).text for request in requests]

    return asyncio.run(run())


def test_the_kth_identical_request_gets_the_kth_reply(cassette: Path) -> None:
    """Repeated questions replay their replies in the order of recording. (contract: cases:F5)"""
    record(cassette, question(), question("other"), question(), question(sample=1))
    model = ReplayModel(cassette)

    texts = replay(model, question(sample=1), question(), question(), question("other"))

    assert texts == ["counting 4", "counting 1", "counting 3", "counting 2"]


def test_a_replayed_response_is_the_recorded_one(cassette: Path) -> None:
    """Usage and reasons come back too, and the response says that nobody was called."""
    record(cassette, question())

    response = asyncio.run(ReplayModel(cassette)(question()))

    assert response == ModelResponse("counting 1", usage=Usage(output_tokens=1))
    assert response.from_cache


def test_a_question_that_was_asked_too_often_is_an_error(cassette: Path) -> None:
    """No reply is given twice for one that was recorded once. (contract: judges:P19)"""
    record(cassette, question())
    model = ReplayModel(cassette)
    replay(model, question())

    with pytest.raises(UnknownRequestError, match="asked 2 times and recorded 1 times"):
        replay(model, question())


@pytest.mark.parametrize(
    ("request_", "difference"),
    [
        (question("Is 2 + 3 = 4?"), r"line 1, .*content from character 7: recorded '2 = 4\?'"),
        (question(sample=5), r"cache_key\.sample: recorded 0, asked 5"),
        (
            ModelRequest(question().messages, cache_key={"sample": 0}),
            r"options: recorded {'temperature': 0}, asked None",
        ),
        (
            ModelRequest(question().messages[1:], ModelOptions(temperature=0)),
            r"messages\[0\]\.role",
        ),
    ],
)
def test_an_unknown_request_is_told_where_it_differs(
    cassette: Path, request_: ModelRequest, difference: str
) -> None:
    """The nearest recorded request is named, with the first difference to it."""
    record(cassette, question(), question("Something quite different"))

    with pytest.raises(UnknownRequestError, match=difference) as raised:
        replay(ReplayModel(cassette), request_)

    assert isinstance(raised.value, LookupError)
    assert isinstance(raised.value, ModelError)


def test_a_cassette_is_text_for_people(cassette: Path) -> None:
    """One JSON object a line, letters as they are, images by their hash."""
    image = ImagePart(b"PNG", "image/png")
    record(cassette, ModelRequest([Message.user("Größe?", image)], nonce="abcd1234"))

    line = cassette.read_text(encoding="utf-8")

    assert line.endswith("\n")
    assert "Größe?" in line
    assert json.loads(line) == {
        "cassette": 1,
        "model": "counting",
        "request": {
            "messages": [
                {
                    "role": "user",
                    "content": [
                        {"type": "text", "text": "Größe?"},
                        {
                            "type": "image",
                            "media_type": "image/png",
                            "bytes": 3,
                            "sha256": json.loads(line)["request"]["messages"][0]["content"][1][
                                "sha256"
                            ],
                        },
                    ],
                }
            ],
            "nonce": "<nonce>",
        },
        "response": {
            "text": "counting 1",
            "finish_reason": "unreported",
            "usage": {"output_tokens": 1},
        },
    }


def test_a_cassette_may_be_edited(cassette: Path) -> None:
    """What identifies a request is its text, not a hash beside it."""
    record(cassette, question("Is 2 + 2 = 4?"))
    cassette.write_text(cassette.read_text().replace("2 + 2", "3 + 3").replace("\n", "\n\n"))

    assert replay(ReplayModel(cassette), question("Is 3 + 3 = 4?")) == ["counting 1"]


def test_cut_replies_are_recorded_and_errors_are_not(cassette: Path) -> None:
    """A replay shows what the model said; a connection that failed said nothing."""
    answers = iter([ModelResponse("PA", finish_reason=FinishReason.LENGTH)])

    def model(request: ModelRequest) -> ModelResponse:
        return next(answers, None) or (_ for _ in ()).throw(ModelError("dropped"))

    recording = RecordingModel(model, cassette)
    asyncio.run(recording(question()))
    with pytest.raises(ModelError, match="dropped"):
        asyncio.run(recording(question()))

    assert len(cassette.read_text().splitlines()) == 1
    response = asyncio.run(ReplayModel(cassette)(question()))
    assert response.finish_reason is FinishReason.LENGTH


def test_a_cassette_that_holds_something_is_not_written_to_by_mistake(cassette: Path) -> None:
    """Old replies would be replayed before the new ones."""
    record(cassette, question())

    with pytest.raises(ArgumentError, match="append=True"):
        RecordingModel(Counting(), cassette)


def test_several_models_share_a_cassette_by_name(cassette: Path) -> None:
    """Where several models answered the same question, one is to be named."""
    record(cassette, question(), name="one")
    record(cassette, question(), name="two", append=True)

    assert replay(ReplayModel(cassette, model="two"), question()) == ["two 1"]
    assert ReplayModel(cassette, model="two").name == "two"
    assert ReplayModel(cassette).name == f"replay:{cassette}"
    with pytest.raises(UnknownRequestError, match="one, two"):
        replay(ReplayModel(cassette), question())
    with pytest.raises(ArgumentError, match=r"\['one', 'two'\]"):
        ReplayModel(cassette, model="three")


def test_many_who_record_at_once_do_not_mix_their_lines(cassette: Path) -> None:
    """Each line is written in one piece."""
    model = RecordingModel(Counting(), cassette)

    async def run() -> None:
        await asyncio.gather(*(model(question("x" * 5000, sample=n)) for n in range(50)))

    asyncio.run(run())

    assert len(replay(ReplayModel(cassette), *(question("x" * 5000, n) for n in range(50)))) == 50


@pytest.mark.parametrize(
    ("content", "kind", "place"),
    [
        ("not JSON", WireError, r"judge\.jsonl:1: "),
        ("[]", WireError, r"judge\.jsonl:1: "),
        ('{"a": 1}', WireError, "not an entry"),
        ('{"cassette": 2}', UnsupportedVersionError, "reads 1"),
        ('{"cassette": 1, "model": "m", "request": {}}', WireError, "an entry holds"),
        ("[" * 100_000, WireError, "not JSON"),
        ("", ArgumentError, "holds no reply"),
    ],
)
def test_what_is_no_cassette_is_refused(
    cassette: Path, content: str, kind: type[Exception], place: str
) -> None:
    """The fault is found before anything is judged, and its line is named."""
    cassette.write_text(content)

    with pytest.raises(kind, match=place):
        ReplayModel(cassette)


def test_only_a_cassette_is_appended_to(cassette: Path) -> None:
    """A file of another kind is left alone."""
    cassette.write_text("precious")

    with pytest.raises(WireError):
        RecordingModel(Counting(), cassette, append=True)

    assert cassette.read_text() == "precious"


def test_a_missing_cassette_is_missed_at_once(cassette: Path) -> None:
    """It is not taken for an empty one."""
    with pytest.raises(FileNotFoundError):
        ReplayModel(cassette)


def test_a_recording_model_is_known_as_the_model_it_records(cassette: Path) -> None:
    """Its name and what it can be asked are those of the model behind it."""
    recording = RecordingModel(Counting("inner"), cassette)

    assert recording.name == "inner"
    assert recording.features == frozenset({Feature.SEED})
    assert recording.identity is None
    with pytest.raises(ArgumentTypeError):
        RecordingModel("openai:m", cassette)  # type: ignore[arg-type]
