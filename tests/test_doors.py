"""Whatever touches files, processes, the network, keys or the clock is a door: `doors/doors.py`.

Any other line fails here, and is told which door to use.
"""

import pytest
from check_rows import table_of
from touches import CLOCK, CODE, FILES, KEYS, LOOKS, NETWORK, PROCESSES, Touch, touches

from doors import DOORS, MOST, OURS, THE_DOOR

pytestmark = pytest.mark.check


def _short(module: str) -> str:
    """As its file is called in the checkout."""
    whole = module.removeprefix("react_agent.")
    return whole if whole.startswith(("parsers.", "tools.", "eval.")) else f"react_agent.{whole}"


def _objections(module: str, source: str, modules: frozenset[str]) -> list[str]:
    name = _short(module)
    return [
        f"{name.replace('.', '/')}.py:{touch.line}: {touch.what} touches {touch.kind}: "
        f"use {THE_DOOR[touch.kind]}"
        for touch in touches(source, modules)
        if not _is_allowed(name, touch)
    ]


def _is_allowed(name: str, touch: Touch) -> bool:
    if touch.kind == LOOKS:
        return not name.startswith("parsers.")
    return name in DOORS[touch.kind] or touch.what in OURS.get(name, ())


def test_everything_goes_through_a_door(sources: dict[str, str]) -> None:
    modules = frozenset(sources)
    found = [line for one in sources for line in _objections(one, sources[one], modules)]
    assert found == []


def test_every_door_is_needed(sources: dict[str, str]) -> None:
    """A list that nobody strikes anything off is not read."""
    short = {_short(module): module for module in sources}
    listed = {(kind, name) for kind, doors in DOORS.items() for name in doors}
    used = {
        (touch.kind, name)
        for name in {name for _, name in listed}
        for touch in touches(sources[short[name]], frozenset(sources))
    }
    assert listed - used == set()


def test_the_list_can_be_read() -> None:
    assert len({name for doors in DOORS.values() for name in doors}) <= MOST
    assert not [name for doors in DOORS.values() for name in doors if name.startswith("parsers.")]


OF_OURS = frozenset(("react_agent.tools.disk",))


@table_of(
    ("source", "expected"),
    {
        "module renamed": ("import os as x\nx.remove('x')", FILES),
        "function renamed": ("from os import remove as add\nadd('x')", FILES),
        "all of it": ("from os import *", FILES),
        "a part of it renamed": ("import os.path as p\np.exists('x')", LOOKS),
        "not called": ("import os\nx = [os.remove]", FILES),
        "imported later": ("def f():\n import shutil\n shutil.rmtree('x')", FILES),
        "builtin": ("open('x')", FILES),
        "path, not called": ("read = path.read_text\nread()", FILES),
        "path, by its class": ("map(Path.unlink, x)", FILES),
        "path, opened": ("path.open()", FILES),
        "path, moved, as it comes": ("path.replace(*other)", FILES),
        "path, moved, by name": ("path.replace(target=other)", FILES),
        "path, looked at": ("Path('x').exists()", LOOKS),
        "process": ("import subprocess as s\ns.run(['x'])", PROCESSES),
        "URL": ("from urllib.request import urlopen", NETWORK),
        "SDK": ("def f():\n from openai import OpenAI", NETWORK),
        "environment": ("import os\nos.environ['KEY']", KEYS),
        "home": ("path.expanduser()", FILES),
        "clock handed on": ("f(clock=time.monotonic)\nimport time", CLOCK),
        "import by name": ("__import__('os').remove('x')", CODE),
        "exec": ("exec('import os')", CODE),
        "on no list": ("import aiofiles", CODE),
    },
)
def test_objects_to(source: str, expected: str) -> None:
    assert expected in {touch.kind for touch in touches(source, OF_OURS)}
    assert _objections("react_agent.parsers.turn.turn", source, OF_OURS) != []


@table_of(
    "source",
    {
        "through the door": "from react_agent.tools import disk\ndisk.read_text(path)",
        "a door's function": "from react_agent.tools.disk import mkdir\nmkdir(x)",
        "arithmetic": "import os\nos.path.join('a', 'b') + os.sep",
        "type of what it is given": "import socket\ndef f(x: socket.socket) -> socket.socket: ...",
        "import for types": "if TYPE_CHECKING:\n from openai import OpenAI",
        "text": "'a'.replace('b', 'c')",
        "URL taken apart": "from urllib.parse import quote\nquote('x')",
        "a function of its own": "def open(x): ...\nopen(1)",
    },
)
def test_allows(source: str) -> None:
    assert touches(source, OF_OURS) == []


def test_says_where_and_what_to_use_instead() -> None:
    assert _objections("react_agent.cli.reading.show", "import os\n\nos.remove('x')", OF_OURS) == [
        "react_agent/cli/reading/show.py:3: os.remove touches files: "
        "use tools/disk.py, and tools/files/paths.py in a workspace"
    ]


def test_a_door_is_one_for_what_it_is_listed_for_alone() -> None:
    source = "import os, socket\nos.open('x')\nsocket.socket()"
    [objection] = _objections("react_agent.state.transcript", source, OF_OURS)
    assert "socket.socket touches network" in objection
