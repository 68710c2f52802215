from streamlit.testing.v1 import AppTest

from components.error_bars import error_bars_markup
from qa_core.evaluation.slices import SLICES


def test_bars_count_the_wrong_answers_and_lead_to_them() -> None:
    slices = {name: {"n": 0, "strict": None} for name in SLICES}
    slices["kpi-driven"] = {"n": 8, "strict": 0.25}
    markup = error_bars_markup({"slices": slices}, {"dir": "a&b", "run": "r1"})
    assert markup.count("<a ") == 1
    assert 'href="errors?dir=a%26b&amp;run=r1&amp;slice=kpi-driven&amp;right=no"' in markup
    assert "KPI-driven" in markup
    assert "width:75.0%" in markup
    assert "6 of 8" in markup


def test_the_style_is_sent_with_the_page_and_not_with_each_card() -> None:
    def script() -> None:
        from components.error_bars import error_bars
        from components.layout import page_style
        from qa_core.evaluation.slices import SLICES

        page_style()
        for _ in range(2):
            error_bars({"slices": {name: {"n": 4, "strict": 0.5} for name in SLICES}}, {})

    app = AppTest.from_function(script).run()
    sheets = [element.proto.body for element in app.get("html") if "<style>" in element.proto.body]
    assert len(sheets) == 1
    assert ".ch-bars a {" in sheets[0]
