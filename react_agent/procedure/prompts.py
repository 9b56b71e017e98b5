"""The prompts of a procedure: the earlier messages shown to a role, and the requests between turns.

In a cooperative procedure, a role sees all messages. In a competitive procedure, it sees the
messages since the state was entered and its own earlier messages.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import fsum, log

from react_agent.memory.index import COMMON, words
from react_agent.models.contract import View
from react_agent.parsers.answers.speech import read_name
from react_agent.parsers.settings.procedure import END, Phase, Procedure, Role, Sharing
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.gist import one_line
from react_agent.parsers.transcript.quoting import escape
from react_agent.parsers.turn.reply import without_reasoning
from react_agent.procedure.course import SHARED, Course, Memory
from react_agent.tools.clip import clip, clip_line
from react_agent.tools.context import Limits

JUDGE, RULE, SUMMARIZE = "judge", "rule", "summary"  # what a model is asked for
_OBJECTIVE = Limits(output_chars=3000, line_chars=1500)
_SUMMARY = 2000  # characters
_LAST = 1  # entry
_SHORTEN = (
    "Summarize what was said so far, as it matters in the scene above: the most important things "
    "that were found out, done and agreed, with the names of files and symbols as they are."
)
_FORMAT = "Answer in this form: history summary: what you wrote"
_HEAD = "history summary:"
_NEW = Limits(output_chars=6000, line_chars=3000)  # of one entry
_EARLIER = Limits(output_chars=1200, line_chars=1000)
_NEAR = "Said earlier, as far as it has to do with this:"
_ADVICE = "the rest was not kept"
_YOU = "you"


def shared(course: Course, procedure: Procedure) -> list[Memory]:
    """Return the messages that all roles in the current state may see."""
    return course.memory[_start(course, procedure) :]


def _start(course: Course, procedure: Procedure) -> int:
    return course.entered_at if procedure.sharing is Sharing.COMPETITIVE else 0


def _summary_for(course: Course, procedure: Procedure, role: Role | None) -> str:
    """Return the role's own summary, or else the shared summary."""
    own = _summary(course, procedure, role.name) if role else ""
    return own or _summary(course, procedure, SHARED)


def _summary(course: Course, procedure: Procedure, whose: str) -> str:
    found = course.summaries.get(whose)
    return found.text if found and found.made > _start(course, procedure) else ""


def relevant(entries: Sequence[Memory], query: str, most: int) -> tuple[Memory, ...]:
    """Return the entries that share the rarest words with the query, in their original order."""
    if not most or not query:
        return ()
    held = [words(one.text) - COMMON for one in entries]
    asked, among = words(query) - COMMON, Counter(word for one in held for word in one)
    scores = [fsum(log(1 + len(entries) / among[word]) for word in one & asked) for one in held]
    ranked = sorted(range(len(entries)), key=lambda at: (-scores[at], -at))
    best = sorted(at for at in ranked[:most] if scores[at] > 0)
    return tuple(entries[at] for at in best)


def sight_lines(course: Course, procedure: Procedure, role: Role) -> Iterator[str]:
    """Yield the paragraphs shown to a role. All lines of earlier messages are indented."""
    name, start, own = role.name, _start(course, procedure), course.own(role.name)
    last, new = own[-1] if own else None, course.memory[max(start, course.last_of(role.name)) :]
    most = 2 * procedure.summary_every - 1 if procedure.summary_every else len(new)
    shown = new[max(len(new) - most, 0) :]
    seen_before = [one for one in course.memory[:start] if one.name == name]
    earlier = [*seen_before, *course.memory[start : len(course.memory) - len(shown)]]
    earlier = [one for one in earlier if one is not last]
    latest = shown[-1] if shown else last
    query = latest.text if latest else ""
    if near := relevant(earlier, query, procedure.relevant_history):
        yield _paragraph(_NEAR, near, name, _EARLIER)
    if summary := _summary_for(course, procedure, role):
        yield _in_short(summary)
    if last:
        yield f"What you said last:\n{_indented(clip(last.text, _NEW, _ADVICE))}"
    if shown:
        since, left_out = "Said since then" if last else "Said so far", len(new) - len(shown)
        gone = f", without the {counted(left_out, 'entry')} before" if left_out else ""
        yield _paragraph(f"{since}, the oldest first{gone}:", shown, name)


def _in_short(summary: str) -> str:
    return f"Said so far, in short:\n{_indented(summary)}"


def _paragraph(title: str, entries: Iterable[Memory], name: str = "", limits: Limits = _NEW) -> str:
    lines = [title]
    for one in entries:
        speaker = _YOU if one.name == name else one.name
        first, *more = clip(one.text, limits, _ADVICE).split("\n")
        lines.append(f"  {speaker} (in {one.phase}): {first}")
        lines += (f"    {line}" if line else "" for line in more)
    return "\n".join(lines)


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" if line else "" for line in text.split("\n"))


def judge_view(procedure: Procedure, phase: Phase, course: Course, objective: str) -> View:
    means = {phase.name: "it is not done yet", END: "all is done"}
    edges = "\n".join(
        f"  {number}: {means.get(to, f'what comes next is {to}')}"
        for number, to in enumerate(phase.next)
    )
    system = (
        "Roles work on an objective in turns. You judge whether what this state is for is done; "
        f"you do none of it yourself.\n\n{phase.judge}\n\n"
        f"Answer with one digit and nothing else, as in `Next: 0`. It means:\n{edges}"
    )
    return _view(phase, system, _told(procedure, phase, course, objective), "Next:")


def rule_view(procedure: Procedure, phase: Phase, course: Course, objective: str) -> View:
    roles = "\n".join(
        f"  {role.key}: {clip_line(one_line(role.task), 200)}" for role in phase.roles
    )
    last = f" It cannot be {course.speaker}, who spoke last." if course.speaker else ""
    system = (
        "Roles work on an objective in turns. You say who speaks next; you do none of it yourself."
        f"\n\n{phase.choose}\n\nAnswer with one name and nothing else, as in "
        f"`Next: {phase.roles[0].key}`.{last} The roles are:\n{roles}"
    )
    return _view(phase, system, _told(procedure, phase, course, objective), "Next:")


def chosen(phase: Phase, course: Course, answer: str) -> str | None:
    """Return the key of the role named in the answer, or None if it is unknown or spoke last."""
    keys = {name: role.key for role in phase.roles for name in (role.name, role.key)}
    named = read_name(answer, list(keys))
    key = keys[named] if named else None
    return key if key != course.speaker else None


def summary_view(
    procedure: Procedure, phase: Phase, course: Course, entries: Sequence[Memory], role: Role | None
) -> View:
    """Return the prompt that requests a summary of the given entries, for one role or for all."""
    before = _summary_for(course, procedure, role)
    earlier = shared(course, procedure)[: -len(entries)] if entries else []
    query = entries[-1].text if entries else ""
    near = relevant(earlier, query, procedure.relevant_history)
    told = (
        f"The summary before:\n{_indented(before)}" if before else "",
        _paragraph("Said earlier, as far as it has to do with it:", near) if near else "",
        _paragraph("Said since then:", entries),
    )
    system = f"{phase.summary_prompt or _SHORTEN}\n\n{_FORMAT}"
    return _view(phase, system, told, "History summary:")


def summarized(answer: str) -> str:
    """Extract the summary from the answer as a single line, or return "" if there is none."""
    said = one_line(without_reasoning(answer)).strip("*_ ")
    if said.casefold().startswith(_HEAD):
        said = said[len(_HEAD) :].strip("*_ ")
    return clip_line(said, _SUMMARY)


def _told(procedure: Procedure, phase: Phase, course: Course, objective: str) -> Iterator[str]:
    """Yield the objective and the messages in this state in order, the last one separately."""
    here = course.memory[course.entered_at :]
    last = here[-1:] or course.memory[-1:]
    earlier = [one for one in shared(course, procedure) if one not in here]
    yield f"The objective:\n{_indented(clip(objective, _OBJECTIVE, 'it is longer'))}"
    if summary := _summary_for(course, procedure, None):
        yield _in_short(summary)
    query = last[0].text if last else ""
    if near := relevant(earlier, query, procedure.relevant_history):
        yield _paragraph(_NEAR, near)
    if len(here) > _LAST:
        yield _paragraph(f"Said in this state ({phase.name}), the oldest first:", here[:-_LAST])
    if last:
        yield _paragraph("Said last:", last)


def _view(phase: Phase, system: str, told: Iterable[str], tail: str) -> View:
    """Return a prompt that starts with the description of the state."""
    head = "\n\n".join(filter(None, (phase.environment, system)))
    task = "\n\n".join(filter(None, told))
    return View(f"{escape(head)}\n\n", f"{escape(task)}\n\n", (), tail)
