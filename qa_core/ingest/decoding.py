"""The text of a file whose encoding nobody wrote down."""

from __future__ import annotations

import codecs
import re

from qa_core.errors import CrossheadError

_SAMPLE = 65536
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WESTERN = 0.12
"""The largest share of bytes beyond ASCII in Western text; other scripts have more."""
_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def decode(content: bytes, name: str = "") -> str:
    """The text of a file: by its byte-order mark, as UTF-8, else as Windows-1252 or what its bytes speak for.

    Raises CrossheadError where the content is no text.
    """
    encoding = _encoding(content)
    text = content.decode(encoding, errors="replace").removeprefix("\ufeff")
    sample = text[:_SAMPLE]
    if len(_CONTROL.findall(sample)) * 100 > len(sample):
        raise CrossheadError(
            f"{name or 'The file'} is neither text nor a workbook; bring HTML, XLSX, CSV, Markdown or JSON."
        )
    return text


def _encoding(content: bytes) -> str:
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return encoding
    sample = content[:_SAMPLE]
    if sample.count(0) * 3 > len(sample) > 1:  # every other byte of Western text
        return "utf-16-le" if sample[1::2].count(0) > sample[::2].count(0) else "utf-16-be"
    try:
        content.decode("utf-8")
        return "utf-8"
    except UnicodeDecodeError:
        pass
    if sum(byte > 127 for byte in sample) > _WESTERN * len(sample):
        from charset_normalizer import from_bytes

        best = from_bytes(sample, steps=5, chunk_size=512).best()
        if best is not None:
            return best.encoding
    return "cp1252"
