"""Answers that say nothing, on which models are known to pass all the same.

A lone colon, or an opener such as "Let's solve this problem step by step.", made language models
approve whatever the question was ("One Token to Fool LLM-as-a-Judge", arXiv 2507.08794). Such an
answer fails without a model being asked.
"""

from __future__ import annotations

import re
from typing import Final
from unicodedata import category

_OPENERS: Final = re.compile(
    r"""solution|respuesta|thought\ process|解|解答|かいせつ
    |(?:my|(?:the\ )?final|the|here\ is(?:\ my|\ the)?|here's(?:\ my|\ the)?)?\ ?
      (?:thought\ process|reasoning|solution|answer|response|explanation|analysis|result):
    |let(?:'s|\ us|\ me)\ (?:solve|think|work|break|analy[sz]e|start|begin|reason)\b
      [a-z\ ,']{0,80}:?
    |(?:sure|certainly|of\ course|absolutely|great\ question)[,:]?\ (?:here(?:'s|\ is|\ are)
      |let\ me|i\ can|i'll)\b[a-z\ ,']{0,80}:?
    |to\ (?:solve|answer)\ (?:this|the)\ [a-z]{1,20},?\ (?:let(?:'s|\ us)|we)\b[a-z\ ,']{0,80}:?
    """,
    re.VERBOSE,
)
_LONGEST: Final = 200
_MARKUP: Final = str.maketrans(dict.fromkeys('*_#>`"“”.!…', " ") | {"’": "'", "\uff1a": ":"})  # noqa: RUF001 - the colon in full width


def says_nothing(answer: str) -> bool:
    """Whether an answer is blank, punctuation alone, or nothing but the opening of an answer.

    Example:
        >>> [says_nothing(said) for said in ("", " : ", "**Thought process:**", "4", "No.")]
        [True, True, True, False, False]
    """
    if not any(_is_word(character) for character in answer):
        return True
    if len(answer) > _LONGEST:
        return False
    said = " ".join(answer.casefold().translate(_MARKUP).split())
    return _OPENERS.fullmatch(said) is not None


def _is_word(character: str) -> bool:
    """Letters, digits and symbols say something; punctuation, space and controls do not."""
    return category(character)[0] in "LNS" and character not in "`^"
