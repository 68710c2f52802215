"""The data file of the ablations as it ships, and one that somebody broke."""

import json
from pathlib import Path

import pytest

from qa_core.errors import CrossheadError
from qa_core.evaluation.ablations import Ablation, MeasuringSet, load_ablations
from qa_core.systems.registry import SYSTEMS


def test_the_shipped_file_names_what_was_left_out_and_what_the_weights_were_trained_on() -> None:
    found = load_ablations()
    assert found.system in SYSTEMS
    assert found.datasets["aitqa"] == MeasuringSet("Half of AIT-QA", 254)
    assert [ablation.title for ablation in found.ablations] == [
        "Everything",
        "Without the airline tables",
        "Without the invented tables",
        "Without the written questions",
        "Without the lexicon",
        "Without the header hierarchy",
    ]
    assert "WikiSQL only" in found.trained_on


def test_a_figure_is_a_fraction_by_dataset(tmp_path: Path) -> None:
    rows = [{"title": "Everything", "command": "train", "strict": {"d": 0.5}}]
    file = written(tmp_path, rows)
    assert load_ablations(file).ablations == (Ablation("Everything", "train", {"d": 0.5}),)


@pytest.mark.parametrize(
    "rows",
    [
        [{"title": "Percent", "command": "", "strict": {"d": 82.3}}],
        [{"title": "Another dataset", "command": "", "strict": {"x": 0.5}}],
        [{"title": "No figures", "command": ""}],
        [{"title": "Text", "command": "", "strict": {"d": "high"}}],
        ["no record"],
        None,
    ],
)
def test_a_damaged_file_is_one_sentence(tmp_path: Path, rows: object) -> None:
    with pytest.raises(CrossheadError, match="is missing or damaged"):
        load_ablations(written(tmp_path, rows))


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(CrossheadError, match="is missing or damaged"):
        load_ablations(tmp_path / "none.json")


def written(folder: Path, rows: object) -> Path:
    record = {
        "system": "rci",
        "trained_on": "x",
        "datasets": {"d": {"title": "D", "n": 4}},
        "ablations": rows,
    }
    (folder / "ablations.json").write_text(json.dumps(record))
    return folder / "ablations.json"
