"""Fuzzes the readers: python -m tests.fuzz_readers [SECONDS] [SEED]

Documents of every kind are cut, repeated, spliced and sprinkled with what breaks parsers. Each must end in
tables or in one sentence, in little time; the first that does not is saved as ``fuzz-fault.bin``.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
import time
from pathlib import Path

from qa_core.errors import CrossheadError
from qa_core.export import to_csv, to_xlsx
from qa_core.ingest.document import read_document
from qa_core.table_format import table_to_record
from tests.ingest.test_aligned import STATEMENT
from tests.ingest.test_markdown import REPORT
from tests.ingest.test_spreadsheet import income
from tests.ingest.workbooks import part, with_part, workbook
from tests.tables import ALL

SLOW = 5.0
"""Seconds of CPU that a document of at most a megabyte may take."""
PARTS = ("xl/worksheets/sheet1.xml", "xl/workbook.xml", "xl/styles.xml", "[Content_Types].xml")
HTML = (
    b"<!doctype html><h2>Sales</h2><p>(In millions)</p><table><thead><tr><th>Region<th colspan=2>Year</thead>"
    b"<tr><td rowspan=2>North<td>$<td>1</td><td>)<tr><td>2<td style='padding-left:1em'>3</table>"
)
TEXTS = [
    HTML,
    STATEMENT.encode(),
    REPORT.encode(),
    b'Region;2023\r\nNorth;1,5\r\n  Sub;"a\nb"\r\n',
    to_csv(ALL[0]).encode(),
    json.dumps([table_to_record(table) for table in ALL]).encode(),
]
# fmt: off
SPICE = [
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n\n", b"\t", b'"', b"'", b",", b";", b"|", b"|---|",
    b"<", b"<table>", b"</table>", b"<tr>", b"<td colspan=100000>", b"<td rowspan=0>", b"</td>", b"<!--",
    b"<thead>", b"<div hidden>", b"<noscript>", b"<tr style='display:none'>", b"<td id=a headers='a b'>",
    b"<th id=b scope=row>", b"<td>(1", b"<td>Total", b"<b>",
    b"<![CDATA[", b"&#0;", b"&a;", b"<!DOCTYPE x [<!ENTITY a 'b'>]>", b"<script>", b"=1+1", b"9" * 400,
    b"1e999", b"-1", b"{", b"[", b"\\", b"  ", b"\xc2\xa0", b"\xf0\x9f\x98\x80", b"\xed\xa0\x80", b"(", b")",
    b"$", b"%", b"`", b"**", b"](", b"# ",
]
# fmt: on


def mutated(content: bytes, random_: random.Random) -> bytes:
    data = bytearray(content)
    for _ in range(random_.choice((1, 1, 2, 4, 8, 16))):
        start = random_.randint(0, len(data))
        stop = min(len(data), start + random_.choice((0, 0, 1, 3, 20, 200)))
        piece = bytes(data[start:stop])
        data[start:stop] = random_.choice(
            (
                random_.choice(SPICE),
                random_.choice(SPICE) * random_.choice((1, 2, 50, 2000)),
                piece * random_.choice((2, 3, 100)),
                random_.choice(TEXTS)[: random_.randint(0, 300)],
                random_.randbytes(random_.randint(1, 8)),
            )
        )
    return bytes(data[:1_000_000])


def document(random_: random.Random, books: list[bytes]) -> bytes:
    if random_.random() < 0.5:
        content = mutated(random_.choice(TEXTS), random_)
        return gzip.compress(content, 1) if random_.random() < 0.05 else content
    book = random_.choice(books)
    if random_.random() < 0.1:
        return mutated(book, random_)
    name = random_.choice(PARTS)
    return with_part(book, {name: mutated(part(book, name), random_)})


def main(seconds: float, seed: int) -> int:
    random_ = random.Random(seed)
    books = [workbook(income), to_xlsx(ALL)]
    end = time.monotonic() + seconds
    tried = refused = 0
    while time.monotonic() < end:
        content = document(random_, books)
        began = time.process_time()
        try:
            read_document(content, "fuzzed")
        except CrossheadError:
            refused += 1
        except Exception:
            Path("fuzz-fault.bin").write_bytes(content)
            print(f"a fault after {tried} documents, saved as fuzz-fault.bin")
            raise
        if time.process_time() - began > SLOW:
            Path("fuzz-fault.bin").write_bytes(content)
            print(f"{time.process_time() - began:.0f} s for {len(content)} bytes, saved as fuzz-fault.bin")
            return 1
        tried += 1
    print(f"{tried} documents in {seconds:.0f} s: {tried - refused} read, {refused} refused in a sentence")
    return 0


if __name__ == "__main__":
    arguments = [*sys.argv[1:], *("60", "0")[len(sys.argv) - 1 :]]
    sys.exit(main(float(arguments[0]), int(arguments[1])))
