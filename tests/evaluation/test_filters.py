"""Which questions of a run a choice of filters means."""

import pandas as pd

from qa_core.evaluation.facets import FACETS
from qa_core.evaluation.filters import FILTERS, Filters

FRAME = pd.DataFrame(
    {
        "slices": ["|kpi-driven|original|", "|table-driven|original|", "|kpi-driven|paraphrased|", "||"],
        "strict": [True, False, False, True],
        "reason": ["", "both-wrong", "no-answer", ""],
        "sets": ["", "some-right", "none-right", ""],
    }
)


def listed(**values: str) -> list[int]:
    return list(FRAME.index[Filters(values).mask(FRAME)])


def test_no_choice_means_all() -> None:
    assert listed() == [0, 1, 2, 3]
    assert list(Filters({}).mask(FRAME[:0])) == []


def test_each_choice_leaves_its_questions_and_several_those_of_all() -> None:
    assert listed(slice="kpi-driven") == [0, 2]
    assert listed(right="yes") == [0, 3]
    assert listed(right="no") == [1, 2]
    assert listed(reason="both-wrong") == [1]
    assert listed(sets="none-right") == [2]
    assert listed(slice="kpi-driven", right="no") == [2]
    assert listed(slice="table-driven", right="yes") == []


def test_a_slice_is_found_by_its_whole_name() -> None:
    assert listed(slice="driven") == []


def test_the_bars_of_a_filter_are_counted_without_it() -> None:
    filters = Filters({"slice": "kpi-driven", "right": "no"})
    assert filters.without("right") == Filters({"slice": "kpi-driven"})
    assert filters.without("right", "slice", "sets") == Filters({})


def test_every_facet_can_be_filtered_by() -> None:
    assert set(FACETS) <= set(FILTERS)
    assert all(facet.values for facet in FILTERS.values())
