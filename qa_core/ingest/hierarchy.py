"""The hierarchy of rows: which line heads which.

Filings show it by indentation, weight, colons and totals, mixed within one document. Lines are read from top
to bottom with the groups that are open above them; each line is placed under one of these or at the root.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from qa_core.ingest.line import Line, adds_up, differs_by, exceeds, likeness, shares_a_word

_SAME = 3.0
"""Indentations of crossheads that differ by no more (points) are the same."""

_STEP = 2.0
"""A line this much deeper (points) than its crosshead is indented."""

_WINDOW = 200
"""The most lines that are looked over for one decision, so that a long table takes time in its length."""

_DEEPEST = 20
"""The most levels of groups; real tables have at most 8."""

_NEVER_HEADS = re.compile(
    r"commitments\b.*|contingenc.*|subsequent events?\b.*|see (?:accompanying )?notes?\b.*",
    re.IGNORECASE,
)


@dataclass
class _Group:
    """An open group; ``components`` are the lines that its sum adds up, ``inner`` its crossheads' style."""

    line: int | None
    indent: float
    style: tuple[int, bool]
    is_crosshead: bool
    child_indent: float | None = None
    closed_at: int | None = None
    inner: tuple[int, bool] | None = None
    inner_repeats: bool = False
    begins: bool = False
    components: list[int] = field(default_factory=list)

    @property
    def closed(self) -> bool:
        return self.closed_at is not None

    @property
    def goes_on(self) -> bool:
        """Whether lines came after its total."""
        return self.closed_at is not None and bool(self.components) and self.components[-1] > self.closed_at

    @property
    def is_flat(self) -> bool:
        return self.child_indent is not None and self.child_indent < self.indent + _STEP


def find_crossheads(lines: Sequence[Line]) -> set[int]:
    """The lines without values that head the lines below them; the others are rows with empty cells."""
    labelled = [place for place, line in enumerate(lines) if line.label]
    counts = Counter(line.label for line in lines)
    flat = len({round(lines[place].indent / _SAME) for place in labelled}) <= 1
    empty = sum(not lines[place].has_values for place in labelled)
    found: set[int] = set()
    for place, below in reversed(list(itertools.pairwise(labelled))):
        if not lines[place].has_values and (
            _heads(lines, place, below)
            or (below in found and _is_outer(lines[place], lines[below]))
            or (
                flat
                and lines[below].has_values
                and (place == labelled[0] or empty > 1)
                and not _never(lines[place])
            )
            or _heads_repeated(lines, place, counts)
        ):
            found.add(place)
    for place, (line, following) in enumerate(itertools.pairwise(lines)):
        heads = line.across and line.label and not line.has_values
        if heads and following.has_values and not following.label:
            found.add(place)
    return found


def _never(line: Line) -> bool:
    return bool(_NEVER_HEADS.fullmatch(line.label.rstrip(":")))


def _heads(lines: Sequence[Line], place: int, below: int) -> bool:
    line, following = lines[place], lines[below]
    if _never(line):
        return False
    if line.label.endswith(":") or line.across or following.indent > line.indent + _SAME:
        return True
    if following.indent < line.indent - _SAME:
        return False
    if line.weight > following.weight or line.emphasised != following.emphasised:
        return True
    if not following.has_values:
        return False
    ahead = lines[below : below + 40]
    return any(other.says_total and likeness(other.label, line.label) for other in ahead)


def _is_outer(line: Line, crosshead: Line) -> bool:
    """Whether a line without values right above a crosshead of its indentation holds that crosshead."""
    short = len(line.label) <= 60 and not any(map(str.isdigit, line.label))
    return short and abs(line.indent - crosshead.indent) <= _SAME and not _never(line)


def _heads_repeated(lines: Sequence[Line], place: int, counts: Counter[str]) -> bool:
    """Whether a line without values stands above labels that stand under others too ("U.S.", "Total")."""
    if _never(lines[place]):
        return False
    run = list(itertools.takewhile(lambda line: line.has_values, lines[place + 1 : place + 1 + _WINDOW]))
    labels = [line.label for line in run if line.label and not line.is_bare_total]
    return len(labels) > 1 and all(counts[label] > 1 for label in labels[:2])


def find_parents(
    lines: Sequence[Line], crossheads: set[int], section_starts: Collection[int] = ()
) -> list[int | None]:
    """For each line the line that heads it, None at the root.

    Crossheads head what follows them until the indentation returns to theirs, their total has been read, or
    a crosshead of the same weight begins. A line with values heads deeper lines where they are its parts.
    A total is never a parent; it belongs to the group that it sums, however deep it stands, and a further
    total goes one level up. A line without a label is a total, unless no line has one. At
    ``section_starts`` every group ends.
    """
    repeated = {label for label, n in Counter(lines[place].label for place in crossheads).items() if n > 1}
    is_labelled = any(line.label and line.has_values for line in lines)
    groups = [_Group(None, -100.0, (0, False), False)]
    parents: list[int | None] = []
    for place, line in enumerate(lines):
        if place in section_starts:
            del groups[1:]
        if place in crossheads:
            repeats = line.label in repeated
            _leave(
                groups,
                lambda group, line=line, repeats=repeats, place=place: (  # type: ignore[misc]
                    _nests(group, line, repeats) or _awaits_sum(group, lines, place)
                ),
            )
            del groups[_DEEPEST:]
            parent = groups[-1]
            parents.append(parent.line)
            if parent.child_indent is None:
                parent.child_indent = line.indent
            if parent.inner is None:
                parent.inner, parent.inner_repeats = line.style, repeats
            groups.append(_Group(place, line.indent, line.style, True))
            continue
        is_sum = is_labelled and _is_sum(lines, place, groups)
        if is_sum:
            closes = _enter_summed_group(groups, lines, place)
        elif line.label:
            closes = False
            _leave(groups, lambda group, line=line: _belongs(group, line))  # type: ignore[misc]
        else:
            closes = False
        parent = groups[-1]
        parents.append(parent.line)
        if parent.child_indent is None and line.label:
            parent.child_indent = line.indent
        if is_sum:
            if closes:
                parent.closed_at = place
                groups[max(0, len(groups) - 2)].components.append(place)
        elif line.label:
            parent.components.append(place)
            if parent.begins and line.says_ending:
                parent.closed_at = place
            parent.begins |= line.says_beginning
            if len(groups) <= _DEEPEST and _has_parts(lines, place, crossheads):
                groups.append(_Group(place, line.indent, line.style, False))
    return parents


def _leave(groups: list[_Group], stays: Callable[[_Group], bool]) -> None:
    """Close groups from the innermost on until one holds; the root always does."""
    while len(groups) > 1 and not stays(groups[-1]):
        groups.pop()


def _nests(group: _Group, line: Line, repeats: bool) -> bool:
    """Whether a crosshead stands inside an open group."""
    if abs(line.indent - group.indent) > _SAME or not group.is_crosshead:
        return line.indent > group.indent
    if group.child_indent is None:
        return True
    if not group.is_flat or group.closed:
        return False
    if group.inner is not None and group.inner_repeats != repeats:
        return repeats
    return (
        line.weight < group.style[0]
        or line.style == group.inner != group.style
        or (repeats and group.inner_repeats)
    )


def _awaits_sum(group: _Group, lines: Sequence[Line], place: int) -> bool:
    """Whether the sum of an open group is still to come below a crosshead that has its indentation.

    "Adjustments to net income:" stands in "Cash flows from operating activities:", as "Net cash provided by
    operating activities" follows.
    """
    if group.line is None or not group.is_crosshead or group.closed or not group.is_flat:
        return False
    label = lines[group.line].label
    if abs(lines[place].indent - group.indent) > _SAME:
        return False
    ahead = itertools.takewhile(lambda line: line.label != label, lines[place : place + _WINDOW])
    return any(
        (line.says_total or line.says_net)
        and likeness(line.label, label) > max(1, likeness(line.label, lines[place].label))
        and likeness(label, line.label) > 1
        for line in ahead
        if line.has_values
    )


def _belongs(group: _Group, line: Line) -> bool:
    """Whether a line with a label stands inside an open group."""
    if not group.is_crosshead:
        return line.indent > group.indent + _SAME
    if line.indent < group.indent - _STEP:
        return False
    if group.child_indent is None:
        return True
    if group.is_flat:
        return not group.closed
    if group.closed and line.indent > group.child_indent + _SAME:
        return False
    return line.indent >= group.indent + _STEP


def _is_sum(lines: Sequence[Line], place: int, groups: Sequence[_Group]) -> bool:
    """Whether a line is a total: by its words, its figures, or by standing alone and deeper than the others.

    "Net" may begin a total ("Net cash provided by operating activities") and any line item ("Net sales"); it
    is a total where a crosshead has its words. The first line of a group is none.
    """
    line, group = lines[place], groups[-1]
    if not line.has_values:
        return False
    if not line.label:
        return line.has_figures and not line.has_texts
    if group.is_crosshead and group.child_indent is None:
        return False
    if line.says_total:
        return True
    following = next((other for other in lines[place + 1 : place + _WINDOW] if other.label), None)
    alone = following is None or abs(following.indent - line.indent) > _SAME
    deeper = (
        group.is_crosshead and group.child_indent is not None and line.indent > group.child_indent + _SAME
    )
    for open_group in groups[1:]:
        if open_group.line is None or not open_group.is_crosshead or open_group.child_indent is None:
            continue
        like = likeness(line.label, lines[open_group.line].label)
        returns = like == 3 and not open_group.is_flat and line.indent < open_group.indent + _STEP
        if like >= 2 and (
            returns or line.says_net or (deeper and alone) or _adds_up_group(lines, place, open_group)
        ):
            return True
    return deeper and alone and (group.closed or _adds_up_group(lines, place, group))


def _adds_up_group(lines: Sequence[Line], place: int, group: _Group) -> bool:
    """Whether a line sums the components of a group, or all lines in it that are no totals themselves."""
    line = lines[place]
    if adds_up(line, [lines[component] for component in group.components[-_WINDOW:]]):
        return True
    first = 0 if group.line is None else group.line + 1
    leaves = lines[max(first, place - _WINDOW) : place]
    return adds_up(line, [leaf for leaf in leaves if leaf.label and leaf.has_values and not leaf.says_total])


def _enter_summed_group(groups: list[_Group], lines: Sequence[Line], place: int) -> bool:
    """Leave the groups that a sum does not sum; True where it completes the one that is left open.

    Its words tell the group, else its figures, else its indentation.
    """
    line = lines[place]
    matches = [_summed_by_words(lines, place, group) for group in groups]
    best = max(matches)
    if best >= 2 or (best and not _adds_up_group(lines, place, groups[0])):
        del groups[max(i for i, match in enumerate(matches) if match == best) + 1 :]
        return best >= 2 and not (groups[-1].is_flat and _is_summed_later(lines, place, groups[-1], best))
    for depth in range(len(groups), 0, -1):
        group = groups[depth - 1]
        if not group.closed and _adds_up_group(lines, place, group):
            del groups[depth:]
            return depth > 1 and (
                not group.is_flat
                or (
                    shares_a_word(line, lines[group.line or 0])
                    and not _is_summed_later(lines, place, group, 2)
                )
            )
    if not line.label and not any(other.has_values for other in lines[place + 1 : place + _WINDOW]):
        del groups[1:]
        return False
    _leave(
        groups,
        lambda group: (
            group.is_crosshead
            and not group.closed
            and (not line.label or group.is_flat or line.indent >= group.indent + _STEP)
        ),
    )
    return len(groups) > 1 and not groups[-1].is_flat


def _summed_by_words(lines: Sequence[Line], place: int, group: _Group) -> int:
    """How well the words of a total name a group: 3 or 2 where it completes it, 1 where it is in it."""
    if group.line is None or not group.is_crosshead or not lines[place].label:
        return 0
    crosshead = lines[group.line].label
    match = likeness(lines[place].label, crosshead)
    if group.closed:
        return match if match >= 2 and group.goes_on else 0
    if match == 2 and any(
        later.says_total and likeness(later.label, crosshead) == 3
        for later in lines[place + 1 : place + _WINDOW]
    ):
        return 1  # "Total current assets" under "Assets", whose own total is still to come
    return match


def _is_summed_later(lines: Sequence[Line], place: int, group: _Group, like: int) -> bool:
    """Whether a further total, as like its group, comes before the next line without values."""
    if group.line is None:
        return False
    ahead = itertools.takewhile(lambda line: line.has_values, lines[place + 1 : place + _WINDOW])
    label = lines[group.line].label
    return any(line.says_total and likeness(line.label, label) >= like for line in ahead)


def _has_parts(lines: Sequence[Line], place: int, crossheads: set[int]) -> bool:
    """Whether the deeper lines right below a line with values are its breakdown and not a subtotal."""
    line = lines[place]
    if not line.has_values or line.says_total:
        return False
    parts: list[Line] = []
    following: Line | None = None
    for below in range(place + 1, min(len(lines), place + _WINDOW)):
        if not lines[below].label:
            continue
        if lines[below].indent <= line.indent + _SAME or below in crossheads:
            following = lines[below] if below not in crossheads else None
            break
        parts.append(lines[below])
    if not parts or parts[0].says_total or line.says_balance:
        return False
    items = [part for part in parts if not part.says_total]
    if items[0].says_part or (items[0].is_rate and not line.is_rate) or adds_up(line, items):
        return True
    above = [other for other in lines[max(0, place - 30) : place] if other.label]
    deeper = list(itertools.takewhile(lambda other: other.indent > line.indent + _SAME, reversed(above)))
    if deeper and adds_up(line, deeper):
        return False
    if following is not None and differs_by(following, line, parts):
        return False
    return len(items) > 1 and not items[0].says_subtotal and not exceeds(items[0], line)
