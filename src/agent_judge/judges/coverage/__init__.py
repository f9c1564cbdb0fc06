"""Judges of coverage reports, and the readers of their formats."""
