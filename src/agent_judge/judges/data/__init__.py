"""Judges of structured data: JSON, CSV and SQLite."""

from __future__ import annotations

from agent_judge.judges.data.csv_match import CsvMatchJudge
from agent_judge.judges.data.csv_table import CsvJudge
from agent_judge.judges.data.json_match import JsonMatchJudge
from agent_judge.judges.data.json_path import JsonPathJudge
from agent_judge.judges.data.json_schema import JsonSchemaJudge
from agent_judge.judges.data.json_text import JsonJudge
from agent_judge.judges.data.sqlite import SqliteJudge

__all__ = [
    "CsvJudge",
    "CsvMatchJudge",
    "JsonJudge",
    "JsonMatchJudge",
    "JsonPathJudge",
    "JsonSchemaJudge",
    "SqliteJudge",
]
