"""Normalisations of XML."""

from __future__ import annotations

from typing import Final

from agent_judge.judges.compare.formats.xml_tree import BLANKS, SPACE
from agent_judge.judges.compare.node import Node, rewrite
from agent_judge.judges.compare.rules import Rule, each_tree


def said(node: Node) -> str:
    """The text of a text node, or the value of an attribute."""
    return node.value[-1] if isinstance(node.value, tuple) else ""


def is_blank(node: Node) -> bool:
    """Whether a node is a text of white space alone."""
    return node.kind == "text" and isinstance(node.value, tuple) and not _trimmed(node.value[0])


def is_mixed(element: Node) -> bool:
    """Whether an element holds text beside other elements."""
    texts = [child for child in element.children if child.kind == "text" and not is_blank(child)]
    return bool(texts) and bool(element.of_kind("element"))


def keeps_space(element: Node) -> bool:
    """Whether an element says itself that its white space is to be kept."""
    return any(
        child.kind == "attribute" and child.value == (SPACE, "preserve")
        for child in element.children
    )


def drop_blank(root: Node) -> bool:
    """Drop white space between elements, but in mixed content and under `xml:space`."""
    changed = False
    pending = [(root, False)]
    while pending:
        node, kept = pending.pop()
        kept = kept or keeps_space(node)
        if not kept and node.of_kind("element", "document") and not is_mixed(node):
            before = len(node.children)
            node.children = [child for child in node.children if not is_blank(child)]
            changed = changed or len(node.children) < before
        pending.extend((child, kept) for child in node.children)
    return changed


def sort_siblings(root: Node) -> bool:
    """Put elements with other names in one order; those of the same name keep theirs."""

    def visit(node: Node) -> bool:
        elements = node.of_kind("element")
        if len(elements) < 2 or is_mixed(node):
            return False
        others = [child for child in node.children if child.kind != "element"]
        ordered = sorted(elements, key=lambda element: (str(element.value), element.name))
        changed = [id(node) for node in ordered] != [id(node) for node in elements]
        node.children = [*others, *ordered]
        return changed

    return rewrite(root, visit)


def trim_texts(root: Node) -> bool:
    """Drop white space around texts that stand alone in their element."""

    def visit(node: Node) -> bool:
        if node.kind != "element" or node.of_kind("element") or keeps_space(node):
            return False
        changed = False
        for child in node.of_kind("text"):
            if isinstance(child.value, tuple) and len(child.value) == 1:
                before, child.value = child.value, (_trimmed(child.value[0]),)
                changed = changed or before != child.value
        kept = [child for child in node.children if child.kind != "text" or child.value != ("",)]
        node.children = kept
        return changed

    return rewrite(root, visit)


def free_siblings(root: Node) -> bool:
    """Let the order of elements mean nothing at all, but in mixed content."""

    def visit(node: Node) -> bool:
        before, node.free = node.free, not is_mixed(node)
        return node.free and not before

    return rewrite(root, visit)


def _trimmed(text: str) -> str:
    return text.strip(BLANKS)


BLANK_TEXT: Final = Rule(
    "blank_text",
    "white space between elements, but in mixed content and under xml:space",
    each_tree(drop_blank),
)
SIBLING_ORDER: Final = Rule(
    "sibling_order",
    "the order of elements with other names, where there is no text beside them",
    each_tree(sort_siblings),
)
TEXT_SPACE: Final = Rule(
    "text_space",
    "white space around a text that stands alone in its element",
    each_tree(trim_texts),
)
ALL_SIBLINGS: Final = Rule(
    "all_siblings",
    "the order of all elements, also of those with the same name",
    each_tree(free_siblings),
    usual=False,
)

XML_RULES: Final = (BLANK_TEXT, TEXT_SPACE, SIBLING_ORDER, ALL_SIBLINGS)
