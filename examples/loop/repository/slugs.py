"""Slugs: names that can stand in an address."""


def slug(title):
    """A title in small letters, its words joined by hyphens, without punctuation."""
    return title
