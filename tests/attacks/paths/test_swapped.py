"""A link put in the way between a check and the use of what was checked."""

import os
import threading
from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from react_agent.tools.clock import monotonic
from react_agent.tools.edits.edit import FileState, exchange, state_of
from react_agent.tools.errors import MachineError
from react_agent.tools.files.git_grep import Match, held
from react_agent.tools.files.paths import Place, Refused, inside, open_inside, settled

pytestmark = pytest.mark.slow
Outside = Callable[[], dict[str, tuple[int, bytes | str]]]
SECRET = b"what nobody may read"
TRIES = 1_500
Which = Callable[[Path], tuple[Path, Path]]


@pytest.fixture
def ready(tmp_path: Path, root: Path) -> Path:
    (root / "d").mkdir()
    (root / "d" / "x.txt").write_text("inside\n")
    (root / "link").symlink_to(tmp_path / "outside")
    (root / "file-link").symlink_to(tmp_path / "outside" / "x.txt")
    return root


@contextmanager
def swapping(one: Path, other: Path) -> Iterator[None]:
    """The two change places all the time, as a command in the background could have them do."""
    ends, aside = threading.Event(), one.with_name("aside")

    def swap() -> None:
        while not ends.is_set():
            for old, new in ((one, aside), (other, one), (one, other), (aside, one)):
                with suppress(OSError):
                    old.rename(new)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        yield
    finally:
        ends.set()
        thread.join()


def _looked(root: Path) -> bytes | None:
    found = inside(root, "d/x.txt")
    opened = found if isinstance(found, Refused) else open_inside(found)
    if isinstance(opened, Refused):
        return None
    with opened as file:
        return file.read()


WAYS = [
    pytest.param(lambda root: (root / "d", root / "link"), id="a folder on the way"),
    pytest.param(lambda root: (root / "d/x.txt", root / "file-link"), id="the file itself"),
]


@pytest.mark.attack("while it is read, {id} is swapped for a link", by="command", wall="paths")
@pytest.mark.parametrize("which", WAYS)
def test_what_is_read_lies_inside(ready: Path, which: Which) -> None:
    with swapping(*which(ready)):
        seen = _both({b"inside\n", None}, lambda _: _looked(ready))
    assert seen == {b"inside\n", None}, "it was never a link, or always"


@pytest.mark.parametrize("which", WAYS)
def test_who_looks_first_and_reads_then_is_fooled(ready: Path, which: Which) -> None:
    one, other = which(ready)
    place = ready / "d" / "x.txt"
    assert Path(os.path.realpath(place)) == ready.resolve() / "d" / "x.txt"
    one.rename(f"{one}-aside")
    other.rename(one)
    assert SECRET in place.read_bytes()


@pytest.mark.attack("while it is searched, {id} is swapped for a link", by="command", wall="paths")
@pytest.mark.parametrize("which", WAYS)
def test_what_a_search_shows_lies_inside(ready: Path, which: Which) -> None:
    one, link = which(ready)
    lines = ("inside", "two", SECRET.decode())
    by_git = tuple(Match("d/x.txt", at, 0, text) for at, text in enumerate(lines, 1))
    assert held(ready, by_git, monotonic() + 60) == by_git[:1]
    one.rename(f"{one}-aside")
    link.rename(one)
    assert SECRET in (ready / "d" / "x.txt").read_bytes()
    assert held(ready, by_git, monotonic() + 60) == ()


def _both(ends: Set[object], deed: Callable[[int], object]) -> set[object]:
    """Of so many tries, and of more where the other thread has not had its turn."""
    seen = set[object]()
    for number in range(40 * TRIES):
        seen.add(deed(number))
        if number >= TRIES and ends <= seen:
            break
    return seen


def _wrote(root: Path, number: int) -> str:
    """As an edit does: looked at first, written afterwards."""
    place = settled(Place(root, "d/x.txt"))
    before = None if isinstance(place, Refused) or place.name != "d/x.txt" else state_of(place)
    if not isinstance(before, FileState):
        return "refused"
    after = {"d/x.txt": FileState(b"by the model %d\n" % number), f"d/{number}": FileState(b"new")}
    try:
        refused = exchange(root, {"d/x.txt": before, f"d/{number}": None}, after)
    except MachineError:  # swapped once more while the first file was put back: the run ends
        return "ended"
    return "refused" if refused else "written"


@pytest.mark.attack("while it is written, {id} is swapped for a link", by="command", wall="paths")
@pytest.mark.parametrize("which", WAYS)
def test_what_is_written_stays_inside(ready: Path, outside: Outside, which: Which) -> None:
    before = outside()
    with swapping(*which(ready)):
        ends = _both({"written", "refused"}, lambda number: _wrote(ready, number))
    assert outside() == before
    assert ends - {"ended"} == {"written", "refused"}, "the links were not in the way, or always"
