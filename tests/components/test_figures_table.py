from components.figures_table import Figure, Line, figures_table_markup

HEADS = [("System", ""), ("Base", "n = 4")]


def table(**groups: list[Line]) -> str:
    return figures_table_markup(HEADS, groups)


def test_a_figure_is_a_link_with_its_interval_below_and_its_command_on_hover() -> None:
    figure = Figure("75.00", "30.1 – 95.4", "errors?run=a&slice=b", "python -m qa_core")
    markup = table(Ours=[Line("Lexical", [figure])])
    assert (
        '<td title="python -m qa_core"><a href="errors?run=a&amp;slice=b" target="_self"><bdi>75.00</bdi></a>'
        "<small><bdi>30.1 – 95.4</bdi></small></td>"
    ) in markup
    assert '<th scope="col"><bdi>Base</bdi><small><bdi>n = 4</bdi></small></th>' in markup
    assert '<th scope="row"><bdi>Lexical</bdi></th>' in markup


def test_a_group_stands_under_its_crosshead_and_one_without_lines_is_left_out() -> None:
    line = Line("TaPas", [Figure("49.32")])
    markup = table(Ours=[], Published=[line])
    assert markup.count("<tbody>") == 1
    assert '<tr><th scope="rowgroup" colspan="2"><bdi>Published</bdi></th></tr>' in markup
    assert "rowgroup" not in figures_table_markup(HEADS, {"": [line]})


def test_what_was_not_measured_is_told_from_a_figure() -> None:
    missing = Figure("not measured", measured=False)
    assert "<td><i><bdi>not measured</bdi></i></td>" in table(Ours=[Line("RCI", [missing])])


def test_titles_and_hints_are_text() -> None:
    figure = Figure("<b>", hint='"><script>', link='"><script>')
    markup = table(Ours=[Line("<script>", [figure], note="<i>")])
    assert "<script>" not in markup and "<b>" not in markup and "<i>" not in markup
