"""Processes that find answers: limits, turns, replacement."""

import asyncio
import os
import signal
import time

import pytest

from planner.explorer.workers import GivenUp, Limits, Workers


def nothing() -> None:
    """What a process does before its first answer."""


def process(_: object) -> int:
    return os.getpid()


def filled(megabytes: int) -> int:
    return len(bytearray(megabytes * 10**6))


def asleep(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def ended(_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def wrong(_: object) -> None:
    raise KeyError("no")


def slowly() -> None:
    time.sleep(1.0)


def run(scenario, size=2, limits=None, warm=nothing) -> None:
    async def with_workers() -> None:
        workers = Workers(size, limits or Limits(5.0, 700), warm)
        try:
            await scenario(workers)
        finally:
            workers.close()

    asyncio.run(with_workers())


@pytest.mark.slow
def test_a_process_is_used_again_and_a_dead_one_is_replaced() -> None:
    async def scenario(workers):
        first = await workers.run(process, 0, "a")
        assert await workers.run(process, 0, "a") == first
        with pytest.raises(GivenUp, match="ended; ask again"):
            await workers.run(ended, 0, "a")
        assert await workers.run(process, 0, "a") != first
        with pytest.raises(RuntimeError, match="KeyError: 'no'"):
            await workers.run(wrong, 0, "a")
        assert await workers.run(asleep, 0.0, "a") == 0

    run(scenario)


@pytest.mark.slow
def test_a_process_does_not_give_way_while_it_starts(monkeypatch) -> None:
    async def scenario(workers):
        first = await workers.run(process, 0, "a")
        assert await workers.run(process, 0, "a") == first  # which was not replaced

    monkeypatch.setattr("planner.explorer.workers._LONG_SECONDS", 0.8)
    run(scenario, warm=slowly)


@pytest.mark.slow
def test_time_and_memory_are_limited() -> None:
    async def scenario(workers):
        await workers.run(process, 0, "a")  # it has started, which may take longer
        with pytest.raises(GivenUp, match="more than 700 MB"):
            await workers.run(filled, 900, "a")
        assert await workers.run(filled, 100, "a") == 10**8
        started = time.monotonic()
        with pytest.raises(GivenUp, match=r"within 1\.5 s; download the study file"):
            await workers.run(asleep, 60, "a")
        assert time.monotonic() - started < 60

    run(scenario, 1, Limits(1.5, 700))


@pytest.mark.slow
def test_nobody_has_two_processes_at_once() -> None:
    async def scenario(workers):
        slow = [asyncio.create_task(workers.run(asleep, 60, "slow")) for _ in range(3)]
        await asyncio.sleep(0.1)
        assert await workers.run(asleep, 0.01, "quick") == 0.01
        for task in slow:
            task.cancel()
        await asyncio.gather(*slow, return_exceptions=True)
        # what was stopped holds no process
        assert await asyncio.gather(*(workers.run(asleep, 0.0, c) for c in "abc")) == [0, 0, 0]

    run(scenario)


@pytest.mark.slow
def test_the_page_has_a_process_that_others_cannot_take() -> None:
    async def scenario(workers):
        others = [asyncio.create_task(workers.run(asleep, 60, str(n))) for n in range(4)]
        await asyncio.sleep(0.1)
        assert await workers.run(asleep, 0.01, "page", own=True) == 0.01
        # a second page is the first of those who wait
        second = asyncio.create_task(workers.run(asleep, 4.0, "page", own=True))
        third = asyncio.create_task(workers.run(asleep, 0.02, "another", own=True))
        await asyncio.sleep(0.1)
        assert not third.done()
        others[0].cancel()
        assert await third == 0.02
        assert not any(other.done() for other in others[1:])
        for task in (second, *others):
            task.cancel()

    run(scenario, limits=Limits(30.0, 700))


@pytest.mark.slow
def test_a_process_finishes_what_nobody_waits_for_and_is_used_again() -> None:
    async def scenario(workers):
        first = await workers.run(process, 0, "a")
        left = asyncio.create_task(workers.run(asleep, 0.3, "a"))
        await asyncio.sleep(0.1)
        left.cancel()
        assert await workers.run(process, 0, "b") == first
        long = asyncio.create_task(workers.run(asleep, 60, "a"))
        await asyncio.sleep(0.1)
        long.cancel()
        started = time.monotonic()
        assert await workers.run(process, 0, "b") != first
        assert time.monotonic() - started < 60

    run(scenario, 1)


@pytest.mark.slow
def test_too_many_who_wait_are_refused_but_not_the_page(monkeypatch) -> None:
    async def scenario(workers):
        others = [asyncio.create_task(workers.run(asleep, 60, str(n))) for n in range(4)]
        await asyncio.sleep(0.1)
        with pytest.raises(GivenUp, match="too many requests wait"):
            await workers.run(process, 0, "one more")
        assert await workers.run(process, 0, "page", own=True)
        others[3].cancel()  # while it waits
        await asyncio.sleep(0)
        last = asyncio.create_task(workers.run(process, 0, "last"))
        await asyncio.sleep(0.1)
        assert not last.done()
        for task in (last, *others):
            task.cancel()

    monkeypatch.setattr("planner.explorer.workers._MOST_WAITING", 2)
    run(scenario)
