"""Which room imports which, as the page of the architecture draws it: `rooms.py FILE` redraws it.

A room is a folder of a floor, or what lies in the floor itself. Lower floors may be imported by
all, so only rooms of the same floor are drawn.
"""

import ast
import graphlib
import re
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
FLOORS = ("parsers", "tools", "react_agent", "eval")
ITSELF = "."  # modules of the floor that are in no room
DRAWN = re.compile(r"(?ms)^    ROOM +IMPORTS\n(.*?)\n\n")


def drawing() -> str:
    """A line for each room."""
    found = {room: _own(room, uses) for room, uses in sorted(_imports().items(), key=_place)}
    width = max(map(len, found)) + 2
    return "\n".join(
        f"    {room:<{width}}{' '.join(uses)}".rstrip() for room, uses in found.items()
    )


def drawn(page: str) -> str:
    found = DRAWN.search(page)
    return found[1] if found else ""


def redrawn(page: str) -> str:
    return DRAWN.sub(lambda found: found[0].replace(found[1], drawing()), page)


def circle(floor: str, knot: Collection[str]) -> Sequence[str]:
    """Rooms that import each other in turn; none of a knot that is known."""
    graph = graphlib.TopologicalSorter[str]()
    for room, uses in _imports().items():
        if room.startswith(f"{floor}/"):
            others = (one for one in uses - {room} if one.startswith(f"{floor}/"))
            graph.add(room, *(one for one in others if not {room, one} <= {*knot}))
    try:
        graph.prepare()
    except graphlib.CycleError as error:
        return error.args[1]
    return ()


def _place(row: tuple[str, set[str]]) -> tuple[int, str]:
    return FLOORS.index(row[0].partition("/")[0]), row[0]


def _own(room: str, uses: set[str]) -> list[str]:
    floor = room.partition("/")[0]
    own = (one.partition("/") for one in uses if one != room)
    return sorted(name or ITSELF for above, _, name in own if above == floor)


@cache
def _imports() -> Mapping[str, set[str]]:
    files = [path for floor in FLOORS for path in (ROOT / floor).rglob("*.py")]
    rooms = {_dotted(path): _room(path) for path in files}
    found: dict[str, set[str]] = {}
    for path in files:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if tree.body[1:]:  # or it is a folder's docstring
            names = (rooms[name] for name in _names(tree) if name in rooms)
            found.setdefault(_room(path), set()).update(names)
    return found


def _names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{one.name}" for one in node.names)


def _dotted(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    above = () if parts[0] == "react_agent" else ("react_agent",)
    return ".".join((*above, *parts)).removesuffix(".__init__")


def _room(path: Path) -> str:
    return "/".join(path.relative_to(ROOT).parts[:-1][:2])


if __name__ == "__main__":
    page = Path(sys.argv[1])
    page.write_text(redrawn(page.read_text(encoding="utf-8")), encoding="utf-8")
