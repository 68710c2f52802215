"""Hypothesis strategies for tables as ragged as real ones."""

from hypothesis import strategies as st

from qa_core.table import Table

# Neither surrogates nor control characters: those are replaced at the door, see test_text.
texts = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=6)
paths = st.lists(texts, max_size=4).map(tuple)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Tables with header paths fewer or more than the body has rows and columns, and ragged rows."""
    return Table(
        id=draw(st.text("abc", min_size=1, max_size=3)),
        column_paths=tuple(draw(st.lists(paths, max_size=4))),
        row_paths=tuple(draw(st.lists(paths, max_size=4))),
        cells=tuple(draw(st.lists(st.lists(texts, max_size=4).map(tuple), max_size=4))),
        title=draw(texts),
    )
