"""A planner that runs as on Windows: without the modules and calls of POSIX, with its own refusals.

Run as a script: it imports every module of the planner, then runs the commands of its arguments,
each one argument, and exits with the highest status.
"""

import builtins
import importlib
import os
import pkgutil
import sys
import warnings
from pathlib import Path
from typing import Any

MODULES = {
    "fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty",
}  # fmt: skip
CALLS = """
chown fchmod fork getegid geteuid getgid getloadavg getpgid getpriority getuid killpg lchown mkfifo
nice sched_getaffinity setpriority setsid sysconf uname wait3
O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK PRIO_PROCESS
""".split()  # noqa: SIM905
_OURS = ("planner", "figures", "scenarios")


def without_posix() -> None:
    """Hide the modules from the planner's own files; other packages have their own guards."""
    imported = builtins.__import__

    def hidden(name: str, into: Any = None, *rest: Any, **named: Any) -> Any:
        by = str((into or {}).get("__name__", "")).partition(".")[0]
        if by in _OURS and name.partition(".")[0] in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return imported(name, into, *rest, **named)

    builtins.__import__ = hidden


def without_calls() -> None:
    """Remove the calls, and refuse what Windows refuses."""
    importlib.import_module("psutil")  # its part for Linux reads sysconf as it is imported
    for name in CALLS:
        if hasattr(os, name):
            delattr(os, name)
    flags, flush = __import__("fcntl"), os.fsync

    def fsync(file: int) -> None:
        if flags.fcntl(file, flags.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
            raise OSError(9, "Bad file descriptor")
        flush(file)

    os.fsync = fsync
    sys.addaudithook(_refuse_open_files)


def _refuse_open_files(event: str, given: tuple[Any, ...]) -> None:
    """No open file can be removed or renamed."""
    if event not in ("os.remove", "os.rename", "shutil.rmtree") or isinstance(given[0], int):
        return
    for path in given[: 2 if event == "os.rename" else 1]:
        place = os.path.abspath(os.fsdecode(path))
        for name in os.listdir("/proc/self/fd"):
            try:
                target = os.readlink(f"/proc/self/fd/{name}")
            except OSError:  # the list itself, which is closed again
                continue
            if target == place or target.startswith(f"{place}/"):
                raise PermissionError(32, f"The file is being used ({event})", target)


def main(commands: list[str]) -> int:
    """Import everything, and run the commands."""
    without_posix()
    warnings.simplefilter("ignore", EncodingWarning)
    warnings.filterwarnings("error", category=EncodingWarning, module="|".join(_OURS))
    import planner

    for module in pkgutil.walk_packages(planner.__path__, "planner."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    without_calls()
    from planner.cli import _make_room, run, terminal
    from planner.explorer.workers import _limit_memory
    from planner.publication import ledger

    terminal._PATIENCE = 3600.0  # no lines of progress, however slow the machine
    _make_room()
    _limit_memory(1000)
    with ledger.writing(Path("ledger.sqlite")):
        pass
    return max(run(command.split()) for command in commands)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
