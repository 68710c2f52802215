from components.plain import counted, html, plain


def test_markdown_signs_are_escaped_and_addresses_do_not_become_links() -> None:
    assert plain("$663 to $622") == r"\$663 to \$622"
    assert plain("a < b :red[x]") == r"a \< b \:red\[x\]"
    for text in ("https://evil.example/x", "www.evil.example", "me@evil.example"):
        shown = plain(text)
        assert "\u2060" in shown
        assert shown.replace("\u2060", "").replace("\\", "") == text


def test_html_is_escaped_and_isolated() -> None:
    assert html("<img src=x>") == "<bdi>&lt;img src=x&gt;</bdi>"


def test_one_is_no_plural() -> None:
    assert [counted(n, "row") for n in (0, 1, 1200)] == ["0 rows", "1 row", "1,200 rows"]
