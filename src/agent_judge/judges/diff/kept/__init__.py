"""Whether tests still test what they did, told by the syntax trees of their files.

A file becomes an outline of its tests in a child process, which can be killed: `outline_task`
parses it, a module a language turns its tree into the statements of `statements`, and `strength`
says which assertions of them run. `weakening` compares the outlines from before and after.
"""

from __future__ import annotations
