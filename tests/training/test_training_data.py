"""What a training learns from when a part of the corpus is left out, and files of TAT-QA are added."""

import json
from pathlib import Path
from typing import NoReturn

import pytest

from qa_core.datasets.dataset import Dataset
from qa_core.errors import CrossheadError
from qa_core.question import Question
from qa_core.table import Location, Table
from qa_core.training import loop
from qa_core.training.corpus import HELD_APART, split

INVENTED = [f"{series}-{n}" for series in ("air", "inv-bair", "ene") for n in range(HELD_APART)]
FILED = [f"pg-{n}" for n in range(HELD_APART)]
CORPUS = Dataset(
    "corpus",
    {
        table_id: Table(table_id, (("2018",),), (("Seats",),), (("3",),), source=source)
        for ids, source in ((INVENTED, "invented"), (FILED, "pg-10-k-2024"))
        for table_id in ids
    },
    tuple(
        Question(table_id, table_id, "Seats?", ("3",), cell=Location(0, 0)) for table_id in INVENTED + FILED
    ),
)


@pytest.fixture(autouse=True)
def corpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "load_corpus", lambda: CORPUS)


@pytest.mark.parametrize(
    ("without", "left"),
    [
        ([], {"air", "inv-bair", "ene", "pg"}),
        (["airlines"], {"ene", "pg"}),
        (["invented"], {"pg"}),
        (["written"], {"air", "inv-bair", "ene"}),
        (["airlines", "written"], {"ene"}),
        (["invented", "written"], set()),
    ],
)
def test_a_part_is_left_out_and_what_is_held_apart_stays(without: list[str], left: set[str]) -> None:
    examples, apart, axes = loop.training_data([], 1, without)
    learnt = {question.table_id for question in split(CORPUS)[0]}
    assert {e.table for e in examples} == {name for name in learnt if name.rpartition("-")[0] in left}
    assert apart == loop.training_data([], 1)[1]
    assert set(axes) == set(CORPUS.tables)


@pytest.mark.parametrize(("ids", "twice"), [(["t", "ene-0"], "ene-0"), (["t"], "t")])
def test_a_table_id_of_another_set_is_refused(tmp_path: Path, ids: list[str], twice: str) -> None:
    path = tmp_path / "tatqa.jsonl"
    grid = [["", "2018"], ["Seats", "3"]]
    lines = [json.dumps({"id": table_id, "grid": grid, "questions": []}) for table_id in ids]
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(
        CrossheadError, match=f"tatqa.jsonl: the table id '{twice}' stands in another set too"
    ):
        loop.training_data([path, path], 1)


def test_nothing_left_to_learn_from_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--out", str(tmp_path), "--without", "invented", "--without", "written"]

    def never(*_: object) -> NoReturn:
        raise AssertionError("no model is made for nothing")

    assert loop.run_command("qa_core.training.rci", options, never, never) == 2
    captured = capsys.readouterr()
    assert captured.err == (
        "crosshead: Nothing is left to learn from; leave out less, or name files of TAT-QA.\n"
    )
