from collections.abc import Sequence
from dataclasses import replace

import plotly.graph_objects as go
import pytest

from components.charts import (
    accuracy_chart,
    chart_text,
    paraphrase_chart,
    reasons_chart,
    reliability_chart,
    runs_chart,
)
from components.names import title_of
from qa_core.evaluation.calibration import Answer, calibration
from qa_core.evaluation.misses import REASONS
from qa_core.evaluation.statistics import wilson_interval
from qa_core.evaluation.summary import ParaphraseSet, Verdict, summarise_counts
from tests.evaluation.runs import NOW, WHOLE_RUN

KPI, TABLE = ("kpi-driven", "original"), ("table-driven", "paraphrased")
SUMMARY = summarise_counts(
    {
        Verdict(True, True, "", KPI): 3,
        Verdict(False, True, "right-cell-other-text", KPI): 1,
        Verdict(True, True, "", TABLE): 2,
        Verdict(False, False, "right-row-wrong-column", TABLE): 5,
        Verdict(False, False, "both-wrong", TABLE): 1,
    },
    [ParaphraseSet(2, 2), ParaphraseSet(3, 1), ParaphraseSet(2, 0), ParaphraseSet(2, 0), ParaphraseSet(1, 1)],
)
NOTHING = summarise_counts({}, [])

TRANSFORMATIONS = {"base": "Base", "transpose-all": "Transposed", "transpose-partial": "Partly transposed"}


def bars(figure: go.Figure) -> dict[str, dict[str, float]]:
    """Values by trace name and the name that a click asks for."""
    return {
        trace.name: dict(zip(trace.customdata, trace.x, strict=True))
        for trace in figure.data
        if trace.type == "bar"
    }


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("Net sales", "Net sales"),
        ("from $663 to $622", "from &#36;663 to &#36;622"),
        ("<img src=x onerror=alert(1)>", "&#60;img src=x onerror=alert(1)&#62;"),
        ("a < b & c", "a &#60; b &#38; c"),
        ("%{x}", "&#37;&#123;x&#125;"),
        ("&lt;b&gt;", "&#38;lt;b&#38;gt;"),
        ("two\nlines", "two lines"),
        ("مرحبا", "مرحبا"),
    ],
)
def test_chart_text_is_neither_mathematics_nor_html_nor_a_variable(text: str, escaped: str) -> None:
    assert chart_text(text) == escaped


def test_titles_are_words() -> None:
    assert title_of("kpi-driven") == "KPI-driven"
    assert title_of("row-hierarchy-not-needed") == "Row hierarchy not needed"


def test_accuracy_has_both_rules_for_every_slice_that_has_questions() -> None:
    assert bars(accuracy_chart(SUMMARY)) == {
        "Strict": {"kpi-driven": 0.75, "table-driven": 0.25, "original": 0.75, "paraphrased": 0.25},
        "Normalised": {"kpi-driven": 1.0, "table-driven": 0.25, "original": 1.0, "paraphrased": 0.25},
    }


def test_accuracy_says_n_in_the_label_and_draws_the_interval() -> None:
    strict = accuracy_chart(SUMMARY).data[0]
    low, high = wilson_interval(3, 4)
    assert strict.y[0].startswith("KPI-driven<br>") and "n = 4" in strict.y[0]
    assert (strict.x[0] - strict.error_x.arrayminus[0], strict.x[0] + strict.error_x.array[0]) == (low, high)


def test_reasons_are_ranked_and_described() -> None:
    figure = reasons_chart(SUMMARY["misses"])
    assert list(bars(figure)[None].items()) == [
        ("right-row-wrong-column", 5),
        ("right-cell-other-text", 1),
        ("both-wrong", 1),
    ]
    assert REASONS["right-row-wrong-column"] in figure.data[0].hovertext[0]
    assert "5 of 7 misses" in figure.data[0].hovertext[0]


def test_paraphrase_sets_of_one_question_do_not_count() -> None:
    assert bars(paraphrase_chart(SUMMARY["paraphrase_sets"])) == {
        None: {"all-right": 1, "some-right": 1, "none-right": 2}
    }


def test_the_selected_bar_stands_out_and_an_unknown_one_fades_nothing() -> None:
    assert reasons_chart(SUMMARY["misses"], "both-wrong").data[0].marker.opacity == (0.35, 0.35, 1)
    assert set(reasons_chart(SUMMARY["misses"], "no-such-reason").data[0].marker.opacity) == {1}


@pytest.mark.parametrize(
    "chart",
    [
        accuracy_chart(NOTHING),
        reasons_chart(NOTHING["misses"]),
        paraphrase_chart(NOTHING["paraphrase_sets"]),
    ],
)
def test_nothing_to_show_is_an_empty_chart(chart: go.Figure) -> None:
    assert sum(sum(trace.x) for trace in chart.data) == 0


@pytest.mark.parametrize(("dark", "page"), [(False, (255, 255, 255)), (True, (21, 24, 28))])
@pytest.mark.parametrize("selected", ["", "kpi-driven"])
def test_the_text_in_a_bar_stands_out_from_it_where_it_is_faded_too(
    selected: str, dark: bool, page: tuple[int, int, int]
) -> None:
    for trace in accuracy_chart(SUMMARY, selected, dark=dark).data:
        for ink, opacity in zip(trace.insidetextfont.color, trace.marker.opacity, strict=True):
            fill = rgb(trace.marker.color)
            drawn = [opacity * over + (1 - opacity) * under for over, under in zip(fill, page, strict=True)]
            assert contrast(rgb(ink), drawn) >= 4.5


def rgb(colour: str) -> list[float]:
    return [int(colour[start : start + 2], 16) for start in (1, 3, 5)]


def contrast(one: Sequence[float], another: Sequence[float]) -> float:
    """Contrast ratio of two sRGB colours (WCAG 2.2)."""
    light, dark = sorted((luminance(one), luminance(another)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: Sequence[float]) -> float:
    parts = [value / 255 for value in colour]
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_runs_are_grouped_by_transformation_with_a_trace_per_system() -> None:
    figure = runs_chart(
        [
            replace(WHOLE_RUN, id="c", strict=0.4),
            WHOLE_RUN,
            replace(WHOLE_RUN, id="b", transformation="transpose-all", strict=0.2),
        ],
        {"a": "Lexical", "b": "Lexical", "c": "RCI"},
        TRANSFORMATIONS,
    )
    assert list(bars(figure).items()) == [("Lexical", {"a": 0.5, "b": 0.2}), ("RCI", {"c": 0.4})]
    assert figure.layout.yaxis.categoryarray == ("Base", "Transposed")


def test_of_several_runs_the_fullest_counts_then_the_newest_but_the_selected_one_first() -> None:
    runs = [
        replace(WHOLE_RUN, id="old", updated=NOW.replace(day=1)),
        WHOLE_RUN,
        replace(WHOLE_RUN, id="short", done=4),
        replace(WHOLE_RUN, id="empty", done=0, strict=None),
    ]
    titles = dict.fromkeys(("old", "a", "short", "empty"), "Lexical")
    assert list(bars(runs_chart(runs, titles, TRANSFORMATIONS))["Lexical"]) == ["a"]
    assert list(bars(runs_chart(runs, titles, TRANSFORMATIONS, "short"))["Lexical"]) == ["short"]


def test_titles_are_text() -> None:
    figure = runs_chart([replace(WHOLE_RUN, transformation="new")], {"a": "<b>$x$</b>"}, TRANSFORMATIONS)
    assert figure.data[0].name == "&#60;b&#62;&#36;x&#36;&#60;/b&#62;"
    assert figure.data[0].y == ("new",)


def test_the_papers_accuracies_stand_beside_our_own() -> None:
    figure = runs_chart([WHOLE_RUN], {"a": "Lexical"}, TRANSFORMATIONS, paper=True)
    marks = {trace.name: dict(zip(trace.y, trace.x, strict=True)) for trace in figure.data[1:]}
    assert marks["RCI, Katsis et al. 2022"] == {
        "Base": 0.4058,
        "Transposed": 0.4854,
        "Partly transposed": 0.5184,
    }
    assert len(marks) == 3
    assert "TaBERT 33.2&#37;, TaPas 49.3&#37;, RCI 40.6&#37;" in figure.data[0].hovertext[0]


def test_reliability_is_a_point_for_each_bin_with_its_number_of_answers() -> None:
    found = calibration([Answer(0.9, True), Answer(0.9, True), Answer(0.9, False), Answer(0.2, False)])
    ideal, points = reliability_chart(found).data
    assert ideal.x == ideal.y == (0, 1)
    assert points.x == pytest.approx((0.2, 0.9))
    assert points.y == (0, 2 / 3)
    assert points.text == ("1", "3")
    assert points.y[1] + points.error_y.array[1] == pytest.approx(wilson_interval(2, 3)[1])
    assert points.hovertext[1].endswith("right: 2 of 3, 66.7&#37;, 95 &#37; interval 20.8 – 93.9")
