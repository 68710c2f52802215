"""What the system of a run is called, so that a run of another model never passes for the system's own."""

from dataclasses import replace

from components.runs.titles import system_title, system_titles
from qa_core.evaluation.runs import RunRecord
from tests.evaluation.runs import WHOLE_RUN

RCI = replace(WHOLE_RUN, system="rci", weights="crosshead-rci@0123abcd")


def test_a_run_of_a_system_as_it_comes_has_its_title_in_every_version() -> None:
    assert system_title(WHOLE_RUN) == "Lexical"
    assert system_title(RCI) == system_title(replace(RCI, weights="crosshead-rci@89abcdef")) == "RCI"


def test_another_model_and_a_lexicon_left_out_are_said() -> None:
    assert system_title(replace(WHOLE_RUN, system="lexical (no lexicon)")) == "Lexical without the lexicon"
    assert system_title(replace(RCI, system="rci (no lexicon)")) == "RCI without the lexicon"
    assert system_title(replace(RCI, weights="row@01, col@23")) == "RCI with row@01, col@23"
    blend = replace(WHOLE_RUN, system="blend (no lexicon)", weights="mine@01")
    assert system_title(blend) == "Blend with mine@01 without the lexicon"


def test_a_system_of_another_version_of_the_app_has_its_name() -> None:
    assert system_title(replace(WHOLE_RUN, system="tabert", weights="w")) == "tabert with w"


def test_titles_stand_in_the_order_of_the_registry_and_systems_as_they_come_first() -> None:
    runs: list[RunRecord] = [
        replace(WHOLE_RUN, id="unknown", system="a"),
        replace(RCI, id="pair", weights="a@01, b@23"),
        replace(WHOLE_RUN, id="bare", system="lexical (no lexicon)"),
        replace(RCI, id="rci"),
        WHOLE_RUN,
    ]
    assert list(system_titles(runs).items()) == [
        ("a", "Lexical"),
        ("bare", "Lexical without the lexicon"),
        ("rci", "RCI"),
        ("pair", "RCI with a@01, b@23"),
        ("unknown", "a"),
    ]
