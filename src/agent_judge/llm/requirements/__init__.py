"""Whether work meets the requirements that a document states.

A document becomes a roster (`ears.py`, `rfc2119.py`); a model answers to each requirement of it,
with evidence (`examination.py`, `answers.py`); the places that the evidence names are looked up
(`citations.py`); and code decides what it all comes to (`outcome.py`).
"""
