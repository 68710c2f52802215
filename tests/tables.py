"""Small real tables that several tests look at."""

from qa_core.table import Table

AMAZON = Table(
    id="amazon-segments",
    title="Segment results",
    company="Amazon",
    column_paths=(
        ("Year Ended December 31,", "2023"),
        ("Year Ended December 31,", "2024"),
    ),
    row_paths=(
        ("North America", "Net sales"),
        ("North America", "Operating income"),
        ("AWS", "Net sales"),
        ("AWS", "Operating income"),
    ),
    cells=(
        ("$352,828", "$387,497"),
        ("14,877", "24,967"),
        ("90,757", "107,556"),
        ("24,631", "39,834"),
    ),
)

FUEL = Table(
    id="fuel",
    column_paths=(("Year",), ("Gallons Consumed (in millions)",), ("Average Price Per Gallon",)),
    row_paths=(),
    cells=(("2018", "4,137", "$2.25"), ("2017", "3,978", "$1.74")),
)

SURPLUS = Table(
    id="surplus",
    column_paths=(("Shares received",), ("Cash paid",), ("2",)),
    row_paths=(("First Quarter",), ("Total",), ("Total",), ("See note",)),
    cells=(("9.38", "$500"), ("36.75", "$2,000"), ("36.75", "$2,000")),
)

HEADERS_ONLY = Table(id="headers-only", column_paths=(("2018",), ("2017",)), row_paths=(), cells=())

ROLL_FORWARD = Table(
    id="roll-forward",
    column_paths=(("Common Stock", "Shares"), ("Common Stock", "Amount"), ("Total",)),
    row_paths=(
        ("Balance at December 31, 2016",),
        ("Balance at December 31, 2017", "Net income"),
        ("Balance at December 31, 2017", "Repurchases"),
        ("Balance at December 31, 2017",),
    ),
    cells=(
        ("314.6", "$3", "$8,574"),
        ("—", "—", "2,144"),
        ("(27.8)", "—", "(1,844)"),
        ("287.0", "3", "8,734"),
    ),
)

MESSY_SPANNER = "Increase (decrease) in 2017 from 2016 (a):"
DEPTH_8 = Table(
    id="depth-8",
    column_paths=(
        (MESSY_SPANNER, "Domestic"),
        (MESSY_SPANNER, "Total"),
        ("", MESSY_SPANNER, "", "Domestic", "Atlantic", "Pacific", "Latin", "Total"),
    ),
    row_paths=(("Passenger revenue",), ("Yield",)),
    cells=(("4.4 %", "3.1 %", ""), ("(0.3)%", "0.2 %", "")),
)

ALL = (AMAZON, FUEL, SURPLUS, HEADERS_ONLY, ROLL_FORWARD, DEPTH_8)
