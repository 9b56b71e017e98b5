"""Of a run: what it was, what it took, and what its transcript can't tell."""

from collections import Counter
from collections.abc import Iterator

from react_agent.loop.spent import Spent
from react_agent.parsers.text.counted import counted
from react_agent.parsers.transcript.entries import Objective
from react_agent.parsers.transcript.facts import read_facts
from react_agent.report.audit_files import differing, read, wrote
from react_agent.report.audit_ran import commands, ran, reached
from react_agent.report.audit_run import Audited

_NOT_RECORDED = "not recorded"
_FACTS = ("repository", "base", "branch", "profile", "model", "sandbox", "limits", "attempt")


def about(run: Audited) -> Iterator[str]:
    header, last = run.state.header, run.last
    yield from (f"{name}: {header[name]}" for name in _FACTS if name in header)
    began = next((one.facts for one in run.entries if isinstance(one, Objective)), {})
    yield f"began: {began.get('at', _NOT_RECORDED)}"
    for one in run.noted:
        if one.event.name == "forked":
            yield f"forked: {one.event.text}"
        if one.event.name == "resumed":
            yield f"taken up again: {one.event.text or 'a run within it'}, after step {one.at}"
    yield from (f"in flight: {line}" for line in run.in_flight)
    yield f"ended: {_end(run)}"
    if "branch" in last:
        yield f"made: branch {last['branch']}, commit {last.get('commit', _NOT_RECORDED)}"
    if "tests" in last:
        yield f"tests: {last['tests']}"


def _end(run: Audited) -> str:
    stop, why = run.state.stop, run.state.stop_reason
    if stop is None:
        return "it has not ended, or was cut off"
    return f"{stop} ({why})" if why else f"{stop}"


def spent(run: Audited) -> Iterator[str]:
    total, steps = run.state.spent, run.state.steps
    yield f"steps: {len(steps)}, {sum(not step.stands for step in steps)} of them taken back"
    if within := len(run.done) - len(steps):
        yield f"steps of runs within it: {within}"
    yield f"replies: {len(run.said)}"
    yield f"commands: {len(commands(run))}"
    yield (
        f"tokens: {total.prompt_tokens:,} of prompts, {total.reply_tokens:,} of replies; "
        f"{total.cached:,} were cached"
    )
    yield f"money: {'not known' if total.money is None else f'{total.money:.4f} $'}"
    yield f"seconds: {total.seconds:.1f}, of replies and calls"
    if total.unknown:
        yield f"unknown: what at most {counted(total.unknown, 'call')} took, cut off on the way"
    yield from _asked(run)


def _asked(run: Audited) -> Iterator[str]:
    """What the model was asked beside its steps; it is in the sums above."""
    times, each = Counter[str](), dict[str, Spent]()
    for one in run.noted:
        if one.event.name == "asked":
            facts = read_facts(one.event.text)
            purpose = facts.get("for", "")
            times[purpose] += 1
            each.setdefault(purpose, Spent()).add(facts)
    for purpose, number in sorted(times.items()):
        paid = each[purpose]
        tokens = f"{paid.prompt_tokens:,} + {paid.reply_tokens:,} tokens"
        yield f"asked for {purpose}: {counted(number, 'time')}, {tokens}"


def missing(run: Audited) -> Iterator[str]:
    """What a reader of this audit must not take for told."""
    yield from run.gone
    if run.state.stop is None:
        yield "the run has not ended, or its end is not in the file"
    yield from (line for line in run.in_flight if "not known" in line)
    for title, lines in (("read", read), ("wrote", wrote), ("ran", ran), ("reached", reached)):
        number = sum(_NOT_RECORDED in line for line in lines(run))
        if number:
            yield f"{counted(number, 'line')} of {title!r} can't say more: {_NOT_RECORDED}"
    yield from _numbers(run)
    yield from differing(run)


def _numbers(run: Audited) -> Iterator[str]:
    """Steps are written with their numbers: where those jump, somebody has edited the file."""
    before = 0
    for one in run.done:
        if "." in one.at:
            continue
        number = one.step.written
        if number and number != before + 1:
            yield f"step {one.at} was written as step {number}: steps before it are gone"
        before = number or before + 1
