"""The parts of the page Bring a table that draw nothing by themselves."""

import gzip
from dataclasses import replace

import pytest

from components.bringing import documents as bring_documents
from components.bringing.documents import OpenDocument, OpenDocuments, document_key
from components.bringing.header_editor import possible_parents, row_name
from components.bringing.source import in_steps
from components.bringing.table import provenance
from components.found_tables import card_markup
from components.found_tables.markup import default_name, name_of, title_of, where_of
from qa_core.errors import CrossheadError
from qa_core.ingest.document import Document, read_document, read_pasted
from qa_core.ingest.grid import Source
from tests.filing_page import filing_page
from tests.tables import AMAZON

FILING = read_document(filing_page().encode(), "northwind.html")
OPEN = OpenDocument("key", 1, FILING)


def test_a_document_is_read_once() -> None:
    documents, reads = OpenDocuments(), []

    def read() -> Document:
        reads.append(1)
        return FILING

    first = documents.open("a.html", b"content", read)
    assert documents.open("a.html", b"content", read) is first
    assert documents.get(first.key) is first
    assert len(reads) == 1
    assert documents.get("other") is None


def test_a_document_that_cannot_be_read_is_not_held() -> None:
    documents = OpenDocuments()

    def fail() -> Document:
        raise CrossheadError("It is a picture.")

    with pytest.raises(CrossheadError, match="picture"):
        documents.open("a.html", b"content", fail)
    assert documents.get(document_key("a.html", b"content")) is None


def test_the_document_that_was_longest_out_of_use_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bring_documents, "MOST_DOCUMENTS", 2)
    documents = OpenDocuments()
    first, second = (documents.open(name, b"", lambda: FILING).key for name in "ab")
    documents.get(first)
    documents.open("c", b"", lambda: FILING)
    assert documents.get(first) is not None
    assert documents.get(second) is None


def test_a_gzipped_document_says_that_its_size_is_packed() -> None:
    documents = OpenDocuments()
    assert documents.open("a.gz", gzip.compress(b"content"), lambda: FILING).is_packed
    assert not documents.open("a", b"content", lambda: FILING).is_packed


def test_a_name_or_content_of_its_own_makes_a_key_of_its_own() -> None:
    keys = {
        document_key("a", b"b"),
        document_key("b", b"b"),
        document_key("a", b"a"),
        document_key("ab", b""),
    }
    assert len(keys) == 4
    assert all(len(key) == 16 and key.isalnum() for key in keys)


def test_search_finds_titles_headings_headers_and_cells() -> None:
    def titles(query: str) -> list[str]:
        return [FILING.tables[i].title[:24] for i in OPEN.search(query) if OPEN.is_data(i)]

    assert titles("FREIGHT routes") == ["The following table pres"]
    assert titles("2,310") == ["CONSOLIDATED BALANCE SHE"]
    assert len(titles("supplementary statements")) == 2
    assert titles("freight ships") == []
    assert len(OPEN.search("")) == len(FILING.tables)


def test_progress_is_shown_in_hundredths() -> None:
    shown: list[float] = []
    progress = in_steps(shown.append)
    for done in range(1, 1001):
        progress(done, 1000)
    assert len(shown) == 101
    assert (shown[0], shown[-1]) == (0.0, 1.0)
    progress(1, 0)
    assert shown[-1] == 1.0


def test_a_card_shows_title_size_units_headings_and_headers() -> None:
    card = card_markup(2, FILING.tables[2], FILING.extractions[2])
    assert 'data-index="2"' in card
    assert "revenue by route and by service (in millions)" in card
    assert "7 × 3 · <bdi>(in millions)</bdi>" in card
    assert "PART II › Item 7. Management&#x27;s Discussion and Analysis" in card
    assert '<th colspan="3" rowspan="1" class="spanner"><bdi>Year Ended December 31,</bdi></th>' in card
    assert '<th colspan="4" class="crosshead" style="--level:0"><bdi>Passenger revenue:</bdi></th>' in card
    assert "<td><bdi>$663</bdi></td>" in card
    assert "headers: sure" in card


def test_a_card_of_a_spreadsheet_names_sheet_and_range() -> None:
    assert where_of(Source("book.xlsx", 1, "Segments", "B2:F20")) == "Segments · B2:F20"
    assert where_of(Source("a.html", 1, headings=("Part II", "Item 8", "Note 3"))) == "Item 8 › Note 3"


def test_a_card_of_a_table_with_headers_of_its_own() -> None:
    card = card_markup(0, AMAZON, None)
    assert "headers as given" in card
    assert "Segment results" in card


def test_a_card_is_escaped() -> None:
    (made,) = read_pasted("Name\t<i>2024</i>\n<img src=x onerror=alert(1)>\t5\n<b>b\t6").extractions
    card = card_markup(0, made.table, made)
    assert "<img" not in card
    assert "<b>" not in card
    assert "<i>" not in card


def test_parents_are_rows_that_head_rows() -> None:
    revenue = FILING.extractions[2].layout
    # Rows 0 and 1 head columns, 2 and 6 are crossheads, 4 is the row itself.
    assert possible_parents(revenue, 4) == [2, 3, 5, 6, 7, 8, 9, 10]
    # A crosshead may not stand under a row of its own group.
    assert possible_parents(revenue, 2) == [6, 7, 8, 9, 10]
    assert row_name(FILING.extractions[2].cleaned.grid, 2) == "3 · Passenger revenue:"


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Net sales by region (in millions)", "Net sales by region (in millions)"),
        ("Sales were as follows:", "Sales were as follows"),
        (
            "Consolidated Statements of Comprehensive Income (In thousands, except share and per share data)",
            "Consolidated Statements of Comprehensive Income",
        ),
        (
            "The following table presents, by year of expiry, the credit that our banks have granted to us:",
            "The following table presents, by year of expiry, the credit that our banks have…",
        ),
        (
            "Debt, of which all is secured by aircraft and the slots and gates at which they are parked, is:",
            "Debt, of which all is secured by aircraft and the slots and gates at which they…",
        ),
        (
            "Future minimum lease payments under operating leases at December 31, 2024, were as follows:",
            "Future minimum lease payments under operating leases at December 31, 2024, were…",
        ),
    ],
)
def test_a_table_is_kept_under_the_first_clause_of_its_title(title: str, name: str) -> None:
    assert name_of(title) == name


def test_a_table_without_a_title_is_named_by_its_file_and_rows() -> None:
    (table,) = read_pasted("Region\t2024\t2023\nEurope\t1,204\t1,148\nAsia\t893\t902\n").tables
    assert title_of(0, table) == "Europe · Asia"
    assert default_name("sales.csv", table) == "sales.csv: Europe · Asia"
    assert default_name("sales.csv", replace(table, title="Sales:")) == "Sales"
    assert len(default_name("f" * 500, replace(table, row_paths=(("r" * 500,),) * 2))) <= 82


def test_provenance_is_short_however_long_the_headings_are() -> None:
    (made,) = read_pasted("Region\t2024\nEurope\t1,204\n").extractions
    assert "1 row × 1 column · headers:" in provenance(made.table, made)
    headings = ("Part I", "x" * 100_000, "y " * 50_000, *["z" * 90] * 3)
    grid = replace(made.cleaned.grid, source=Source("a", 0, headings=headings))
    line = provenance(made.table, replace(made, cleaned=replace(made.cleaned, grid=grid)))
    assert len(line) < 320
    assert line.startswith("pasted text · Part I › xxx")


def test_after_a_correction_the_headers_are_no_guess() -> None:
    (made,) = read_pasted("Region\t2024\nEurope\t1,204\n").extractions
    assert provenance(made.table, made, by_hand=True).endswith("1 column · headers: corrected by hand")
