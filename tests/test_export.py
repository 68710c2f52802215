"""Whatever a table holds, CSV and XLSX give it back."""

import io
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook

from qa_core.errors import CrossheadError
from qa_core.export import from_csv, from_xlsx, to_csv, to_xlsx
from qa_core.table import Table
from tests.tables import ALL, AMAZON

# fmt: off
AWKWARD = [
    "1,234", "(2,847)", "$5", "$(5)", "($5)", "12.50%", "007", "-5", "-0", "(0)", "0.10", "1e5", "TRUE",
    "99999999999999999", "１２", "=SUM(A1)", "'=x", "''", "+1", "@cmd", "-", "--", "—", "-2+3", "#N/A",
    "  lead", "trail ", "\u00a0x", "a\nb", "a\r\nb", "\r", "a\tb", '"quoted"', ";", "a,b", "\ufffe",
    "_x0041_", "_x005F_x0041_", "_x000D\r", "_x", "x005F_", "# Crosshead table",
]
# fmt: on
texts = st.one_of(
    st.sampled_from(AWKWARD),
    st.text(st.characters(exclude_categories=("Cs", "Cc"), include_characters="\n\r\t"), max_size=6),
    st.text("_x05F\r'=-", max_size=12),
    st.decimals(-(10**6), 10**6, places=2).map(str),
)
paths = st.lists(st.one_of(st.sampled_from(["a", "b", ""]), texts), max_size=4).map(tuple)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    return Table(
        id=draw(st.text("abc", min_size=1, max_size=3)),
        column_paths=tuple(draw(st.lists(paths, max_size=5))),
        row_paths=tuple(draw(st.lists(paths, max_size=5))),
        cells=tuple(draw(st.lists(st.lists(texts, max_size=4).map(tuple), max_size=5))),
        title=draw(st.one_of(st.just(""), texts)),
        company=draw(st.one_of(st.just(""), texts)),
        extra=draw(st.dictionaries(st.sampled_from(["units", "steps"]), texts)),
    )


@given(tables())
@settings(max_examples=300)
def test_csv_gives_every_table_back(table: Table) -> None:
    back = from_csv(to_csv(table))
    assert back == table
    assert back.extra == table.extra


@given(st.lists(tables(), min_size=1, max_size=3))
@settings(max_examples=150, deadline=None)
def test_xlsx_gives_every_table_back(several: list[Table]) -> None:
    back = from_xlsx(to_xlsx(several))
    assert back == several
    assert [table.extra for table in back] == [table.extra for table in several]


@given(texts)
def test_no_field_of_a_csv_is_run_as_a_formula(text: str) -> None:
    written = to_csv(Table("t", (), (), ((text,),)))
    assert not written.splitlines()[1].lstrip('"').startswith(("=", "@"))


def test_a_person_sees_a_plain_table_with_merged_spanners() -> None:
    table = Table(
        "t", (("Year", "2024"), ("Year", "2023")), (("Cash", "At hand"),), (("1,200", "(3)"),), "Assets"
    )
    sheet = load_workbook(io.BytesIO(to_xlsx([table])))["Assets"]
    shown = [[cell.value for cell in row] for row in sheet.iter_rows()]
    assert shown == [
        ["Assets", None, None, None],
        [None, None, "Year", None],
        [None, None, "2024", "2023"],
        ["Cash", "At hand", 1200, -3],
    ]
    assert [str(merged) for merged in sheet.merged_cells.ranges] == ["C2:D2"]
    assert (sheet["C4"].number_format, sheet["D4"].number_format) == ("#,##0", "0_);(0)")


def test_what_looks_like_a_formula_is_text_in_a_workbook() -> None:
    sheet = load_workbook(io.BytesIO(to_xlsx([Table("t", (), (), (("=SUM(A1)", "+1", "#N/A"),))])))["t"]
    assert [cell.data_type for cell in sheet[1]] == ["s", "s", "s"]


def test_what_looks_like_a_formula_has_an_apostrophe_in_csv() -> None:
    lines = to_csv(Table("t", (), (), (("=SUM(A1)", "-1,200", "-", "@x", "-cmd", "'=x"),))).splitlines()
    assert lines[1] == "'=SUM(A1),\"-1,200\",-,'@x,'-cmd,''=x"


def test_a_csv_says_how_it_is_laid_out_and_then_shows_the_table() -> None:
    table = Table("t", (("Year", "2024"), ("Year", "2023")), (("Cash",),), (("1", "2"),), "Assets")
    lines = to_csv(table).splitlines()
    assert lines[0].startswith("# Crosshead table: 2 header rows and 1 stub columns,")
    assert lines[1:] == ["Assets", ",Year,Year", ",2024,2023", "Cash,1,2"]


def test_a_csv_saved_anew_by_a_spreadsheet_program_comes_back() -> None:
    lines = [
        '# Crosshead table: 1 header rows and 1 stub columns;"{""title"": false, ""header_rows"": 1, '
        '""stub_columns"": 1, ""column_levels"": [[1, 1]], ""row_levels"": [[1, 2]], '
        '""row_lengths"": [[1, 2]], ""record"": {""id"": ""t""}}";',
        ";2024;",
        "Cash;1,5;",
        "Debt;2,5;",
    ]
    table = from_csv("\ufeff" + "\r\n".join(lines))
    assert table == Table("t", (("2024",),), (("Cash",), ("Debt",)), (("1,5",), ("2,5",)))


def test_what_a_person_adds_is_read() -> None:
    table = Table("t", (("2024",),), (("Cash",),), (("1",),))
    lines = to_csv(table).splitlines()
    edited = "\r\n".join([lines[0], ",2024,2023", "Cash,1,9", "Debt,2,3"])
    assert from_csv(edited) == Table(
        "t", (("2024",), ("2023",)), (("Cash",), ("Debt",)), (("1", "9"), ("2", "3"))
    )


def test_real_tables_come_back_from_a_workbook_of_several() -> None:
    assert from_xlsx(to_xlsx(ALL)) == list(ALL)


def test_sheets_get_names_that_workbooks_allow() -> None:
    odd = [
        replace(AMAZON, title=title) for title in ("a/b", "A b", "Crosshead", "x" * 90, "[]", "'", "History")
    ]
    assert from_xlsx(to_xlsx(odd)) == odd


def test_other_files_are_no_exports() -> None:
    assert from_csv("a,b\n1,2\n") is None
    with pytest.raises(CrossheadError, match=r"no whole \.xlsx file"):
        from_xlsx(b"a,b")


@pytest.mark.parametrize(
    "note",
    ["", "{}", "[1]", '{"record": {}}', '{"record": {"id": "t"}, "header_rows": 1e99}',
     '{"record": {"id": "t"}, "header_rows": 0, "stub_columns": 0, "column_levels": [[9, 99999999]]}',
     '{"record": {"id": "t"}, "header_rows": 0, "stub_columns": 0, "column_levels": [[-1, 2]]}'],
)  # fmt: skip
def test_a_damaged_note_is_told_in_a_sentence(note: str) -> None:
    quoted = note.replace('"', '""')
    with pytest.raises(CrossheadError, match="note of the table"):
        from_csv(f'# Crosshead table,"{quoted}"\n1,2\n')


def test_a_text_too_long_for_a_cell_is_refused_and_not_cut() -> None:
    table = Table("t", (), (), (("x" * 40_000,),))
    assert from_csv(to_csv(table)) == table
    with pytest.raises(CrossheadError, match="longer than a cell of a workbook holds"):
        to_xlsx([table])
    with pytest.raises(CrossheadError, match="too long for CSV"):
        to_csv(replace(table, cells=(("x" * 200_000,),)))
