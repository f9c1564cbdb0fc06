"""Whole files and trees of files: text, bytes, and each file by its type."""
