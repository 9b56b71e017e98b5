"""One case played in one way: a real repository, a real run, judged by what it leaves."""

import argparse
import itertools
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from blunder_files import ALARMS, FRESH, HERE, Case, Repository, blunders, repository, sound_runs
from scripted_way import ScriptedWay, critic_of

from react_agent.issue_to_pr.issue import Issue
from react_agent.loop.agent import run
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.transcript.entries import Entry, Event, Seen
from react_agent.profiles.profile_file import shipped
from react_agent.profiles.settings import Settings
from react_agent.runs.run_setup import Request, Surroundings, begin
from react_agent.state.state import Stop
from react_agent.tools.disk import remove_tree
from react_agent.tools.testing.probe import Environment

BACKTRACK = "backtrack"  # the guard
RETRACTED = "retracted"  # its event
_GIT = ("-c", "user.name=a", "-c", "user.email=a@example.org")
_JUDGED_IN_S = 30.0


@dataclass(frozen=True, slots=True)
class Arm:
    """What is switched on."""

    backtracks: bool = True
    widens: bool = True
    has_critic: bool = False  # one that knows
    about: str = "environment"  # what the first prompt tells

    @property
    def profile(self) -> str:
        guards = [name for name in shipped("issue").guards if self.backtracks or name != BACKTRACK]
        widen = "yes" if self.widens else "no"
        return (
            f"[profile]\nname = arm\nbased on = issue\nguards = {' '.join(guards)}\n"
            f"about = {self.about}\n"
            f"[limits]\nwiden = {widen}\n"
        )


@dataclass(frozen=True, slots=True)
class Played:
    case: Case
    arm: Arm
    is_right: bool
    stop: Stop
    told_at: int  # the prompt in which the fact was first; 0: never
    events: Mapping[str, int]
    reasons: tuple[str, ...]  # of steps taken back
    made: int = 0  # steps that guards made themselves
    transcript: str = field(default="", repr=False)


def play(case: Case, arm: Arm, folder: Path) -> Played:
    """`folder` is shared by the runs of a process, one after the other."""
    way = ScriptedWay(case, critic_of(case, is_good=arm.has_critic))
    heard = list[Entry]()
    origin = _made(repository(case.task.repository), folder)
    request = Request(
        Issue(title_of(case.task.issue), case.task.issue), origin, "HEAD", "script", profile="arm"
    )
    opened = begin(request, _around(way, arm, folder, heard))
    try:
        stop = run(opened.agent)
        opened.close()
        is_right = _judged(opened.workspace.root, case.task.judge)
        text = opened.transcript.path.read_text(encoding="utf-8")
    finally:
        opened.close()
        opened.transcript.close()
        remove_tree(opened.folder.path)
    events = [entry for entry in heard if isinstance(entry, Event)]
    return Played(
        case,
        arm,
        is_right and stop is Stop.CONCLUDED,
        stop,
        way.told_at,
        Counter(event.name for event in events),
        tuple(event.text for event in events if event.name == RETRACTED),
        sum("by" in entry.facts for entry in heard if isinstance(entry, Seen)),
        text,
    )


_NUMBERS = itertools.count(1)


def _around(way: ScriptedWay, arm: Arm, folder: Path, heard: list[Entry]) -> Surroundings:
    profiles = folder / "profiles"
    profiles.mkdir(exist_ok=True)
    (profiles / "arm.cfg").write_text(arm.profile)
    return Surroundings(
        runs=folder / "runs",
        cuts=folder / "cuts",
        environment=dict(os.environ),
        own_prefix=Path(sys.prefix),
        settings=Settings(sandbox="none", profiles=profiles),
        now=lambda: datetime(2026, 5, 1, 12, tzinfo=UTC),
        clock=time.monotonic,
        token=lambda: f"t{next(_NUMBERS)}",
        open_model=lambda spec: way,
        show=lambda text: None,
        tell=lambda line: None,
        listeners=(heard.append,),
        probe=lambda context, known: Environment(),  # takes longer than the rest of a run
    )


def _made(wanted: Repository, folder: Path) -> Path:
    place = folder / "repositories" / wanted.name
    if place.exists():
        return place
    for name, text in wanted.files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
        if text.startswith("#!"):
            (place / name).chmod(0o755)
    for words in (("init", "--quiet"), ("add", "--all"), ("commit", "--quiet", "-m", "All of it")):
        subprocess.run(["git", *_GIT, *words], cwd=place, check=True, capture_output=True)
    return place


def _judged(tree: Path, judge: str) -> bool:
    """In a process of its own, without what is installed: that is twice as fast."""
    command = [sys.executable, "-S", "-E", "-B", "-c", judge]
    done = subprocess.run(command, cwd=tree, capture_output=True, timeout=_JUDGED_IN_S, check=False)
    return done.returncode == 0


def main() -> None:
    """Print the transcript of one."""
    sets = ((*blunders(place), *sound_runs(place)) for place in (HERE, FRESH, ALARMS))
    every = {case.name: case for cases in sets for case in cases}
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("case", choices=every, metavar="CASE")
    for name in ("alone", "narrow", "critic"):
        parser.add_argument(f"--{name}", action="store_true")
    given = parser.parse_args()
    arm = Arm(not given.alone, not given.narrow, given.critic)
    with tempfile.TemporaryDirectory(prefix="react-agent-blunders-") as folder:
        played = play(every[given.case], arm, Path(folder).resolve())
    print(played.transcript)
    print(f"finished right: {played.is_right}; told at prompt {played.told_at}")


if __name__ == "__main__":
    main()
