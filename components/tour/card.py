"""The card of the guided tour, on top of the page that it is about.

The database is loaded where a stop is shown, and not before.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from components.navigation import PAGES
from components.plain import html, plain
from components.resources import sample
from components.state import choose, chosen
from components.tour.stops import STOPS, Stop, address, stop_at
from qa_core.errors import CrossheadError
from qa_core.systems.registry import SYSTEMS

ENTRY = "Take the tour"


NO_RUNS: Mapping[str, str] = {}


def tour_entry(page: str) -> None:
    """A way to the first stop."""
    with st.container(key="tour-entry"):
        _way(STOPS[0], page, "Take the tour", ":material/tour:")


def invitation(page: str) -> None:
    """A line for who opens the app without a link to anything."""
    if page == STOPS[0].page and not st.query_params:
        with st.container(key="tour-invitation"):
            _way(STOPS[0], page, "New here? Take the tour: five stops on the sample data.", ":material/tour:")


def tour_card(page: str) -> None:
    """Draw the card where the address names a stop; on another page than the stop's, the way back to it."""
    stop = stop_at(chosen("tour"))
    if stop is None:
        return
    with st.container(border=True, key="tour", gap="small"):
        if page == stop.page and all(chosen(name) == value for name, value in stop.at.items()):
            _tell(stop)
        else:
            _wait(stop, page)


def _tell(stop: Stop) -> None:
    number = STOPS.index(stop) + 1
    heading = st.container(horizontal=True, vertical_alignment="center")
    parts = (("You see", stop.seen), ("Why it matters", stop.matters), ("Try", stop.click))
    columns = "".join(f"<div><dt>{name}</dt><dd>{_marked(text)}</dd></div>" for name, text in parts)
    st.html(f'<dl class="ch-tour">{columns}</dl>')
    runs = _runs(stop)
    with heading:
        st.markdown(f"**Tour, stop {number} of {len(STOPS)}: {plain(stop.title)}**", width="stretch")
        unnamed = [system for name, system in stop.runs.items() if not chosen(name) and system in runs]
        if len(unnamed) > 1:
            _way(stop, stop.page, "Show these two", ":material/compare_arrows:", runs)
        if number > 1:
            _way(STOPS[number - 2], stop.page, "Back", ":material/arrow_back:", runs)
        if number < len(STOPS):
            _way(STOPS[number], stop.page, "Next", ":material/arrow_forward:", runs)
        _leave("End the tour" if number == len(STOPS) else "Leave the tour")


def _wait(stop: Stop, page: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"The tour waits at stop {STOPS.index(stop) + 1} of {len(STOPS)}: {plain(stop.title)}.")
        _way(stop, page, "Back to it", ":material/tour:", _stored())
        _leave("Leave the tour")


def _way(stop: Stop, here: str, label: str, icon: str, runs: Mapping[str, str] = NO_RUNS) -> None:
    """A way from the page ``here`` to a stop.

    Streamlit's link to the page that one is on leaves the address as it is; there a button writes it.
    """
    there = address(stop, runs)
    if stop.page == here:
        st.button(label, icon=icon, type="tertiary", on_click=st.query_params.from_dict, args=(there,))
    else:
        st.page_link(PAGES[stop.page], label=label, icon=icon, query_params=there)


def _leave(label: str) -> None:
    st.button(label, icon=":material/close:", on_click=choose, kwargs={"tour": None})


def _marked(text: str) -> str:
    """Text as HTML, with the names of controls between stars set off."""
    parts = text.split("*")
    return "".join(f"<b>{html(part)}</b>" if place % 2 else html(part) for place, part in enumerate(parts))


def _runs(stop: Stop) -> dict[str, str]:
    """The ids of the sample's runs by system; those that the stop is about are started where they lack."""
    from components.runs.control import watch_each
    from components.runs.quick import RunFigures, start_quick

    for system in stop.runs.values():
        try:
            found = start_quick(sample(), system)
        except CrossheadError:
            return {}  # the page says it
        if found is None or isinstance(found, RunFigures):
            continue
        st.caption(
            f"There is no run of {SYSTEMS[system].title} over the sample yet, so it is asked all "
            f"{len(sample().questions)} questions now; the page fills when it has answered."
        )
        if stop.page != "errors":  # that page shows the progress itself
            watch_each([found])
    return _stored()


def _stored() -> dict[str, str]:
    from components.runs.quick import stored_runs

    systems = {system for stop in STOPS for system in stop.runs.values()}
    try:
        return {name: run.id for name, run in stored_runs(sample(), systems).items()}
    except CrossheadError:
        return {}
