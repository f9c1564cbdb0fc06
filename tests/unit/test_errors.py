from __future__ import annotations

import inspect

import pytest

from agent_judge import errors

CLASSES = [
    kind
    for _, kind in inspect.getmembers(errors, inspect.isclass)
    if issubclass(kind, BaseException)
]


@pytest.mark.parametrize("kind", CLASSES)
def test_every_error_is_in_the_one_tree(kind: type[BaseException]) -> None:
    """Whoever catches the root catches everything that is raised on purpose."""
    assert issubclass(kind, errors.AgentJudgeError)
    assert kind.__doc__


@pytest.mark.parametrize("kind", CLASSES)
def test_the_docstring_draws_every_error(kind: type[BaseException]) -> None:
    """The tree that the module shows is the tree there is."""
    assert kind.__name__ in (errors.__doc__ or "")


@pytest.mark.parametrize(
    ("kind", "builtin"),
    [
        (errors.ArgumentError, ValueError),
        (errors.ArgumentTypeError, TypeError),
        (errors.ConfigurationError, ValueError),
        (errors.MissingExtraError, ImportError),
        (errors.WorkersExhaustedError, RuntimeError),
        (errors.WireError, ValueError),
        (errors.UnsupportedVersionError, errors.WireError),
        (errors.JudgeAnswerError, TypeError),
    ],
)
def test_an_error_is_also_the_builtin_that_callers_expect(
    kind: type[Exception], builtin: type[Exception]
) -> None:
    """Code that knows nothing of the library catches what it always catches."""
    assert issubclass(kind, builtin)
