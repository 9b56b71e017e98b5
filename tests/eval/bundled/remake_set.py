"""Make the set and its replays anew: `python tests/eval/bundled/remake_set.py FOLDER [ID...]`.

By hand are written: the histories (`*.fast-import`, as `git fast-export --all` writes them), in
which each commit after the first is the fix of an issue; the issues; and in the replays what the
model says. Out of them come the rows of the set, but for the names of tests, and what the tools
answer. FOLDER is where the work is done.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from react_agent.errors import MachineError
from react_agent.eval.sets.issue_set import (
    SET,
    bundled_file,
    bundled_instances,
    bundled_replays,
    write_set,
)
from react_agent.eval.sets.mined import Change, changes, diff
from react_agent.eval.task import Arm, Instance, Key, Task
from react_agent.eval.work import solve_task
from react_agent.parsers.repo.file_roles import is_of_tests
from react_agent.state.transcript import NAME
from react_agent.tools import disk
from react_agent.tools.git.door import Git

HERE = Path(__file__).parents[3] / "eval" / "bundled"
_LOCAL = (
    (r"^(%% repository: )/.*/(\w+)-[0-9a-f]{8}$", r"\1/path/to/\2"),
    (r"^(%% model: ).*$", r"\1by hand"),
    (r"^(%% run: .*)-plain-1$", r"\1"),
    (r"\bseconds=[\d.]+", "seconds=0.000"),
    (r"(\bin |%20in%20)\d+\.\d+", r"\g<1>0.1"),
    (r"^(%% started: at=).*$", r"\g<1>2026-05-01T12:00:00+00:00"),
)


def remade(found: tuple[Instance, ...]) -> Iterator[Instance]:
    """With what the histories and the issues say now."""
    fixes = {repo: _fixes(Git(Path(repo))) for repo in dict.fromkeys(one.repo for one in found)}
    for one in found:
        name, _, number = one.id.rpartition("-")
        git, fix = Git(Path(one.repo)), fixes[one.repo][int(number) - 1]
        tests = [path for path in fix.paths if is_of_tests(path)]
        code = [path for path in fix.paths if path not in tests]
        yield replace(
            one,
            repo=name,
            base=fix.base,
            problem=disk.read_text(bundled_file(f"issues/{one.id}.md")),
            patch=diff(git, fix, code) or "",
            test_patch=diff(git, fix, tests) or "",
            created=fix.created,
        )


def _fixes(git: Git) -> list[Change]:
    return [change for change in changes(git, "main") if change.base][::-1]


def replay_of(instance: Instance, root: Path) -> str:
    """What the model says in the present one, and what comes of it now."""
    solved = solve_task(Task(Key(instance.id, "plain", 1), instance, Arm(bundled_replays())), root)
    if NAME not in solved.files:
        raise MachineError(str(solved.fault))
    text = solved.files[NAME].decode()
    for pattern, instead in _LOCAL:
        text = re.sub(pattern, instead, text, flags=re.MULTILINE)
    return text


def record(root: Path, wanted: list[str]) -> None:
    found = bundled_instances(root / "repositories")
    rows = tuple(remade(found))
    write_set(HERE / SET, rows)
    for row, one in zip(rows, found, strict=True):
        if not wanted or one.id in wanted:
            text = replay_of(replace(row, repo=one.repo), root / "worker")
            disk.write_text(HERE / "replays" / f"{one.id}.txt", text)


if __name__ == "__main__":
    record(Path(sys.argv[1]), sys.argv[2:])
