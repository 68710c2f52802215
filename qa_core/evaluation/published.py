"""Figures that others published on AIT-QA, to stand beside our own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

PAPER = "Katsis et al. 2022"
"""AIT-QA: Question Answering Dataset over Complex Tables in the Airline Industry, NAACL 2022."""
N_QUESTIONS = 515


@dataclass(frozen=True)
class PublishedSystem:
    """Exact match of one zero-shot system, as fractions; ``slices`` each under its best transformation.

    ``paraphrase_sets`` are the shares of sets with all, some and none of their questions right.
    """

    title: str
    transformations: Mapping[str, float]
    slices: Mapping[str, float]
    paraphrase_sets: Mapping[str, float]


AIT_QA = (
    PublishedSystem(
        "TaBERT",
        {"base": 0.3320, "transpose-all": 0.3339, "transpose-partial": 0.3398},
        {
            "kpi-driven": 0.4137,
            "table-driven": 0.3108,
            "row-hierarchy-needed": 0.2192,
            "row-hierarchy-not-needed": 0.3875,
        },
        {"all": 0.2500, "some": 0.2917, "none": 0.4583},
    ),
    PublishedSystem(
        "TaPas",
        {"base": 0.4932, "transpose-all": 0.4388, "transpose-partial": 0.4680},
        {
            "kpi-driven": 0.4826,
            "table-driven": 0.5000,
            "row-hierarchy-needed": 0.4726,
            "row-hierarchy-not-needed": 0.5039,
        },
        {"all": 0.3888, "some": 0.3055, "none": 0.3055},
    ),
    PublishedSystem(
        "RCI",
        {"base": 0.4058, "transpose-all": 0.4854, "transpose-partial": 0.5184},
        {
            "kpi-driven": 0.6000,
            "table-driven": 0.4864,
            "row-hierarchy-needed": 0.4589,
            "row-hierarchy-not-needed": 0.5420,
        },
        {"all": 0.3333, "some": 0.3472, "none": 0.3194},
    ),
)
"""The systems of the paper over all its questions, trained on other tables (WikiSQL) only."""

LANGUAGE_MODELS = {
    "GPT-4o, with tables edited by hand": 0.93,
    "ASTRA (DeepSeek-V3)": 0.916,
    "Reasoning-Table-7B": 0.913,
}
"""Later results of large language models, each under a scorer of its own, so not comparable to the digit."""
