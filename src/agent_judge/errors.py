"""Every error the library raises on purpose, in one tree.

    AgentJudgeError
    ├── ArgumentError (ValueError)          a value that an argument does not allow
    ├── ArgumentTypeError (TypeError)       a value of a type that an argument does not allow
    ├── ConfigurationError (ValueError)     a configuration file that cannot be used as it stands
    ├── JudgeAnswerError (TypeError)        a judge's answer that cannot be read as a judgment
    ├── MissingExtraError (ImportError)     an optional package that is not installed
    ├── WorkersExhaustedError (RuntimeError) too many threads left behind by judges that hang
    └── WireError (ValueError)              stored data that is not what it says it is
        └── UnsupportedVersionError         stored data of a format version that cannot be read

Each class also inherits the builtin a caller would expect to catch. A judge's own failure is never
one of these: it becomes a `Judgment` with status ERROR.
"""

from __future__ import annotations


class AgentJudgeError(Exception):
    """The root of the tree: catch it to catch everything the library raises on purpose."""


class ArgumentError(AgentJudgeError, ValueError):
    """An argument has a value that is not allowed; the message says which is."""


class ArgumentTypeError(AgentJudgeError, TypeError):
    """An argument has a type that is not allowed; the message says which is."""


class ConfigurationError(AgentJudgeError, ValueError):
    """A configuration cannot be used; the message lists what is known and what is near."""


class MissingExtraError(AgentJudgeError, ImportError):
    """A feature needs a package that is not installed; the message is the install command."""


class WorkersExhaustedError(AgentJudgeError, RuntimeError):
    """Too many threads are still running judges that outlived their deadline."""


class WireError(AgentJudgeError, ValueError):
    """Stored data was refused; the message begins with the path of the fault."""


class UnsupportedVersionError(WireError):
    """Stored data has a format version that this release cannot read."""


class JudgeAnswerError(AgentJudgeError, TypeError):
    """A judge returned what cannot be read as a judgment."""
