"""rci with pairs of random checkpoints: what cannot be read, scores of transformers, faults of folders."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qa_core.errors import CrossheadError
from qa_core.systems import rci_checkpoints
from qa_core.systems.encoder import MAX_CHARACTERS, weights_hash
from qa_core.systems.interface import Request
from qa_core.systems.rci_checkpoints import (
    Pair,
    RciCheckpointsSystem,
    Scores,
    decide,
    fitting,
    load_rci_checkpoints,
    parse_pair,
)
from qa_core.systems.rci_representation import FlatScores, linearise_columns, linearise_rows
from qa_core.systems.selection import BEST_IS_EMPTY, BLANK_QUESTION, NO_CELLS, NO_TEXT
from qa_core.table import Location, Table
from qa_core.transform import TRANSFORMATIONS, flatten
from tests.strategies import tables
from tests.systems.rci_checkpoint import Plain, save_classifier
from tests.systems.tables import FLEET, FUEL, ODD_TABLES, OFFICERS, STATISTICS, YEARS, ask, numbered, table

REPEATED = table([("2018",), ("2018",)], [("Fuel",), ("Fuel",)], [["1", "2"], ["3", "4"]])


@pytest.fixture(scope="module", params=["bert", "albert"])
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Folders of a checkpoint for rows and of one for columns."""
    folder = tmp_path_factory.mktemp(request.param)
    return (
        save_classifier(folder / "small-row", request.param, seed=0),
        save_classifier(folder / "small-col", request.param, seed=1),
    )


@pytest.fixture(scope="module")
def rci(pair: tuple[Path, Path]) -> RciCheckpointsSystem:
    return load_rci_checkpoints(f"{pair[0].parent}/small-{{row,col}}")


# What has no answer


@pytest.mark.parametrize("transformation", TRANSFORMATIONS)
def test_odd_requests_are_refused_one_by_one(rci: RciCheckpointsSystem, transformation: str) -> None:
    empty = table(YEARS, [("Revenue",)], [])
    blank = table([("2018",)], [("Revenue",)], [[" "]])
    requests = [
        Request(" ", flatten(STATISTICS, transformation)),
        Request("revenue", flatten(empty, transformation)),
        Request("aircraft", flatten(FLEET, transformation)),
        Request("revenue", flatten(Table("t", (), (), ()), transformation)),
        Request("revenue", flatten(blank, transformation)),
    ]
    first, second, third, fourth, fifth = rci.predict(requests)
    assert first.notes == (BLANK_QUESTION,)
    assert second.notes == fourth.notes == (NO_CELLS,)
    assert third.answer
    assert fifth.notes == (NO_TEXT,)
    assert rci.predict([]) == []
    assert rci.predict(requests[:1])[0].answer == ""


@pytest.mark.parametrize("question", ["what " * 61, "a" * (MAX_CHARACTERS + 1)])
def test_a_question_without_room_for_a_line_is_one_sentence(rci: RciCheckpointsSystem, question: str) -> None:
    assert ask(rci, question, STATISTICS).notes == (
        "The question leaves no room for the table: small-row reads 64 tokens of question and line together; "
        "ask a shorter one.",
    )


# What does not fit


@pytest.mark.parametrize("question", ["what was revenue", "what was revenue in 2018 " * 10])
def test_only_lines_are_cut_and_what_was_cut_is_said(
    rci: RciCheckpointsSystem, pair: tuple[Path, Path], question: str
) -> None:
    wide = table([("2018",)], [("total",)], [["in " * 60], ["5"]])
    prediction = ask(rci, question, wide)
    row, column = (note for note in prediction.notes if "did not fit" in note)
    assert row.startswith("1 row of the flat table did not fit the 64 tokens of question and row together; ")
    assert column.startswith("1 column of the flat table did not fit the 64 tokens of question and column ")
    assert row.endswith(" tokens at the end were not read.")
    flat = flatten(wide, "base")
    plain = Plain(pair[0])
    expected = [plain.score(question, line) for line in linearise_rows(flat).lines]
    np.testing.assert_allclose(prediction.row_scores, expected, atol=1e-4)


def test_cut_tokens_are_counted(tmp_path: Path) -> None:
    folder = save_classifier(tmp_path)
    system = load_rci_checkpoints(f"{folder},{folder}")
    bare = table([], [], [["in " * 60], ["in " * 55]])
    assert ask(system, "what was revenue", bare).notes == (
        "1 row of the flat table did not fit the 64 tokens of question and row together; "
        "2 tokens at the end were not read.",
        "1 column of the flat table did not fit the 64 tokens of question and column together; "
        "59 tokens at the end were not read.",
    )
    endless = table([], [], [["in " * MAX_CHARACTERS]])
    assert "together; at least 6,609 tokens at the end" in ask(system, "what was revenue", endless).notes[0]


def test_a_long_table_is_bounded_and_says_so(
    rci: RciCheckpointsSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rci_checkpoints, "MAX_TOKENS", 1000)
    long = numbered(300)
    prediction = ask(rci, "What was Route 299 in 2016?", long)
    (dropped,) = [note for note in prediction.notes if "dropped" in note]
    n_dropped = int(dropped.split(" of ")[0])
    assert dropped == (
        f"{n_dropped} of 300 rows of the flat table were dropped; "
        "for one question 1,000 tokens of a table are read."
    )
    assert 280 < n_dropped < 300
    assert len(prediction.row_scores) == 300
    assert set(prediction.row_scores[-n_dropped:]) == {min(prediction.row_scores[:-n_dropped])}
    turned = ask(rci, "What was Route 299 in 2016?", long, "transpose-all")
    assert len(turned.row_scores) == 300
    assert any(" of 301 columns of the flat table were dropped" in note for note in turned.notes)


@given(
    st.lists(st.integers(1, 50), min_size=1, max_size=30),
    st.lists(st.integers(1, 50), min_size=1, max_size=30),
    st.integers(100, 1000),
)
def test_a_budget_is_shared(rows: list[int], columns: list[int], budget: int) -> None:
    n_rows, n_columns = fitting(np.array(rows), np.array(columns), budget)
    spent = sum(rows[:n_rows]) + sum(columns[:n_columns])
    assert spent <= budget
    assert n_rows and n_columns
    for side, n, other in ((rows, n_rows, columns), (columns, n_columns, rows)):
        if n < len(side):
            assert sum(side[: n + 1]) > max(budget // 2, budget - sum(other))


# What is answered


def test_the_stub_can_be_the_answer() -> None:
    scores = FlatScores(np.array([0.0, 1.0]), np.array([3.0, 1.0, 0.0]))
    of = table([("2018",), ("2017",)], [("Costs:", "Fuel"), ("Costs:", "Wages")], [["1", "2"], ["3", ""]])
    prediction = decide(flatten(of, "base"), scores)
    assert (prediction.answer, prediction.locations) == ("Wages", (Location(1, None),))
    assert [(c.text, c.score) for c in prediction.candidates] == [
        ("Wages", 4.0),
        ("Fuel", 3.0),
        ("3", 2.0),
        ("1", 1.0),
        ("2", 0.0),
    ]
    assert prediction.row_scores == (0.0, 1.0)
    assert prediction.column_scores == (1.0, 0.0)
    total = sum(math.exp(score) for score in (4.0, 3.0, 2.0, 1.0, 0.0))
    assert prediction.confidence == round(math.exp(4.0) / total, 4)
    turned = decide(flatten(of, "transpose-all"), scores)
    assert (turned.answer, turned.locations) == ("2017", (Location(None, 1),))
    assert (turned.row_scores, turned.column_scores) == ((1.0, 0.0), (0.0, 1.0))


def test_an_empty_cell_is_never_the_answer() -> None:
    of = table([("2018",), ("2017",)], [], [["1", "2"], ["3", ""]])
    prediction = decide(flatten(of, "base"), FlatScores(np.array([0.0, 1.0]), np.array([0.0, 1.0])))
    assert (prediction.answer, prediction.notes) == ("2", (BEST_IS_EMPTY,))
    assert prediction.confidence == round(math.e / (1 + 2 * math.e), 4)


@pytest.mark.parametrize("transformation", TRANSFORMATIONS)
@pytest.mark.parametrize("of", [*ODD_TABLES, REPEATED])
def test_answers_stand_in_the_original_table(
    rci: RciCheckpointsSystem, of: Table, transformation: str
) -> None:
    prediction = ask(rci, "What was revenue in 2018?", of, transformation)
    assert len(prediction.row_scores) == of.n_rows
    assert len(prediction.column_scores) == of.n_columns
    assert np.isfinite([*prediction.row_scores, *prediction.column_scores]).all()
    assert prediction.location == prediction.candidates[0].location
    for candidate in prediction.candidates:
        assert candidate.location in of
        assert candidate.text == of.text_at(candidate.location)
        assert candidate.text.strip()
        row, column = candidate.location.row, candidate.location.column
        if row is not None and column is not None:
            assert candidate.score == pytest.approx(
                prediction.row_scores[row] + prediction.column_scores[column]
            )
    assert 0.0 < prediction.confidence <= 1.0


def test_equal_lines_have_equal_scores(rci: RciCheckpointsSystem) -> None:
    same = table([("2018",), ("2018",)], [("Fuel",), ("Fuel",)], [["1", "1"], ["1", "1"]])
    prediction = ask(rci, "fuel", same)
    assert len({*prediction.row_scores}) == len({*prediction.column_scores}) == 1
    cells = [c.location for c in prediction.candidates if c.location.is_cell]
    assert cells == [Location(0, 0), Location(0, 1), Location(1, 0), Location(1, 1)]


# Equality with transformers


@pytest.mark.parametrize("transformation", TRANSFORMATIONS)
def test_the_scores_are_those_of_transformers_pair_by_pair(
    rci: RciCheckpointsSystem, pair: tuple[Path, Path], transformation: str
) -> None:
    of_rows, of_columns = map(Plain, pair)
    requests = [
        Request(question, flatten(of, transformation))
        for of, question in ((FUEL, "What was the cost?"), (FLEET, "leased"), (REPEATED, "fuel in 2018"))
    ]
    for request, prediction in zip(requests, rci.predict(requests), strict=True):
        flat = request.flat
        rows = [of_rows.score(request.question, line) for line in linearise_rows(flat).lines]
        columns = [of_columns.score(request.question, line) for line in linearise_columns(flat).lines]
        expected = decide(flat, FlatScores(np.array(rows), np.array(columns)))
        np.testing.assert_allclose(prediction.row_scores, expected.row_scores, atol=1e-4)
        np.testing.assert_allclose(prediction.column_scores, expected.column_scores, atol=1e-4)
        assert prediction.locations == expected.locations
        assert prediction.confidence == pytest.approx(expected.confidence, abs=1e-3)


def test_a_head_of_one_logit_scores_by_it(tmp_path: Path) -> None:
    rows, columns = (save_classifier(tmp_path / end, seed=7, labels=1) for end in ("row", "col"))
    prediction = ask(load_rci_checkpoints(f"{rows}, {columns}"), "leased", FLEET)
    plain = Plain(rows)
    expected = [plain.score("leased", line) for line in linearise_rows(flatten(FLEET, "base")).lines]
    np.testing.assert_allclose(prediction.row_scores, expected, atol=1e-4)


@settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(of=tables(), data=st.data())
def test_permuting_rows_permutes_their_scores(
    rci: RciCheckpointsSystem, of: Table, data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(of.n_rows)))
    paths = tuple(of.row_path(row) for row in range(of.n_rows))
    whole = Table("t", of.column_paths, paths, of.body)
    permuted = Table("t", of.column_paths, tuple(paths[i] for i in order), tuple(of.body[i] for i in order))
    scores, moved = (ask(rci, "what was revenue", each).row_scores for each in (whole, permuted))
    assert len(scores) == len(moved)
    if scores:
        np.testing.assert_allclose(moved, [scores[i] for i in order], atol=1e-4)


def test_a_batch_answers_as_each_alone(rci: RciCheckpointsSystem) -> None:
    requests = [
        Request(question, flatten(of, transformation))
        for question in ("total miles", "What was the passenger load factor in 2017?")
        for of in (STATISTICS, OFFICERS, FLEET)
        for transformation in TRANSFORMATIONS
    ]
    together = rci.predict(requests)
    alone = [rci.predict([request])[0] for request in requests]
    assert [(p.answer, p.locations, p.notes) for p in together] == [
        (p.answer, p.locations, p.notes) for p in alone
    ]
    np.testing.assert_allclose([p.confidence for p in together], [p.confidence for p in alone], atol=2e-4)


def test_a_pair_is_read_once(rci: RciCheckpointsSystem, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Pair] = []
    scorer = rci._scorers[0]
    log_odds = scorer._log_odds

    def watched(pairs: list[Pair]) -> Scores:
        read.extend(pairs)
        return log_odds(pairs)

    monkeypatch.setattr(scorer, "_log_odds", watched)
    request = Request("total miles", flatten(STATISTICS, "base"))
    rci.predict(
        [request, request, Request("miles", request.flat), Request("fuel", flatten(REPEATED, "base"))]
    )
    assert len(read) == len(set(read)) == 2 * STATISTICS.n_rows + 2


def test_the_cache_of_tables_is_bounded(rci: RciCheckpointsSystem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rci._tables, "size", 2)
    tables = [table([(str(n),)], [("Revenue",)], [[str(n)]]) for n in range(5)]
    predictions = rci.predict([Request("revenue", flatten(each, "base")) for each in tables])
    assert len(predictions) == 5
    assert len(rci._tables) == 2


def test_weights_are_named_by_folder_and_content(rci: RciCheckpointsSystem, pair: tuple[Path, Path]) -> None:
    rows, columns = map(weights_hash, pair)
    assert rows != columns
    assert (rci.name, rci.weights) == ("rci", f"small-row@{rows}, small-col@{columns}")


# What names a pair


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "michaelrglass/albert-base-rci-wikisql-{row,col}",
            ("michaelrglass/albert-base-rci-wikisql-row", "michaelrglass/albert-base-rci-wikisql-col"),
        ),
        ("models/{row, column}/last", ("models/row/last", "models/column/last")),
        ("{a,b}", ("a", "b")),
        (" mine/rows , mine/columns ", ("mine/rows", "mine/columns")),
    ],
)
def test_a_pair_is_named_in_one_text(text: str, names: tuple[str, str]) -> None:
    assert parse_pair(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "albert",
        "a,b,c",
        "a,",
        ",b",
        "x-{row}",
        "x-{row,}",
        "x-{row,col,all}",
        "{a,b}-{c,d}",
        "{a,b",
        "a,b}",
    ],
)
def test_what_names_no_pair_is_one_sentence(text: str) -> None:
    with pytest.raises(CrossheadError) as raised:
        load_rci_checkpoints(text)
    assert str(raised.value) == (
        f"rci runs a pair of checkpoints, and {text!r} does not name one; write owner/name-{{row,col}}, or "
        "two names or folders with a comma between them, the one for rows first."
    )


@pytest.mark.parametrize("text", ["x-{col,row}", "x-column,x-row"])
def test_a_pair_the_wrong_way_round_is_one_sentence(text: str) -> None:
    with pytest.raises(CrossheadError, match="names the checkpoint for columns first"):
        parse_pair(text)


# What cannot be loaded


def _load_twice(folder: Path) -> RciCheckpointsSystem:
    return load_rci_checkpoints(f"{folder},{folder}")


def _rewritten(folder: Path, **settings: object) -> Path:
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | settings), encoding="utf-8")
    return folder


def test_more_than_two_labels_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(
        CrossheadError, match=r"tells 3 labels apart; choose one with the labels irrelevant and"
    ):
        _load_twice(save_classifier(tmp_path, labels=3))


def test_an_encoder_is_no_classifier(tiny_encoder: Path, tmp_path: Path) -> None:
    with pytest.raises(CrossheadError, match="holds a 'BertModel' and no sequence classifier"):
        _load_twice(tiny_encoder)
    claimed = shutil.copytree(tiny_encoder, tmp_path / "claimed")
    with pytest.raises(CrossheadError, match=r"lack \d parts \(classifier\.bias\)"):
        _load_twice(_rewritten(claimed, architectures=["BertForSequenceClassification"]))


@pytest.mark.parametrize("kind", ["bert", "albert"])
def test_a_checkpoint_without_its_head_is_one_sentence(tmp_path: Path, kind: str) -> None:
    from safetensors.torch import load_file, save_file

    path = save_classifier(tmp_path, kind) / "model.safetensors"
    save_file({k: v for k, v in load_file(path).items() if "classifier" not in k}, path, {"format": "pt"})
    with pytest.raises(CrossheadError, match=r"lack 2 parts \(classifier\.bias\)"):
        _load_twice(tmp_path)


def test_pickled_weights_are_not_read(tmp_path: Path) -> None:
    weights = save_classifier(tmp_path) / "model.safetensors"
    weights.rename(tmp_path / "pytorch_model.bin")
    with pytest.raises(CrossheadError) as raised:
        _load_twice(tmp_path)
    assert str(raised.value) == (
        f"The model {tmp_path.name!r} cannot be used: {tmp_path} has no safetensors weights, and pickled "
        "ones are not read; save it again in a folder by save_pretrained of transformers, with its "
        "tokenizer, or name another."
    )


@pytest.mark.parametrize("kind", ["bert", "albert"])
def test_weights_without_a_tokenizer_are_one_sentence(tmp_path: Path, kind: str) -> None:
    for path in save_classifier(tmp_path, kind).glob("*tok*"):
        path.unlink()
    with pytest.raises(CrossheadError, match="has no tokenizer; save it again in a folder"):
        _load_twice(tmp_path)


@pytest.mark.parametrize(
    ("config", "fault"),
    [
        ({"auto_map": {"AutoModel": "a--b.C"}}, "names code to run"),
        ({"hidden_size": 64}, "have another shape than config.json says"),
        ({"max_position_embeddings": 3}, "have another shape than config.json says"),
    ],
)
def test_settings_that_cannot_be_used_are_one_sentence(
    tmp_path: Path, config: dict[str, object], fault: str
) -> None:
    with pytest.raises(CrossheadError, match=fault):
        _load_twice(_rewritten(save_classifier(tmp_path), **config))


def test_a_folder_that_does_not_exist_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(CrossheadError, match="There is no model folder"):
        load_rci_checkpoints(f"{tmp_path}/none-{{row,col}}")


def test_a_hub_name_without_a_network_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    start = time.monotonic()
    with pytest.raises(CrossheadError, match="michaelrglass/albert-base-rci-wikisql-row"):
        load_rci_checkpoints("michaelrglass/albert-base-rci-wikisql-{row,col}")
    assert time.monotonic() - start < 10


def test_no_model_library_is_imported_before_a_pair_is_loaded() -> None:
    code = (
        "import sys, qa_core.systems.rci_checkpoints as rci; rci.parse_pair('a,b');"
        "assert not {'torch', 'transformers'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])
