"""Connections to the explorer that ask for nothing, or go away; on this computer alone."""

import asyncio
import time

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from planner.explorer import protocol, server

GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
HELLO = b"HTTP/1.1 200 OK"


def serve(scenario, application=None) -> None:
    async def hello(_):
        return PlainTextResponse("hello")

    async def both() -> None:
        config = uvicorn.Config(
            application or Starlette(routes=[Route("/", hello)]),
            port=0, log_level="critical", http=protocol.Protocol, timeout_graceful_shutdown=1,
        )  # fmt: skip
        running = uvicorn.Server(config)
        task = asyncio.create_task(running.serve())
        while not running.started:
            await asyncio.sleep(0.01)
        port = running.servers[0].sockets[0].getsockname()[1]
        try:
            await asyncio.wait_for(scenario(lambda: asyncio.open_connection("127.0.0.1", port)), 10)
        finally:
            running.should_exit = True
            await task

    asyncio.run(both())


def test_an_idle_connection_is_answered_and_closed(monkeypatch) -> None:
    async def scenario(connect):
        reader, writer = await connect()
        started = time.monotonic()
        answer = await reader.read()
        assert answer.startswith(b"HTTP/1.1 408 Request Timeout")
        head, _, body = answer.partition(b"\r\n\r\n")
        assert f"Content-Length: {len(body)}".encode() in head
        assert time.monotonic() - started >= 0.1
        writer.close()

    monkeypatch.setattr(protocol, "_IDLE_SECONDS", 0.1)
    serve(scenario)


@pytest.mark.slow
def test_a_request_that_has_begun_has_more_time_and_one_that_stops_is_closed(monkeypatch) -> None:
    async def scenario(connect):
        reader, writer = await connect()
        for part in (GET[:9], GET[9:20], GET[20:]):
            writer.write(part)
            await asyncio.sleep(0.15)  # longer than an idle connection may last
        assert (await reader.readline()).startswith(HELLO)
        stopped, other = await connect()
        other.write(GET[:9])
        started = time.monotonic()
        assert (await stopped.read()).startswith(b"HTTP/1.1 408")
        assert time.monotonic() - started >= 0.5
        writer.close()
        other.close()

    monkeypatch.setattr(protocol, "_IDLE_SECONDS", 0.1)
    monkeypatch.setattr(protocol, "_HEADER_SECONDS", 0.6)
    serve(scenario)


@pytest.mark.slow
def test_a_kept_connection_may_ask_again(monkeypatch) -> None:
    async def scenario(connect):
        reader, writer = await connect()
        for _ in range(3):
            writer.write(GET)
            assert await reader.readuntil(b"hello")
            await asyncio.sleep(0.2)  # browsers keep connections for the next request
        writer.close()

    monkeypatch.setattr(protocol, "_IDLE_SECONDS", 0.1)
    serve(scenario)


@pytest.mark.slow
def test_idle_connections_make_room_for_those_that_ask(monkeypatch) -> None:
    async def scenario(connect):
        idle = [await connect() for _ in range(29)]
        await asyncio.sleep(0.2)
        idle.append(await connect())
        reader, writer = await connect()
        writer.write(GET)
        assert (await reader.readline()).startswith(HELLO)
        for waiting, _ in idle[:21]:  # the longest idle ones
            assert (await waiting.read(12)) == b"HTTP/1.1 408"
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(idle[-1][0].read(12), 0.2)
        for other in (writer, *(one for _, one in idle)):
            other.close()

    monkeypatch.setattr(protocol, "_IDLE_SECONDS", 60.0)
    monkeypatch.setattr(protocol, "_MOST_CONNECTIONS", 10)
    serve(scenario)


def test_no_number_of_requests_closes_the_next_connection(monkeypatch) -> None:
    free = asyncio.Event()

    async def slow(_):
        await free.wait()
        return PlainTextResponse("slow")

    async def quick(_):
        return PlainTextResponse("quick")

    async def scenario(connect):
        asked = [await connect() for _ in range(12)]
        for _, writer in asked:
            writer.write(GET.replace(b"/", b"/slow", 1))
        await asyncio.sleep(0.2)
        later = [await connect() for _ in range(4)]  # before any of them asks
        for reader, writer in later:
            writer.write(GET)
            assert (await reader.readline()).startswith(HELLO)
        free.set()
        for reader, writer in asked:
            assert (await reader.readline()).startswith(HELLO)
            writer.close()
        for _, writer in later:
            writer.close()

    monkeypatch.setattr(protocol, "_MOST_CONNECTIONS", 10)
    serve(scenario, Starlette(routes=[Route("/", quick), Route("/slow", slow)]))


@pytest.mark.parametrize("body", [b"", b"x"])
def test_who_goes_away_is_noticed_at_once(body) -> None:
    asked, left = asyncio.Event(), asyncio.Event()

    async def wait(request):
        await request.body()
        asked.set()
        await server._gone(request)
        left.set()
        return PlainTextResponse("nobody reads this")

    async def scenario(connect):
        _, writer = await connect()
        length = f"Content-Length: {len(body)}\r\n\r\n".encode()
        writer.write(b"POST / HTTP/1.1\r\nHost: localhost\r\n" + length + body)
        await asyncio.wait_for(asked.wait(), 5)
        await asyncio.sleep(0.05)
        assert not left.is_set()
        writer.transport.abort()
        await asyncio.wait_for(left.wait(), 0.5)

    serve(scenario, Starlette(routes=[Route("/", wait, methods=["POST"])]))
