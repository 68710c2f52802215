"""A page as filings are made: figures over several cells, spacers, layout tables between the tables of data.

The company is invented. Nothing says which tables carry data, as in a real filing.
"""

_STYLE = "font-family:'Times New Roman';font-size:10pt"
_PAD = "padding:2px 1pt"
_RULE = "border-bottom:0.5pt solid #000000"


def filing_page() -> str:
    """The whole page, some 30 KB."""
    parts = [
        _heading("NORTHWIND FERRIES INC."),
        _cover(),
        _contents(),
        _heading("PART II"),
        _heading("Item 7. Management's Discussion and Analysis"),
        _text("The following table presents revenue by route and by service (in millions):"),
        _table(_REVENUE),
        _footer(31),
        _text("The following table presents the number of crossings (in thousands):"),
        _table(_CROSSINGS),
        _footer(32),
        _heading("Item 8. Financial Statements and Supplementary Data"),
        _heading("CONSOLIDATED BALANCE SHEETS"),
        _text("(In millions)"),
        _table(_BALANCE),
        _footer(33),
        _heading("CONSOLIDATED STATEMENTS OF OPERATIONS"),
        _text("(In millions, except per share amounts)"),
        _table(_OPERATIONS),
        _footer(34),
        _signatures(),
    ]
    return f"<html><head><title>10-K</title></head><body>{''.join(parts)}</body></html>"


# A row: label, indent in points, bold, figures. A figure "$ 1,204" has its sign in a cell of its own.
_Row = tuple[str, int, bool, tuple[str, ...]]
_Table = tuple[tuple[tuple[str, int], ...], tuple[str, ...], tuple[_Row, ...]]

_YEARS = ("2024", "2023", "2022")
_REVENUE: _Table = (
    (("Year Ended December 31,", 3),),
    _YEARS,
    (
        ("Passenger revenue:", 0, True, ()),
        ("Northern routes", 9, False, ("$ 663", "$ 622", "$ 540")),
        ("Southern routes", 9, False, ("418", "402", "377")),
        ("Total passenger revenue", 18, False, ("1,081", "1,024", "917")),
        ("Freight revenue:", 0, True, ()),
        ("Northern routes", 9, False, ("205", "211", "198")),
        ("Southern routes", 9, False, ("97", "88", "(4)")),
        ("Total freight revenue", 18, False, ("302", "299", "194")),
        ("Total revenue", 0, True, ("$ 1,383", "$ 1,323", "$ 1,111")),
    ),
)
# "Winter timetable" heads the rows below it, which no indentation tells.
_CROSSINGS: _Table = (
    (("Scheduled", 2), ("Sailed", 2)),
    ("2024", "2023", "2024", "2023"),
    (
        ("Winter timetable", 0, False, ("—", "—", "—", "—")),
        ("Morning crossings", 0, False, ("31", "30", "29", "28")),
        ("Evening crossings", 0, False, ("22", "21", "20", "19")),
        ("Summer timetable", 0, False, ("—", "—", "—", "—")),
        ("Morning crossings", 0, False, ("64", "61", "63", "60")),
        ("Evening crossings", 0, False, ("47", "45", "46", "44")),
        ("Charter crossings", 0, False, ("5", "4", "3", "2")),
    ),
)
_BALANCE: _Table = (
    (("December 31,", 2),),
    ("2024", "2023"),
    (
        ("Current assets:", 0, False, ()),
        ("Cash and cash equivalents", 9, False, ("$ 311", "$ 287")),
        ("Receivables, net", 9, False, ("96", "91")),
        ("Spare parts", 9, False, ("42", "40")),
        ("Total current assets", 18, False, ("449", "418")),
        ("Ships and equipment:", 0, False, ()),
        ("Ships", 9, False, ("2,310", "2,204")),
        ("Less accumulated depreciation", 9, False, ("(874)", "(801)")),
        ("Total ships and equipment, net", 18, False, ("1,436", "1,403")),
        ("Total assets", 0, True, ("$ 1,885", "$ 1,821")),
    ),
)
_OPERATIONS: _Table = (
    (("Year Ended December 31,", 3),),
    _YEARS,
    (
        ("Operating expenses:", 0, False, ()),
        ("Fuel", 9, False, ("$ 402", "$ 377", "$ 391")),
        ("Wages", 9, False, ("388", "361", "340")),
        ("Port fees", 9, False, ("121", "118", "115")),
        ("Total operating expenses", 18, False, ("911", "856", "846")),
        ("Operating income", 0, False, ("472", "467", "265")),
        ("Operating margin", 0, False, ("34.1 %", "35.3 %", "23.9 %")),
        ("Earnings per share:", 0, False, ()),
        ("Basic", 9, False, ("$ 2.14", "$ 2.03", "$ 1.12")),
        ("Diluted", 9, False, ("$ 2.09", "$ 1.98", "$ 1.10")),
    ),
)


def _heading(text: str) -> str:
    return f'<div style="text-align:center;{_STYLE};font-weight:700"><span>{text}</span></div>'


def _text(text: str) -> str:
    return f'<div style="{_STYLE};text-align:justify"><span>{text}</span></div>'


def _table(table: _Table) -> str:
    spanners, leaves, rows = table
    over = "".join(
        _spacer() + _cell(text, 6 * n - 3, f"text-align:center;{_RULE}", bold=True) for text, n in spanners
    )
    under = "".join(_spacer() + _cell(text, 3, f"text-align:center;{_RULE}", bold=True) for text in leaves)
    spread = f"<tr>{_cell('', 3)}{over}</tr><tr>{_cell('', 3)}{under}</tr>"
    return f'<table style="border-collapse:collapse;width:100%">{spread}{"".join(map(_row, rows))}</table>'


def _row(row: _Row) -> str:
    label, indent, bold, figures = row
    cells = _cell(label, 3, f"padding-left:{2 + indent}pt;text-align:left", bold=bold)
    if not figures:
        cells += _cell("", 12)
    for figure in figures:
        _, _, rest = figure.rpartition("$ ")
        number, _, percent = rest.partition(" ")
        opened = number.removesuffix(")")
        closing = ")" if opened != number else percent
        cells += _spacer() + _cell("$" if "$" in figure else "", 1)
        cells += _cell(opened, 1, "text-align:right") + _cell(closing, 1)
    return f"<tr>{cells}</tr>"


def _spacer() -> str:
    return f'<td colspan="3" style="{_PAD};width:1%"></td>'


def _cell(text: str, columns: int, style: str = "", *, bold: bool = False) -> str:
    weight = "font-weight:700" if bold else "font-weight:400"
    span = f'<span style="{_STYLE};{weight}">{text}</span>' if text else ""
    return f'<td colspan="{columns}" style="{_PAD};{style}">{span}</td>'


def _cover() -> str:
    return (
        f"<table><tr>{_cell('☒', 1)}{_cell('ANNUAL REPORT PURSUANT TO SECTION 13 OR 15(d)', 3)}</tr>"
        f"<tr>{_cell('☐', 1)}{_cell('TRANSITION REPORT', 3)}</tr></table>"
    )


def _contents() -> str:
    items = (
        ("Item 1.", "Business", "3"),
        ("Item 7.", "Management's Discussion", "31"),
        ("Item 8.", "Statements", "33"),
    )
    rows = "".join(f"<tr>{''.join(_cell(text, 3) for text in item)}</tr>" for item in items)
    return f"<table>{rows}</table>"


def _footer(page: int) -> str:
    return (
        f"<table style='width:100%'><tr>{_cell('Northwind Ferries Inc. | 2024 Form 10-K', 3)}"
        f"{_cell(str(page), 3, 'text-align:right')}</tr></table><hr style='page-break-after:always'/>"
    )


def _signatures() -> str:
    rows = (("By:", "/s/ A. Sailor"), ("Date:", ""))
    return f"<table>{''.join(f'<tr>{_cell(name, 1)}{_cell(value, 3)}</tr>' for name, value in rows)}</table>"
