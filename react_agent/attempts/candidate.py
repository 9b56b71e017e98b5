"""What an attempt made, and what can be found out about it without asking anybody."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from react_agent.loop.stop import Stop
from react_agent.parsers.repo.similarity import ChangedLines, changed_lines
from react_agent.procedure.course import as_one_run
from react_agent.runs.run_setup import Run, checkout
from react_agent.tools import disk
from react_agent.tools.context import Context
from react_agent.tools.git import change
from react_agent.tools.observation import Observation, Status
from react_agent.tools.shell.run import RUN
from react_agent.tools.testing.run_tests import RUN_TESTS


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


def is_test(path: str) -> bool:
    stem = PurePosixPath(path).stem
    return stem.startswith("test_") or stem.endswith(("_test", ".test", ".spec"))


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


def _is_below(place: Path, root: Path) -> bool:
    """No link leads out of the checkout."""
    return place.resolve().is_relative_to(root.resolve())
