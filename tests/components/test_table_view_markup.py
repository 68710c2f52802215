"""What a table looks like as HTML, and which locations a click may report."""

from html.parser import HTMLParser

import pytest

from components.table_view import table_markup
from components.table_view.view import _as_table, _finite, _location_in, _origin, _place
from qa_core.table import HeaderPath, Location, Table
from qa_core.transform import TRANSFORMATIONS, flatten


def label(text: str) -> str:
    return f'<span class="label" dir="auto">{text}</span>'


def table(
    columns: tuple[HeaderPath, ...], rows: tuple[HeaderPath, ...], *cells: tuple[str, ...], id: str = "t"
) -> Table:
    return Table(id, columns, rows, cells)


def head(markup: str) -> str:
    return markup[markup.index("<thead>") : markup.index("</thead>") + len("</thead>")]


def body(markup: str) -> str:
    return markup[markup.index("<tbody>") : markup.index("</table>")]


def test_two_levels_of_column_headers() -> None:
    markup = table_markup(table((("Year", "2018"), ("Year", "2017")), (("Fuel",),), ("$9,307", "—")))
    assert markup == (
        '<table role="grid">'
        f"<caption>{label('t')}</caption>"
        "<thead>"
        '<tr><td class="stubhead" rowspan="2"></td>'
        '<th scope="colgroup" colspan="2" class="spanner" data-first="0" data-last="1">'
        f"{label('Year')}</th></tr>"
        f'<tr><th scope="col" data-column="0">{label("2018")}</th>'
        f'<th scope="col" data-column="1">{label("2017")}</th></tr>'
        "</thead>"
        "<tbody>"
        f'<tr><th scope="row" data-row="0">{label("Fuel")}</th>'
        '<td data-row="0" data-column="0">$9,307</td><td data-row="0" data-column="1">—</td></tr>'
        "</tbody></table>"
    )


def test_crossheads_head_their_own_row_group_and_indent() -> None:
    rows = (("Assets:", "Current:", "Cash"), ("Assets:", "Goodwill"), ("Total",))
    assert body(table_markup(table((), rows, ("1",), ("2",), ("3",)))) == (
        "<tbody>"
        '<tr class="crosshead"><th scope="rowgroup" colspan="2" data-first="0" data-last="1">'
        f"{label('Assets:')}</th></tr>"
        '<tr class="crosshead">'
        '<th scope="rowgroup" colspan="2" style="--level:1" data-first="0" data-last="0">'
        f"{label('Current:')}</th></tr>"
        f'<tr><th scope="row" style="--level:2" data-row="0">{label("Cash")}</th>'
        '<td data-row="0" data-column="0">1</td></tr>'
        f'<tr><th scope="row" style="--level:1" data-row="1">{label("Goodwill")}</th>'
        '<td data-row="1" data-column="0">2</td></tr>'
        "</tbody><tbody>"
        f'<tr><th scope="row" data-row="2">{label("Total")}</th>'
        '<td data-row="2" data-column="0">3</td></tr>'
        "</tbody>"
    )


def test_a_closing_balance_stands_under_its_group() -> None:
    rows = (("Balance, 2016", "Net income"), ("Balance, 2016",))
    assert body(table_markup(table((), rows, ("1",), ("2",)))) == (
        "<tbody>"
        '<tr class="crosshead"><th scope="rowgroup" colspan="2" data-first="0" data-last="0">'
        f"{label('Balance, 2016')}</th></tr>"
        f'<tr><th scope="row" style="--level:1" data-row="0">{label("Net income")}</th>'
        '<td data-row="0" data-column="0">1</td></tr>'
        "</tbody><tbody>"
        f'<tr><th scope="row" data-row="1">{label("Balance, 2016")}</th>'
        '<td data-row="1" data-column="0">2</td></tr>'
        "</tbody>"
    )


def test_a_line_item_heads_its_breakdown() -> None:
    rows = (("Revenue",), ("Revenue", "Cargo"))
    assert body(table_markup(table((), rows, ("3",), ("1",)))) == (
        "<tbody>"
        f'<tr><th scope="row" data-row="0" data-first="0" data-last="1">{label("Revenue")}</th>'
        '<td data-row="0" data-column="0">3</td></tr>'
        f'<tr><th scope="row" style="--level:1" data-row="1">{label("Cargo")}</th>'
        '<td data-row="1" data-column="0">1</td></tr>'
        "</tbody>"
    )


def test_depth_eight_beside_depth_one() -> None:
    deep = tuple("abcdefgh")
    markup = head(table_markup(table((deep, ("Total",)), (), ("1", "2"))))
    assert markup == (
        "<thead>"
        f'<tr><th scope="col" class="spanner" data-first="0" data-last="0">{label("a")}</th>'
        f'<th scope="col" rowspan="8" data-column="1">{label("Total")}</th></tr>'
        + "".join(
            f'<tr><th scope="col" class="spanner" data-first="0" data-last="0">{label(level)}</th></tr>'
            for level in "bcdefg"
        )
        + f'<tr><th scope="col" data-column="0">{label("h")}</th></tr>'
        "</thead>"
    )


def test_a_flat_table_may_say_that_its_first_column_is_a_stub() -> None:
    flat = table((("",), ("2018",)), (), ("Fuel", "$9,307"))
    assert table_markup(flat, stub_column=True).startswith('<table role="grid" class="stub-column">')
    assert table_markup(flat).startswith('<table role="grid"><caption>')


def test_no_row_headers_no_stub() -> None:
    markup = table_markup(table((("Year",), ("Remarks",)), ((), ()), ("2018", "Restated"), ("2017", "")))
    assert head(markup) == (
        f'<thead><tr><th scope="col" data-column="0">{label("Year")}</th>'
        f'<th scope="col" class="text" data-column="1">{label("Remarks")}</th></tr></thead>'
    )
    assert body(markup) == (
        '<tbody><tr><td data-row="0" data-column="0">2018</td>'
        '<td class="text" dir="auto" data-row="0" data-column="1">Restated</td></tr>'
        '<tr><td data-row="1" data-column="0">2017</td><td data-row="1" data-column="1"></td></tr></tbody>'
    )


def test_headers_without_rows_say_so() -> None:
    markup = table_markup(table((("2018",), ("2017",)), ()))
    assert (
        body(markup) == '<tbody><tr class="empty"><td colspan="2">This table has no rows.</td></tr></tbody>'
    )


def test_a_table_of_nothing_is_drawn() -> None:
    assert "This table has no rows." in table_markup(table((), ()))


def test_surplus_headers_get_empty_cells() -> None:
    markup = table_markup(table((("a",), ("b",)), (("x",), ("y",)), ("1",)))
    assert body(markup) == (
        "<tbody>"
        f'<tr><th scope="row" data-row="0">{label("x")}</th>'
        '<td data-row="0" data-column="0">1</td><td data-row="0" data-column="1"></td></tr>'
        f'<tr><th scope="row" data-row="1">{label("y")}</th>'
        '<td data-row="1" data-column="0"></td><td data-row="1" data-column="1"></td></tr>'
        "</tbody>"
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;"),
        ("a < b & c", "a &lt; b &amp; c"),
        ("&lt;already&gt;", "&amp;lt;already&amp;gt;"),
        ('" onmouseover="alert(1)', "&quot; onmouseover=&quot;alert(1)"),
        ("</td></table><script>x</script>", "&lt;/td&gt;&lt;/table&gt;&lt;script&gt;x&lt;/script&gt;"),
        ("nul \0 here", "nul \ufffd here"),
        ("lone \ud800 surrogate", "lone \ufffd surrogate"),
        ("from $663 to $622", "from $663 to $622"),
        ("two\nlines", "two\nlines"),
    ],
)
def test_text_is_text_everywhere(text: str, shown: str) -> None:
    hostile = Table(text, ((text, text), (text, "b")), ((text, text),), ((text, "1"),), title=text)
    markup = table_markup(hostile)
    reader = _Tags()
    reader.feed(markup)
    assert reader.tags == {"table", "caption", "thead", "tbody", "tr", "th", "td", "span"}
    assert f">{shown}</td>" in markup
    assert markup.count(label(shown)) == 5  # caption, spanner, leaf, crosshead, row header
    assert label(shown) in table_markup(table((), ()), caption=text)


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert {name for name, _ in attrs} <= {
            *("role", "scope", "colspan", "rowspan", "class", "style", "dir"),
            *("data-row", "data-column", "data-first", "data-last"),
        }


@pytest.mark.parametrize(
    "text",
    [
        "1,694",
        "$(1,610)",
        "$—",
        "(0.3)%",
        "4.4 %",
        "—",
        "-",
        "nm",
        "N/A",
        "12.5x",
        "€ 3",
        "2017 (a)",
        "(0.28)¢",
        "",
    ],
)
def test_numbers_are_set_flush_right(text: str) -> None:
    assert f'<td data-row="0" data-column="0">{text}</td>' in table_markup(table((), (), (text,)))


@pytest.mark.parametrize("text", ["Pilots", "Houston, Texas", "2018 and later", "17 aircraft", "مرحبا"])
def test_words_are_set_flush_left(text: str) -> None:
    assert f'<td class="text" dir="auto" data-row="0" data-column="0">{text}</td>' in table_markup(
        table((), (), (text,))
    )


def test_a_word_among_numbers_aligns_with_them_and_a_sentence_does_not() -> None:
    sentence = "See Note 12 for the definition of this."
    markup = table_markup(table((), (), ("1",), ("2",), ("nil",), (sentence,), ("3",)))
    assert '<td data-row="2" data-column="0">nil</td>' in markup
    assert f'<td class="text long" dir="auto" data-row="3" data-column="0">{sentence}</td>' in markup


def test_the_caption_is_the_title_or_the_id() -> None:
    assert table_markup(Table("t", (), (), (), title="Fleet")).startswith(
        f'<table role="grid"><caption>{label("Fleet")}</caption>'
    )
    assert f"<caption>{label('Mine')}</caption>" in table_markup(
        Table("t", (), (), (), title="Fleet"), "Mine"
    )


@pytest.mark.parametrize(
    ("value", "location"),
    [
        ({"table": "here", "row": 1, "column": 2}, Location(1, 2)),
        ({"table": "here", "row": 1, "column": None}, Location(1, None)),
        ({"table": "here", "row": None, "column": 2}, Location(None, 2)),
        ({"table": "here", "row": None, "column": None}, None),
        ({"table": "another", "row": 1, "column": 2}, None),
        ({"table": "here", "row": "1", "column": 2}, None),
        ("garbage", None),
        (None, None),
    ],
)
def test_only_a_click_on_this_table_counts(value: object, location: Location | None) -> None:
    assert _location_in(value, "here") == location


def test_scores_that_json_cannot_carry_are_null() -> None:
    assert _finite([1, float("nan"), float("inf"), 0.5], 6) == [1.0, None, None, 0.5, None, None]
    assert _finite([1, 2, 3], 2) == [1.0, 2.0]


@pytest.mark.parametrize("transformation", TRANSFORMATIONS)
@pytest.mark.parametrize("rows", [(("a", "x"), ("a", "y")), ()])
def test_a_location_is_shown_and_clicked_in_the_same_flat_cell(
    transformation: str, rows: tuple[HeaderPath, ...]
) -> None:
    original = table((("2018",), ("2017",), ("2016",)), rows, ("1", "2", "3"), ("4", "5", "6"))
    flat = flatten(original, transformation)
    drawn = _as_table(flat)
    headers = [Location(row, None) for row in range(2)] + [Location(None, column) for column in range(3)]
    for location in [*original.locations(), *headers]:
        place = _place(flat, location)
        if place is None:
            assert location.is_row_header and not rows
            continue
        assert _origin(flat, place) == location
        assert place in drawn
        if location.is_cell:
            assert drawn.text_at(place) == original.text_at(location)


def test_the_header_of_the_flat_stub_is_no_location() -> None:
    flat = flatten(table((("2018",),), (("a",),), ("1",)), "base")
    assert _origin(flat, Location(None, 0)) is None
    assert _origin(flat, Location(0, 0)) == Location(0, None)
