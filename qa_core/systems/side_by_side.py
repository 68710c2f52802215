"""Batches of a model side by side, a processor core each.

A small matrix keeps no two cores busy, but two of them do; and what a model does between its matrices is done
by one core anyway.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_making = threading.Lock()


def side_by_side(work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """What ``work`` makes of each item, in order. One item alone is worked on by all cores.

    ``work`` is called from several threads at once and must not call this.
    """
    if len(items) < 2:
        return [work(item) for item in items]
    with _making:
        workers = _workers()
    return list(workers.map(work, items))


@cache
def _workers() -> ThreadPoolExecutor:
    """As many threads as torch uses, each of which uses one."""
    import torch

    n_threads = torch.get_num_threads()
    pool = ThreadPoolExecutor(n_threads, "side-by-side")
    everyone = threading.Barrier(n_threads)

    def work_alone() -> None:
        # A thread takes the number that holds for all when it is first asked, also after one was set for it.
        torch.get_num_threads()
        torch.set_num_threads(1)
        everyone.wait()

    for each in [pool.submit(work_alone) for _ in range(n_threads)]:
        each.result()
    # What a thread sets holds for itself, and for all that are begun later.
    torch.set_num_threads(n_threads)
    return pool
