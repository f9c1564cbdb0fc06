"""Reading what a judge replied: one grammar, pure functions, never a guess and never an exception.

A reply gives either a reading or an `Unreadable` that says why not. Three steps lead there.

**Own words.** What is not the judge's own is blanked:

| blanked | unless |
|---|---|
| reasoning: `<think>`, …, also unclosed | the tag stands in a JSON string or inline code |
| HTML comments, block quotes, a paragraph below `… wrote:` | |
| fenced blocks | the lead is `My verdict:` or the like; or one ends the reply (see below) |
| `"…"`, inline code | they end a sentence with the verdict, or the reply |
| JSON objects inside a line | |

What says that it is another's, as `Candidate answer:` above it does, is blanked in any case.

**Forms.** Each place that states a verdict is a statement:

| form | example | no statement |
|---|---|---|
| STRUCTURED | the object beside the text; the text is not looked at | |
| OBJECT | the last JSON object | one before it |
| LINE | `Score: 8/10`, `**GRADE:** C - barely`, `The verdict is PASS` | `Score: high` |
| BRACKETS | `[[A>>B]]`, `[[7]]` | `not [[A]]`, `it claims [[10]]` |
| SENTENCE | `Therefore, B is better.`, `I rate this 8 out of 10.` | `B says that B is better.` |
| ALONE | a label that is a line, a number that is the answer | `incorrect`, `yes?` |
| FIRST_WORDS | `Yes, it did.` | `Yes, but …`, `Yes it did`, `A, B` |

A broken object, `Verdict: MAYBE` and a number off the scale are statements as well, of a fault.

**Settlement.** If all statements agree, that is the verdict. If not, those count that are marked as
final (`Final verdict: …`, `Therefore, …`), when they agree and nothing else comes after them.
Otherwise the reply is CONFLICTING. A fenced block that ends the reply, without a lead of the
judge's, is settled by itself: it counts where nothing is stated outside of it, or the same.

A number lies on the `Scale` or is refused: a bare one is never converted, and none is clamped.
Every reader takes time in proportion to the length of the reply, whatever it holds.
"""

from __future__ import annotations

from typing import Final

from agent_judge.llm.reading.decisions import DecisionReading, read_decision
from agent_judge.llm.reading.label_lists import read_labels
from agent_judge.llm.reading.labels import read_label
from agent_judge.llm.reading.menus import Menu
from agent_judge.llm.reading.numbers import Scale
from agent_judge.llm.reading.objects import ObjectReading, read_object
from agent_judge.llm.reading.records import Fault, Form, Note, Reading, Unreadable
from agent_judge.llm.reading.scores import read_score

READER_VERSION: Final = 1
"""Changes whenever a reply may be read differently; part of the key of a cached judgment."""

__all__ = [
    "READER_VERSION",
    "DecisionReading",
    "Fault",
    "Form",
    "Menu",
    "Note",
    "ObjectReading",
    "Reading",
    "Scale",
    "Unreadable",
    "read_decision",
    "read_label",
    "read_labels",
    "read_object",
    "read_score",
]
