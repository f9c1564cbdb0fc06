"""Judges of what static analyses find, and the readers of their formats."""
