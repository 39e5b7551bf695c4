"""Processes that compute answers, each within limits of time and memory.

A process that takes too long, or whose clients have all disconnected, is killed; one that dies is
replaced. Waiting clients take turns; a client that has a process gets another one only while one
more stays free. The explorer's own page comes first, and has one more process where all are taken.
"""

import asyncio
import os
import signal
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import connection, get_context, parent_process
from typing import Any, NamedTuple

_FIRST = asyncio.FIRST_COMPLETED
_START_SECONDS = 60.0  # it takes about a second; the rest is for a busy computer
_LONG_SECONDS = 4.0
"""The time after which a process gets a lower priority [s]."""
_LAST = 19
"""The niceness of a process with the lowest priority."""
_HOW = (
    "download the study file and run planner solve with it, or start planner app with larger "
    "--seconds or --megabytes"
)
_MOST_WAITING = 1000
"""Requests that wait for a process: about as many as a process may have connections open."""
_TOO_MANY = "too many requests wait for an answer; ask again in a minute"
_LEFT_SECONDS = 1.0
"""How long a process may finish what nobody waits for: to start another one takes as long [s]."""
_ENDED = "the process that computed the answer ended; ask again"


class Limits(NamedTuple):
    """The limits of an answer.

    Attributes:
        seconds: of time.
        megabytes: of memory.
    """

    seconds: float = 30.0
    megabytes: int = 1000


class GivenUp(Exception):
    """There is no answer within the limits; the message says why."""


class _Waiting(NamedTuple):
    """A request that waits for its turn."""

    client: str
    own: bool
    turn: asyncio.Future[None]


class Workers:
    """A pool of processes, and the clients that wait for one."""

    def __init__(
        self, size: int, limits: Limits, warm: Callable[[], None], niceness: int = 0
    ) -> None:
        """Create the pool; processes start when they are needed."""
        self._size, self._limits, self._start = size, limits, (limits.megabytes, warm, niceness)
        self._threads = ThreadPoolExecutor(size + 2)  # one for each process, and to spare
        self._closed = False
        self._idle: list[_Worker] = []
        self._busy: list[_Worker] = []
        self._running: Counter[str] = Counter()
        self._waiting: list[_Waiting] = []
        self._working: set[asyncio.Task[Any]] = set()

    async def run(
        self, find: Callable[..., Any], given: Any, client: str, own: bool = False
    ) -> Any:
        """The result of `find` on `given`, both picklable.

        Args:
            find: the function.
            given: its argument.
            client: who asks.
            own: whether that is the explorer's own page.

        Raises:
            GivenUp: too many wait, it took too much time or memory, or the process died.
        """
        await self._turn(client, own)
        left = asyncio.Event()
        work = asyncio.create_task(self._work(find, given, client, left))
        self._working.add(work)
        work.add_done_callback(self._ended)
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            left.set()
            raise

    def _ended(self, work: "asyncio.Task[Any]") -> None:
        self._working.discard(work)
        if not work.cancelled():
            work.exception()

    async def _work(
        self, find: Callable[..., Any], given: Any, client: str, left: asyncio.Event
    ) -> Any:
        """The answer of a process, which is then free for others."""
        worker = None
        try:
            alive = [one for one in self._idle if one.alive]
            self._idle = sorted(alive, key=lambda one: one.ready)  # the last one is used
            worker = self._idle.pop() if self._idle else _Worker(*self._start)
            self._busy.append(worker)
            return await self._asked(worker, find, given, left)
        finally:
            if worker is not None:
                self._busy.remove(worker)
                if not worker.usable:
                    worker.kill()
                    worker = None if self._closed else _Worker(*self._start)
                if worker is not None:
                    self._idle.append(worker)
            self._running[client] -= 1
            self._next()

    async def _asked(
        self, worker: "_Worker", find: Callable[..., Any], given: Any, left: asyncio.Event
    ) -> Any:
        """The answer of a process, which is killed at the limit of time, or soon after all left."""
        worker.usable = False  # until it has answered
        loop = asyncio.get_running_loop()
        seconds = self._limits.seconds
        leaving = asyncio.create_task(left.wait())
        try:
            if not worker.started:
                started = loop.run_in_executor(self._threads, worker.wait)
                await asyncio.wait({started}, timeout=_START_SECONDS)
            if not worker.started:
                worker.kill()
                raise GivenUp(_ENDED)
            if left.is_set():  # before it was asked
                worker.usable = True
                return None
            answer = loop.run_in_executor(self._threads, worker.ask, find, given)
            at_first = min(_LONG_SECONDS, seconds)
            first: set[asyncio.Future[Any]] = {answer, leaving}
            done, _ = await asyncio.wait(first, timeout=at_first, return_when=_FIRST)
            if not done:
                worker.give_way()
                await asyncio.wait(first, timeout=seconds - at_first, return_when=_FIRST)
            if left.is_set():
                await asyncio.wait({answer}, timeout=_LEFT_SECONDS)
        except asyncio.CancelledError:
            worker.kill()
            raise
        finally:
            leaving.cancel()
        if not answer.done():
            worker.kill()
            raise GivenUp(f"no answer was found within {self._limits.seconds:g} s; {_HOW}")
        kind, made = answer.result()
        if kind == "memory":
            raise GivenUp(
                f"the answer needs more than {self._limits.megabytes:,} MB of memory; {_HOW}"
            )
        if kind == "died":
            raise GivenUp(_ENDED)
        worker.usable = not worker.gave_way
        if kind == "failed":
            raise RuntimeError(made)
        return made

    async def _turn(self, client: str, own: bool) -> None:
        """Wait until a client may start a process."""
        if self._may_start(client, own):
            self._running[client] += 1
            return
        if not own and len(self._waiting) >= _MOST_WAITING:
            raise GivenUp(_TOO_MANY)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting = _Waiting(client, own, turn)
        self._waiting.append(waiting)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it had just got its turn
                self._running[client] -= 1
                self._next()
            raise
        finally:
            self._waiting.remove(waiting)

    def _may_start(self, client: str, own: bool) -> bool:
        """Whether a process is free, and another one for others if the client has one running."""
        free = self._size - self._running.total()
        if self._running[client]:
            return free > 1
        return free > (-1 if own else 0)  # the page has one that the others do not have

    def _next(self) -> None:
        """Give the turn to clients without a running process, the page first, then by arrival."""
        self._running += Counter()  # forget clients without requests
        for client, own, turn in sorted(self._waiting, key=lambda one: not one.own):
            if not turn.done() and self._may_start(client, own):
                self._running[client] += 1
                turn.set_result(None)

    def start(self) -> None:
        self._idle = [_Worker(*self._start) for _ in range(self._size)]

    def close(self) -> None:
        self._closed = True
        for worker in (*self._idle, *self._busy):
            worker.kill()


class _Worker:
    """One process, and the pipe to it."""

    def __init__(self, megabytes: int, warm: Callable[[], None], niceness: int) -> None:
        context = get_context("spawn")
        self._pipe, far = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(far, megabytes, warm, niceness), daemon=True
        )
        self._process.start()
        far.close()
        self._niceness = niceness
        self.usable, self.started, self.gave_way = True, False, False

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    @property
    def ready(self) -> bool:
        return self.started or self._pipe.poll()

    def wait(self) -> None:
        """Wait until it has started, or has ended."""
        with suppress(EOFError, OSError):
            self._pipe.recv()
            self.started = True

    def ask(self, find: Callable[..., Any], given: Any) -> tuple[str, Any]:
        try:
            self._pipe.send((find, given))
            answer: tuple[str, Any] = self._pipe.recv()
        except (EOFError, OSError):
            return "died", None
        return answer

    def give_way(self) -> None:
        if self._niceness < _LAST:
            self.gave_way = True  # which cannot be undone
            with suppress(AttributeError, OSError):  # not supported here, or it has just ended
                os.setpriority(os.PRIO_PROCESS, self._process.pid or 0, _LAST)

    def kill(self) -> None:
        self.usable = False
        self._process.kill()


def _serve(
    pipe: connection.Connection, megabytes: int, warm: Callable[[], None], niceness: int
) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server kills its processes
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if niceness and hasattr(os, "nice"):
        os.nice(niceness)
    _limit_memory(megabytes)
    warm()
    with suppress(EOFError, OSError):  # until the server has ended
        pipe.send("started")
        while True:
            make, given = pipe.recv()
            pipe.send(_made(make, given))


def _made(make: Callable[..., Any], given: Any) -> tuple[str, Any]:
    try:
        return "made", make(given)
    except MemoryError:
        return "memory", None
    except Exception as error:
        return "failed", f"{type(error).__name__}: {error}"


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _limit_memory(megabytes: int) -> None:
    with suppress(ImportError, ValueError, OSError):  # this system has no such limit
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (megabytes * 10**6, megabytes * 10**6))
