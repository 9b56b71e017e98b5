"""What the checks at a Conclusion can know of a run; those of files, of a plan and of a review."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from react_agent.guards.litter import BY_PRODUCT, SCRATCH, Around, litter
from react_agent.guards.points import Fault
from react_agent.issue_to_pr.review_threads import threads_of
from react_agent.loop.state import State
from react_agent.parsers.answers.labelled import read_answers
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.plan.plan import TaskState
from react_agent.parsers.repo.file_roles import (
    is_by_product,
    is_code,
    is_data,
    is_of_tests,
    is_scratch,
)
from react_agent.parsers.repo.git_diff import FileDiff
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.gist import headline
from react_agent.prompt.plan_steps import is_over, left_by_root
from react_agent.tools.edits.syntax import Flaw, flaw_of, is_checked

_SHOWN = 3
_WORDS = 100  # characters of one


class Holding(Protocol):
    """The files of a change, and those of before it."""

    def files(self) -> Sequence[str]: ...
    def mentions(self, word: str) -> Sequence[str]: ...
    def now(self, path: str) -> bytes | None: ...
    def before(self, path: str) -> bytes | None: ...


def listed(words: Sequence[str]) -> str:
    """The first of them."""
    more = f" and {len(words) - _SHOWN} more" if len(words) > _SHOWN else ""
    return ", ".join(headline(word, _WORDS) for word in words[:_SHOWN]) + more


@dataclass(frozen=True)
class Known:
    state: State
    changes: tuple[FileDiff, ...]
    holding: Holding
    left_out: tuple[str, ...] = ()  # new files that will not be part of the change
    differing: Callable[[str, str], Sequence[str]] = lambda before, after: ()  # two checkpoints
    test_command: str = ""  # the configured one

    @cached_property
    def meant(self) -> tuple[FileDiff, ...]:
        """Changed files that are no scratch."""
        return tuple(one for one in self.changes if one.old or not is_scratch(one.new))

    @cached_property
    def code(self) -> tuple[FileDiff, ...]:
        """Those that a test can tell something about."""
        return tuple(one for one in self.meant if is_code(one.path))

    @cached_property
    def of_tests(self) -> tuple[FileDiff, ...]:
        return tuple(one for one in self.meant if is_of_tests(one.path))

    @cached_property
    def has_tests(self) -> bool:
        if self.test_command:
            return True
        files = (*self.holding.files(), *(one.old for one in self.of_tests))
        return any(is_of_tests(path) and is_code(path) for path in files)


_MOST = 50  # files that are read
_MEND = {SCRATCH: "remove it, or name it after what it is for", BY_PRODUCT: "remove it"}


def empty(known: Known) -> Iterator[Fault]:
    if not known.changes and not known.state.threads:  # of a review, that all may be declined
        how = "change what the objective asks for; if that can't be done, write"
        yield Fault("nothing was changed", f"{how} `Conclusion: I give up because ...`")


def left_out(known: Known) -> Iterator[Fault]:
    """What tools make beside their work, and what has the name of scratch, nobody misses."""
    found = [path for path in known.left_out if not is_by_product(path) and not is_scratch(path)]
    if found:
        few = "it" if len(found) == 1 else "them"
        yield Fault(
            f"only commands made {listed(found)}, so the change is without {few}",
            "git add what belongs to it, and remove the rest",
        )


def scratch(known: Known) -> Iterator[Fault]:
    """What the end of the run would drop."""
    around = around_of(known)
    for one in known.changes:
        if why := litter(one, around):
            yield Fault(f"{one.new} is new and {why}, so the change will be without it", _MEND[why])


def around_of(known: Known) -> Around:
    state, holding = known.state, known.holding
    title = title_of(state.objective or "")
    return Around(known.changes, title, state.wrote, holding.mentions, holding.files)


def syntax(known: Known) -> Iterator[Fault]:
    for one in known.changes[:_MOST]:
        if one.new and (flaw := _flaw(one.new, known.holding.now(one.new))):
            if _is_broken_on_purpose(one) or _flaw(one.old, known.holding.before(one.old)):
                continue
            place = f"{one.new}:{flaw.line}" if flaw.line else one.new
            yield Fault(f"{place} does not parse, {flaw.reason}", "mend it")


def _flaw(path: str, data: bytes | None) -> Flaw | None:
    return flaw_of(path, data) if data is not None and is_checked(path, data) else None


def _is_broken_on_purpose(one: FileDiff) -> bool:
    return not one.old and is_data(one.new)


def tasks(known: Known) -> Iterator[Fault]:
    """Of a plan that is used; the root is what the Conclusion itself is about."""
    plan = known.state.plan
    left = [task for task in plan.unfinished if task is not plan.root] if plan else []
    if left:
        shown = listed([f"{task.id} [{task.state}]" for task in left])
        yield Fault(
            f"{counted(len(left), 'task')} of the plan neither done nor given up: {shown}",
            "do what is left, or set the states as they are",
        )
    if plan and is_over(plan):
        yield from _never_begun(known)


def _never_begun(known: Known) -> Iterator[Fault]:
    """What is done last is often closed with the root; what nobody began is forgotten."""
    plan = known.state.plan
    before = left_by_root(known.state.standing, plan) if plan else ()
    left = [task.id for task in before if task.state is TaskState.OPEN and not task.subtasks]
    if left:
        yield Fault(
            f"{counted(len(left), 'task')} of the plan not begun when task 0 was closed: "
            f"{listed(left)}",
            "do what is left, or mark it abandoned",
        )


def threads(known: Known) -> Iterator[Fault]:
    wanted = threads_of(known.state.threads)
    answers = read_answers(known.state.conclusion, max(wanted, default=0))
    left = [f"thread {number}" for number in wanted if number not in answers]
    if left:
        yield Fault(
            f"no answer to {listed(left)}",
            "a line for each in the Conclusion, `Thread 1: what you did, or why not`",
        )
