"""Tables written for the tests, and a shorter way to ask."""

from __future__ import annotations

from qa_core.prediction import Prediction
from qa_core.systems.interface import Request, System
from qa_core.table import HeaderPath, Table
from qa_core.transform import flatten


def table(
    columns: list[HeaderPath],
    rows: list[HeaderPath],
    cells: list[list[str]],
    title: str = "",
    company: str = "",
) -> Table:
    return Table("t", tuple(columns), tuple(rows), tuple(map(tuple, cells)), title=title, company=company)


def ask(system: System, question: str, of: Table, transformation: str = "base") -> Prediction:
    return system.predict([Request(question, flatten(of, transformation))])[0]


YEARS: list[HeaderPath] = [("Year Ended December 31,", "2018"), ("Year Ended December 31,", "2017")]

STATISTICS = table(
    [*YEARS, ("Year Ended December 31,", "Change")],
    [
        ("Mainline:", "Revenue passenger miles (millions)"),
        ("Mainline:", 'Available seat miles ("ASMs") (millions)'),
        ("Mainline:", "Passenger load factor"),
        ("Mainline:", "Cost per available seat mile (cents)"),
        ("Regional:", "Revenue passenger miles (millions)"),
        ("Regional:", 'Available seat miles ("ASMs") (millions)'),
        ("Regional:", "Passenger load factor"),
        ("Consolidated:", "Revenue passenger miles (millions)"),
        ("Consolidated:", 'Available seat miles ("ASMs") (millions)'),
        ("Consolidated:", "Passenger load factor"),
    ],
    [
        ["40,100", "38,200", "5.0%"],
        ["48,300", "45,900", "5.2%"],
        ["83.0%", "83.2%", "(0.2) pts"],
        ["11.21", "10.84", "3.4%"],
        ["6,020", "5,510", "9.3%"],
        ["7,540", "6,900", "9.3%"],
        ["79.8%", "79.9%", "(0.1) pts"],
        ["46,120", "43,710", "5.5%"],
        ["55,840", "52,800", "5.8%"],
        ["82.6%", "82.8%", "(0.2) pts"],
    ],
    title="Operating statistics",
    company="Skyward Airlines",
)

OFFICERS = table(
    [("Name",), ("Age",), ("Position",)],
    [],
    [
        ["Maria Keller", "57", "Chief Executive Officer"],
        ["Tom Abara", "49", "Executive Vice President and Chief Financial Officer"],
        ["Ines Duval", "61", "General Counsel"],
    ],
)

FUEL = table(
    [
        ("Year",),
        ("Gallons consumed (millions)",),
        ("Fuel expense (millions)",),
        ("Average price per gallon",),
    ],
    [],
    [["2018", "412", "$925", "$2.25"], ["2017", "398", "$690", "$1.73"], ["2016", "381", "$567", "$1.49"]],
)

FLEET = table(
    [("Owned",), ("Leased",), ("Total",), ("Average age (years)",)],
    [("Airbus A320",), ("Boeing 737-800",), ("Embraer 175",)],
    [["37", "12", "49", "8.1"], ["60", "21", "81", "6.5"], ["14", "2", "16", "4.0"]],
)

ODD_TABLES = [
    STATISTICS,
    OFFICERS,
    FLEET,
    table([], [], [["a", "1"], ["b", "2"]]),
    table([("2018",)], [("Revenue",)], [["$5"]]),
    table([("2018",), ("2017",)], [("Revenue",), ("Profit",), ("Surplus",)], [["1"], ["2", "3", "4"]]),
    table([], [("Revenue",), ("Profit",)], [["1"], ["2"]]),
    table([("2018",), ("2017",)], [("Revenue",), ("Profit",)], [["", "—"], [" ", "7"]]),
    table([("2018 \ud800",)], [("Revenue \udfff",)], [["\ud800 5"]]),
]
"""Tables of every shape: hierarchies, no headers, too many of them or too few, blanks, half characters."""


def numbered(n_rows: int, n_columns: int = 4) -> Table:
    """A table of as many routes and years."""
    columns: list[HeaderPath] = [(str(2018 - n),) for n in range(n_columns)]
    rows: list[HeaderPath] = [(f"Route {n}",) for n in range(n_rows)]
    return table(columns, rows, [[f"{n}.{m}" for m in range(n_columns)] for n in range(n_rows)])
