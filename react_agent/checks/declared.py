"""The checks that a repository declares at its base, on the files that a run has changed.

They are run in the run's sandbox, never on the host. What a formatter makes of files of ours is
taken, once. A check that fails is run at the base as well: what it found there is not ours.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from react_agent.errors import ReactAgentError
from react_agent.runs.run_setup import Run
from react_agent.tools.git.repository import file_at

SECONDS = 300.0  # for all checks together
MOST_FILES = 1_000

Fixed = Mapping[str, frozenset[str]]


def declared_checks(
    run: Run, tree: str, paths: Collection[str], seconds: float = SECONDS
) -> Checked:
    """`paths` are those of the files that are changed or new in the tree."""
    base, lint = run.project.base, run.project.settings.commands.get("lint", "")
    there = run.workspace.store.at(run.workspace.base.commit, FILES)
    found = planned({name: file_at(base, name) or "" for name in there}, lint, paths)
    plan = {str(number): check for number, check in enumerate(found)}  # two may have one name
    ours = sorted(paths)
    if not plan or not ours:
        return Checked(tree)
    if len(ours) > MOST_FILES:
        why = f"more than {MOST_FILES:,} files are changed"
        return Checked(tree, (Check("checks", Verdict.NOT_RUN, why),))
    try:
        return _checked(run, tree, plan, ours, Clock(seconds))
    except ReactAgentError as error:
        return Checked(tree, (Check("checks", Verdict.NOT_RUN, str(error)),))


def _checked(
    run: Run, tree: str, plan: Mapping[str, Planned], ours: list[str], clock: Clock
) -> Checked:
    now = played(run, tree, plan, ours, clock)
    failing = {key: plan[key] for key, one in now.ran.items() if not one.worked and not one.lacks}
    before = Round({})
    if failing:
        before = played(run, run.workspace.base.commit, failing, ours, clock)
    fixed = _fixed(now, before)
    if fixed:
        mended = {path: now.entries[path] for some in fixed.values() for path in some}
        taken = run.workspace.store.with_files(tree, mended)
        now = _once_more(now, played(run, taken, plan, ours, clock))
        is_at_rest = mended.keys().isdisjoint(now.entries)
        tree, fixed = (taken, fixed) if is_at_rest else (tree, {})
    checks = (
        judged(plan[key].name, one, before.ran.get(key), fixed.get(key, frozenset()))
        for key, one in now.ran.items()
    )
    return Checked(tree, tuple(_together(checks)))


def _together(checks: Iterable[Check]) -> Iterator[Check]:
    """Those that were not run for one reason are named on one line."""
    names, found = dict[str, list[str]](), list(checks)
    for check in found:
        if check.verdict is Verdict.NOT_RUN:
            names.setdefault(check.note, []).append(check.name)
    for check in found:
        if check.verdict is not Verdict.NOT_RUN:
            yield check
        elif check.note in names:
            yield replace(check, name=", ".join(names.pop(check.note)))


def _fixed(now: Round, before: Round) -> Fixed:
    """By checks: files that one of them had changed at the base as well stay as they are."""
    old = {path for one in before.ran.values() for path in one.changed}
    return {key: new for key, one in now.ran.items() if (new := one.changed - old)}


def _once_more(first: Round, second: Round) -> Round:
    """Where there was no time for that, what it came to before counts."""
    merged = {
        key: second.ran[key] if key in second.ran and not second.ran[key].lacks else _trusted(one)
        for key, one in first.ran.items()
    }
    return Round(merged, second.entries)


def _trusted(one: Ran) -> Ran:
    return replace(one, worked=one.worked or bool(one.changed))
