import json
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from qa_core.text import as_text, fold, shorten, squeeze


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (float("nan"), ""),
        (np.float32("nan"), ""),
        (pd.NA, ""),
        (pd.NaT, ""),
        ("", ""),
        ("NaN", "NaN"),
        ("<NA>", "<NA>"),
        (0, "0"),
        (-12, "-12"),
        (5.0, "5.0"),
        (True, "True"),
        (Decimal("1.50"), "1.50"),
        (pd.Series(["$5,813"], dtype="str").iloc[0], "$5,813"),
        ("  kept as it is  ", "  kept as it is  "),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
    ],
)
def test_every_kind_of_value_becomes_text_once(value: object, text: str) -> None:
    assert as_text(value) == text


def test_what_no_encoder_takes_is_replaced() -> None:
    assert as_text(json.loads('"a\\ud800b"')) == "a�b"
    assert as_text("a\x00b") == "a�b"


def test_squeeze_knows_no_break_spaces() -> None:
    assert squeeze(" Gallons\u00a0 consumed \n") == "Gallons consumed"


def test_fold_makes_typographic_variants_equal() -> None:
    assert fold("Stockholders’ Equity — ﬁnal") == fold("stockholders' equity - final")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("net  periodic", "net periodic"),
        ("components of net", "components of net"),
        ("components of net periodic benefit cost", "components of net…"),
        ("components of it, net of tax", "components of it…"),
        ("components of nets and more", "components of…"),
        ("a" * 100, "a" * 17 + "…"),
        ("a " + "b" * 100, "a " + "b" * 15 + "…"),
    ],
)
def test_what_is_too_long_is_cut_at_a_word(text: str, shown: str) -> None:
    assert shorten(text, 18) == shown
