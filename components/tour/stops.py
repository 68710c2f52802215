"""The guided tour: five stops on the sample data, each a page of the app with a text about it.

What a text says of a stop is tested: the questions, the answers, the counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Stop:
    """A stop: the page and the parameters of its address, and what a person is told there.

    ``at`` is what makes the address this stop's, ``with_it`` what a person may change there. ``runs`` names
    the parameters that take the runs of systems over the sample, which are made where they are missing.
    """

    page: str
    at: Mapping[str, str]
    title: str
    seen: str
    matters: str
    click: str
    with_it: Mapping[str, str] = field(default_factory=dict)
    runs: Mapping[str, str] = field(default_factory=dict)


TRAFFIC = {"table": "s-air-op-2", "question": "s-air-op-2-q1"}
SECURITIES = {"table": "s-apple-balance", "question": "s-apple-balance-q2"}

STOPS: tuple[Stop, ...] = (
    Stop(
        page="ask",
        at=TRAFFIC,
        title="A question, a table, and the cell that answers",
        seen="A question about traffic on Alaska's regional network. The cell with the double frame, 19.3%, "
        "is what the system predicted and what is right; the underlined headers are the paths to it.",
        matters="The row “RPMs (000,000)” stands three times in this table. Only the heading above it, a "
        "crosshead, tells the regional carriers from the mainline and from both together.",
        click="Click any cell to read its header path, or type a question of your own.",
    ),
    Stop(
        page="ask",
        at=TRAFFIC,
        title="What a flat system sees",
        seen="The same table for systems that know one header row and nothing else: spanners and crossheads "
        "are gone, and each header path is squeezed into one label.",
        matters="Most Table QA systems read tables this way. How a table is flattened, as it is or with rows "
        "and columns exchanged, changes what they answer.",
        click="Choose *Transposed* under *Transformation*: rows and columns change places, and the marked "
        "cell is still the same one of the original.",
        with_it={"flat": "1"},
    ),
    Stop(
        page="ask",
        at=SECURITIES,
        title="A miss, and why",
        seen="Asked for Apple's long-dated marketable securities, the system takes 35,228 from the current "
        "assets (solid frame). Right is 91,479, from the non-current assets (dashed frame).",
        matters="“Marketable securities” is the label of both rows. The reason of the miss is structural, "
        "the same leaf under another parent: it is the hierarchy that was misread.",
        click="Open *What Lexical considered*: the right cell is among the candidates.",
    ),
    Stop(
        page="errors",
        at={},
        title="All misses, and the way to each",
        seen="One run: the system answered all 331 questions of the sample. The bars say how often it is "
        "right by kind of question, and what kinds of misses the others are.",
        matters="A single figure hides what to mend. Every bar is a door to its questions.",
        click="Click the bar *Same leaf other parent*: the question about Apple's securities is among its "
        "questions. Select it to open it.",
        with_it={"system": "lexical", "transformation": "base"},
        runs={"run": "lexical"},
    ),
    Stop(
        page="compare",
        at={},
        title="Two systems side by side",
        seen="Lexical, which matches words, and RCI, a small neural model, on the same questions: what the "
        "second gained, what it lost, and how likely chance alone would give that.",
        matters="A better total can hide new faults: the questions that were lost say what the gain costs.",
        click="Click a number under *Lost* and select a question: both answers are marked in one table.",
        runs={"run": "lexical", "other": "rci"},
    ),
)


def stop_at(number: str) -> Stop | None:
    """The stop that an address names, counted from 1."""
    return STOPS[int(number) - 1] if number in map(str, range(1, len(STOPS) + 1)) else None


def address(stop: Stop, runs: Mapping[str, str]) -> dict[str, str]:
    """The parameters of a stop's address; ``runs`` has the ids of runs by system, as far as there are any."""
    known = {name: runs[system] for name, system in stop.runs.items() if system in runs}
    return {**stop.at, **stop.with_it, **known, "tour": str(STOPS.index(stop) + 1)}
