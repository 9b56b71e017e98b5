"""Runs react-agent and prints which of our modules touched what, as Python itself tells it.

`watched.py PLANTED ARGUMENT...`: where PLANTED is not empty, it is run first, as a module of ours.
Whoever is nearest to a touch among the callers that are ours is the one who did it.
"""

import sys
from types import FrameType, ModuleType

_TOLD = ("open", "os.", "shutil.", "tempfile.", "subprocess.", "socket.", "sqlite3.", "fcntl.")
_ALSO = ("ctypes.dlopen", "signal.pthread_kill", "glob.glob", "pathlib.Path.glob")
_OF_IMPORTS = ("importlib._bootstrap", "importlib._bootstrap_external", "linecache", "inspect")
_seen = set[tuple[str, str]]()


def _listen(event: str, args: tuple[object, ...]) -> None:
    if (event.startswith(_TOLD) or event in _ALSO) and (who := _nearest(sys._getframe(1))):
        _seen.add((who, event))


def _nearest(frame: FrameType | None) -> str:
    """Empty where it is an import, or nobody of ours."""
    while frame is not None:
        name = str(frame.f_globals.get("__name__", ""))
        if name in _OF_IMPORTS:
            return ""
        if name.partition(".")[0] == "react_agent":
            return name
        frame = frame.f_back
    return ""


def main() -> None:
    planted, *arguments = sys.argv[1:]
    from react_agent.cli.main import main as react_agent

    sys.addaudithook(_listen)
    if planted:
        exec(planted, ModuleType("react_agent.planted").__dict__)
    try:
        react_agent(arguments)
    finally:
        print(*(f"\ntouched {who} {event}" for who, event in sorted(_seen)))


if __name__ == "__main__":
    main()
