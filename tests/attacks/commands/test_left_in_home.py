"""What commands leave in their home is met by us, outside, the next time."""

from pathlib import Path

import pytest
from by_hand import program

from react_agent.tools.context import Context
from react_agent.tools.shell.environment import with_python
from react_agent.tools.shell.run import RUN
from react_agent.tools.testing.run_tests import RUN_TESTS

pytestmark = pytest.mark.slow


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A PATH with python3 and no python."""
    place = tmp_path / "programs"
    program(place / "python3", "#!/bin/sh\n")
    return place


@pytest.mark.attack(
    "~/bin as a link to a folder of the person's, when a run is taken up",
    by="command",
    wall="paths",
)
def test_no_program_of_a_person_is_replaced(tmp_path: Path, programs: Path) -> None:
    theirs, place = tmp_path / "theirs", tmp_path / "home" / "bin"
    theirs.mkdir()
    (theirs / "python").write_text("of the person's environment")
    place.parent.mkdir()
    place.symlink_to(theirs)
    assert with_python(str(programs), place) == f"{programs}:{place}"
    assert (theirs / "python").read_text() == "of the person's environment"
    assert (place / "python").readlink() == programs / "python3"


def test_it_is_made_once_more_when_a_run_is_taken_up(tmp_path: Path, programs: Path) -> None:
    place = tmp_path / "bin"
    assert [with_python(str(programs), place) for _ in "twice"] == [f"{programs}:{place}"] * 5
    assert [path.name for path in place.iterdir()] == ["python"]


@pytest.mark.parametrize(
    ("left", "is_kept"),
    [
        pytest.param("nothing", True, id="nothing"),
        pytest.param("link", True, id="a link"),
        pytest.param("folder", False, id="a folder"),
    ],
)
@pytest.mark.attack(
    "a link or a folder in the place of the log of tests", by="command", wall="paths"
)
def test_the_log_of_tests_is_written_nowhere_else(tmp_path: Path, left: str, is_kept: bool) -> None:
    log, theirs = tmp_path / "last-tests.log", tmp_path / "theirs"
    theirs.write_text("theirs")
    if left == "link":
        log.symlink_to(theirs)
    elif left == "folder":
        log.mkdir()
    environment = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    context = Context(tmp_path, environment=environment, commands={"test": "seq 9; exit 1"})
    assert ("[the log has" in RUN_TESTS.call("", context).text) is is_kept
    assert theirs.read_text() == "theirs"


@pytest.mark.attack(
    "a link in the place of the folder of temporary files", by="command", wall="paths"
)
def test_no_file_is_made_where_a_link_leads(tmp_path: Path) -> None:
    theirs, tmp = tmp_path / "theirs", tmp_path / "tmp"
    theirs.mkdir()
    tmp.symlink_to(theirs)
    context = Context(tmp_path, environment={"PATH": "/usr/bin:/bin", "TMPDIR": str(tmp)})
    seen = RUN.call("cd theirs && ls -A", context)
    assert seen.text == "exit code 0 (now in theirs), no output"
