"""Which runs stand for the systems, and the commands that make them."""

from dataclasses import replace

from qa_core.evaluation.results import best_run, command_line, run_like, standing_runs
from qa_core.systems.lexical import LexicalSystem
from qa_core.systems.registry import SYSTEMS
from qa_core.transform import TRANSFORMATIONS
from tests.evaluation.runs import NOW, WHOLE_RUN

RUN = replace(WHOLE_RUN, system="blend", weights=f"{SYSTEMS['blend'].model}@1")


def test_the_newest_whole_run_over_this_dataset_with_the_systems_own_model_stands() -> None:
    newer = NOW.replace(day=3)
    runs = [
        RUN,
        replace(RUN, id="old", updated=NOW.replace(day=1)),
        replace(RUN, id="part", done=9, updated=newer),
        replace(RUN, id="limited", limit=10, updated=newer),
        replace(RUN, id="elsewhere", dataset_fingerprint="g", updated=newer),
        replace(RUN, id="other model", weights="my-encoder@1", updated=newer),
        replace(RUN, id="unknown system", system="gone", updated=newer),
        replace(
            RUN, id="no lexicon", system=f"blend{LexicalSystem(use_lexicon=False).suffix}", updated=newer
        ),
    ]
    found = standing_runs(runs, "f")
    assert list(found) == list(SYSTEMS)
    assert found["blend"] == {"base": RUN}
    assert found["lexical"] == {}


def test_a_system_that_does_not_read_the_flat_table_has_one_run_for_all_transformations() -> None:
    run = replace(RUN, system="lexical", weights="", transformation="transpose-all")
    assert standing_runs([run], "f")["lexical"] == dict.fromkeys(TRANSFORMATIONS, run)


def test_the_best_transformation_is_the_most_accurate_and_of_equals_the_first() -> None:
    other = replace(RUN, transformation="transpose-all")
    assert best_run({"transpose-all": other, "base": RUN}) == RUN
    better = replace(other, strict=0.6)
    assert best_run({"base": RUN, "transpose-all": better}) == better
    assert best_run({}) is None


def test_the_same_system_over_another_dataset() -> None:
    wrong = replace(RUN, id="w", dataset_fingerprint="g")
    others = [replace(wrong, system_version="2"), replace(wrong, done=3), replace(wrong, weights="")]
    assert run_like(RUN, [*others, wrong], "g") == wrong
    assert run_like(RUN, others, "g") is None
    assert run_like(replace(RUN, limit=10), [wrong], "g") is None


def test_a_command_can_be_pasted_into_a_shell() -> None:
    assert command_line("evaluate", "sample", "", "lexical", "base") == (
        "python -m qa_core evaluate --dataset sample --system lexical --transformation base"
    )
    assert "--data-dir '/home/me/my data; rm'" in command_line(
        "calibrate", "aitqa", "/home/me/my data; rm", "rci", "base"
    )
