"""A grid is kept exactly."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qa_core.collection import grid_format
from qa_core.collection.grid_format import grid_from_bytes, grid_to_bytes
from qa_core.errors import CrossheadError
from qa_core.ingest.grid import Cell, Grid, Source

numbers = st.integers(0, 50)
cells = st.builds(
    Cell,
    st.text(st.characters()),  # half surrogate pairs and control characters as well
    numbers,
    numbers,
    numbers,
    numbers,
    bold=st.booleans(),
    emphasised=st.booleans(),
    centred=st.booleans(),
    indent=st.floats(allow_nan=False),
    declared=st.sampled_from(["", "header", "row-header", "column-header"]),
)
sources = st.builds(
    Source, st.text(), numbers, st.text(), st.text(), st.lists(st.text(), max_size=3).map(tuple)
)
grids = st.builds(
    Grid,
    st.lists(cells, max_size=6).map(tuple),
    numbers,
    numbers,
    sources,
    st.text(),
    st.text(),
    st.lists(st.text(), max_size=3).map(tuple),
)


@given(grids)
def test_a_grid_comes_back_as_it_was(grid: Grid) -> None:
    assert grid_from_bytes(grid_to_bytes(grid)) == grid


def test_the_bytes_of_a_grid_do_not_tell_the_time() -> None:
    grid = Grid((Cell("$ 663", 0, 0),), 1, 1)
    assert grid_to_bytes(grid) == grid_to_bytes(grid)


@pytest.mark.parametrize(
    "content", [b"", b"text", gzip.compress(b"{}"), gzip.compress(b"[" * 9000), b"\x1f\x8b"]
)
def test_anything_else_is_refused(content: bytes) -> None:
    with pytest.raises(CrossheadError, match="is damaged in the store; bring it again"):
        grid_from_bytes(content)


def test_a_grid_too_large_to_keep_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = grid_to_bytes(Grid((Cell("x" * 900, 0, 0),), 1, 1))
    monkeypatch.setattr(grid_format, "MAX_CHARACTERS", 800)
    with pytest.raises(CrossheadError, match="more than 800 characters"):
        grid_to_bytes(Grid((Cell("x" * 900, 0, 0),), 1, 1))
    with pytest.raises(CrossheadError, match="damaged"):
        grid_from_bytes(kept)
