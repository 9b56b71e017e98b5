"""What a model is told when it is stuck, and what a person is told of it."""

from collections.abc import Callable, Mapping, Sequence

from react_agent.loop.steps import Step
from react_agent.loop.troubles import BACK, DEMOTE, HINT, STOP
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.gist import headline
from react_agent.parsers.transcript.facts import read_facts, write_numbers
from react_agent.tools.registry import How, Kind

Hint = Callable[[Found, Sequence[Step]], str]  # of the steps that stand
_NAMED = 3
_ID = 80  # characters
_CALL = 60

WHAT: Mapping[str, str] = {
    "again": "the same call with the same result",
    "noise": "the same call with the same result, but for times and such",
    "reworded": "a call that fails, in other words",
    "cycle": "the same calls in turn, with the same results",
    "failing": "tests that fail as before, edit after edit",
    "thoughts": "thoughts without an action",
}
_ANSWERED: Mapping[str, str] = {
    HINT: "a hint",
    DEMOTE: "this call rests",
    BACK: "going back, if something shows where to",
    STOP: "the run ends",
}


def again(found: Found, steps: Sequence[Step]) -> str:
    return (
        f"this very call has returned the same {found.times} times{_shown(found, steps)}: use what "
        "it showed, or ask for something else"
    )


def noise(found: Found, steps: Sequence[Step]) -> str:
    return (
        f"this call has returned the same {found.times} times{_shown(found, steps)}, but for times "
        "and numbers that are new in every run: it will not tell more; look elsewhere"
    )


def reworded(found: Found, steps: Sequence[Step]) -> str:
    last = steps[-1]
    if last.seen.facts.get("how") in (How.REDIRECT, How.WISH):
        advice = "it can't be had here, whatever its input: use the tools that there are"
    else:
        advice = _ADVICE.get(
            last.kind, "read its error from the start, and change what it is about"
        )
    return (
        f"the same has failed {found.times} times, otherwise written ({_numbers(found)}): {advice}"
    )


_ADVICE: Mapping[str, str] = {
    Kind.WRITE: (
        "the file does not hold the lines you expect there: look at that place as it is now, and "
        "copy its lines"
    ),
    Kind.READ: (
        "there is no such place: take a path that its answer names, list the folder, or search for "
        "the name alone"
    ),
    Kind.SEARCH: (
        "it is not written like that: search for one short word of it, everywhere, or find the "
        "place from where it is used"
    ),
}


def cycle(found: Found, steps: Sequence[Step]) -> str:
    by_number = {step.number: step for step in steps}
    calls = [_call(by_number[number]) for number in found.steps if number in by_number]
    shown = "; ".join(dict.fromkeys(calls))
    return (
        f"steps {write_numbers(found.steps)} go round and show the same every time ({shown}): "
        "say what you know by now, and do what you have not done yet"
    )


def _call(step: Step) -> str:
    turn = step.said.turn
    return _plain(headline(f"{turn.action} {headline(turn.input)}".strip(), _CALL))


def resting(hint: str, steps: int) -> str:
    """Of a call that is not made for so many steps."""
    return f"{hint}; for the next {counted(steps, 'step')} this very call is not made"


def failing(found: Found, steps: Sequence[Step]) -> str:
    ids = failing_ids(steps[-1])
    named = ", ".join(headline(one, _ID) for one in ids[:_NAMED])
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return (
        f"after {counted(found.times, 'round')} of edits the same fails in the same way: "
        f"{_plain(named)}{more}. What you change has no part in it: find out which code that test "
        "runs, or whether it failed before your first edit and is none of your business"
    )


def thoughts(found: Found, steps: Sequence[Step]) -> str:
    return (
        f"{counted(found.times, 'step')} without an action: read, search, change or run something "
        "now, and see what comes of it"
    )


def _shown(found: Found, steps: Sequence[Step]) -> str:
    return f" ({_numbers(found)})"


def _numbers(found: Found) -> str:
    return f"steps {write_numbers(found.steps)}"


def _plain(text: str) -> str:
    """The names of tools stand between backticks, and these are none."""
    return text.replace("`", "'")


def reason(pattern: str, found: Found, answers: Sequence[str]) -> str:
    """Why a run ends as stuck."""
    tried = [word for answer, word in _TRIED.items() if answer in answers]
    without = f"; {' and '.join(tried)} did not help" if tried else ""
    nowhere = f"; {_NOWHERE}" if BACK in answers else ""  # a step taken back begins it anew
    return f"{WHAT[pattern]}: {counted(found.times, 'time')}, {_numbers(found)}{without}{nowhere}"


_TRIED: Mapping[str, str] = {HINT: "a hint", DEMOTE: "a rest"}
_NOWHERE = "nothing showed where to go back to"


def told(text: str) -> str:
    """Of the event, for people."""
    facts = read_facts(text)
    what, answer = WHAT.get(facts.get("pattern", "")), _ANSWERED.get(facts.get("answer", ""))
    if what is None or answer is None:
        return text
    return f"{what}, steps {facts.get('steps', '')}: {answer}"
