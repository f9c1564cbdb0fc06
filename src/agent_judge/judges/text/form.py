"""The form in which texts are compared: exact, unless a difference is ignored by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias
from unicodedata import normalize

from agent_judge.judges.text.reading import check_choice

Case: TypeAlias = Literal["exact", "ignore"]
Whitespace: TypeAlias = Literal["exact", "trim", "collapse"]
Unicode: TypeAlias = Literal["exact", "NFC", "NFD", "NFKC", "NFKD"]


@dataclass(frozen=True, slots=True)
class TextForm:
    """Brings texts into the form in which they are compared.

    Args:
        case: `"ignore"` folds case as Unicode defines it: `"ß"` equals `"SS"`.
        whitespace: `"trim"` drops what is around the text, `"collapse"` also makes one space of
            each run within, line ends included.
        unicode: The normalisation form (Unicode Standard Annex 15) that both texts are brought
            into. Under `"NFC"` an accent is the same as a letter of its own or a mark that
            follows; `"NFKC"` also equates variants such as `"①"` and `"1"`.

    Raises:
        ArgumentError: A word that is none of these.
    """

    case: Case = "exact"
    whitespace: Whitespace = "exact"
    unicode: Unicode = "exact"

    def __post_init__(self) -> None:
        check_choice(self.case, ("exact", "ignore"), "case")
        check_choice(self.whitespace, ("exact", "trim", "collapse"), "whitespace")
        check_choice(self.unicode, ("exact", "NFC", "NFD", "NFKC", "NFKD"), "unicode")

    @property
    def is_exact(self) -> bool:
        """Whether texts stay as they are."""
        return self == _EXACT

    def __call__(self, text: str) -> str:
        """A text in this form."""
        text = self._normalized(text)
        if self.case == "ignore":
            # Folding can undo the normal form, and the normal form can hold what folds further.
            text = self._normalized(text.casefold()).casefold()
            text = self._normalized(text)
        if self.whitespace == "trim":
            return text.strip()
        return " ".join(text.split()) if self.whitespace == "collapse" else text

    def _normalized(self, text: str) -> str:
        if self.unicode == "exact" or text.isascii():
            return text
        return normalize(self.unicode, text)


_EXACT = TextForm()
