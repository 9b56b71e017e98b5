"""What is asked between turns: whether a state is done, who is next, what was said in short."""

from collections.abc import Iterable, Iterator, Sequence

from react_agent.models.contract import View
from react_agent.parsers.answers.speech import read_name, read_number
from react_agent.parsers.settings.procedure import END, Phase, Procedure, Role
from react_agent.parsers.text.gist import one_line
from react_agent.parsers.transcript.quoting import escape
from react_agent.parsers.turn.reply import without_reasoning
from react_agent.procedure.course import Course, Memory
from react_agent.procedure.sight import indented, paragraph, relevant, shared, summary_for
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


def judge_view(procedure: Procedure, phase: Phase, course: Course, objective: str) -> View:
    edges = "\n".join(f"  {number}: {_edge(phase, to)}" for number, to in enumerate(phase.next))
    system = (
        "Roles work on an objective in turns. You judge whether what this state is for is done; "
        f"you do none of it yourself.\n\n{phase.judge}\n\n"
        f"Answer with one digit and nothing else, as in `Next: 0`. It means:\n{edges}"
    )
    return _view(phase, system, _told(procedure, phase, course, objective), "Next:")


def _edge(phase: Phase, to: str) -> str:
    if to == phase.name:
        return "it is not done yet"
    return "all is done" if to == END else f"what comes next is {to}"


def judged(phase: Phase, answer: str) -> int | None:
    return read_number(answer, len(phase.next))


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
    """A role that there is and that did not speak last, or none."""
    keys = {name: role.key for role in phase.roles for name in (role.name, role.key)}
    named = read_name(answer, list(keys))
    key = keys[named] if named else None
    return key if key != course.speaker else None


def summary_view(
    procedure: Procedure, phase: Phase, course: Course, entries: Sequence[Memory], role: Role | None
) -> View:
    """Of everybody's entries, or of those that are new to a role."""
    before = summary_for(course, procedure, role)
    earlier = shared(course, procedure)[: -len(entries)] if entries else []
    query = entries[-1].text if entries else ""
    near = relevant(earlier, query, procedure.relevant_history)
    told = (
        f"The summary before:\n{indented(before)}" if before else "",
        paragraph("Said earlier, as far as it has to do with it:", near) if near else "",
        paragraph("Said since then:", entries),
    )
    system = f"{phase.summary_prompt or _SHORTEN}\n\n{_FORMAT}"
    return _view(phase, system, told, "History summary:")


def summarized(answer: str) -> str:
    """In one line; nothing where there is none."""
    said = one_line(without_reasoning(answer)).strip("*_ ")
    if said.casefold().startswith(_HEAD):
        said = said[len(_HEAD) :].strip("*_ ")
    return clip_line(said, _SUMMARY)


def _told(procedure: Procedure, phase: Phase, course: Course, objective: str) -> Iterator[str]:
    """What was said in this state in its order, what was said last by itself."""
    here = course.memory[course.entered_at :]
    last = here[-1:] or course.memory[-1:]
    earlier = [one for one in shared(course, procedure) if one not in here]
    yield f"The objective:\n{indented(clip(objective, _OBJECTIVE, 'it is longer'))}"
    if summary := summary_for(course, procedure, None):
        yield f"Said so far, in short:\n{indented(summary)}"
    query = last[0].text if last else ""
    if near := relevant(earlier, query, procedure.relevant_history):
        yield paragraph("Said earlier, as far as it has to do with this:", near)
    if len(here) > _LAST:
        yield paragraph(f"Said in this state ({phase.name}), the oldest first:", here[:-_LAST])
    if last:
        yield paragraph("Said last:", last)


def _view(phase: Phase, system: str, told: Iterable[str], tail: str) -> View:
    """What the state is stands in front of it all."""
    head = "\n\n".join(filter(None, (phase.environment, system)))
    task = "\n\n".join(filter(None, told))
    return View(f"{escape(head)}\n\n", f"{escape(task)}\n\n", (), tail)
