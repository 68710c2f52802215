"""A page of table views for the browser tests; ``?case=`` chooses what it shows."""

import streamlit as st

from components.table_view import Marks, RowColumnScores, flat_table_view, table_view
from qa_core.table import Location, Table
from qa_core.transform import flatten

YEARS = ("Year Ended December 31,",)
DEEP = ("Change", "2017 from 2016", "Regions", "Domestic", "Atlantic", "Pacific", "Latin", "Total")

TABLES = {
    "operations": Table(
        id="operations",
        title="Operating statistics",
        column_paths=((*YEARS, "2018"), (*YEARS, "2017"), (*YEARS, "2016"), ("Change",)),
        row_paths=(
            ("Mainline", "Passenger load factor"),
            ("Mainline", "Available seat miles (millions)"),
            ("Mainline", "Cost", "Aircraft fuel and related taxes"),
            ("Mainline", "Cost", "Special items, net"),
            ("Regional", "Passenger load factor"),
            ("Regional", "Available seat miles (millions)"),
            ("Total operating expenses",),
        ),
        cells=(
            ("83.6%", "82.4%", "82.9%", "1.2 pts"),
            ("275,223", "262,386", "253,590", "4.9%"),
            ("$9,307", "$6,913", "$5,813", "34.6%"),
            ("(41)", "—", "(712)", "nm"),
            ("79.3%", "79.1%", "78.5%", "0.2 pts"),
            ("3,013", "2,908", "2,847", "3.6%"),
            ("$38,163", "$34,166", "$32,687", "11.7%"),
        ),
    ),
    "deep": Table(
        id="deep",
        title="Header depth 8",
        column_paths=(("Change", "Domestic"), ("Change", "Atlantic"), DEEP, (*DEEP[:6], "Other")),
        row_paths=(("Passenger revenue",), ("Yield",)),
        cells=(("$885", "$117", "$(144)", "$173"), ("(0.3)%", "1.1%", "(2.4)%", "4.1%")),
    ),
    "hostile": Table(
        id="hostile",
        title="<script>alert(1)</script> $a$",
        column_paths=(("<b>bold</b>", "<img src=x onerror=alert(1)>"), ("a < b & c",), ("שלום עולם",)),
        row_paths=(('" onmouseover="alert(1)',), ("w" * 300,), ("two\nlines",), ("nul \0 here",)),
        cells=(
            ("<img src=x onerror=alert(1)>", "a < b", "$663 to $622"),
            ("</td></table><script>alert(1)</script>", "x" * 400, "مرحبا 123 abc"),
            ("first\nsecond", "nul \0 here", "&lt;already&gt;"),
            ("[link](javascript:alert(1))", "\u202eevil", ":red[x] $x^2$"),
        ),
    ),
    "large": Table(
        id="large",
        title="500 × 20",
        column_paths=tuple(("Even" if c < 10 else "Odd", f"Column {c}") for c in range(20)),
        row_paths=tuple((f"Group {r // 25}", f"Row {r}") for r in range(500)),
        cells=tuple(tuple(f"{r * 20 + c:,}" for c in range(20)) for r in range(500)),
    ),
    "vast": Table(
        id="vast",
        title="5,000 × 20",
        column_paths=tuple((f"Column {c}",) for c in range(20)),
        row_paths=tuple((f"Group {r // 25}", f"Row {r}") for r in range(5000)),
        cells=tuple(tuple(f"{r * 20 + c:,}" for c in range(20)) for r in range(5000)),
    ),
    "no-stub": Table(
        id="no-stub",
        column_paths=(("Year",), ("Gallons",), ("Remarks",)),
        row_paths=(),
        cells=(("2018", "4,137", "Restated for the new standard on revenue"), ("2017", "3,978", "")),
    ),
    "no-rows": Table("no-rows", (("2018",), ("2017",)), (), ()),
}

case = st.query_params.get("case", "operations")
st.set_page_config(layout="wide")
st.title("Table view")

if case == "pair":
    left, right = st.columns(2)
    table = TABLES["operations"]
    with left:
        first = table_view(table, Marks(predicted=[Location(0, 0)], predicted_name="lexical"), key="left")
    with right:
        second = table_view(table, Marks(predicted=[Location(0, 1)], predicted_name="rci"), key="right")
    st.text(f"left {first}, right {second}")
elif case.startswith("flat-"):
    flat = flatten(TABLES["operations"], case.removeprefix("flat-"))
    clicked = flat_table_view(flat, Marks(gold=[Location(2, 0)], predicted=[Location(None, 1)]), key="flat")
    st.text(f"clicked {clicked}")
else:
    name = st.selectbox("Table", list(TABLES), index=list(TABLES).index(case))
    table = TABLES[name]
    mark = st.selectbox("Marks", ["none", "apart", "agree", "three", "header", "far"])
    marks = {
        "none": Marks(),
        "apart": Marks(gold=[Location(0, 0)], predicted=[Location(1, 1)]),
        "agree": Marks(gold=[Location(0, 0)], predicted=[Location(0, 0)]),
        "three": Marks([Location(2, 0)], [Location(2, 1)], [Location(2, 0)], other_name="rci"),
        "header": Marks(gold=[Location(1, None)], predicted=[Location(None, 1)]),
        "far": Marks(predicted=[Location(table.n_rows - 1, table.n_columns - 1)]),
    }[mark]
    scores = None
    if st.checkbox("Score map"):
        scores = RowColumnScores(
            [1.0 / (row + 1) for row in range(table.n_rows)],
            [0.5 * column for column in range(table.n_columns - 1)] + [float("nan")],
        )
    history = st.session_state.setdefault("history", [])
    clicked = table_view(
        table,
        marks,
        key="table",
        scores=scores,
        selected=st.session_state.get("selected"),
        on_click=lambda location: st.session_state.update(selected=location),
    )
    if clicked is not None:
        history.append(clicked.as_list())
    st.text(f"clicks {history}")
