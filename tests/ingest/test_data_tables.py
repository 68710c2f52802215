"""What carries data and what only lays out a page."""

import pytest

from tests.ingest.drawings import extraction_of, page

LONG = "Restated certificate of incorporation of the company, as filed with the secretary of state"


@pytest.mark.parametrize(
    "rows",
    [
        ("| 2024 | 2023", "Sales | 10 | 9", "Costs | 4 | 3"),
        ("Cash | $ | 5 | $ | 4", "Debt | | 7 | | 8"),  # no header
        ("Total assets | $5 | $4", "Total debt | $7 | $8"),
        ("2025 | $ | 5", "2026 | | 7", "Thereafter | | 9"),  # maturities
        ("Name | Age | Position", "Ann Example | 50 | Director", "Tom Sample | 61 | Secretary"),
        ("Item | 2024 | 2023", "Item 1 | 5 | 6", "Item 2 | 3 | 9", "Item 3 | 8 | 1"),
        ("Asset | Useful life", "Buildings | 20 – 40 years", "Equipment | 3 to 7 years"),
        ("Route | From | To", "A | Bern | Rome", "B | Oslo | Bonn", "C | Linz | Graz", "D | Lyon | Metz"),
        ("| High | Low", "First quarter | $12.10 | $10.05"),
    ],
)
def test_data(rows: tuple[str, ...]) -> None:
    assert extraction_of(page(*rows)).is_data


@pytest.mark.parametrize(
    "rows",
    [
        (),
        ("",),
        ("2024 Annual Report | 42",),  # a page footer
        ("Example Corp. | Form 10-K | 42",),
        ("42",),
        ("Table of Contents",),
        (
            "PART I | |",
            "Item 1. | Business | 3",
            "Item 1A. | Risk Factors | 11",
            "Item 2. | Properties | 25",
            "Item 3. | Legal Proceedings | 26",
        ),
        (
            "Index | Page",
            "Consolidated Balance Sheets | 41",
            "Consolidated Statements of Operations | 42",
            "Notes to Consolidated Financial Statements | 45",
        ),
        ("/s/ ANN EXAMPLE | Director | March 1, 2024", "Ann Example | |"),
        ("By: | /s/ Ann Example", "Name: | Ann Example", "Title: | Chief Executive"),
        ("Date: March 1, 2024 | By: | _________", "| | Ann Example"),
        ("• | We may not grow as we expect.", "• | We may lose our suppliers."),
        ("(a) | The report of the auditors.", "(b) | The list of documents."),
        (
            "1. | We bought a business in 2024.",
            "2. | We sold another one in 2023.",
            "3. | We closed a plant.",
        ),
        (
            "Delaware | 12-3456789",
            "(State or other jurisdiction of incorporation) | (I.R.S. Employer Identification No.)",
        ),
        (
            "Large accelerated filer | ☒ | Accelerated filer | ☐",
            "Non-accelerated filer | ☐ | Smaller reporting company | ☐",
        ),
        (f"3.1 | {LONG}", f"3.2 | {LONG}", f"10.1* | {LONG}", f"10.12+ | {LONG}"),
        ("Exhibit Number | Description", f"3.1 | {LONG}", f"10.1 | {LONG}", f"31.1 | {LONG}"),
        ("Some text that is merely placed | beside another text",),
        ("Net Sales by Region",),
    ],
)
def test_layout(rows: tuple[str, ...]) -> None:
    assert not extraction_of(page(*rows)).is_data


def test_a_list_of_exhibits_with_figures_of_its_own_is_data() -> None:
    rows = ("Exhibit | Pages | Price", "10.1 | 12 | $3.00", "10.2 | 40 | $9.00")
    assert extraction_of(page(*rows)).is_data
