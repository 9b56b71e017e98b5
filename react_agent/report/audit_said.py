"""Of a run: what was refused, what was mended of what the model wrote, what guards said."""

from collections import Counter
from collections.abc import Iterator, Mapping

from react_agent.loop.events import VIEW
from react_agent.loop.spent import whole_number
from react_agent.loop.steps import MAINTAINER, RETRACTED
from react_agent.loop.troubles import STUCK
from react_agent.parsers.secrets.redaction import MARK, marks_in
from react_agent.parsers.text.gist import headline
from react_agent.parsers.transcript.entries import Objective, Said
from react_agent.parsers.transcript.facts import read_list
from react_agent.report.audit_run import Audited, Done
from react_agent.tools.observation import REFUSED, Status
from react_agent.tools.registry import How, Kind

_GIST = 160  # characters of an Observation
_HOW: Mapping[str, str] = {
    How.REDIRECT: "a redirect answered",
    How.WISH: "no such tool",
    How.DEMOTED: "this very call rests",
    "gate": "the Conclusion was not accepted",
}
_GUARDS = (
    *(STUCK, "hint", "demote", RETRACTED, "overflow", "asked", "open", MAINTAINER, "redone"),
    *("judged", "entered", "note", "torn", "resumed", "stop"),
    *VIEW,
)


def refused(run: Audited) -> Iterator[str]:
    for one in run.done:
        if why := _why(one):
            said = headline(one.step.seen.text, _GIST)
            yield f"step {one.at}: {_called(one)} ({why}): {said}"
    for name in ("refused", "dropped"):
        yield from (f"at the end, {name}: {line}" for line in read_list(run.last.get(name, "")))
    for kind, times in sorted(_redacted(run).items()):
        yield f"redacted: {kind}, in {times} places" if times > 1 else f"redacted: {kind}"


def _why(one: Done) -> str:
    facts = one.step.seen.facts
    if (how := facts.get("how", "")) in _HOW:
        return _HOW[how]
    if wall := facts.get(REFUSED):
        return f"outside of what may be reached: {wall}"
    if one.step.kind == Kind.WRITE and one.step.status is Status.FAILED:
        return "nothing was changed"
    return ""


def _called(one: Done) -> str:
    facts, turn = one.step.seen.facts, one.step.said.turn
    return facts.get("entry") or turn.action or "Conclusion"


def _redacted(run: Audited) -> Counter[str]:
    """Marks that stand where a secret was; whoever wrote a text can write them too."""
    texts = [one.step.seen.text for one in run.done]
    texts += [entry.text for entry in run.entries if isinstance(entry, Objective)]
    for said in run.said:
        texts += [said.turn.thought, said.turn.input, said.turn.conclusion]
    marks = (mark for text in texts for mark in marks_in(text))
    return Counter(mark.removeprefix(MARK).removesuffix("]") for mark in marks)


def mended(run: Audited) -> Iterator[str]:
    for one in run.done:
        turn, facts = one.step.said.turn, one.step.seen.facts
        yield from (f"step {one.at}: {repair}" for repair in turn.repairs)
        if turn.problem:
            yield f"step {one.at}: the reply could not be read: {turn.problem}"
        if turn.fabricated:
            yield f"step {one.at}: what the reply made up behind its action was cut off"
        if (parts := whole_number(facts.get("mended"))) > 0:
            yield f"step {one.at}: the edit, {parts} times"
    yield from _last(run.said[-1] if run.state.conclusion else None)


def _last(said: Said | None) -> Iterator[str]:
    if said:
        yield from (f"the Conclusion: {repair}" for repair in said.turn.repairs)


def guards(run: Audited) -> Iterator[str]:
    """With what a person said on the way, and what was asked of the model beside its steps."""
    for one in run.noted:
        if one.event.name in _GUARDS:
            yield f"after step {one.at}: {one.event.name}: {headline(one.event.text, _GIST)}"
