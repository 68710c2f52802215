from dataclasses import replace

import pytest

from components import table_list
from components.table_list import table_list_markup
from qa_core.datasets import Dataset
from qa_core.question import Question
from tests.tables import AMAZON


def test_each_table_leads_to_ask_with_the_choices_of_the_person() -> None:
    table = replace(AMAZON, id="a&b", title="<b>Net</b> sales", company="")
    dataset = Dataset("d", {table.id: table}, (Question("q", table.id, "?", ("1",)),))
    markup = table_list_markup(dataset, {"dataset": "aitqa"})
    assert 'href="./?dataset=aitqa&amp;table=a%26b" target="_self"' in markup
    assert "&lt;b&gt;Net&lt;/b&gt; sales (a&amp;b)" in markup
    assert markup.count("<td>") == 6


def test_the_list_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_list, "MOST_TABLES", 2)
    dataset = Dataset("d", {f"t{n}": replace(AMAZON, id=f"t{n}") for n in range(3)}, ())
    assert table_list_markup(dataset, {}).count("<a ") == 2
