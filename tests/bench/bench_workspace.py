"""What an instance costs beside its model: a further workspace, and what is ours of a short run.

A workspace of a base that has one already, on 2,000 files, beside a bare `git worktree add`. Then a
run of three steps, and how much of it our own process took.
"""

import itertools
import statistics
import sys
import tempfile
from pathlib import Path

from bench_tools import generate
from beside import SLOWEST, git, judge, median_seconds, report, share, tried

from react_agent.eval.task import Arm, Conditions, Instance, Key, Task
from react_agent.eval.work import solve_task
from react_agent.parsers.transcript.entries import Event, Objective, Said, Seen
from react_agent.parsers.transcript.writer import write_transcript
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.state.transcript import HEADER, VERSION
from react_agent.tools.disk import remove_tree
from react_agent.tools.git.repository import find_base
from react_agent.tools.git.workspace import make

FILES = 2_000
BAR = 2.0  # of `git worktree add`
OURS_MS = 150.0 * SLOWEST  # of our own process, an instance
ROUNDS = 8
STEPS = (
    ("list_files", ""),
    ("run", "ls"),
    ("replace", "{name}\n<<<<<<< SEARCH\n{old}\n=======\nNEW = 1\n>>>>>>> REPLACE"),
)


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder).resolve()
        generate(place / "repository", FILES)
        print(f"Workspaces, on {FILES:,} files")
        return max(tried(one, place) for one in (_further, _ours))


def _further(place: Path) -> int:
    repository, numbers = place / "repository", itertools.count()
    base = find_base(repository)
    made = list[Path]()

    def workspace() -> None:
        root = place / f"w{next(numbers)}"
        made.append(root)
        make(base, root=root, branch="b", cuts=place / "root" / "cuts")

    def worktree() -> None:
        root = place / f"t{next(numbers)}"
        made.append(root)
        git(repository, "worktree", "add", "--quiet", "--detach", str(root))

    seconds = median_seconds(
        {"a workspace": workspace, "git worktree add": worktree}, share(ROUNDS)
    )
    for root in made:
        remove_tree(root)
    git(repository, "worktree", "prune")
    return report("a further one of a base", seconds, BAR)


def _ours(place: Path) -> int:
    task = _task(place, _recorded(place))
    runs = [solve_task(task, place / "root") for _ in range(share(ROUNDS))]
    assert all(run.patch and not run.fault for run in runs), runs[0].fault
    took = statistics.median(run.cpu_s for run in runs[1:]) * 1000
    whole = statistics.median(run.seconds for run in runs[1:]) * 1000
    print(f"a run of {len(STEPS)} steps\n  of our process  {took:6.1f} ms, of {whole:.0f} ms")
    return judge(took <= OURS_MS, f"the bar is {OURS_MS:.0f} ms of processor")


def _task(place: Path, model: str) -> Task:
    instance = Instance("bench-1", str(place / "repository"), "HEAD", "The name is wrong")
    return Task(Key("bench-1", "plain", 1), instance, Arm(model), Conditions())


def _recorded(place: Path) -> str:
    repository = place / "repository"
    path = min(repository.glob("*/*/*.py"))
    name = str(path.relative_to(repository))
    words = {"name": name, "old": path.read_text().split("\n")[3]}
    turns = [Turn(Kind.ACTION, "now this", tool, given.format_map(words)) for tool, given in STEPS]
    turns.append(Turn(Kind.CONCLUSION, "enough", conclusion="it is done"))
    said = [entry for turn in turns for entry in (Said(turn, facts={"n": "1"}), Seen("x"))]
    file = place / "recorded.txt"
    header = (Event(HEADER, VERSION), Objective("do it"))
    file.write_text(write_transcript([*header, *said[:-1]]), encoding="utf-8")
    return f"replay/{file}"


if __name__ == "__main__":
    sys.exit(main())
