from streamlit.testing.v1 import AppTest


def test_the_style_of_cards_is_sent_with_the_page_and_not_with_each_card() -> None:
    def script() -> None:
        from components.answer_card import answer_card
        from components.layout import page_style
        from components.resources import Timed
        from qa_core.prediction import Prediction
        from qa_core.table import Location
        from tests.tables import AMAZON

        page_style()
        for _ in range(2):
            answer_card(
                "Lexical answers", AMAZON, Timed(Prediction("107,556", (Location(2, 1),)), 0.01), None
            )

    app = AppTest.from_function(script).run()
    sheets = [element.proto.body for element in app.get("html") if "<style>" in element.proto.body]
    assert len(sheets) == 1
    assert ".ch-card {" in sheets[0]


def test_a_candidate_of_a_table_without_row_headers_is_named_by_its_first_text() -> None:
    def script() -> None:
        from components.answer_card import candidate_list
        from qa_core.prediction import Candidate
        from qa_core.table import Location, Table

        table = Table("t", (("City",), ("Terminal",)), (), (("Houston", "Joliet"), ("Livonia", "Marion")))
        candidate_list(table, [Candidate(Location(1, 1), "Marion", 0.5, "Livonia")])

    app = AppTest.from_function(script).run()
    [shown] = [element.proto.body for element in app.get("html")]
    assert '<bdi>Livonia</bdi></span> | <span class="leaf"><bdi>Terminal</bdi>' in shown


def test_entries_of_the_lexicon_stand_in_one_line_and_are_text() -> None:
    def script() -> None:
        from components.answer_card import answer_card
        from components.resources import Timed
        from qa_core.prediction import LexiconMatch, Prediction
        from qa_core.table import Location
        from tests.tables import AMAZON

        fired = (LexiconMatch("rasm", "RASM", "<b>unit</b> revenue"), LexiconMatch('"><i>', "a", "b"))
        answer_card(
            "Lexical answers", AMAZON, Timed(Prediction("1", (Location(2, 1),), lexicon=fired), 0.01), None
        )
        answer_card("Lexical answers", AMAZON, Timed(Prediction("1", (Location(2, 1),)), 0.01), None)

    app = AppTest.from_function(script).run()
    first, second = [element.proto.body for element in app.get("html")]
    pair = "<em><bdi>RASM</bdi></em> = <em><bdi>&lt;b&gt;unit&lt;/b&gt; revenue</bdi></em>"
    assert f'Lexicon: <span title="rasm">{pair}</span>; <span title="&quot;&gt;&lt;i&gt;">' in first
    assert "Lexicon" not in second


def test_an_answer_out_of_several_cells_shows_operator_value_and_cells() -> None:
    def script() -> None:
        from components.answer_card import answer_card
        from components.resources import Timed
        from qa_core.prediction import Prediction
        from qa_core.table import Location
        from tests.tables import AMAZON

        sums = Prediction("147,390", (Location(2, 1), Location(3, 1)), operator="SUM")
        answer_card("TaPas answers", AMAZON, Timed(sums, 0.01), None)
        many = Prediction("1,300", (Location(0, 0),) * 1300, operator="COUNT")
        answer_card("TaPas answers", AMAZON, Timed(many, 0.01), None)

    app = AppTest.from_function(script).run()
    sums, many = (element.proto.body for element in app.get("html"))
    assert '<div class="ch-answer">SUM = 147,390</div>' in without_isolation(sums)
    assert '<dd><b>107,556</b> AWS › <span class="leaf">Net sales</span> | Year' in without_isolation(sums)
    assert sums.count("<dt>") == 2
    assert many.count("<dt>") == 9
    assert "and 1,292 more, marked in the table" in many


def without_isolation(shown: str) -> str:
    return shown.replace("<bdi>", "").replace("</bdi>", "")
