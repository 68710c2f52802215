"""Batches of a model side by side: in order, all of them, and no thread that comes later is slower for it."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

from qa_core.systems.side_by_side import side_by_side


def test_results_come_in_the_order_of_the_items() -> None:
    assert side_by_side(lambda number: number**2, range(50)) == [number**2 for number in range(50)]
    assert side_by_side(str, []) == []


def test_one_item_alone_is_worked_on_by_the_caller() -> None:
    assert side_by_side(lambda _: threading.current_thread(), [0]) == [threading.current_thread()]


def test_each_of_several_is_worked_on_by_one_core_and_whoever_comes_later_has_all() -> None:
    before = torch.get_num_threads()
    assert set(side_by_side(lambda _: torch.get_num_threads(), range(8))) == {1}
    assert torch.get_num_threads() == before
    with ThreadPoolExecutor(1) as later:
        assert later.submit(torch.get_num_threads).result() == before


def test_a_fault_reaches_the_caller() -> None:
    def fail(number: int) -> None:
        raise ValueError(f"no {number}")

    with pytest.raises(ValueError, match="no 0"):
        side_by_side(fail, range(3))


def test_several_may_ask_at_once() -> None:
    with ThreadPoolExecutor(4) as sessions:
        asked = [sessions.submit(side_by_side, str, range(20)) for _ in range(8)]
        assert all(each.result() == [str(number) for number in range(20)] for each in asked)
