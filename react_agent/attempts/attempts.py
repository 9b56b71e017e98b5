"""Several attempts at one issue, one after the other; the best of them becomes the branch.

Each is a run of its own, from the same base, and knows nothing of the others. All are kept.
"""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from react_agent.attempts.candidate import Candidate, candidate, with_proofs
from react_agent.attempts.choice import Choice, choose
from react_agent.attempts.reviewer import reviewed
from react_agent.attempts.variation import Variation, variation
from react_agent.loop.stop import Stop
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import write_facts
from react_agent.procedure.play import play
from react_agent.runs.commands import Surroundings
from react_agent.runs.finish import finish
from react_agent.runs.outcome import Outcome
from react_agent.runs.run_setup import Names, Request, Run, begin, names_of

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
