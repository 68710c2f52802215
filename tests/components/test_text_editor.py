"""Edits kept in the link: the pure part of adding one, and what a link that does not fit says."""

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.why.text_editor import with_edit
from qa_core.errors import CrossheadError
from qa_core.table import Location, Table
from qa_core.text_edit import MAX_EDITS, edited_table
from tests.tables import AMAZON

WIDE = Table("wide", (), (), (tuple(map(str, range(30))),))


def test_a_second_edit_of_a_text_takes_the_place_of_the_first_and_the_old_text_undoes_it() -> None:
    once = with_edit(AMAZON, (), Location(3, None), 0, "Cloud")
    twice = with_edit(AMAZON, once, Location(2, None), 0, "Web")
    assert [edit.text for edit in twice] == ["Web"]
    assert with_edit(AMAZON, twice, Location(3, None), 0, "AWS") == ()


def test_a_link_holds_so_many_edits_but_one_of_them_may_still_change() -> None:
    edits = ()
    for column in range(MAX_EDITS):
        edits = with_edit(WIDE, edits, Location(0, column), None, "x")
    assert len(edits) == MAX_EDITS
    with pytest.raises(CrossheadError, match="20 edits are the most"):
        with_edit(WIDE, edits, Location(0, MAX_EDITS), None, "x")
    changed = with_edit(WIDE, edits, Location(0, 0), None, "y")
    assert edited_table(WIDE, changed).cells[0][:2] == ("y", "x")


def editor() -> None:
    import streamlit as st

    from components.why.text_editor import chosen_edits, edit_list, text_fields
    from qa_core.table import Location
    from qa_core.text_edit import edited_table
    from tests.tables import AMAZON

    edits = chosen_edits(AMAZON)
    edited = edited_table(AMAZON, edits)
    text_fields(AMAZON, edited, edits, Location(3, 1))
    edit_list(edits)
    st.caption(f"{edited.row_path(3)} {edited.cell(3, 1)}")


def opened(edits: Any = None) -> AppTest:
    app = AppTest.from_function(editor)
    if edits is not None:
        app.query_params["edits"] = edits if isinstance(edits, str) else json.dumps(edits)
    return app.run()


def held(app: AppTest) -> Any:
    value = app.query_params["edits"]
    return json.loads(value if isinstance(value, str) else value[0])


def test_a_field_for_the_cell_and_each_of_its_headers() -> None:
    app = opened()
    assert {field.label: field.value for field in app.text_input} == {
        "Cell": "39,834",
        "Row header 1 of 2": "AWS",
        "Row header 2 of 2": "Operating income",
        "Column header 1 of 2": "Year Ended December 31,",
        "Column header 2 of 2": "2024",
    }


def test_typing_writes_the_link_and_undoing_clears_it() -> None:
    app = opened()
    app.text_input[1].set_value("Cloud").run()
    assert held(app) == [[2, None, 0, "AWS", "Cloud"]]
    assert app.caption[0].value == "('Cloud', 'Operating income') 39,834"
    app.text_input[0].set_value("1").run()
    assert [line.value for line in app.markdown] == [
        "Header 1 of row 3: AWS → **Cloud**",
        "Cell in row 4, column 2: 39\\,834 → **1**",
    ]
    app.button[0].click().run()
    assert held(app) == [[3, 1, None, "39,834", "1"]]
    app.button[0].click().run()
    assert "edits" not in app.query_params
    assert app.caption[0].value == "('AWS', 'Operating income') 39,834"


def test_a_stale_edit_is_said_and_left_out_and_the_others_are_made() -> None:
    app = opened([[2, None, 0, "AWS", "Cloud"], [3, 1, None, "**zzz**", "1"], [40, 1, None, "", "1"]])
    other_text, other_place = (warning.value for warning in app.warning)
    assert other_text.startswith("Cell in row 4\\, column 2 does not say “\\*\\*zzz\\*\\*” but “39\\,834”")
    assert other_place == "This table has no cell in row 41\\, column 2\\; its edit is left out\\."
    assert app.caption[0].value == "('Cloud', 'Operating income') 39,834"
    app.button[0].click().run()
    assert len(app.warning) == 1


@pytest.mark.parametrize("text", ["{", "[[0]]", "[" * 3000, '[["<script>",0,null,"",""]]'])
def test_a_garbled_link_shows_the_table_as_it_is_and_offers_the_way_back(text: str) -> None:
    app = opened(text)
    assert not app.exception
    assert len(app.warning) == 1 and "The table is shown as it is." in app.warning[0].value
    assert app.caption[0].value == "('AWS', 'Operating income') 39,834"
    app.button[0].click().run()
    assert "edits" not in app.query_params and not app.warning


def test_hostile_texts_are_shown_as_they_stand() -> None:
    app = opened([[3, 1, None, "39,834", ":red[x] $a$ <b>"]])
    assert app.markdown[0].value.endswith("**\\:red\\[x\\] \\$a\\$ \\<b\\>**")
