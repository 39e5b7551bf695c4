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
        assert time.monotonic() - started < 5

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
