"""Brought tables are kept, renamed, corrected, deleted and asked."""

import multiprocessing
import sys
from pathlib import Path

import pytest

from qa_core.collection import Collection
from qa_core.datasets import load_dataset
from qa_core.errors import CrossheadError
from qa_core.ingest.document import read_document, read_pasted
from qa_core.ingest.edit import Edit, edited
from qa_core.ingest.extract import Extraction
from tests.tables import AMAZON

BALANCE = b"""<table>
<tr><td></td><td colspan="2">2024</td><td colspan="2">2023</td></tr>
<tr><td>Assets</td><td></td><td></td></tr>
<tr><td>Cash</td><td>$</td><td>663</td><td>$</td><td>622</td></tr>
<tr><td>Receivables</td><td></td><td>71</td><td></td><td>(64)</td></tr>
</table>"""


@pytest.fixture
def url(store_url: str) -> str:
    return store_url


def balance() -> Extraction:
    return read_document(BALANCE, "filing.html").extractions[0]


def test_a_table_is_kept_with_its_original_and_under_its_name(url: str) -> None:
    kept = Collection(url).add(balance(), "  Balance\nsheet ")
    again = Collection(url).get(kept.id)
    assert again == kept
    assert again.original == balance().cleaned.original
    assert (again.table.id, again.table.title) == (kept.id, "Balance sheet")
    assert again.table.cells == (("$663", "$622"), ("71", "(64)"))
    assert again.table.row_paths == (("Assets", "Cash"), ("Assets", "Receivables"))
    assert again.extraction is not None and again.extraction.table == balance().table
    (listed,) = Collection(url).listed()
    assert (listed.name, listed.file, listed.rows, listed.columns) == ("Balance sheet", "filing.html", 2, 2)


def test_a_table_with_headers_of_its_own_has_no_original(url: str) -> None:
    collection = Collection(url)
    kept = collection.add(AMAZON, "AWS")
    assert (kept.original, kept.extraction, kept.table.column_paths) == (None, None, AMAZON.column_paths)
    with pytest.raises(CrossheadError, match="no grid to correct"):
        collection.mend(kept.id, lambda edits: edits)


def test_the_same_table_can_be_kept_twice(url: str) -> None:
    collection = Collection(url)
    first, second = collection.add(balance(), "A"), collection.add(balance(), "A")
    assert first.id != second.id
    assert {listed.id for listed in collection.listed()} == {first.id, second.id}
    assert first.id.startswith("filing-0-")


def test_corrections_are_kept_and_taken_back(url: str) -> None:
    collection = Collection(url)
    kept = collection.add(balance(), "Balance")
    mended = collection.mend(kept.id, lambda edits: (*edits, Edit("parent", 3, None)))
    assert mended.table.row_paths == (("Assets", "Cash"), ("Receivables",))
    assert mended.extraction is not None and mended.extraction.steps[-1] == "by hand: put row 4 at the root"
    with pytest.raises(CrossheadError, match="There is no row 100"):
        collection.mend(kept.id, lambda edits: (*edits, Edit("row", 99, "body")))
    assert Collection(url).get(kept.id).edits == (Edit("parent", 3, None),)
    assert collection.mend(kept.id, lambda edits: edits[:-1]).table == kept.table


def test_corrections_made_before_it_is_kept_come_along(url: str) -> None:
    edits = (Edit("row", 1, "left out"),)
    kept = Collection(url).add(edited(balance().cleaned, edits), "Balance", edits)
    assert kept.edits == edits
    assert kept.table.row_paths == (("Cash",), ("Receivables",))


def test_names(url: str) -> None:
    collection = Collection(url)
    kept = collection.add(balance(), "x" * 500)
    assert len(kept.name) == 200
    collection.rename(kept.id, "$663 to $622 <b>")
    assert collection.get(kept.id).table.title == "$663 to $622 <b>"
    for name in ("", " \n"):
        with pytest.raises(CrossheadError, match="needs a name"):
            collection.rename(kept.id, name)


def test_a_deleted_table_is_gone(url: str) -> None:
    collection = Collection(url)
    kept = collection.add(balance(), "Balance")
    collection.delete(kept.id)
    assert collection.listed() == []
    for act in (
        lambda: collection.get(kept.id),
        lambda: collection.delete(kept.id),
        lambda: collection.rename(kept.id, "B"),
        lambda: collection.mend(kept.id, lambda edits: edits),
    ):
        with pytest.raises(CrossheadError, match=f"No kept table has the id '{kept.id}'"):
            act()


def test_the_stamp_differs_after_every_change(url: str) -> None:
    collection = Collection(url)
    stamps = [collection.stamp()]
    kept = collection.add(balance(), "A")
    stamps.append(collection.stamp())
    collection.rename(kept.id, "B")
    stamps.append(collection.stamp())
    collection.mend(kept.id, lambda _: (Edit("row", 1, "left out"),))
    stamps.append(collection.stamp())
    collection.delete(kept.id)
    collection.add(balance(), "A")
    stamps.append(collection.stamp())
    assert len(set(stamps)) == len(stamps)


def test_the_collection_is_a_dataset(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSHEAD_STORE", url)
    first, second = (Collection().add(balance(), name) for name in ("A", "B"))
    dataset = load_dataset("brought")
    assert (dataset.name, list(dataset.tables), dataset.questions) == ("brought", [second.id, first.id], ())
    assert dataset.table(first.id) == first.table


def test_looking_at_the_dataset_makes_no_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSHEAD_STORE", f"sqlite:///{tmp_path / 'folder' / 'store.sqlite'}")
    assert load_dataset("brought").tables == {}
    assert list(tmp_path.iterdir()) == []


def _keep_some(url: str, name: str, table_id: str) -> None:
    collection = Collection(url)
    for n in range(10):
        collection.add(balance(), f"{name} {n}")
        collection.mend(table_id, lambda edits: (*edits, Edit("row", 1, "crosshead")))


def test_two_processes_that_write_at_once_lose_nothing(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # A new process begins with the main module, which a test of an app may have left as its script.
    monkeypatch.setitem(sys.modules, "__main__", sys.modules[__name__])
    shared = Collection(url).add(balance(), "shared")
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_keep_some, args=(url, name, shared.id)) for name in "ab"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
    assert [writer.exitcode for writer in writers] == [0, 0]
    names = {listed.name for listed in Collection(url).listed()}
    assert names == {"shared", *(f"{name} {n}" for name in "ab" for n in range(10))}
    assert len(Collection(url).get(shared.id).edits) == 20


def pasted() -> Extraction:
    return read_pasted("Region\t2024\t2023\nEurope\t12\t11\nAsia\t7\t8\n").extractions[0]


def test_a_table_without_body_rows_is_not_kept(url: str) -> None:
    collection = Collection(url)
    every = tuple(Edit("row", row, "left out") for row in range(balance().cleaned.grid.n_rows))
    empty = edited(balance().cleaned, every)
    with pytest.raises(CrossheadError, match="without body rows and columns holds nothing to ask"):
        collection.add(empty, "Empty", every)
    kept = collection.add(balance(), "Balance")
    with pytest.raises(CrossheadError, match="take at least one row as body"):
        collection.mend(kept.id, lambda edits: every)
    assert collection.get(kept.id) == kept
