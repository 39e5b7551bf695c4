"""`planner app`: the explorer in the browser."""

import signal
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    import socket

_LOOPBACK = "127.0.0.1"
_LONGEST_ADDRESS = 200_000
"""Bytes of the head of a request: its address holds a study, whose file has at most 64,000 bytes;
an address needs up to three for each."""


def app(
    # the port is that of most local servers, the limits are those of planner.explorer.workers; a
    # survey is planned and drawn with 461 MB on 64-bit Linux, and SciPy fails to load with 358
    port: Annotated[int, typer.Option(help="Port; 0 for a free one.", min=0, max=65535)] = 8000,
    browser: Annotated[bool, typer.Option(help="Open the browser.")] = True,
    seconds: Annotated[float, typer.Option(help="Time limit of an answer.", min=1)] = 30.0,
    megabytes: Annotated[int, typer.Option(help="Memory limit of an answer.", min=500)] = 1000,
) -> int:
    """Explore studies in the browser; Ctrl-C stops it.

    It listens on this computer only, and contacts no other computer.
    """
    try:
        import uvicorn

        from planner.explorer.server import build
        from planner.explorer.workers import Limits
    except ImportError as error:
        from planner.wording import not_installed

        raise ValueError(not_installed("the explorer needs", error.name, "app")) from None
    # the server raises the signal again; leaving by SystemExit cleans up
    signal.signal(signal.SIGTERM, _stopped)
    listening = _listen(port)
    address = f"http://{_LOOPBACK}:{listening.getsockname()[1]}/"
    print(f"The explorer is at {address}; Ctrl-C stops it.", flush=True)  # noqa: T201
    if browser:
        import webbrowser

        webbrowser.open(address)
    application = build(limits=Limits(seconds, megabytes))
    config = uvicorn.Config(
        application,
        log_level="critical",  # stopping ends open requests, which is not an error
        http="h11",
        h11_max_incomplete_event_size=_LONGEST_ADDRESS,
        timeout_graceful_shutdown=1,  # seconds: whoever pressed Ctrl-C waits for it
    )
    uvicorn.Server(config).run(sockets=[listening])
    return 0


def _stopped(*_: object) -> None:
    raise SystemExit(0)


def _listen(port: int) -> "socket.socket":
    """A socket on this computer."""
    import socket

    try:
        return socket.create_server((_LOOPBACK, port))
    except OSError as error:
        reason = (error.strerror or "cannot be listened on").lower().partition(" (")[0]
        raise ValueError(
            f"port {port}: {reason}; give another --port, or --port 0 for a free one"
        ) from None
