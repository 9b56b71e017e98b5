"""`react-agent runs`: what there is, and what is removed of it."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from react_agent.parsers.transcript.entries import Event, Objective
from react_agent.places import cache_folder, runs_folder
from react_agent.runs.run_folder import RunFolder
from react_agent.state import transcript as transcripts
from react_agent.state.state import Stop, stop_event
from react_agent.tools.clock import unix

DAY = 86_400
BASE, OTHER, THIRD = "a" * 40, "b" * 40, "c" * 40
Plant = Callable[..., RunFolder]


@pytest.fixture
def plant(cli: Any) -> Plant:
    """A run that ended so many days ago."""

    def planted(
        name: str, stop: Stop = Stop.CONCLUDED, days: float = 0, **header: str
    ) -> RunFolder:
        folder = RunFolder(runs_folder() / name)
        folder.path.mkdir(parents=True)
        facts = {"run": name, "repository": "/home/me/shop", "base": BASE, "model": "m"} | header
        title = facts.pop("title", f"Issue of {name}")
        events = (Event(key, value) for key, value in facts.items())
        spent = Event("spent", "steps=7 in=100 out=5 seconds=2.000 cost=0.012300")
        entries = (*events, Objective(f"# {title}\n\nMore."), stop_event(stop, "so"), spent)
        transcripts.create(folder.transcript, entries).close()
        when = unix() - days * DAY
        os.utime(folder.transcript, (when, when))
        return folder

    return planted


def _names(out: str) -> list[str]:
    return re.findall(r"2026-\S+", out)


def test_lists_the_newest_first(cli: Any, plant: Plant) -> None:
    plant("2026-01-01-old-0001", days=40, title="An old one")
    plant("2026-02-01-new-0002", Stop.OUT_OF_STEPS, days=0.5)
    assert cli("runs").out == (
        " age  outcome       steps      cost  run                  issue\n"
        "12 h  out of steps      7  0.0123 $  2026-02-01-new-0002  Issue of 2026-02-01-new-0002\n"
        "40 d  concluded         7  0.0123 $  2026-01-01-old-0001  An old one\n"
    )


def test_without_any(cli: Any) -> None:
    answer = cli("runs")
    assert (answer.code, answer.out) == (0, f"there is no run yet in {runs_folder()}\n")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--outcome", "stuck"), ["2026-s"]),
        (("--outcome", "Out-of-steps", "--outcome", "stuck"), ["2026-s", "2026-o"]),
        (("--outcome", "failed"), ["2026-s", "2026-o"]),
        (("--search", "LICENCE"), ["2026-c"]),
        (("--search", "2026-o"), ["2026-o"]),
        (("--older-than", "3d"), ["2026-o"]),
        (("--repo", "here"), ["2026-s"]),
        (("--search", "nothing like it"), []),
    ],
)
def test_filters(cli: Any, plant: Plant, options: tuple[str, ...], expected: list[str]) -> None:
    plant("2026-c", days=1, title="The licence")
    plant("2026-s", Stop.STUCK, days=2, repository=str(cli.folder))
    plant("2026-o", Stop.OUT_OF_STEPS, days=4)
    given = [str(cli.folder) if one == "here" else one for one in options]
    assert _names(re.sub("Issue.*", "", cli("runs", *given).out)) == expected


def test_twenty_unless_all_are_asked_for(cli: Any, plant: Plant) -> None:
    for number in range(21):
        plant(f"2026-{number:02}", days=number, title="x")
    few, all_of_them = cli("runs").out, cli("runs", "--all").out
    assert _names(few) == [f"2026-{number:02}" for number in range(20)]
    assert few.endswith("\nthe newest 20; --all shows the rest\n")
    assert len(_names(all_of_them)) == 21


def test_fits_a_narrow_terminal(cli: Any, plant: Plant) -> None:
    plant("2026-11-23-units-written-out-in-words-4e1f", Stop.PROMPT_EXHAUSTED, title="字" * 70)
    plant("2026-11-23-a-0001", title="\x1b]0;owned\x07 <b>[red]x[/red]")
    code, sent = cli.on_terminal("runs", columns=40, env={"NO_COLOR": "1"})
    lines = re.sub("\x1b\\[[0-9;]*m", "", sent).replace("\r", "").split("\n")
    assert (code, [line for line in lines if cell_len(line) > 44]) == (0, [])
    assert "\x1b]" not in sent
    assert "<U+001B>]0;owned" in sent
    assert "2026-11-23-units-written-out-in-words-4e1f" in sent


def test_one_that_cannot_be_read_is_shown(cli: Any, plant: Plant) -> None:
    plant("2026-ok")
    plant("2026-bad").transcript.write_text("no transcript\n")
    (runs_folder() / "2026-empty").mkdir()
    (runs_folder() / "2026-pipe").mkdir()
    os.mkfifo(runs_folder() / "2026-pipe" / "transcript.txt")  # whoever opens it waits for ever
    (runs_folder() / "a-file").write_text("")
    out = cli("runs").out
    assert "unreadable" in out
    assert "2026-empty" not in out


def test_one_that_goes_on_is_running_and_stays(cli: Any, plant: Plant) -> None:
    folder = plant("2026-on")
    opened, _ = transcripts.reopen(folder.transcript)
    opened.append(Event("resumed"))
    assert " running " in cli("runs").out
    assert cli("runs", "prune", "--older-than", "0", "--yes").code == 0
    assert folder.transcript.exists()
    opened.close()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("gone",), "runs has no 'gone'; write prune, or nothing to list the runs"),
        (
            ("--older-than", "1y"),
            "--older-than must be an age like 30d, 12h, 90min or 2w, not '1y'",
        ),
        (("--outcome", "well"), "--outcome has no value 'well'; choose from failed, concluded, "),
        (("--yes",), "--yes is for `react-agent runs prune`"),
        (("prune", "--keep", "0"), "--keep must be a whole number from 1 to 1000000, not '0'"),
        (("prune", "--yes"), "select runs with --older-than, --outcome, --repo, --search, or"),
    ],
)
def test_bad_input(cli: Any, plant: Plant, arguments: tuple[str, ...], said: str) -> None:
    plant("2026-a")
    code, line = cli.refused("runs", *arguments)
    assert (code, line.startswith(said)) == (2, True)


def _nest(folder: Path) -> None:
    """Make folders in folders whose whole path is too long for the system."""
    at = os.open(folder, os.O_RDONLY)
    for _ in range(25):
        os.mkdir("x" * 200, dir_fd=at)
        below = os.open("x" * 200, os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = below
    os.close(at)


def test_prune_tells_first_and_removes_then(cli: Any, plant: Plant) -> None:
    old, new = plant("2026-old", days=40), plant("2026-new", days=3)
    _nest(old.path)
    told = cli("runs", "prune", "--older-than", "30d").out
    assert _names(told)[0] == "2026-old"
    assert re.search(r"\nwould remove: 1 run, \d+ kB; --yes removes that\n$", told)
    assert old.path.exists()
    done = cli("runs", "prune", "--older-than", "30d", "--yes").out
    assert re.search(r"\nremoved: 1 run, \d+ kB\n$", done)
    assert [path.name for path in runs_folder().iterdir()] == ["2026-new"]
    again = cli("runs", "prune", "--older-than", "30d", "--yes").out
    assert again == "nothing to remove: no run matches\n"
    assert new.transcript.exists()


def test_the_newest_stay_whatever_they_are(cli: Any, plant: Plant) -> None:
    for days in range(5):
        plant(f"2026-{days}", Stop.STUCK if days % 2 else Stop.CONCLUDED, days=days)
    cli("runs", "prune", "--outcome", "stuck", "--keep", "2", "--yes")
    assert sorted(path.name for path in runs_folder().iterdir()) == [
        *("2026-0", "2026-1", "2026-2", "2026-4")
    ]


def test_nothing_outside_goes(cli: Any, plant: Plant, tmp_path: Path) -> None:
    old = plant("2026-old", days=40)
    elsewhere = tmp_path / "elsewhere"
    old.path.rename(elsewhere)
    old.path.symlink_to(elsewhere)
    other = plant("2026-other", days=40)
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").write_text("x")
    (other.path / "link").symlink_to(precious)
    assert "2026-old" not in cli("runs", "prune", "--older-than", "0", "--yes").out
    assert (elsewhere / "transcript.txt").exists()
    assert (precious / "file").exists()
    assert [path.name for path in runs_folder().iterdir()] == ["2026-old"]


def test_one_that_is_held_stays(cli: Any, plant: Plant) -> None:
    folder = plant("2026-held", days=40)
    with transcripts.held(folder.transcript):
        answer = cli("runs", "prune", "--older-than", "30d", "--yes")
    why = f"another process is working on the run {folder.path}"
    assert (answer.code, answer.err) == (1, f"react-agent: can't remove 2026-held: {why}\n")
    assert answer.out.endswith("\nremoved: 0 runs, 0 kB\n")
    assert folder.transcript.exists()


def test_what_a_killed_prune_left_goes(cli: Any, plant: Plant) -> None:
    half = plant("2026-half", days=40).path
    half.rename(half.with_name(".removed-2026-half"))
    plant("2026-new")
    assert ".removed" not in cli("runs").out
    cli("runs", "prune", "--older-than", "30d", "--yes")
    assert [path.name for path in runs_folder().iterdir()] == ["2026-new"]


def test_cuts_that_no_run_needs_go_too(cli: Any, plant: Plant) -> None:
    plant("2026-old", days=40, base=OTHER)
    kept = plant("2026-new")
    cuts = cache_folder() / "cuts"
    for name in (f"{BASE}.git", f"{OTHER}-{'0' * 16}.git", f"{THIRD}.git", "mine", ".building-x"):
        (cuts / name / "objects").mkdir(parents=True)
        os.utime(cuts / name, (0, 0))
    (cuts / f"{'d' * 40}.git").mkdir()  # just now, for a run that is beginning
    borrows = kept.workspace / ".git" / "objects" / "info"
    borrows.mkdir(parents=True)
    (borrows / "alternates").write_text(f"{cuts}/{THIRD}.git/objects\n")
    before = cli.holdings()
    told = cli("runs", "prune", "--older-than", "30d").out
    assert "; 2 cuts of repositories that no run uses, " in told
    assert cli.holdings() == before
    cli("runs", "prune", "--older-than", "30d", "--yes")
    assert sorted(path.name for path in cuts.iterdir()) == [
        *(f"{BASE}.git", f"{THIRD}.git", f"{'d' * 40}.git", "mine")
    ]
