"""What a role sees of what was said: what is relevant, a summary, and what is new to it.

In a cooperative procedure all of it is there; in a competitive one what was said since the state
was entered, and of what was said before that only its own.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import fsum, log

from react_agent.memory.words import COMMON, words
from react_agent.parsers.settings.procedure import Procedure, Role, Sharing
from react_agent.parsers.text.counted import counted
from react_agent.procedure.course import SHARED, Course, Memory
from react_agent.tools.clip import clip
from react_agent.tools.context import Limits

_NEW = Limits(output_chars=6000, line_chars=3000)  # of one entry
_EARLIER = Limits(output_chars=1200, line_chars=1000)
_ADVICE = "the rest was not kept"
_YOU = "you"


@dataclass(frozen=True, slots=True)
class Sight:
    relevant: tuple[Memory, ...]
    summary: str
    own: Memory | None  # what it said last
    new: tuple[Memory, ...]  # since then
    left_out: int = 0  # of these, the oldest


def shared(course: Course, procedure: Procedure) -> list[Memory]:
    """What everybody in the state that it is in may see."""
    return course.memory[_start(course, procedure) :]


def _start(course: Course, procedure: Procedure) -> int:
    return course.entered_at if procedure.sharing is Sharing.COMPETITIVE else 0


def sight(course: Course, procedure: Procedure, role: Role) -> Sight:
    start, own = _start(course, procedure), course.own(role.name)
    last = course.last_of(role.name)
    new = course.memory[max(start, last) :]
    most = 2 * procedure.summary_every - 1 if procedure.summary_every else len(new)
    shown = tuple(new[max(len(new) - most, 0) :])
    seen_before = [one for one in course.memory[:start] if one.name == role.name]
    earlier = [*seen_before, *course.memory[start : len(course.memory) - len(shown)]]
    earlier = [one for one in earlier if not own or one is not own[-1]]
    query = shown[-1].text if shown else own[-1].text if own else ""
    return Sight(
        relevant(earlier, query, procedure.relevant_history),
        summary_for(course, procedure, role),
        own[-1] if own else None,
        shown,
        len(new) - len(shown),
    )


def summary_for(course: Course, procedure: Procedure, role: Role | None) -> str:
    """The role's own; else the shared one."""
    own = _summary(course, procedure, role.name) if role else ""
    return own or _summary(course, procedure, SHARED)


def _summary(course: Course, procedure: Procedure, whose: str) -> str:
    found = course.summaries.get(whose)
    return found.text if found and found.made > _start(course, procedure) else ""


def relevant(entries: Sequence[Memory], query: str, most: int) -> tuple[Memory, ...]:
    """Those that share the rarest words with it, in the order in which they were said."""
    if not most or not query:
        return ()
    held = [_words(one.text) for one in entries]
    asked, among = _words(query), Counter(word for one in held for word in one)
    scores = [fsum(log(1 + len(entries) / among[word]) for word in one & asked) for one in held]
    ranked = sorted(range(len(entries)), key=lambda at: (-scores[at], -at))
    best = sorted(at for at in ranked[:most] if scores[at] > 0)
    return tuple(entries[at] for at in best)


def _words(text: str) -> set[str]:
    return words(text) - COMMON


def told(sight: Sight, name: str) -> Iterator[str]:
    """As paragraphs of a prompt; no line begins with what another one said."""
    if sight.relevant:
        yield paragraph(
            "Said earlier, as far as it has to do with this:", sight.relevant, name, _EARLIER
        )
    if sight.summary:
        yield f"Said so far, in short:\n{indented(sight.summary)}"
    if sight.own:
        yield f"What you said last:\n{indented(_clipped(sight.own.text, _NEW))}"
    if sight.new:
        since = "Said since then" if sight.own else "Said so far"
        gone = f", without the {counted(sight.left_out, 'entry')} before" if sight.left_out else ""
        yield paragraph(f"{since}, the oldest first{gone}:", sight.new, name, _NEW)


def paragraph(title: str, entries: Iterable[Memory], name: str = "", limits: Limits = _NEW) -> str:
    return "\n".join((title, *(line_of(one, name, limits) for one in entries)))


def line_of(one: Memory, name: str = "", limits: Limits = _NEW) -> str:
    speaker = _YOU if one.name == name else one.name
    first, *more = _clipped(one.text, limits).split("\n")
    return "\n".join(
        (
            f"  {speaker} (in {one.phase}): {first}",
            *(f"    {line}" if line else "" for line in more),
        )
    )


def indented(text: str) -> str:
    return "\n".join(f"  {line}" if line else "" for line in text.split("\n"))


def _clipped(text: str, limits: Limits) -> str:
    return clip(text, limits, _ADVICE)
