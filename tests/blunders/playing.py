"""One case played in one way: a real repository, a real run, judged by what it leaves.

`playing.py CASE` prints the transcript.
"""

import itertools
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "faults"))

from around import surroundings, write_profile
from blunder_files import ALARMS, FRESH, HERE, Case, Repository, blunders, repository, sound_runs
from scripted_way import ScriptedWay

from react_agent.issue_to_pr.issue import Issue
from react_agent.loop.agent import run
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.transcript.entries import Entry, Event
from react_agent.profiles.profile_file import shipped
from react_agent.runs.run_setup import Request, Surroundings, begin
from react_agent.state.state import Stop
from react_agent.testing import ScriptedModel
from react_agent.tools.disk import remove_tree
from react_agent.tools.testing.probe import Environment

BACKTRACK = "backtrack"  # the guard
RETRACTED = "retracted"  # its event
_GIT = ("-c", "user.name=a", "-c", "user.email=a@example.org")
_JUDGED_IN_S = 30.0


class Arm(StrEnum):
    AS_BUILT = "as built"
    NEITHER = "with neither"  # the backtracker, nor searches that widen


@dataclass(frozen=True, slots=True)
class Played:
    case: Case
    arm: Arm
    is_right: bool
    stop: Stop
    told_at: int  # the prompt in which the fact was first; 0: never
    events: Mapping[str, int]
    reasons: tuple[str, ...]  # of steps taken back
    transcript: str = field(default="", repr=False)


def play(case: Case, arm: Arm, folder: Path) -> Played:
    """`folder` is shared by the runs of a process, one after the other."""
    way = ScriptedWay(case)
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
        text,
    )


def _around(way: ScriptedWay, arm: Arm, folder: Path, heard: list[Entry]) -> Surroundings:
    write_profile(folder, "arm", _profile(arm))
    return surroundings(
        folder,
        ScriptedModel(itertools.repeat(way)),
        clock=time.monotonic,
        listeners=(heard.append,),
        probe=lambda context, known: Environment(),  # takes longer than the rest of a run
    )


def _profile(arm: Arm) -> str:
    is_built = arm is Arm.AS_BUILT
    guards = [name for name in shipped("issue").guards if is_built or name != BACKTRACK]
    return (
        f"[profile]\nname = arm\nbased on = issue\nguards = {' '.join(guards)}\n"
        f"about = environment\n[limits]\nwiden = {'yes' if is_built else 'no'}\n"
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


def main(name: str) -> None:
    """Print the transcript of one."""
    sets = ((*blunders(place), *sound_runs(place)) for place in (HERE, FRESH, ALARMS))
    [case] = (case for cases in sets for case in cases if case.name == name)
    with tempfile.TemporaryDirectory(prefix="react-agent-blunders-") as folder:
        played = play(case, Arm.AS_BUILT, Path(folder).resolve())
    print(played.transcript)
    print(f"finished right: {played.is_right}; told at prompt {played.told_at}")


if __name__ == "__main__":
    main(sys.argv[1])
