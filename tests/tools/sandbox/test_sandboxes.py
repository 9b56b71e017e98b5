import os
import shutil
from pathlib import Path

import pytest
from by_hand import program
from check_rows import table_of
from refusals import refusal
from robbed import laid_out

from react_agent.tools.errors import MachineError
from react_agent.tools.sandbox.sandbox import Places, unconfined
from react_agent.tools.sandbox.sandboxes import (
    LANDLOCK_NOTE,
    UNCONFINED_NOTE,
    Chosen,
    choose,
    shown,
)
from react_agent.tools.shell import process

ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
INSTALL = "install bubblewrap 0.8 or later (Debian and Ubuntu: apt-get install bubblewrap)"


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return laid_out(tmp_path / "run")


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on PATH."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def test_none_is_none(places: Places) -> None:
    assert choose("none", places, {}, {}) == Chosen(unconfined, "none", (UNCONFINED_NOTE,))


@pytest.mark.needs("bwrap", "bubblewrap")
@pytest.mark.parametrize("wanted", ["auto", "bubblewrap"])
def test_bubblewrap_is_the_best(places: Places, wanted: str) -> None:
    chosen = choose(wanted, places, ENVIRONMENT, {})
    assert (chosen.name, chosen.notes) == ("bubblewrap", ())
    argv = chosen.sandbox(["sh", "-c", "pwd; id -u"], places.root)
    done = process.run(argv, cwd=places.root, env=ENVIRONMENT, timeout_s=20)
    assert done.output.decode() == f"{places.root}\n{os.getuid()}\n"


def test_auto_goes_on_where_bubblewrap_does_not_work(places: Places, programs: Path) -> None:
    says = "echo bwrap: No permissions to create a new namespace; exit 1"
    program(programs / "bwrap", f"#!/bin/sh\n{says}\n")
    chosen = choose("auto", places, ENVIRONMENT, {})
    assert (chosen.name, chosen.notes[0]) == ("landlock", LANDLOCK_NOTE)


@table_of(
    ("wanted", "message"),
    {
        "its own words": ("bubblewrap", "bubblewrap: bwrap: no namespaces"),
        "no words": ("podman:x", "podman:x: it ended with code 7"),
        "not there": ("docker:x", "docker:x: docker is not on PATH"),
    },
)
def test_what_does_not_work_here(places: Places, programs: Path, wanted: str, message: str) -> None:
    program(programs / "bwrap", "#!/bin/sh\necho bwrap: no namespaces; echo more; exit 1\n")
    program(programs / "podman", "#!/bin/sh\nexit 7\n")
    assert refusal(MachineError, choose, wanted, places, ENVIRONMENT, {}) == (
        f"commands can't be confined here ({message}); {INSTALL}, "
        "or run them as yourself: --sandbox none"
    )


@table_of("wanted", ["firejail", "docker", "docker:", "docker:-v", "bubblewrap:x", ""])
def test_an_unknown_one(places: Places, wanted: str) -> None:
    assert refusal(MachineError, choose, wanted, places, {}, {}) == (
        f"there is no sandbox {wanted!r}; "
        "write auto, bubblewrap, landlock, docker:IMAGE, podman:IMAGE or none"
    )


@pytest.mark.parametrize("which", ["root", "home", "tmp"])
def test_a_link_in_the_place_of_a_folder(places: Places, tmp_path: Path, which: str) -> None:
    place = getattr(places, which)
    shutil.rmtree(place)
    place.symlink_to(tmp_path)
    line = f"{place} is not a folder any more; start a new run"
    assert refusal(MachineError, choose, "auto", places, {}, {}) == line


@table_of(
    ("name", "lines"),
    [
        ("bubblewrap", ("bubblewrap", "a note", "read-only: /opt/go, /s/cut")),
        pytest.param("docker:x", ("docker:x", "a note"), id="an image's own"),
    ],
)
def test_what_a_person_is_shown(name: str, lines: tuple[str, ...]) -> None:
    run = Path("/s/run")
    tools = (Path("/opt/go"), Path("/usr/local/x"))
    places = Places(run / "workspace", run / "home", Path("/s/cut"), tools)
    assert shown(Chosen(unconfined, name, ("a note",)), places) == lines
