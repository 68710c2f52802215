"""The data file of the ablations as it ships, and one that somebody broke."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from qa_core import command_line
from qa_core.errors import CrossheadError
from qa_core.evaluation.ablations import Ablation, MeasuringSet, load_ablations
from qa_core.systems.registry import SYSTEMS
from qa_core.training import rci
from qa_core.training.corpus import PARTS


def test_the_shipped_file_names_what_was_left_out_and_what_the_weights_were_trained_on() -> None:
    found = load_ablations()
    assert found.system in SYSTEMS
    assert found.datasets["aitqa"] == MeasuringSet("Half of AIT-QA", 254)
    assert [ablation.title for ablation in found.ablations] == [
        "Everything: what RCI carries, some 3,000 steps",
        "Everything, 880 steps",
        "Without the airline tables, 880 steps",
        "Without the invented tables, 880 steps",
        "Without the written questions, 880 steps",
        "Everything, without the lexicon",
        "Everything, without the header hierarchy",
    ]
    assert "WikiSQL only" in found.trained_on


def test_the_commands_have_only_options_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    for ablation in load_ablations().ablations:
        for command in ablation.commands:
            python, dash_m, module, *arguments = shlex.split(command)
            assert (python, dash_m) == ("python", "-m")
            run = {"qa_core": command_line.run, "qa_core.training.rci": rci.main}[module]
            with pytest.raises(SystemExit) as ended:
                run([*arguments, "--help"])
            assert ended.value.code == 0
            assert options(command) <= options(capsys.readouterr().out)


def options(text: str) -> set[str]:
    return set(re.findall(r"--[a-z][a-z-]+", text))


def test_each_part_of_the_corpus_is_left_out_once() -> None:
    said = " ".join(command for each in load_ablations().ablations for command in each.commands)
    assert [said.count(f"--without {part}") for part in PARTS] == [1] * len(PARTS)


def test_a_figure_is_a_fraction_by_dataset(tmp_path: Path) -> None:
    rows = [{"title": "Everything", "commands": ["train", "evaluate"], "strict": {"d": 0.5}}]
    file = written(tmp_path, rows)
    assert load_ablations(file).ablations == (Ablation("Everything", ("train", "evaluate"), {"d": 0.5}),)


@pytest.mark.parametrize(
    "rows",
    [
        [{"title": "Percent", "commands": ["x"], "strict": {"d": 82.3}}],
        [{"title": "Another dataset", "commands": ["x"], "strict": {"x": 0.5}}],
        [{"title": "No figures", "commands": ["x"]}],
        [{"title": "No commands", "commands": [], "strict": {"d": 0.5}}],
        [{"title": "Text", "commands": ["x"], "strict": {"d": "high"}}],
        [{"title": None, "commands": ["x"], "strict": {"d": 0.5}}],
        [{"title": "A command that is none", "commands": [None], "strict": {"d": 0.5}}],
        ["no record"],
        None,
    ],
)
def test_a_damaged_file_is_one_sentence(tmp_path: Path, rows: object) -> None:
    with pytest.raises(CrossheadError, match="is missing or damaged"):
        load_ablations(written(tmp_path, rows))


@pytest.mark.parametrize(
    "about",
    [
        {"system": "unknown"},
        {"system": None},
        {"trained_on": None},
        {"datasets": {"d": {"title": "D", "n": "x"}}},
        {"datasets": {"d": {"title": "D", "n": -5}}},
        {"datasets": {"d": {"title": None, "n": 4}}},
    ],
)
def test_so_is_one_that_says_something_else_of_system_or_dataset(tmp_path: Path, about: Any) -> None:
    with pytest.raises(CrossheadError, match="is missing or damaged"):
        load_ablations(written(tmp_path, [], **about))


def test_a_file_nested_without_end_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "ablations.json").write_text("[" * 100_000)
    with pytest.raises(CrossheadError, match="is missing or damaged"):
        load_ablations(tmp_path / "ablations.json")


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(CrossheadError, match="is missing or damaged"):
        load_ablations(tmp_path / "none.json")


def written(folder: Path, rows: object, **about: Any) -> Path:
    record: dict[str, Any] = {
        "system": "rci",
        "trained_on": "x",
        "datasets": {"d": {"title": "D", "n": 4}},
        "ablations": rows,
    } | about
    (folder / "ablations.json").write_text(json.dumps(record))
    return folder / "ablations.json"
