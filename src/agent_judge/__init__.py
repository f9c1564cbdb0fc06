"""Unit tests for agents."""
