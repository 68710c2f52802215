"""The question grid: questions, and how a run answered them, in AG Grid.

A row is known by its question id, never by its position, so that a filter or a sort cannot open another
question. Cell text reaches the browser as data and is drawn as text; of what the grid options carry, which
may hold code, only the selected id comes from outside, and it travels percent-encoded.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any
from urllib.parse import quote

import pandas as pd
import streamlit as st
from st_aggrid import AgGrid, JsCode, StAggridTheme

from components.pickers import table_title
from components.plain import shorten
from components.state import choose, chosen
from qa_core.datasets import Dataset
from qa_core.evaluation.comparison import PairedCase
from qa_core.evaluation.runs import CaseRow
from qa_core.question import Question

MAX_CHARACTERS = 300

RIGHT, RIGHT_NORMALISED, WRONG = "✓ right", "≈ right, normalised", "✗ wrong"

_NUMBER: dict[str, Any] = {
    "type": "rightAligned",
    "valueFormatter": JsCode("function(cell) { return cell.value == null ? '' : cell.value.toFixed(2); }"),
}

# The columns that the grid knows, in their order; a frame has any of them.
COLUMNS: dict[str, dict[str, Any]] = {
    "question": {"headerName": "Question", "minWidth": 230, "initialFlex": 1},
    "outcome": {"headerName": "Outcome", "initialWidth": 100},
    "gold": {"headerName": "Gold answer", "initialWidth": 120},
    "predicted": {"headerName": "Predicted", "initialWidth": 120},
    "reason": {"headerName": "Reason of the miss", "initialWidth": 150},
    "change": {"headerName": "Change", "initialWidth": 100},
    "first": {"headerName": "First", "initialWidth": 120},
    "second": {"headerName": "Second", "initialWidth": 120},
    "confidence": _NUMBER | {"headerName": "Confidence", "initialWidth": 95},
    "kind": {"headerName": "Kind", "initialWidth": 120},
    "hierarchy": {"headerName": "Row hierarchy needed", "initialWidth": 120},
    "leaf": {"headerName": "Leaf label", "initialWidth": 100},
    "paraphrase": {"headerName": "Paraphrase set", "initialWidth": 120},
    "table": {"headerName": "Table", "minWidth": 150, "initialFlex": 0.6},
    "id": {"headerName": "Question id", "initialWidth": 130},
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
]
_VERDICT_FIELDS = ["outcome", "predicted", "reason", "confidence"]

_ROW_ID = JsCode("function(row) { return 'id-' + row.data.id; }")
# A selection from outside raises no event, but changed options redefine the columns, which does.
_SHOW_SELECTED = JsCode(
    """function({api}) {
        const wanted = api.getGridOption('context').selected;
        const node = wanted === null ? undefined : api.getRowNode('id-' + decodeURIComponent(wanted));
        if (!node) return api.deselectAll('all', 'api');
        node.setSelected(true, true, 'api');
        if (!node.displayed) return;
        api.ensureNodeVisible(node);
        if (document.hasFocus() && api.getFocusedCell())
            api.setFocusedCell(node.rowIndex, api.getFocusedCell().column);
    }"""
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
# Of the columns only the page knows an order: it has all rows, the grid has those of a part of the list.
_NO_ORDER = JsCode("function() { return 0; }")
_IS_NEWS = JsCode(
    """function({streamlitRerunEventTriggerName, eventData: {api, source}}) {
        if (streamlitRerunEventTriggerName === 'sortChanged') return source === 'uiColumnSorted';
        return source !== 'api' && api.getSelectedRows().length > 0;
    }"""
)
# With its time, as the same row chosen again is a new choice. The time comes back with the options: they
# differ then from the former ones also where the page answers the choice with the row selected before it.
_NEWS = JsCode(
    """function({streamlitRerunEventTriggerName, eventData: {api}}) {
        if (streamlitRerunEventTriggerName === 'sortChanged') {
            const by = api.getColumnState().find(({sort}) => sort);
            return {sorted: by ? (by.sort === 'desc' ? '-' : '') + by.colId : '', time: window.chosenAt ?? 0};
        }
        window.chosenAt = Date.now();
        return {id: api.getSelectedRows()[0]?.id ?? null, time: window.chosenAt};
    }"""
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


def question_frame(questions: Iterable[Question], dataset: Dataset, slices: Iterable[str]) -> pd.DataFrame:
    """A frame for the grid: questions of a dataset, with the names of ``COLUMNS``; ``slices`` of each between
    bars (``|kpi-driven|original|``)."""
    rows = [
        _row(
            question.id,
            question.text,
            question.answers,
            question.kind,
            question.row_hierarchy_needed,
            question.paraphrase_group,
            of_it.split("|"),
            title_in(dataset, question.table_id),
        )
        for question, of_it in zip(questions, slices, strict=True)
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


def question_grid(
    frame: pd.DataFrame,
    *,
    key: str,
    selected: str | None,
    on_select: Callable[[str], None],
    height: int = 560,
    sorts: Collection[str] = (),
) -> list[str]:
    """Draw a frame of questions, each row under its unique ``id``; other columns are any of ``COLUMNS``.

    Returns the ids in the order of the frame. The row ``selected`` is shown selected and scrolled into view.
    ``on_select`` is called with the id of the row that a person selects (click, Enter or Space), before the
    script runs again. A click on the head of a column in ``sorts`` writes the URL parameter ``sort``, by
    which the page orders its list (see ``components.listing``). ``height`` is in CSS pixels.
    """
    fields = [field for field in COLUMNS if field in frame]
    ids = frame["id"]

    def report(response: Any) -> None:
        match response.raw_data:
            case {"sorted": str() as by} if by.removeprefix("-") in {"", *sorts}:
                choose(sort=by, part="1")
            case {"id": str() as chosen_id} if (ids == chosen_id).any():
                on_select(chosen_id)

    AgGrid(
        frame[fields],
        gridOptions=grid_options(
            fields, selected, time=_time(st.session_state.get(key)), sorts=sorts, sort=chosen("sort")
        ),
        key=key,
        height=height,
        callback=report,
        update_on=["selectionChanged", "sortChanged"],
        data_return_mode="CUSTOM",
        custom_jscode_for_grid_return=_NEWS,
        should_grid_return=_IS_NEWS,
        allow_unsafe_jscode=True,
        theme=_THEME,
        use_json_serialization=False,
        custom_css=_CSS,
    )
    return list(ids)


def _time(news: object) -> int:
    """When a person last chose a row, 0 for never."""
    match news:
        case {"time": int() as time}:
            return time
    return 0


def grid_options(
    fields: Iterable[str],
    selected: str | None,
    *,
    time: int = 0,
    sorts: Collection[str] = (),
    sort: str = "",
) -> dict[str, Any]:
    """AG Grid's options for columns of ``COLUMNS``; the same for the same arguments.

    ``time`` is that of a person's last choice. ``sort`` names the column that the rows are ordered by, with a
    minus before it where they descend; those in ``sorts`` offer it.
    """
    return {
        "columnDefs": [
            {"field": field, "tooltipField": field} | COLUMNS[field] | _sorting(field, sorts, sort)
            for field in fields
        ],
        "defaultColDef": {"sortable": False, "resizable": True, "wrapText": True},
        "suppressMultiSort": True,
        "getRowId": _ROW_ID,
        "rowSelection": {"mode": "singleRow", "checkboxes": False, "enableClickSelection": True},
        "rowHeight": 44,
        "ensureDomOrder": True,
        "enableBrowserTooltips": True,
        "localeText": {"noRowsToShow": "No question to show"},
        "context": {
            "selected": None if selected is None else quote(selected, safe="", errors="replace"),
            "time": time,
        },
        "onCellKeyDown": _ON_KEY,
        "onFirstDataRendered": _SHOW_SELECTED,
        "onNewColumnsLoaded": _SHOW_SELECTED,
        "onRowDataUpdated": _SHOW_SELECTED,
    }


def _sorting(field: str, sorts: Collection[str], sort: str) -> dict[str, Any]:
    if field not in sorts:
        return {}
    direction = {field: "asc", f"-{field}": "desc"}.get(sort)
    return {"sortable": True, "comparator": _NO_ORDER, "sort": direction}


def title_in(dataset: Dataset, table_id: str) -> str:
    """The title of a table; its id where the dataset lacks it."""
    return table_title(dataset.tables[table_id]) if table_id in dataset.tables else table_id


def _row(
    question_id: str,
    text: str,
    answers: Iterable[str],
    kind: str,
    hierarchy_needed: bool | None,
    paraphrase_set: str,
    slices: Collection[str],
    table: str,
) -> dict[str, Any]:
    return {
        "id": question_id,
        "question": shorten(text, MAX_CHARACTERS),
        "gold": shorten(" · ".join(answers), MAX_CHARACTERS),
        "kind": kind,
        "hierarchy": {True: "yes", False: "no", None: ""}[hierarchy_needed],
        "leaf": "repeats" if "leaf-repeats" in slices else "unique" if "leaf-unique" in slices else "",
        "paraphrase": paraphrase_set,
        "table": table,
    }


def _verdict(case: CaseRow) -> dict[str, Any]:
    return {
        "outcome": RIGHT if case.strict else RIGHT_NORMALISED if case.normalised else WRONG,
        "predicted": shorten(case.answer, MAX_CHARACTERS),
        "reason": case.reason.replace("-", " "),
        "confidence": case.confidence,
    }
