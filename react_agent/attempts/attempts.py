"""Several attempts at one issue, one after the other; the best of them becomes the branch.

Each is a run of its own, from the same base, and knows nothing of the others. All are kept.
"""

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from react_agent.guards.means import Asking
from react_agent.loop.stop import Stop
from react_agent.models.contract import View
from react_agent.parsers.answers.labelled import Review, read_review
from react_agent.parsers.repo.similarity import ChangedLines, changed_lines, likeness
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import write_facts
from react_agent.parsers.transcript.quoting import quote_world
from react_agent.procedure.course import as_one_run
from react_agent.procedure.play import play
from react_agent.runs.commands import Surroundings
from react_agent.runs.finish import finish
from react_agent.runs.outcome import Outcome
from react_agent.runs.run_setup import Names, Request, Run, begin, checkout, names_of
from react_agent.tools import disk
from react_agent.tools.clip import clip
from react_agent.tools.context import Context, Limits
from react_agent.tools.git import change
from react_agent.tools.observation import Observation, Status
from react_agent.tools.shell.run import RUN
from react_agent.tools.testing.run_tests import RUN_TESTS

_FIRST_HEAT, _MORE_HEAT, _MOST_HEAT = 0.4, 0.3, 1.0
_BEGINNINGS = (
    "begin with a test or a command that shows what the issue describes, then look for its cause",
    "before you change anything, name two places that could be the cause, and rule one of them out",
    "begin with the tests there are for what the issue speaks of, and with what they leave out",
    "follow what the issue describes from where it enters the program, step by step, to its cause",
    "look how the same is done elsewhere in this repository, and make the change like that",
)


@dataclass(frozen=True, slots=True)
class Variation:
    number: int
    spec: str  # of the model
    hint: str = ""  # for the first prompt

    @property
    def said(self) -> str:
        """In a few words, for a person."""
        settings = self.spec.partition(" temperature=")
        heat = f"temperature {settings[2].split()[0]}" if settings[1] else ""
        return heat or (f"hint: {self.hint}" if self.hint else "as it is")


def variation(number: int, spec: str, *, takes_temperature: bool) -> Variation:
    """The first attempt is the plain run. Where no temperature is taken, the beginning differs."""
    if number == 1:
        return Variation(number, spec)
    if takes_temperature and "=" not in spec.rpartition(" key=")[2].partition(" ")[2]:
        heat = min(_FIRST_HEAT + _MORE_HEAT * (number - 2), _MOST_HEAT)
        return Variation(number, f"{spec} temperature={heat:g} seed={number}")
    return Variation(number, spec, _BEGINNINGS[(number - 2) % len(_BEGINNINGS)])


@dataclass(frozen=True, slots=True)
class Candidate:
    number: int  # of the attempt
    run: Run
    stop: Stop
    tree: str
    patch: str
    open_points: tuple[str, ...] = ()  # what the gate has against it
    tests: Status | None = None  # the repository's; None: they can't be run
    proofs: frozenset[int] = frozenset()  # whose new tests, that fail without any change, it passes
    lines: ChangedLines = field(default=frozenset(), repr=False)

    @property
    def can_win(self) -> bool:
        return self.stop is Stop.CONCLUDED and bool(self.patch)


@dataclass(frozen=True, slots=True)
class Proof:
    """Tests that an attempt wrote, and that fail where nothing else is changed."""

    number: int
    files: Mapping[str, bytes]


def candidate(number: int, run: Run) -> Candidate:
    state = as_one_run(run.folder, run.transcript.state)
    proposal = change.propose(run.workspace, state.wrote)
    patch = change.show(run.workspace, proposal.tree)[0].decode(errors="replace")
    stop, points = state.stop or Stop.INTERRUPTED, tuple(point.text for point in state.open)
    made = Candidate(number, run, stop, proposal.tree, patch, points)
    if not made.can_win:
        return made
    code = frozenset(one for one in changed_lines(patch) if not is_test(one[0]))
    return replace(made, tests=_tests(made), lines=code)


def with_proofs(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Each one's own new tests are put to all of them."""
    proofs = [proof for one in candidates if one.can_win for proof in _proofs(one)]
    return [replace(one, proofs=_passed(one, proofs)) for one in candidates]


def _passed(one: Candidate, proofs: Sequence[Proof]) -> frozenset[int]:
    if not one.can_win:
        return frozenset()
    found = (proof for proof in proofs if _said(one.run, one.tree, proof) is Status.OK)
    return frozenset(proof.number for proof in found)


def _tests(made: Candidate) -> Status | None:
    """As the repository has them run, in a fresh checkout of what would be committed."""
    command = made.run.project.settings.commands.get("test", "")
    with checkout(made.run, made.tree) as (context, _):
        return RUN.call(command, context).status if command else _told(RUN_TESTS.call("", context))


def _told(seen: Observation) -> Status | None:
    """None where no test was run."""
    return seen.status if "tests" in seen.facts else None


def _proofs(one: Candidate) -> Iterator[Proof]:
    paths = sorted({path for path, _, _ in changed_lines(one.patch) if is_test(path)})
    texts = {path: one.run.workspace.store.file(one.tree, path) for path in paths}
    proof = Proof(one.number, {path: text for path, text in texts.items() if text is not None})
    base = one.run.workspace.base.commit
    if proof.files and _said(one.run, base, proof) is Status.FAILED:
        yield proof


def _said(run: Run, tree: str, proof: Proof) -> Status | None:
    """What these tests say of a tree; None where they can't be put there."""
    with checkout(run, tree) as (context, _):
        if not _laid(proof, context):
            return None
        return _told(RUN_TESTS.call("\n".join(proof.files), context))


def _laid(proof: Proof, context: Context) -> bool:
    for path, text in proof.files.items():
        place = context.root / path
        if not _is_below(place, context.root):
            return False
        disk.mkdir(place.parent, parents=True, exist_ok=True)
        disk.write_bytes(place, text)
    return True


def is_test(path: str) -> bool:
    stem = PurePosixPath(path).stem
    return stem.startswith("test_") or stem.endswith(("_test", ".test", ".spec"))


def _is_below(place: Path, root: Path) -> bool:
    """No link leads out of the checkout."""
    return place.resolve().is_relative_to(root.resolve())


_ALIKE = 0.8  # of two changes that are the same in all that matters
_TESTS = {Status.OK: 2, Status.EMPTY: 2, None: 1, Status.FAILED: 0}
_SAID = {Status.OK: "tests pass", Status.EMPTY: "tests pass", Status.FAILED: "tests fail"}

Reviewer = Callable[[Sequence[Candidate]], Review | None]


@dataclass(frozen=True, slots=True)
class Choice:
    winner: Candidate | None
    why: str
    standings: dict[int, str]  # of each attempt, in a line


def choose(candidates: Sequence[Candidate], review: Reviewer) -> Choice:
    able = [one for one in candidates if one.can_win]
    standings = {one.number: _standing(one, able) for one in candidates}
    if not able:
        return Choice(None, "no attempt came to a change", standings)
    ranked = {one.number: _rank(one, able) for one in able}
    top = max(ranked.values())
    best = [one for one in able if ranked[one.number] == top]
    if len(best) == 1:
        return Choice(best[0], _why(best[0], able, ranked), standings)
    return _reviewed(best, review, standings)


def _rank(one: Candidate, able: Sequence[Candidate]) -> tuple[int, ...]:
    return (not one.open_points, _TESTS[one.tests], len(one.proofs), len(_alike(one, able)))


def _alike(one: Candidate, able: Sequence[Candidate]) -> list[int]:
    """The others that changed the same."""
    return [
        other.number
        for other in able
        if other is not one and likeness(one.lines, other.lines) >= _ALIKE
    ]


_RULES = (
    "nothing is open at its conclusion",
    "the repository's tests pass",
    "it passes more of the tests that show what was wrong",
    "more attempts made the same change",
)


def _why(winner: Candidate, able: Sequence[Candidate], ranked: dict[int, tuple[int, ...]]) -> str:
    """The first rule that tells it from the next best."""
    others = [rank for number, rank in ranked.items() if number != winner.number]
    if not others:
        return "it is the only one that came to a change"
    pairs = zip(ranked[winner.number], max(others), strict=True)
    return next(rule for rule, (own, other) in zip(_RULES, pairs, strict=True) if own != other)


def _reviewed(best: Sequence[Candidate], review: Reviewer, standings: dict[int, str]) -> Choice:
    """The same change more than once needs no reviewer."""
    different = _different(best)
    if len(different) == 1:
        return Choice(_smallest(best), "all of the best made the same change", standings)
    said = review(different)
    if said is None:
        return Choice(_smallest(different), "it is the smallest of the best", standings)
    reason = f": {said.reason}" if said.reason else ""
    return Choice(different[said.best - 1], f"the reviewer chose it{reason}", standings)


def _different(best: Sequence[Candidate]) -> list[Candidate]:
    """One of each kind."""
    found = list[Candidate]()
    for one in sorted(best, key=lambda one: len(one.patch)):
        if all(likeness(one.lines, other.lines) < _ALIKE for other in found):
            found.append(one)
    return sorted(found, key=lambda one: one.number)


def _smallest(best: Sequence[Candidate]) -> Candidate:
    return min(best, key=lambda one: (len(one.patch), one.number))


def _standing(one: Candidate, able: Sequence[Candidate]) -> str:
    if not one.can_win:
        return f"{one.stop}, {'with a change' if one.patch else 'no change'}"
    parts = [f"{counted(len(one.open_points), 'point')} open" if one.open_points else ""]
    parts.append(_SAID.get(one.tests, "tests can't be run") if one.tests else "tests can't be run")
    parts.append(_passes(one))
    alike = _alike(one, able)
    parts.append(f"the same change as {_numbers(alike)}" if alike else "")
    return ", ".join(part for part in parts if part)


def _passes(one: Candidate) -> str:
    return f"passes the new tests of {_numbers(sorted(one.proofs))}" if one.proofs else ""


def _numbers(numbers: Sequence[int]) -> str:
    return f"{'attempt' if len(numbers) == 1 else 'attempts'} {', '.join(map(str, numbers))}"


REVIEW = "review"  # what a model is asked for
SYSTEM = """\
You review changes that were made for the same issue, each independent of the others. Say which
you would take: the one that does what the issue asks for, wholly and no more, where it belongs, and
breaks nothing. What could be measured, such as tests, does not tell them apart.

Answer in two lines:

Best: the number of a change
Reason: in one line, what it does better than the others

"""
_TAIL = "\nYour answer:\n"
_ANSWER = 400  # tokens
_CHARS_A_TOKEN = 3
_SHORTEST = 1_000  # characters of a change


def reviewed(changes: Sequence[Candidate]) -> Review | None:
    """By the model of the first of them, out of the budget of its run."""
    agent = changes[0].run.agent
    asking = Asking(agent.model, agent.transcript, agent.budget, agent.clock, is_over=True)
    answer, problem = asking(_view(changes, agent.budget.window), _ANSWER, REVIEW)
    return None if problem else read_review(answer, len(changes))


def _view(changes: Sequence[Candidate], window: int) -> View:
    objective = quote_world(changes[0].run.transcript.state.objective or "")
    issue = f"The issue:\n{clip(objective, Limits(output_chars=_shared(window, 4)))}\n\n"
    left = window - _ANSWER - estimate_tokens(SYSTEM + issue)
    most = max(_shared(left, len(changes) + 1), _SHORTEST)
    shown = (_shown(number, one, most) for number, one in enumerate(changes, 1))
    return View(SYSTEM, issue + "\n\n".join(shown), (), _TAIL)


def _shared(tokens: int, by: int) -> int:
    return max(tokens * _CHARS_A_TOKEN // by, _SHORTEST)


def _shown(number: int, one: Candidate, most: int) -> str:
    patch = clip(one.patch, Limits(output_chars=most))
    conclusion = " ".join(one.run.transcript.state.conclusion.split())
    return f"Change {number}. Its author says: {quote_world(conclusion)}\n{quote_world(patch)}"


ATTEMPT, CHOSEN = "attempt", "chosen"  # events


@dataclass(frozen=True, slots=True)
class Attempted:
    outcomes: tuple[Outcome, ...]  # of each
    best: Outcome  # the winner; where none came to a change, the last one
    choice: Choice | None  # None: it was interrupted, and nothing chosen


def attempt(request: Request, count: int, around: Surroundings) -> Attempted:
    names, opened = request.names or names_of(request.issue, around, request.model), list[Run]()
    with contextlib.ExitStack() as stack:
        for number in range(1, count + 1):
            takes = around.takes_temperature(request.model)  # it may have been learned by now
            varied = variation(number, request.model, takes_temperature=takes)
            around.tell(f"attempt {number} of {count}: {varied.said}")
            opened.append(_opened(request, varied, count, names, around))
            stack.callback(_close, opened[-1])
            if play(opened[-1], around) is Stop.INTERRUPTED:
                return _interrupted(opened, around)
            opened[-1].close()  # what goes on meanwhile would change what is looked at
        return _chosen(request, opened, around)


def _opened(
    request: Request, varied: Variation, count: int, names: Names, around: Surroundings
) -> Run:
    own = Names(f"{names.run}-{varied.number}", names.branch)
    varying = replace(request, model=varied.spec, names=own, hint=varied.hint)
    opened = begin(varying, around)
    which = {"n": str(varied.number), "of": str(count)}
    opened.transcript.append(Event(ATTEMPT, write_facts(which)))
    return opened


def _close(opened: Run) -> None:
    opened.close()
    opened.transcript.close()


def _interrupted(opened: Sequence[Run], around: Surroundings) -> Attempted:
    """Nothing is chosen: those that ended wait, with all they have, to be taken up."""
    for one in opened[:-1]:
        around.tell(f"ended, and not published: react-agent resume {one.folder.path.name}")
    outcome = finish(opened[-1], around, publish=False, keep=True)
    return Attempted((outcome,), outcome, None)


def _chosen(request: Request, opened: Sequence[Run], around: Surroundings) -> Attempted:
    around.tell("choosing: the tests are run on each, which may take a while")
    found = [candidate(number, one) for number, one in enumerate(opened, 1)]
    choice = choose(with_proofs(found), reviewed)
    outcomes = [_finished(one, choice, request, around) for one in found]
    winner = choice.winner.number if choice.winner else len(found)
    return Attempted(tuple(outcomes), outcomes[winner - 1], choice)


def _finished(one: Candidate, choice: Choice, request: Request, around: Surroundings) -> Outcome:
    is_winner = choice.winner is not None and choice.winner.number == one.number
    why = choice.why if is_winner else choice.standings[one.number]
    facts = write_facts({"is": "yes" if is_winner else "no"})
    one.run.transcript.append(Event(CHOSEN, f"{facts} {why}"))
    publish = request.publish and is_winner
    return finish(one.run, around, publish=publish, keep=request.keep)
