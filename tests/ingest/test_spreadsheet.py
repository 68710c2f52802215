"""What a sheet shows is what a grid holds."""

import io
import time
import zipfile
from datetime import date

import pytest
from openpyxl import Workbook
from openpyxl.styles import Alignment, Font
from openpyxl.worksheet.worksheet import Worksheet

from qa_core.errors import CrossheadError
from qa_core.ingest.extract import extract
from qa_core.ingest.grid import Grid
from qa_core.ingest.spreadsheet import read_spreadsheet
from tests.ingest.workbooks import part, rows_at, saved, with_part, workbook

SHEET = "xl/worksheets/sheet1.xml"


def texts(grid: Grid) -> list[list[str]]:
    return [[cell.text for cell in row] for row in grid.rows]


def income(sheet: Worksheet) -> None:
    """A statement as people draw it: title, units, merged spanner, number formats, indentation, a spacer."""
    sheet.title = "Income"
    rows_at(sheet, "A1", [["Statement of income"], ["(In millions)"]])
    rows_at(sheet, "B4", [["Year ended December 31,"], [2024, 2023]])
    sheet.merge_cells("B4:C4")
    rows = [["Revenue:"], ["Product", 1200, 1100], ["Service", -300, 250], [], ["Total revenue", 900, 1350]]
    rows_at(sheet, "A6", rows)
    for row in range(7, 11):
        for column in (2, 3):
            sheet.cell(row, column).number_format = "#,##0_);(#,##0)"
    for row in (7, 8):
        sheet.cell(row, 1).alignment = Alignment(indent=1)
    sheet["A6"].font = Font(bold=True)


def test_a_statement_is_read_as_it_is_shown() -> None:
    (grid,) = read_spreadsheet(workbook(income), "income.xlsx")
    assert texts(grid) == [
        ["Year ended December 31,"],
        ["2024", "2023"],
        ["Revenue:"],
        ["Product", "1,200", "1,100"],
        ["Service", "(300)", "250"],
        [],
        ["Total revenue", "900", "1,350"],
    ]
    assert (grid.title, grid.units) == ("Statement of income", "(In millions)")
    assert (grid.source.file, grid.source.sheet, grid.source.range) == ("income.xlsx", "Income", "A4:C10")
    assert grid.rows[0][0].columns == 2
    assert grid.rows[2][0].bold
    assert [row[0].indent for row in grid.rows[3:5]] == [10.0, 10.0]


def test_a_statement_becomes_a_table_with_its_hierarchy() -> None:
    table = extract(read_spreadsheet(workbook(income), "income.xlsx")[0]).table
    assert table.column_paths == (("Year ended December 31,", "2024"), ("Year ended December 31,", "2023"))
    assert table.row_paths[:2] == (("Revenue:", "Product"), ("Revenue:", "Service"))
    assert table.cells == (("1,200", "1,100"), ("(300)", "250"), ("900", "1,350"))


def test_tables_below_each_other_and_side_by_side_are_told_apart() -> None:
    def fill(sheet: Worksheet) -> None:
        rows_at(sheet, "A1", [["Region", 2023, 2024], ["North", 1, 2], ["South", 3, 4]])
        rows_at(sheet, "E1", [["Month", "Price"], ["May", 5], ["June", 6]])
        rows_at(sheet, "A6", [["Staff by office"], ["Office", "Staff"], ["Oslo", 7], ["Rome", 8]])

    grids = read_spreadsheet(workbook(fill))
    assert [grid.source.range for grid in grids] == ["A1:C3", "A7:B9", "E1:F3"]
    assert [grid.source.index for grid in grids] == [0, 1, 2]
    assert [grid.title for grid in grids] == ["", "Staff by office", ""]


def test_a_narrow_empty_column_between_figures_does_not_part_a_table() -> None:
    rows = [["Region", 2023, None, 2024], ["North", 1, None, 2], ["South", 3, None, 4]]
    (grid,) = read_spreadsheet(workbook(lambda sheet: rows_at(sheet, "A1", rows)))
    assert grid.n_columns == 4


def test_an_empty_row_parts_tables_only_before_new_headers() -> None:
    def fill(sheet: Worksheet) -> None:
        rows_at(sheet, "A1", [["Item", "Now", "Then"], ["Cash", 1, 2], [], ["Debt:"], ["Bonds", 3, 4], []])
        rows_at(sheet, "A7", [["Item", "Plan", "Actual"], ["Cash", 5, 6]])

    grids = read_spreadsheet(workbook(fill))
    assert [grid.source.range for grid in grids] == ["A1:C5", "A7:C8"]


def test_a_sheet_of_remarks_holds_no_table() -> None:
    assert (
        read_spreadsheet(workbook(lambda sheet: rows_at(sheet, "A1", [["All figures are estimates."]]))) == []
    )


def test_what_is_hidden_is_left_out_and_said() -> None:
    book = Workbook()
    sheet = book.active
    assert isinstance(sheet, Worksheet)
    rows_at(sheet, "A1", [["Item", "Id", "Now"], ["Cash", "k1", 1], ["Bonds", "k2", 2], ["Debt", "k3", 3]])
    sheet.column_dimensions["B"].hidden = True
    sheet.row_dimensions[3].hidden = True
    secret = book.create_sheet("Secret")
    rows_at(secret, "A1", [["Item", "Now"], ["Cash", 1]])
    secret.sheet_state = "veryHidden"
    (grid,) = read_spreadsheet(saved(book))
    assert texts(grid) == [["Item", "Now"], ["Cash", "1"], ["Debt", "3"]]
    assert grid.source.range == "A1:C4"
    assert grid.steps == ("left out 1 hidden sheet", "left out 1 hidden row and 1 hidden column")


def test_a_formula_without_a_kept_value_is_said() -> None:
    rows = [["Item", "Now", "Then"], ["Cash", 1, "=B2*2"], ["Debt", 2, 3]]
    (grid,) = read_spreadsheet(workbook(lambda sheet: rows_at(sheet, "A1", rows)))
    assert texts(grid)[1] == ["Cash", "1"]
    assert grid.steps[0].startswith("1 formula without a kept value shown empty")


def test_a_formula_is_shown_by_its_kept_value() -> None:
    content = workbook(lambda sheet: rows_at(sheet, "A1", [["Item", "Now"], ["Cash", 1], ["Debt", "=B2*2"]]))
    xml = (
        part(content, SHEET)
        .replace(b"<v></v>", b"<v>2</v>")
        .replace(b"<v />", b"<v>2</v>")
        .replace(b"<v/>", b"<v>2</v>")
    )
    (grid,) = read_spreadsheet(with_part(content, {SHEET: xml}))
    assert texts(grid)[2] == ["Debt", "2"]


def test_dates_and_percentages_are_shown_by_their_format() -> None:
    def fill(sheet: Worksheet) -> None:
        rows_at(sheet, "A1", [["Date", "Share"], [None, 0.125], [None, -0.5]])
        for row, day in ((2, date(2024, 1, 31)), (3, date(2024, 2, 29))):
            sheet.cell(row, 1, day).number_format = "mmm d, yyyy"
            sheet.cell(row, 2).number_format = "0.0%_);(0.0%)"

    (grid,) = read_spreadsheet(workbook(fill))
    assert texts(grid)[1:] == [["Jan 31, 2024", "12.5%"], ["Feb 29, 2024", "(50.0%)"]]


def test_text_centred_across_cells_spans_them() -> None:
    def fill(sheet: Worksheet) -> None:
        rows_at(sheet, "B1", [["Year ended"], [2024, 2023]])
        rows_at(sheet, "A3", [["Cash", 1, 2], ["Debt", 3, 4]])
        for cell in ("B1", "C1"):
            sheet[cell].alignment = Alignment(horizontal="centerContinuous")

    (grid,) = read_spreadsheet(workbook(fill))
    assert grid.rows[0][0].columns == 2


def test_merged_ranges_that_overlap_never_put_two_cells_on_one_slot() -> None:
    content = workbook(lambda sheet: rows_at(sheet, "A1", [["a", "b", "c"], ["d", 1, 2], ["e", 3, 4]]))
    ranges = [b"A1:B2", b"B2:C3", b"A1:XFD1048576"]
    merges = b"<mergeCells>%s</mergeCells>" % b"".join(b'<mergeCell ref="%s"/>' % text for text in ranges)
    xml = part(content, SHEET).replace(b"</sheetData>", b"</sheetData>" + merges)
    (grid,) = read_spreadsheet(with_part(content, {SHEET: xml}))
    slots = [
        (row, column)
        for cell in grid.cells
        for row in range(cell.row, cell.end_row)
        for column in range(cell.column, cell.end_column)
    ]
    assert len(slots) == len(set(slots))
    assert any("did not follow" in step for step in grid.steps)


def test_leading_spaces_indent_and_escapes_are_read() -> None:
    rows = [["Item", "Now"], ["  Cash_x000D_\nat hand", 1], ["Debt", 2]]
    (grid,) = read_spreadsheet(workbook(lambda sheet: rows_at(sheet, "A1", rows)))
    assert (grid.rows[1][0].text, grid.rows[1][0].indent) == ("Cash at hand", 10.0)


def test_cells_far_apart_cost_nothing() -> None:
    def fill(sheet: Worksheet) -> None:
        rows_at(sheet, "A1", [["Item", "Now"], ["Cash", 1], ["Debt", 2]])
        sheet["XFD1048576"] = "far"
        for place in range(2, 3000):
            sheet.cell(place, 2 * place, 1)

    began = time.process_time()
    grids = read_spreadsheet(workbook(fill))
    assert all(grid.n_rows * grid.n_columns <= 2_000_000 for grid in grids)
    assert time.process_time() - began < 20


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "no whole .xlsx file"),
        (b"PK\x03\x04 cut off", "no whole .xlsx file"),
        (workbook(income)[:3000], "no whole .xlsx file"),
    ],
)
def test_what_is_no_workbook_is_told_in_a_sentence(content: bytes, fault: str) -> None:
    with pytest.raises(CrossheadError, match=fault):
        read_spreadsheet(content, "x.xlsx")


def test_a_zip_bomb_is_refused_before_it_is_unpacked() -> None:
    bomb = with_part(workbook(income), {SHEET: b"<x/>" * 12_000_000})
    with pytest.raises(CrossheadError, match=r"unpacks from .* which is too much"):
        read_spreadsheet(bomb, "bomb.xlsx")


def test_an_archive_that_lies_about_its_sizes_is_bounded() -> None:
    bomb = bytearray(with_part(workbook(income), {SHEET: b"<x/>" * 12_000_000}))
    place = bomb.rindex(SHEET.encode())  # in the central directory
    bomb[place - 22 : place - 18] = (1000).to_bytes(4, "little")
    with pytest.raises(CrossheadError, match="damaged"):
        read_spreadsheet(bytes(bomb), "bomb.xlsx")


@pytest.mark.parametrize("name", [SHEET, "xl/workbook.xml", "xl/styles.xml", "[Content_Types].xml"])
def test_entities_are_neither_fetched_nor_expanded(name: str) -> None:
    content = workbook(income)
    declaration = (
        b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY b "ha ha"><!ENTITY c "&b;&b;&b;&b;">]>'
    )
    xml = part(content, name)
    rest = xml.rpartition(b"?>")[2] if xml.startswith(b"<?xml") else xml
    hostile = declaration + rest.replace(b"Income", b"&a;&c;").replace(b"Statement", b"&a;&c;")
    hostile = hostile.replace(b"</row>", b'<c r="F9" t="str"><v>&a;</v></c></row>', 1)
    try:
        grids = read_spreadsheet(with_part(content, {name: hostile}), "x.xlsx")
    except CrossheadError:
        return
    assert not any("root:" in cell.text or "ha ha" in cell.text for grid in grids for cell in grid.cells)
    assert not any("root:" in grid.source.sheet or "ha ha" in grid.source.sheet for grid in grids)


def test_an_encrypted_archive_is_told() -> None:
    content = bytearray(workbook(income))
    place = content.index(b"PK\x01\x02")
    content[place + 8] |= 1
    with pytest.raises(CrossheadError, match="encrypted; save it without a password"):
        read_spreadsheet(bytes(content), "x.xlsx")


def test_a_damaged_part_is_told_in_a_sentence() -> None:
    content = with_part(workbook(income), {SHEET: b"<worksheet><sheetData><row><c"})
    with pytest.raises(CrossheadError, match=r"x\.xlsx is damaged"):
        read_spreadsheet(content, "x.xlsx")


def test_macros_are_carried_by_a_file_and_never_looked_at() -> None:
    (grid,) = read_spreadsheet(with_part(workbook(income), {"xl/vbaProject.bin": b"\x00" * 100}), "x.xlsm")
    assert grid.title == "Statement of income"


def test_progress_counts_sheets() -> None:
    book = Workbook()
    book.create_sheet("b")
    seen: list[tuple[int, int]] = []
    read_spreadsheet(saved(book), on_progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]


def test_a_part_that_is_missing_is_told_in_a_sentence() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
    with pytest.raises(CrossheadError, match="damaged"):
        read_spreadsheet(stream.getvalue(), "x.xlsx")
