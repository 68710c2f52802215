"""Predictions as JSON, as the run store keeps them."""

from __future__ import annotations

import json

from qa_core.prediction import Candidate, LexiconMatch, Prediction
from qa_core.table import Location

WHOLE = Prediction(
    "950",
    (Location(0, 1), Location(2, None)),
    (Candidate(Location(0, 1), "1,200", 1.5, "Fuel"),),
    (1.0, 0.5),
    (0.25,),
    0.75,
    "SUM",
    ("A note.",),
    (LexiconMatch("rpm", "traffic", "RPMs (000,000)"),),
)


def test_a_prediction_survives_json() -> None:
    assert Prediction.from_json(json.loads(json.dumps(WHOLE.to_json()))) == WHOLE


def test_a_prediction_that_was_stored_before_it_named_entries_of_the_lexicon_is_read() -> None:
    record = WHOLE.to_json()
    del record["lexicon"]
    assert Prediction.from_json(record).lexicon == ()
