"""The checks, one after the other, in one checkout."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from react_agent.checkout import checkout_with_git
from react_agent.checks.choosing import chosen
from react_agent.checks.planned import Not, Planned
from react_agent.checks.running import Ran, Room, ran
from react_agent.run_setup import Run
from react_agent.tools.context import Context
from react_agent.tools.git.checkout import regular_files
from react_agent.tools.git.objects import Entry

_IN_A_HOOK = {"PRE_COMMIT": "1"}  # what checks can tell by that they are run as such
_NO_TIME = "the time for all checks is over"
_SHORTEST = 1.0  # seconds for a check


@dataclass(slots=True)
class Clock:
    """What is left of the time that all checks have together."""

    left: float


@dataclass(frozen=True, slots=True)
class Round:
    ran: Mapping[str, Ran]  # by the checks' keys; one without files is not there
    entries: Mapping[str, Entry] = field(default_factory=dict)  # of the files that were changed


def played(
    run: Run, tree: str, plan: Mapping[str, Planned], ours: Sequence[str], clock: Clock
) -> Round:
    """All of them on the files of a tree."""
    there = regular_files(run.workspace, tree, ours)
    old = regular_files(run.workspace, run.workspace.base.commit, ours)
    found = dict[str, Ran]()
    with checkout_with_git(run, tree) as (context, files):
        environment = {**context.environment, **_IN_A_HOOK}
        room = Room(
            replace(context, environment=environment),
            files,
            frozenset(there),
            frozenset(there) - frozenset(old),
        )
        choices = chosen(tuple(plan.values()), there, files.read)
        for (key, check), paths in zip(plan.items(), choices, strict=True):
            if isinstance(paths, Not):
                found[key] = Ran(False, lacks=paths.why)
            elif paths or check.runs_always:
                found[key] = _timed(check, paths, room, clock)
        changed = {path for one in found.values() for path in one.changed}
        return Round(found, files.entries(sorted(changed)) if changed else {})


def _timed(check: Planned, paths: Sequence[str], room: Room, clock: Clock) -> Ran:
    if clock.left < _SHORTEST:
        return Ran(False, lacks=_NO_TIME)
    one = ran(check, paths, replace(room, context=_within(room.context, clock.left)))
    clock.left -= one.seconds
    return one


def _within(context: Context, seconds: float) -> Context:
    limits = context.limits
    shorter = replace(limits, command_seconds=min(limits.command_seconds, seconds))
    return replace(context, limits=shorter)
