"""`planner app`: the explorer in the browser."""

import signal
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    import socket

_LONGEST_ADDRESS = 200_000
"""Bytes of the head of a request: its address holds a study, whose file has at most 64,000 bytes;
an address needs up to three for each."""


def app(
    # the port is that of most local servers, the limits are those of planner.explorer.workers; a
    # survey is planned and drawn with 461 MB on 64-bit Linux, and SciPy fails to load with 358
    port: Annotated[int, typer.Option(help="Port; 0 for a free one.", min=0, max=65535)] = 8000,
    host: Annotated[
        str, typer.Option(help="Address to listen on; other computers reach a public one.")
    ] = "127.0.0.1",
    browser: Annotated[bool, typer.Option(help="Open the browser.")] = True,
    seconds: Annotated[float, typer.Option(help="Time limit of an answer.", min=1)] = 30.0,
    megabytes: Annotated[int, typer.Option(help="Memory limit of an answer.", min=500)] = 1000,
) -> int:
    """Explore studies in the browser; Ctrl-C stops it.

    It listens on this computer only, unless --host is given, and contacts no other computer.
    """
    try:
        import uvicorn

        from planner.explorer.protocol import Protocol
        from planner.explorer.server import LOOPBACK, build
        from planner.explorer.workers import Limits
    except ImportError as error:
        from planner.wording import not_installed

        raise ValueError(not_installed("the explorer needs", error.name, "app")) from None
    # the server raises the signal again; leaving by SystemExit cleans up
    signal.signal(signal.SIGTERM, _stopped)
    listening = _listen(host, port)
    port = listening.getsockname()[1]
    public = host not in ("127.0.0.1", "localhost", "::1")
    name = "localhost" if public or ":" in host else host
    address = f"http://{name}:{port}/"
    print(f"The explorer is at {address}; Ctrl-C stops it.", flush=True)  # noqa: T201
    if public:
        print("Other computers can reach it.", flush=True)  # noqa: T201
    if browser:
        import webbrowser

        webbrowser.open(address)
    hosts = ("*",) if public else LOOPBACK
    application = build(hosts=hosts, limits=Limits(seconds, megabytes))
    config = uvicorn.Config(
        application,
        log_level="critical",  # stopping ends open requests, which is not an error
        http=Protocol,
        h11_max_incomplete_event_size=_LONGEST_ADDRESS,
        timeout_graceful_shutdown=1,  # seconds: whoever pressed Ctrl-C waits for it
    )
    uvicorn.Server(config).run(sockets=[listening])
    return 0


def _stopped(*_: object) -> None:
    """Exit when the process is terminated."""
    raise SystemExit(0)


def _listen(host: str, port: int) -> "socket.socket":
    """A socket on the address.

    Raises:
        ValueError: the port is in use, or the address cannot be listened on.
    """
    import socket

    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except OSError as error:
        reason = (error.strerror or "cannot be listened on").lower().partition(" (")[0]
        raise ValueError(
            f"{host}:{port}: {reason}; give another --port, or --port 0 for a free one"
        ) from None
