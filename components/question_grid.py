"""The question grid: questions, and how a run answered them, in AG Grid.

A row is known by its question id, never by its position, so that a filter or a sort cannot open another
question. Cell text reaches the browser as data and is drawn as text; of what the grid options carry, which
may hold code, only the selected id comes from outside, and it travels percent-encoded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

import pandas as pd
import streamlit as st
from st_aggrid import AgGrid, JsCode, StAggridTheme

from components.pickers import table_title
from components.plain import shorten
from qa_core.datasets import Dataset
from qa_core.evaluation.comparison import PairedCase
from qa_core.evaluation.gold import find_gold
from qa_core.evaluation.slices import slices_of
from qa_core.evaluation.store import CaseRow
from qa_core.question import Question
from qa_core.text import fold

MAX_CHARACTERS = 300

RIGHT, RIGHT_NORMALISED, WRONG = "✓ right", "≈ right, normalised", "✗ wrong"

_TEXT: dict[str, Any] = {"filter": "agTextColumnFilter"}
_NUMBER: dict[str, Any] = {
    "filter": "agNumberColumnFilter",
    "type": "rightAligned",
    "valueFormatter": JsCode("function(cell) { return cell.value == null ? '' : cell.value.toFixed(2); }"),
}

# The columns that the grid knows, in their order; a frame has any of them.
COLUMNS: dict[str, dict[str, Any]] = {
    "question": _TEXT | {"headerName": "Question", "minWidth": 230, "initialFlex": 1},
    "outcome": _TEXT | {"headerName": "Outcome", "initialWidth": 100},
    "gold": _TEXT | {"headerName": "Gold answer", "initialWidth": 120},
    "predicted": _TEXT | {"headerName": "Predicted", "initialWidth": 120},
    "reason": _TEXT | {"headerName": "Reason of the miss", "initialWidth": 150},
    "change": _TEXT | {"headerName": "Change", "initialWidth": 100},
    "first": _TEXT | {"headerName": "First", "initialWidth": 120},
    "second": _TEXT | {"headerName": "Second", "initialWidth": 120},
    "confidence": _NUMBER | {"headerName": "Confidence", "initialWidth": 95},
    "kind": _TEXT | {"headerName": "Kind", "initialWidth": 120},
    "hierarchy": _TEXT | {"headerName": "Row hierarchy needed", "initialWidth": 120},
    "leaf": _TEXT | {"headerName": "Leaf label", "initialWidth": 100},
    "paraphrase": _TEXT | {"headerName": "Paraphrase set", "initialWidth": 120},
    "table": _TEXT | {"headerName": "Table", "minWidth": 150, "initialFlex": 0.6},
    "id": _TEXT | {"headerName": "Question id", "initialWidth": 130},
}

_QUESTION_FIELDS = [
    "id",
    "question",
    "gold",
    "kind",
    "hierarchy",
    "leaf",
    "paraphrase",
    "table",
    "slices",
    "search",
]
_VERDICT_FIELDS = ["outcome", "predicted", "reason", "confidence"]

_ROW_ID = JsCode("function(row) { return 'id-' + row.data.id; }")
# A selection from outside raises no event, but changed options redefine the columns, which does.
_SHOW_SELECTED_JS = """function({api}) {
        const wanted = api.getGridOption('context').selected;
        const node = wanted === null ? undefined : api.getRowNode('id-' + decodeURIComponent(wanted));
        if (!node) return api.deselectAll('all', 'api');
        node.setSelected(true, true, 'api');
        if (!node.displayed) return;
        api.ensureNodeVisible(node);
        if (document.hasFocus() && api.getFocusedCell())
            api.setFocusedCell(node.rowIndex, api.getFocusedCell().column);
    }"""
_SHOW_SELECTED = JsCode(_SHOW_SELECTED_JS)
_AFTER_OPTIONS = JsCode(
    f"""function(event) {{
        const {{api}} = event;
        const {{clear}} = api.getGridOption('context');
        if (clear > (window.cleared ?? 0)) {{
            window.cleared = clear;
            api.setFilterModel(null);
        }}
        ({_SHOW_SELECTED_JS})(event);
    }}"""
)
# The frame of the grid swallows the page's shortcuts N and P; they are handed on to the page.
_ON_KEY = JsCode(
    """function({event, node}) {
        if (event.key === 'Enter') return node.setSelected(true, true, 'rowClicked');
        if (!/^[np]$/i.test(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
        const {key, code, keyCode} = event;
        const to = window.parent.document;
        for (const type of ['keydown', 'keyup'])
            to.dispatchEvent(new KeyboardEvent(type, {key, code, keyCode, which: keyCode, bubbles: true}));
    }"""
)
# What the grid's own filters and sort make of its rows; null where there are none.
_ORDER_JS = """(api) => {
        if (!api.isAnyFilterPresent() && !api.getColumnState().some(({sort}) => sort)) return null;
        const ids = [];
        let rows = 0;
        api.forEachNode(() => { rows += 1; });
        api.forEachNodeAfterFilterAndSort(({data}) => { ids.push(data.id); });
        return {rows, ids};
    }"""
_IS_NEWS = JsCode(
    f"""function({{streamlitRerunEventTriggerName, eventData}}) {{
        const {{api, source}} = eventData;
        const order = JSON.stringify(({_ORDER_JS})(api));
        const told = window.toldOrder ?? 'null';
        const chosen = streamlitRerunEventTriggerName === 'selectionChanged'
            && source !== 'api' && api.getSelectedRows().length > 0;
        if (!chosen && order === told) return false;
        window.toldOrder = order;
        return true;
    }}"""
)
# With its time, as the same row chosen again is a new choice. The time comes back with the options: they
# differ then from the former ones also where the page answers the choice with the row selected before it.
_NEWS = JsCode(
    f"""function({{streamlitRerunEventTriggerName, eventData}}) {{
        const {{api, source}} = eventData;
        const chosen = streamlitRerunEventTriggerName === 'selectionChanged' && source !== 'api';
        if (chosen) window.chosenAt = Date.now();
        return {{
            id: chosen ? api.getSelectedRows()[0]?.id ?? null : null,
            time: window.chosenAt ?? 0,
            order: ({_ORDER_JS})(api)
        }};
    }}"""
)

# Streamlit hands its theme to the grid as custom properties; with them the grid follows a switch between
# light and dark, after which it has its default theme, quartz. So it has quartz from the start.
_THEME = StAggridTheme("quartz")
_CSS = {
    ":root *": {
        "--ag-font-family": "'Source Sans Pro', sans-serif !important",
        "--ag-font-size": "14px !important",
        "--ag-spacing": "6px !important",
        "--ag-wrapper-border-radius": "6px !important",
        "--ag-background-color": "var(--background-color) !important",
        "--ag-foreground-color": "var(--text-color) !important",
        "--ag-accent-color": "var(--primary-color) !important",
        "--ag-header-background-color": "var(--secondary-background-color) !important",
        "scrollbar-color": "color-mix(in srgb, var(--text-color) 35%, transparent) transparent",
    },
    # Two lines of text, cut with an ellipsis.
    ".ag-row .ag-cell": {
        "display": "-webkit-box",
        "-webkit-box-orient": "vertical",
        "-webkit-line-clamp": "2",
        "line-height": "19px",
        "padding-top": "3px",
        "overflow-wrap": "anywhere",
        "unicode-bidi": "plaintext",
    },
    ".ag-row-selected": {"box-shadow": "inset 4px 0 0 0 var(--text-color)", "font-weight": "600"},
}


def question_frame(dataset: Dataset) -> pd.DataFrame:
    """A frame for the grid: the questions of a dataset, in order, with the names of ``COLUMNS``.

    Two columns more are not drawn: ``slices`` (names between bars, ``|kpi-driven|original|``) and
    ``search`` (folded text).
    """
    titles = {table.id: table_title(table) for table in dataset.tables.values()}

    def slices(question: Question) -> tuple[str, ...]:
        table = dataset.tables.get(question.table_id)
        return slices_of(question, table, find_gold(question, table)) if table else ()

    rows = [
        _row(
            question.id,
            question.text,
            question.answers,
            question.kind,
            question.row_hierarchy_needed,
            question.paraphrase_group,
            slices(question),
            titles.get(question.table_id, question.table_id),
        )
        for question in dataset.questions
    ]
    return pd.DataFrame(rows, columns=_QUESTION_FIELDS)


def case_frame(cases: Iterable[CaseRow], titles: Mapping[str, str] | None = None) -> pd.DataFrame:
    """As ``question_frame``, from the cases of a run and with its verdicts; ``titles`` by table id."""
    titles = titles or {}
    rows = [
        _row(
            case.question_id,
            case.text,
            case.answers,
            case.kind,
            case.row_hierarchy_needed,
            case.paraphrase_group,
            case.slices,
            titles.get(case.table_id, case.table_id),
        )
        | _verdict(case)
        for case in cases
    ]
    return pd.DataFrame(rows, columns=_QUESTION_FIELDS + _VERDICT_FIELDS)


def paired_frame(cases: Iterable[PairedCase], titles: Mapping[str, str]) -> pd.DataFrame:
    """A frame for the grid: questions as two runs answered them; ``titles`` by table id."""
    rows = [
        {
            "id": case.question_id,
            "question": shorten(case.text, MAX_CHARACTERS),
            "gold": shorten(" · ".join(case.answers), MAX_CHARACTERS),
            "change": case.change.replace("-", " "),
            "first": shorten(case.first_answer, MAX_CHARACTERS),
            "second": shorten(case.second_answer, MAX_CHARACTERS),
            "reason": (case.first_reason or case.second_reason).replace("-", " "),
            "table": titles.get(case.table_id, case.table_id),
        }
        for case in cases
    ]
    return pd.DataFrame(rows)


def with_verdicts(frame: pd.DataFrame, cases: Iterable[CaseRow]) -> pd.DataFrame:
    """A frame of questions with the verdicts of a run beside them, blank where it has none."""
    rows = [{"id": case.question_id} | _verdict(case) for case in cases]
    verdicts = pd.DataFrame(rows, columns=["id", *_VERDICT_FIELDS])
    return frame.merge(verdicts, how="left", on="id")


def filtered(frame: pd.DataFrame, *, slice: str | None = None, query: str = "") -> pd.DataFrame:
    """The rows of a slice that hold every word of ``query`` in question, gold answer, table or id."""
    keep = pd.Series(True, index=frame.index)
    if slice:
        keep &= frame["slices"].str.contains(f"|{slice}|", regex=False)
    for word in fold(query).split():
        keep &= frame["search"].str.contains(word, regex=False)
    return frame[keep]


def question_grid(
    frame: pd.DataFrame,
    *,
    key: str,
    selected: str | None,
    on_select: Callable[[str], None],
    height: int = 560,
) -> list[str]:
    """Draw a frame of questions, each row under its unique ``id``; other columns are any of ``COLUMNS``.

    Returns the ids in the order that a person sees: that of the frame, or what the filters and the sort
    that are set in the grid make of it. Filters that hide rows are said above the grid, with a way to clear
    them. The row ``selected`` is shown selected and scrolled into view. ``on_select`` is called with the id
    of the row that a person selects (click, Enter or Space), before the script runs again. ``height`` is in
    CSS pixels.
    """
    fields = [field for field in COLUMNS if field in frame]
    ids = frame["id"]
    news = st.session_state.get(key)
    order = _order(news, list(ids))
    clear = f"{key}-clear"
    if len(order) < len(ids):
        _say_what_is_hidden(len(order), len(ids), clear)

    def report(response: Any) -> None:
        choice = response.raw_data
        if isinstance(choice, dict) and (ids == choice.get("id")).any():
            on_select(choice["id"])

    AgGrid(
        frame[fields],
        gridOptions=grid_options(fields, selected, time=_time(news), clear=st.session_state.get(clear, 0)),
        key=key,
        height=height,
        callback=report,
        update_on=["selectionChanged", "modelUpdated"],
        data_return_mode="CUSTOM",
        custom_jscode_for_grid_return=_NEWS,
        should_grid_return=_IS_NEWS,
        allow_unsafe_jscode=True,
        theme=_THEME,
        use_json_serialization=False,
        custom_css=_CSS,
    )
    return order


def neighbours(ids: Sequence[str], here: str, position: Mapping[str, int]) -> tuple[str | None, str | None]:
    """The ids before and after ``here``; where it is not among ``ids``, the nearest ones by ``position``."""
    if here in ids:
        index = ids.index(here)
        before, after = ids[:index], ids[index + 1 :]
    else:
        before = [known for known in ids if position[known] < position[here]]
        after = [known for known in ids if position[known] > position[here]]
    return (before[-1] if before else None), (after[0] if after else None)


def _order(news: object, ids: list[str]) -> list[str]:
    """The ids as the grid shows them; what it said of other rows than these counts for nothing."""
    match news:
        case {"order": {"rows": int() as rows, "ids": list() as shown}} if rows == len(ids):
            known = set(ids)
            return [each for each in shown if isinstance(each, str) and each in known]
    return ids


def _time(news: object) -> int:
    """When a person last chose a row, 0 for never."""
    match news:
        case {"time": int() as time}:
            return time
    return 0


def _say_what_is_hidden(shown: int, of: int, clear: str) -> None:
    def count_up() -> None:
        st.session_state[clear] = st.session_state.get(clear, 0) + 1

    text, button = st.columns([3, 1], vertical_alignment="center")
    text.caption(f":material/filter_alt: The grid's own filters leave **{shown or 'none'}** of {of}.")
    button.button(
        "Clear",
        key=f"{clear}-button",
        help="Clears the filters in the grid's header.",
        on_click=count_up,
        width="stretch",
    )


def grid_options(
    fields: Iterable[str], selected: str | None, *, time: int = 0, clear: int = 0
) -> dict[str, Any]:
    """AG Grid's options for columns of ``COLUMNS``; the same for the same arguments.

    The browser clears its filters when ``clear`` grows; ``time`` is that of a person's last choice.
    """
    return {
        "columnDefs": [{"field": field, "tooltipField": field} | COLUMNS[field] for field in fields],
        "defaultColDef": {"sortable": True, "resizable": True, "floatingFilter": True, "wrapText": True},
        "getRowId": _ROW_ID,
        "rowSelection": {"mode": "singleRow", "checkboxes": False, "enableClickSelection": True},
        "rowHeight": 44,
        "ensureDomOrder": True,
        "enableBrowserTooltips": True,
        "localeText": {
            "noRowsToShow": "No question to show",
            "noMatchingRows": "No question matches the filter",
        },
        "context": {
            "selected": None if selected is None else quote(selected, safe="", errors="replace"),
            "time": time,
            "clear": clear,
        },
        "onCellKeyDown": _ON_KEY,
        "onFirstDataRendered": _SHOW_SELECTED,
        "onNewColumnsLoaded": _AFTER_OPTIONS,
        "onRowDataUpdated": _SHOW_SELECTED,
    }


def _row(
    question_id: str,
    text: str,
    answers: Iterable[str],
    kind: str,
    hierarchy_needed: bool | None,
    paraphrase_set: str,
    slices: tuple[str, ...],
    table: str,
) -> dict[str, Any]:
    gold = " · ".join(answers)
    return {
        "id": question_id,
        "question": shorten(text, MAX_CHARACTERS),
        "gold": shorten(gold, MAX_CHARACTERS),
        "kind": kind,
        "hierarchy": {True: "yes", False: "no", None: ""}[hierarchy_needed],
        "leaf": "repeats" if "leaf-repeats" in slices else "unique" if "leaf-unique" in slices else "",
        "paraphrase": paraphrase_set,
        "table": table,
        "slices": f"|{'|'.join(slices)}|",
        "search": fold(" ".join((question_id, text, gold, table))),
    }


def _verdict(case: CaseRow) -> dict[str, Any]:
    return {
        "outcome": RIGHT if case.strict else RIGHT_NORMALISED if case.normalised else WRONG,
        "predicted": shorten(case.answer, MAX_CHARACTERS),
        "reason": case.reason.replace("-", " "),
        "confidence": case.confidence,
    }
