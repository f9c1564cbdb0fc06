"""Policies: how an attempt's output becomes a decision."""
