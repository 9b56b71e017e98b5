"""Whatever touches files, processes, the network, keys or the clock is a door: `doors/doors.py`.

Any other line fails here, and is told which door to use.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
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


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("import os as x\nx.remove('x')", FILES, id="module renamed"),
        pytest.param("from os import remove as add\nadd('x')", FILES, id="function renamed"),
        pytest.param("from os import *", FILES, id="all of it"),
        pytest.param("import os.path as p\np.exists('x')", LOOKS, id="a part of it renamed"),
        pytest.param("import os\nx = [os.remove]", FILES, id="not called"),
        pytest.param("def f():\n import shutil\n shutil.rmtree('x')", FILES, id="imported later"),
        pytest.param("open('x')", FILES, id="builtin"),
        pytest.param("path.read_text()", FILES, id="path"),
        pytest.param("read = path.read_text\nread()", FILES, id="path, not called"),
        pytest.param("map(Path.unlink, x)", FILES, id="path, by its class"),
        pytest.param("path.open()", FILES, id="path, opened"),
        pytest.param("path.replace(*other)", FILES, id="path, moved, as it comes"),
        pytest.param("path.replace(target=other)", FILES, id="path, moved, by name"),
        pytest.param("Path('x').exists()", LOOKS, id="path, looked at"),
        pytest.param("import subprocess as s\ns.run(['x'])", PROCESSES, id="process"),
        pytest.param("import socket\nsocket.socket()", NETWORK, id="socket"),
        pytest.param("from urllib.request import urlopen", NETWORK, id="URL"),
        pytest.param("def f():\n from openai import OpenAI", NETWORK, id="SDK"),
        pytest.param("import os\nos.environ['KEY']", KEYS, id="environment"),
        pytest.param("path.expanduser()", FILES, id="home"),
        pytest.param("import time\ntime.time()", CLOCK, id="clock"),
        pytest.param("f(clock=time.monotonic)\nimport time", CLOCK, id="clock handed on"),
        pytest.param("__import__('os').remove('x')", CODE, id="import by name"),
        pytest.param("exec('import os')", CODE, id="exec"),
        pytest.param("import aiofiles", CODE, id="on no list"),
        pytest.param("x: open('x')", FILES, id="in an annotation"),
    ],
)
def test_objects_to(source: str, expected: str) -> None:
    [*found] = {touch.kind for touch in touches(source, OF_OURS)}
    assert expected in found
    assert _objections("react_agent.parsers.turn.turn", source, OF_OURS) != []


OF_OURS = frozenset(("react_agent.tools.disk",))


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(
            "from react_agent.tools import disk\ndisk.read_text(path)", id="through the door"
        ),
        pytest.param("from react_agent.tools.disk import mkdir\nmkdir(x)", id="a door's function"),
        pytest.param("import os\nos.path.join('a', 'b') + os.sep", id="arithmetic"),
        pytest.param("import socket\ndef f(x: socket.socket): ...", id="type of what it is given"),
        pytest.param("if TYPE_CHECKING:\n from openai import OpenAI", id="import for types"),
        pytest.param("'a'.replace('b', 'c')", id="text"),
        pytest.param("from urllib.parse import quote\nquote('x')", id="URL taken apart"),
        pytest.param("def open(x): ...\nopen(1)", id="a function of its own"),
    ],
)
def test_allows(source: str) -> None:
    assert touches(source, OF_OURS) == []


def test_says_where_and_what_to_use_instead() -> None:
    assert _objections("react_agent.cli.reading.show", "import os\n\nos.remove('x')", OF_OURS) == [
        "react_agent/cli/reading/show.py:3: os.remove touches files: "
        "use tools/disk.py, and files/paths.py or edits/writing.py in a workspace"
    ]


def test_a_door_is_one_for_what_it_is_listed_for_alone() -> None:
    source = "import os, socket\nos.open('x')\nsocket.socket()"
    [objection] = _objections("react_agent.state.transcript", source, OF_OURS)
    assert "socket.socket touches network" in objection


@pytest.mark.slow
@pytest.mark.parametrize(
    ("planted", "expected"),
    [
        pytest.param("", set(), id="a run"),
        pytest.param(
            "getattr(__import__('built' + 'ins'), 'op' + 'en')('/dev/null').close()",
            {("react_agent.planted", "open")},
            id="somebody else, in disguise",
        ),
    ],
)
def test_nobody_else_touches_anything_while_it_runs(
    planted: str, expected: set[tuple[str, str]], tmp_path: Path
) -> None:
    """As Python tells of it itself, whatever the syntax looks like."""
    environment = {**os.environ, **{name: str(tmp_path / name) for name in _FOLDERS}}
    demo = ["demo", "--dir", str(tmp_path / "repository")]
    done = subprocess.run(
        [sys.executable, "-P", Path(__file__).parent / "doors/watched.py", planted, *demo],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        timeout=100,
        check=True,
    )
    pairs = (line.split()[1:] for line in done.stdout.splitlines() if line.startswith("touched "))
    seen = {(module, event) for module, event in pairs}
    doors = {name for listed in DOORS.values() for name in listed}
    assert {pair for pair in seen if _short(pair[0]) not in doors} == expected
    assert {"react_agent.state.transcript", "react_agent.tools.shell.process"} <= {
        name for name, _ in seen
    }


_FOLDERS = ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")
