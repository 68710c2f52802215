"""The text of a piece of HTML as a browser shows it, its weight, and its indentation in points."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from qa_core.ingest.html_text import Piece, parse_style, read_piece


def piece(html: str) -> Piece:
    """What is read of a cell."""
    root = etree.fromstring(f"<table><tr>{html}</tr></table>".encode(), etree.HTMLParser(encoding="utf-8"))
    return read_piece(next(root.iter("td", "th")))


@pytest.mark.parametrize(
    ("html", "text"),
    [
        # Line breaks and blocks part words.
        ("<td>As<br>Reported</td>", "As Reported"),
        ("<td>As<br/>Reported</td>", "As Reported"),
        ("<td><div>Three Months</div><div>Ended June 30,</div></td>", "Three Months Ended June 30,"),
        ("<td><p>Net</p>income</td>", "Net income"),
        # Inline elements do not, those of inline XBRL among them.
        ("<td><span>$14.9</span><span>1</span></td>", "$14.91"),
        ('<td><span>$<ix:nonFraction name="us-gaap:Price">14.9</ix:nonFraction>1</span></td>', "$14.91"),
        ("<td><ix:nonFraction>1,2<b>34</b></ix:nonFraction></td>", "1,234"),
        ("<td>(<ix:nonFraction sign='-'>56</ix:nonFraction>)</td>", "(56)"),
        # A raised mark stands off; an ordinal and a power do not.
        ("<td>Revenue<sup>(1)</sup></td>", "Revenue (1)"),
        ("<td>Revenue<sup>2</sup></td>", "Revenue 2"),
        ('<td>Revenue<span style="vertical-align:super;font-size:6pt">(a)</span></td>', "Revenue (a)"),
        ('<td>Revenue<font style="position:relative;top:-4pt">(1)</font></td>', "Revenue (1)"),
        ("<td>5<sup>th</sup></td>", "5th"),
        ("<td>km<sup>2</sup></td>", "km2"),
        # What is not shown is not read.
        ('<td>1<span style="display:none">hidden</span>2</td>', "12"),
        ('<td>1<span style="visibility: hidden">hidden</span></td>', "1"),
        ('<td><span class="sortkey">0007</span>7th</td>', "7th"),
        ('<td><span class="nowrap sortkey">0007</span>7th</td>', "7th"),
        ("<td>7<span hidden>hidden</span>th</td>", "7th"),
        ("<td>7<script>alert(1)</script><style>td{}</style></td>", "7"),
        ("<td>7<!-- comment --></td>", "7"),
        ("<td>a<table><tr><td>nested</table>b</td>", "a b"),
        # White space.
        ("<td>\n  Net\xa0 \n\tincome </td>", "Net income"),
        ("<td>&#160;&nbsp;</td>", ""),
        ("<td>&lt;b&gt; &amp;amp; $x$</td>", "<b> &amp; $x$"),
        ("<td></td>", ""),
    ],
)
def test_text(html: str, text: str) -> None:
    assert piece(html).text == text


@pytest.mark.parametrize(
    ("html", "points"),
    [
        ('<td style="padding:2px 1pt 2px 19pt">Cash</td>', 19),
        ('<td style="padding:0 7pt">Cash</td>', 7),
        ('<td style="padding:0 1pt 2pt">Cash</td>', 1),
        ('<td style="padding:4pt">Cash</td>', 4),
        ('<td style="padding-left:9pt;padding:1pt">Cash</td>', 9),
        ('<td style="text-indent:9pt">Cash</td>', 9),
        ('<td><div style="padding-left:18pt">Cash</div></td>', 18),
        ('<td><p style="margin-left:1em">Cash</p></td>', 10),
        ('<td style="padding:0 0 0 1pt"><div style="padding-left:9pt"><span>Cash</span></div></td>', 10),
        # A hanging indent: the first line begins where no indent would have put it.
        ('<td style="padding-left:10pt;text-indent:-10pt">Cash</td>', 0),
        ('<td><div style="margin-left:20pt; text-indent:-10pt">Cash</div></td>', 10),
        ('<td style="text-indent:-10pt">Cash</td>', 0),
        ("<td>\xa0\xa0\xa0\xa0Cash</td>", 10),
        ("<td><span>&#160;&#160;</span><b>Cash\xa0&nbsp;equivalents</b></td>", 5),
        ('<td style="padding-left:12px">Cash</td>', 9),
        ('<td style="padding-left:12">Cash</td>', 9),
        ('<td style="padding-left:.125in">Cash</td>', 9),
        ('<td style="padding-left:1e9999pt;margin-left:auto">Cash</td>', 0.75),
        ('<td style="padding-left:10%">Cash</td>', 7.5),
        ('<td style="padding-left:calc(1px)">Cash</td>', 0),
        # The first words tell, not those of a second line.
        ('<td><div>Cash</div><div style="padding-left:9pt">and more</div></td>', 0),
    ],
)
def test_indent(html: str, points: float) -> None:
    assert piece(html).indent == pytest.approx(points)


@pytest.mark.parametrize(
    ("html", "bold", "emphasised", "centred"),
    [
        ("<td>Assets</td>", False, False, False),
        ("<td><b>Assets</b></td>", True, False, False),
        ('<td style="font-weight:bold">Assets</td>', True, False, False),
        ('<td><span style="font-weight:700">Assets</span> and more</td>', True, False, False),
        (
            '<td style="font-weight:bold"><span style="font-weight:400">Assets</span></td>',
            False,
            False,
            False,
        ),
        ("<td>Assets <b>in bold</b></td>", False, False, False),
        ("<td><u>Assets</u></td>", False, True, False),
        ('<td><span style="text-decoration:underline">Assets</span></td>', False, True, False),
        ('<td style="font-style:italic">Assets</td>', False, True, False),
        ('<td><i><span style="font-style:normal">Assets</span></i></td>', False, False, False),
        ('<td align="center">Assets</td>', False, False, True),
        ('<td><div style="text-align: CENTER">Assets</div></td>', False, False, True),
        ("<th>Assets</th>", True, False, False),
    ],
)
def test_weight(html: str, bold: bool, emphasised: bool, centred: bool) -> None:
    found = piece(html)
    assert (found.bold, found.emphasised, found.centred) == (bold, emphasised, centred)


@given(st.text(max_size=80))
def test_any_style_is_read_or_left_out(style: str) -> None:
    assert parse_style(style).indent < 1e6
