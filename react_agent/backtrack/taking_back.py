"""The entries of going back: an event that takes steps back, and a step of ours in their place."""

from collections.abc import Sequence

from react_agent.backtrack.assumption import OURS, Assumption
from react_agent.backtrack.proof import Proof
from react_agent.loop.events import still_running
from react_agent.loop.state import State
from react_agent.loop.steps import RETRACTED, Step, compressed_event
from react_agent.parsers.claims.claims import About
from react_agent.parsers.text.gist import headline
from react_agent.parsers.transcript.entries import Entry, Said, Seen
from react_agent.parsers.transcript.facts import write_list
from react_agent.parsers.transcript.quoting import escape
from react_agent.parsers.turn.turn import Kind as TurnKind
from react_agent.parsers.turn.turn import Turn
from react_agent.tools.registry import Kind

_CALL = 80  # characters of a call in a sentence
_DENIED = {
    About.BEING: "does not exist",
    About.USE: "is not used",
    About.DOING: "can't be used",
}
_KINDS = {"read_file": Kind.READ, "list_files": Kind.READ}


def taken_back(
    state: State, gone: Sequence[Step], assumed: Assumption, proof: Proof
) -> list[Entry]:
    """`gone` are the steps from the first that rests on it."""
    facts = {"by": "claim", "at": str(gone[0].number), "check": proof.check, "of": assumed.key}
    numbers = [step.number for step in gone]
    event = compressed_event(RETRACTED, numbers, dead_end(assumed, proof), **facts)
    return [event, *_own_step(state, gone, assumed, proof)]


def dead_end(assumed: Assumption, proof: Proof) -> str:
    return escape(f"I assumed that {_denied(assumed)}, and that is wrong: {proof.truth}")


def _denied(assumed: Assumption) -> str:
    place = assumed.claim.place
    where = f" in {place}" if place and place != "here" else ""
    return f"{assumed.name} {_DENIED[assumed.claim.about]}{where}"


def _own_step(
    state: State, gone: Sequence[Step], assumed: Assumption, proof: Proof
) -> tuple[Said, Seen]:
    number = max(len(state.steps), gone[-1].number) + 1
    made = {"n": str(number), "by": OURS}
    turn = Turn(TurnKind.ACTION, _thought(gone, assumed, proof), proof.tool, proof.given)
    facts = made | {
        "status": proof.seen.status.value,
        "kind": _KINDS.get(proof.tool, Kind.SEARCH).value,
        "tool": proof.tool,
    }
    facts |= {"paths": write_list(proof.seen.paths)} if proof.seen.paths else {}
    running = still_running(state, gone)
    facts |= {"running": write_list(running)} if running else {}
    return Said(turn, None, made | {"of": assumed.key}), Seen(proof.seen.text, facts)


def _thought(gone: Sequence[Step], assumed: Assumption, proof: Proof) -> str:
    turn = assumed.rests_on.said.turn
    call = headline(f"{turn.action} {turn.input}".replace("\n", " "), _CALL)
    since = "in what I had read before" if assumed.is_stale else "because it was not found"
    undone = "; what I changed on that assumption is undone" if _has_written(gone) else ""
    return escape(
        f"I assumed that {_denied(assumed)}, {since} ({call}). That is wrong:"
        f" {proof.truth}{undone}. "
        "I look at it, and go on from what is really there."
    )


def _has_written(gone: Sequence[Step]) -> bool:
    return any(step.has_written for step in gone)
