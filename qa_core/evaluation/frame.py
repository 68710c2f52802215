"""A run as columns: all that is counted about its questions, without their texts.

The columns of the questions are the same for all runs over a dataset and are read once; those of 60,000
answers are read in a quarter of a second and filtered in milliseconds. What is shown of a question is read
from the store when it is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from qa_core.evaluation.comparison import PAIRS
from qa_core.evaluation.facets import FACETS, QUESTION_FACETS, SETS, confidence_edges
from qa_core.evaluation.outcome import judge
from qa_core.evaluation.summary import ParaphraseSet, Verdict, summarise_counts
from qa_core.prediction import Prediction

if TYPE_CHECKING:
    from qa_core.datasets import Dataset
    from qa_core.evaluation.store import RunStore
    from qa_core.question import Question
    from qa_core.table import Table


def questions_frame(store: RunStore, fingerprint: str) -> pd.DataFrame:
    """A row for each question of a dataset that any run answered, in the dataset's order.

    ``position`` is its place in the dataset, ``id`` and ``table`` name question and table, ``slices`` the
    named slices joined and enclosed by bars, ``set`` the paraphrase set; each facet of questions has a
    categorical column. Raises CrossheadError as the store does.
    """
    return _questions(store.question_columns(fingerprint))


def dataset_frame(dataset: Dataset) -> pd.DataFrame:
    """As ``questions_frame``, for all questions of a dataset, out of itself; a second for some 3,000."""
    asked = dataset.questions
    described = [_described(question, dataset.tables.get(question.table_id)) for question in asked]
    return _questions(
        {
            "position": range(len(asked)),
            "id": [question.id for question in asked],
            "table": [question.table_id for question in asked],
            "set": [question.paraphrase_group for question in asked],
            "slices": [slices for slices, _ in described],
            "facets": [facets for _, facets in described],
        }
    )


def _described(question: Question, table: Table | None) -> tuple[str, str]:
    if table is None:
        return "||", ""
    outcome = judge(question, table, Prediction(""))
    return f"|{'|'.join(outcome.slices)}|", "|".join(outcome.facets.values())


def _questions(columns: Mapping[str, Sequence[Any]]) -> pd.DataFrame:
    frame = pd.DataFrame({"position": np.array(columns["position"], np.int64), "id": columns["id"]})
    for name in ("table", "set", "slices"):
        frame[name] = pd.Categorical(columns[name])
    for name, codes in _question_codes(columns["facets"]).items():
        frame[name] = _categorical(codes, name)
    return frame


def run_frame(store: RunStore, run_id: str, questions: pd.DataFrame | None = None) -> pd.DataFrame:
    """A row for each question that a run answered, in the dataset's order, with the columns of
    ``questions_frame``, which is read where it is not given.

    ``strict`` and ``normalised`` are verdicts, ``given`` says whether there is an answer, ``certainty`` its
    confidence in [0, 1]; each facet of answers has a categorical column, and ``sets`` says of a question in a
    paraphrase set how many of that set are right. Raises CrossheadError as the store does.
    """
    columns = store.answer_columns(run_id)
    if questions is None:
        questions = questions_frame(store, store.dataset_of(run_id))
    frame, places = _answered(questions, columns["id"])
    for name in ("given", "strict", "normalised"):
        frame[name] = np.array(columns[name], bool)[places]
    frame["seconds"] = np.array(columns["seconds"], float)[places]
    frame["certainty"] = confidence = np.array(columns["confidence"], float)[places]
    reasons = {name: place for place, name in enumerate(FACETS["reason"].values)}
    codes = np.array([reasons[each or "right"] for each in columns["reason"]], np.int64)
    frame["reason"] = _categorical(codes[places], "reason")
    frame["confidence"] = _categorical(np.searchsorted(confidence_edges(), confidence), "confidence")
    frame["sets"] = _sets(frame)
    return frame


def summary_of(frame: pd.DataFrame) -> dict[str, Any]:
    """The figures of a run out of its frame, as ``RunStore.summary`` reads them from the store."""
    counted = frame[["strict", "normalised", "reason", "slices"]].value_counts()
    verdicts: Counter[Verdict] = Counter()
    for (strict, normalised, reason, slices), count in counted[counted > 0].items():
        split = tuple(filter(None, slices.split("|")))
        verdicts[Verdict(strict, normalised, "" if strict else reason, split)] += int(count)
    sets = frame[frame["set"] != ""].groupby("set", observed=True)["strict"].agg(["size", "sum"])
    return summarise_counts(verdicts, map(ParaphraseSet, sets["size"].tolist(), sets["sum"].tolist()))


def compared_frame(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """A row for each question that two runs over one dataset answered, in its order, given their frames.

    It has the columns of questions, the ``change`` (a name in ``CHANGES``) and the ``reason`` of the run that
    missed, that of the first where both did.
    """
    _, *places = np.intersect1d(
        first["position"], second["position"], assume_unique=True, return_indices=True
    )
    first, second = (
        frame if len(place) == len(frame) else frame.iloc[place].reset_index(drop=True)
        for frame, place in zip((first, second), places, strict=True)
    )
    compared = first[["position", "id", "table", "set", "slices", *QUESTION_FACETS]].copy(deep=False)
    changes = np.zeros(len(compared), np.int64)
    for code, (left, right) in enumerate(PAIRS.values()):
        changes[(first["strict"] == left) & (second["strict"] == right)] = code
    compared["change"] = pd.Categorical.from_codes(changes.astype(np.int8), list(PAIRS))
    reasons = np.where(first["strict"], second["reason"].cat.codes, first["reason"].cat.codes)
    compared["reason"] = _categorical(reasons, "reason")
    return compared


def _answered(questions: pd.DataFrame, ids: list[str]) -> tuple[pd.DataFrame, NDArray[np.int64]]:
    """The questions with some ids, and the place of each among the ids."""
    places = pd.Series(np.arange(len(ids)), pd.Index(ids, dtype=object)).reindex(
        questions["id"].to_numpy(object)
    )
    there = places.notna().to_numpy()
    frame = questions.copy(deep=False) if there.all() else questions[there].reset_index(drop=True)
    return frame, places[there].to_numpy(np.int64)


def _question_codes(facets: Sequence[str]) -> Mapping[str, NDArray[np.int64]]:
    """The codes of each facet of the questions, whose values are joined; -1 where a store does not know."""
    index, known = pd.factorize(np.array(facets, object))
    codes = {}
    for place, (name, facet) in enumerate(QUESTION_FACETS.items()):
        order = {value: code for code, value in enumerate(facet.values)}
        parts = [each.split("|") for each in known]
        codes[name] = np.array([order.get(p[place], -1) if len(p) > place else -1 for p in parts], np.int64)[
            index
        ]
    return codes


def _categorical(codes: NDArray[np.int64], facet: str) -> pd.Categorical:
    return pd.Categorical.from_codes(codes.astype(np.int8), list(FACETS[facet].values))


def _sets(frame: pd.DataFrame) -> pd.Categorical:
    """Of questions in a paraphrase set of which at least two were asked, how many of that set are right."""
    grouped = frame.groupby("set", sort=False, observed=True)["strict"]
    asked, hits = grouped.transform("size"), grouped.transform("sum")
    counted = (frame["set"] != "") & (asked > 1)
    codes = np.where(hits == asked, 0, np.where(hits > 0, 1, 2))
    return pd.Categorical.from_codes(np.where(counted, codes, -1).astype(np.int8), list(SETS))
