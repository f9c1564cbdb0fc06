"""Judges that ask a model, and what they are made of.

Everything here is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_judge.lazy import exporting

if TYPE_CHECKING:
    from agent_judge.llm.agentic import AgenticJudge
    from agent_judge.llm.checklist import ChecklistJudge
    from agent_judge.llm.classifiers import (
        Classifier,
        JsonClassifier,
        LabelClassifier,
        ScoreClassifier,
    )
    from agent_judge.llm.correctness import CorrectnessJudge
    from agent_judge.llm.criteria import Criterion
    from agent_judge.llm.geval import GEvalJudge
    from agent_judge.llm.model_backed import ModelBackedJudge
    from agent_judge.llm.pairwise import PairwiseJudge
    from agent_judge.llm.preferences import Preference, PreferenceClassifier, Slot
    from agent_judge.llm.prompts import PromptTemplate
    from agent_judge.llm.questions import Defence, Example
    from agent_judge.llm.reading import Scale
    from agent_judge.llm.requirements.ears import parse_ears
    from agent_judge.llm.requirements.judges import EarsJudge, Rfc2119Judge
    from agent_judge.llm.requirements.rfc2119 import parse_rfc2119
    from agent_judge.llm.requirements.roster import Requirement, Roster
    from agent_judge.llm.rubric import RubricJudge
    from agent_judge.llm.sampled import SampledJudge
    from agent_judge.llm.slot_pull import FirstSlotPull, first_slot_pull

__all__ = [
    "AgenticJudge",
    "ChecklistJudge",
    "Classifier",
    "CorrectnessJudge",
    "Criterion",
    "Defence",
    "EarsJudge",
    "Example",
    "FirstSlotPull",
    "GEvalJudge",
    "JsonClassifier",
    "LabelClassifier",
    "ModelBackedJudge",
    "PairwiseJudge",
    "Preference",
    "PreferenceClassifier",
    "PromptTemplate",
    "Requirement",
    "Rfc2119Judge",
    "Roster",
    "RubricJudge",
    "SampledJudge",
    "Scale",
    "ScoreClassifier",
    "Slot",
    "first_slot_pull",
    "parse_ears",
    "parse_rfc2119",
]

_HOMES = {
    "agentic": ("AgenticJudge",),
    "checklist": ("ChecklistJudge",),
    "classifiers": (
        "Classifier",
        "JsonClassifier",
        "LabelClassifier",
        "ScoreClassifier",
    ),
    "correctness": ("CorrectnessJudge",),
    "criteria": ("Criterion",),
    "geval": ("GEvalJudge",),
    "model_backed": ("ModelBackedJudge",),
    "pairwise": ("PairwiseJudge",),
    "preferences": (
        "Preference",
        "PreferenceClassifier",
        "Slot",
    ),
    "prompts": ("PromptTemplate",),
    "questions": (
        "Defence",
        "Example",
    ),
    "reading": ("Scale",),
    "requirements.ears": ("parse_ears",),
    "requirements.judges": (
        "EarsJudge",
        "Rfc2119Judge",
    ),
    "requirements.rfc2119": ("parse_rfc2119",),
    "requirements.roster": (
        "Requirement",
        "Roster",
    ),
    "rubric": ("RubricJudge",),
    "sampled": ("SampledJudge",),
    "slot_pull": (
        "FirstSlotPull",
        "first_slot_pull",
    ),
}

__getattr__, __dir__ = exporting(__name__, _HOMES)
