"""Write the report of a run, either as a file in its folder or as a comment on the issue.

Both have the same sections. A comment is short and contains no secret keys. Text from the model or
the repository goes into code blocks, so that a forge does not render mentions, links or HTML.
"""

import re
import textwrap
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from react_agent.guards.gate import refused
from react_agent.parsers.answers.labelled import says_cause
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.plan.plan import Plan, write_plan
from react_agent.parsers.repo.file_roles import is_code
from react_agent.parsers.secrets.redaction import redacted
from react_agent.parsers.testing.commands import only_runs_tests
from react_agent.parsers.text.counted import counted, first_few
from react_agent.parsers.text.gist import headline
from react_agent.parsers.text.names import is_path, names_in
from react_agent.parsers.transcript.facts import write_numbers
from react_agent.parsers.transcript.quoting import escape
from react_agent.prompt.plan_block import is_used
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.verification import Verdict, Verified, unanswered
from react_agent.state.findings import Point, refused_for
from react_agent.state.state import Ending, State, Stop
from react_agent.state.steps import Step
from react_agent.tools.observation import Status
from react_agent.tools.registry import How, Kind

_MORE = {
    Stop.OUT_OF_STEPS: " --steps N",
    Stop.OUT_OF_TIME: " --seconds N",
    Stop.OUT_OF_TOKENS: " --tokens N",
    Stop.OUT_OF_MONEY: " --money N",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    stop: Stop
    folder: RunFolder
    state: State
    branch: str = ""  # in the user's repository; empty: none was made
    diff: str = ""  # git's own statistics of it
    wrote: tuple[str, ...] | None = None  # the same by files: `src/a.py:+3-1`
    commit: str = ""  # that the branch is
    left_out: tuple[str, ...] = ()  # new files that only commands made
    dropped: tuple[str, ...] = ()  # new files that do not belong into it, and why
    refused: tuple[str, ...] = ()  # why it must not be sent anywhere
    automatic: Mapping[str, str] = field(default_factory=dict)  # files that run unasked, and why
    subject: str = ""  # of its commit
    checks: tuple[str, ...] = ()  # how those came out that the repository declares
    tests: str = ""  # how the tests ended, in words
    verified: Verified | None = None  # by tests that were run at the end
    changed_tests: tuple[str, ...] = ()  # that were there before
    kept: bool = False  # whether the workspace is still there

    @property
    def open(self) -> tuple[Point, ...]:
        """The open points at the accepted conclusion that the final tests did not settle."""
        if self.verified is None:
            return tuple(self.state.open)
        has_fixed = self.verified.fixed > 0
        return tuple(unanswered(self.state.open, self.verified.verdict, has_fixed=has_fixed))

    @property
    def ending(self) -> Stop | Ending:
        if self.stop is not Stop.CONCLUDED:
            return self.stop
        if self.verified and self.verified.verdict is Verdict.FAILED:
            return Ending.TESTS_FAILED
        return self.stop if self.diff or self.state.threads else Ending.NO_CHANGE

    @property
    def has_result(self) -> bool:
        """Whether the run has something to publish: a branch, or replies to review comments."""
        return self.stop is Stop.CONCLUDED and bool(self.branch or self.state.threads)

    @property
    def is_success(self) -> bool:
        return self.has_result and self.ending is not Ending.TESTS_FAILED

    @property
    def resume_command(self) -> str:
        """The command that resumes the run, or an empty string if the model ended the run."""
        if self.stop.is_final:
            return ""
        return f"react-agent resume {self.folder.path.name}{_MORE.get(self.stop, '')}"

    @property
    def fork_command(self) -> str:
        """The command that forks the run at its last step; empty if the run can't be forked."""
        steps = self.state.standing
        if not steps or "seed" in self.state.header:  # a procedure
            return ""
        where = f"{self.folder.path.name} --at {steps[-1].number}"
        return f'react-agent fork {where} --say "..."{_MORE.get(self.stop, "")}'


MOST_BYTES = 4_096  # of a comment
NOTHING = "nothing more"
_FILES, _TRIED = 15, 20  # lines
_LOOKED_AT = 5_000  # characters of a part
_WIDTH, _LINE = 100, 100  # of a comment; of what was tried
_REASON = 160  # characters
_NAMED = 3  # files
_MARKS = re.compile(r"[`<>\n]")
_ENTRY = re.compile(r"[^\W\d][\w .-]{0,60}")  # a name in the settings: no `=`, no `:`
_EXAMPLES = 3
_FEW = 5  # what a search found alone
_SIGNS: Mapping[str, str] = {Kind.READ: "read", Kind.SEARCH: "found", Kind.WRITE: "changed"}
_WORTH = {
    "changed": 8,
    "changed, then undone": 4,
    "read": 2,
    "found": 1,
    "named": 1,
    "in the issue": 3,
}


@dataclass(frozen=True, slots=True)
class _Part:
    title: str
    lines: Sequence[str]
    begin: str = "    "  # of a line in the report; this one makes a block of code
    room: int = 0  # bytes in a comment; 0: it is not in one
    more: str = ""  # Markdown of ours, for the report alone


def report(outcome: Outcome) -> str:
    """Return the run's report in Markdown. A report is most useful for a failed run."""
    state = outcome.state
    found = [f"# {title_of(state.objective or '')}", _ending(outcome)]
    for part in _parts(outcome):
        lines = [textwrap.indent(line, part.begin, bool) for line in part.lines if line]
        body = "\n\n".join(filter(None, ("\n".join(lines), part.more)))
        found += [f"## {part.title}\n\n{body}"] if body.strip() else []
    return "\n\n".join(escape(one).rstrip() for one in found) + "\n"


def failure_comment(outcome: Outcome) -> str:
    """Return the issue comment about a failed run, limited to MOST_BYTES bytes of UTF-8."""
    state = outcome.state
    reason = state.stop_reason if outcome.ending is outcome.stop else ""
    why = escape(_MARKS.sub(" ", redacted(reason))).strip()
    stop = f"{outcome.ending}: {textwrap.shorten(why, _REASON)}" if why else outcome.ending
    found = [f"The agent did not solve this: `{stop}`, {counted(len(state.steps), 'step')}."]
    for part in _parts(outcome):
        text = "\n".join(line for line in part.lines if line.strip()) if part.room else ""
        # Redact before the cut: half a key would not be recognized, but may be of use to others.
        lines = escape(redacted(text))[:_LOOKED_AT].split("\n")
        wrapped = (textwrap.wrap(line, _WIDTH, subsequent_indent="  ") or [line] for line in lines)
        shown = _fitting([row for rows in wrapped for row in rows], part.room)
        found += [f"**{part.title}**\n\n{textwrap.indent(shown, '    ')}"] if text else []
    return "\n\n".join(found) + "\n"


def _fitting(lines: list[str], room: int) -> str:
    shown = list[str]()
    for line in lines:
        room -= len(line.encode(errors="replace")) + 5
        if room < 0:
            return "\n".join((*shown, "..."))
        shown.append(line)
    return "\n".join(shown)


def _parts(outcome: Outcome) -> Iterator[_Part]:
    state, branch = outcome.state, outcome.branch
    said = list(_last_words(state))
    yield _Part("What the agent said", said, begin="", room=450)
    number, thought = hypothesis(state)
    if state.stop is not Stop.CONCLUDED and not any(line.endswith(thought) for line in said):
        yield _Part(f"Its last hypothesis (step {number})", [thought], room=550)
    if state.plan and is_used(state.plan):
        plan = Plan(replace(state.plan.root, goal=title_of(state.plan.main_goal)))
        yield _Part("Plan", [write_plan(plan)])
    change = f"Change, in the branch {branch}" if branch else "Change, without a branch"
    in_file = f"In a file: `{outcome.folder.patch}`" if outcome.diff and not branch else ""
    room = 0 if branch else 350
    yield _Part(change, outcome.diff.rstrip("\n").split("\n"), room=room, more=in_file)
    automatic = [f"`{path}`: {why}" for path, why in outcome.automatic.items()]
    yield _Part("Runs automatically", automatic, begin="- ")
    yield _tests(outcome)
    yield _Part("Tests changed", outcome.changed_tests, begin="- ")
    yield from _open(outcome)
    yield _Part("Taken back", state.dead_ends, begin="- ", room=200)
    yield _Part("Left out of the change", [f"`{path}`" for path in outcome.left_out], begin="- ")
    yield _Part("Dropped from the change", outcome.dropped, begin="- ")
    yield _Part("Why it can't be published", outcome.refused, begin="- ")
    yield _Part("What it tried", tried(state), room=600)
    files = [f"{path}: {why}" for path, why in relevant(state)[:_FILES]]
    yield _Part("Files that seem relevant, and why", files, room=600)
    names = [f"{wish.name} ({wish.times})" for wish in wishes([state])]
    how = "`react-agent inspect wishes` proposes settings for them." if names else ""
    yield _Part("Tools it asked for that do not exist", names, "- ", room=100, more=how)
    if not outcome.is_success:
        yield _Part("To go on", [outcome.resume_command, outcome.fork_command], room=300)


def _tests(outcome: Outcome) -> _Part:
    more = list[str]()
    if verified := outcome.verified:
        if verified.command:
            more.append(f"Run at the end in a fresh checkout: `{verified.command}`")
        more.append(textwrap.indent(verified.log, "    "))
        if verified.prepare:
            how = "so that they can run: put it into `.react-agent.cfg`, or use `--prepare auto`"
            more.append(f"A setting {how}\n\n    prepare = {verified.prepare}")
    return _Part("Tests", [outcome.tests], begin="", more="\n\n".join(filter(None, more)))


def _ending(outcome: Outcome) -> str:
    state, spent = outcome.state, outcome.state.spent
    cost = "" if spent.money is None else f", cost {spent.money:.4f}"
    why = f" ({state.stop_reason})" if state.stop_reason and outcome.ending is outcome.stop else ""
    tokens = f"{spent.prompt_tokens:,} + {counted(spent.reply_tokens, 'token')}"
    took = f"{state.length}, {tokens}, {spent.seconds:.0f} s{cost}{spent.not_known}"
    times = counted(len(state.compressed), "time")
    gone = f"{counted(state.taken, 'token')} removed from it"
    compressed = f"\nIts prompt was compressed {times}, {gone}." if state.compressed else ""
    return f"Ended as `{outcome.ending}`{why}: {took}.{compressed}"


def _last_words(state: State) -> Iterator[str]:
    before = refused(state)
    if state.conclusion:
        yield state.conclusion
        return
    if before and "by" not in before.said.facts:  # else a guard said it
        number, said = before.number, before.said.turn.conclusion
        yield f"Its Conclusion of step {number}, not accepted: {said}"
    if thoughts := _thoughts(state):
        yield f"Its last thought: {thoughts[-1][1]}"


def _thoughts(state: State) -> list[tuple[int, str]]:
    said = [(step.number, step.said.turn.thought) for step in state.standing]
    said += [(len(state.steps) + 1, state.pending.turn.thought)] if state.pending else []
    return [(number, thought) for number, thought in said if thought]


def hypothesis(state: State) -> tuple[int, str]:
    """Return the last thought that names a cause, or else the last thought, and its step number."""
    thoughts = _thoughts(state)
    causes = [one for one in thoughts if says_cause(one[1])]
    return (causes or thoughts or [(0, "")])[-1]


def _open(outcome: Outcome) -> Iterator[_Part]:
    """Yield the open points at the end of the run, or those of a refusal if it did not conclude."""
    before, title = refused(outcome.state), "Still open"
    if outcome.state.stop is Stop.CONCLUDED:
        lines = [point.text for point in outcome.open]
    else:
        lines = refused_for(before.seen) if before else []
        title += f", as in step {before.number}, when it first concluded" if before else ""
    yield _Part(title, lines, begin="- ", room=250)


def tried(state: State) -> list[str]:
    """Return the last lines about edits and test runs, with their results."""
    lines = []
    for step in state.steps:
        if what := _tried(step):
            undone = "" if step.stands else " (taken back)"
            lines.append(f"step {step.number}: {what}{undone}")
    if state.pending and (turn := state.pending.turn).action:
        call = f"{turn.action} {headline(turn.input, _LINE)}".strip()
        lines.append(f"cut off in step {len(state.steps) + 1}: {call}")
    if len(lines) <= _TRIED:
        return lines
    return [f"({counted(len(lines) - _TRIED + 1, 'line')} before that)", *lines[1 - _TRIED :]]


def _tried(step: Step) -> str:
    seen, turn = step.seen, step.said.turn
    if step.kind == Kind.WRITE and step.status is not Status.OK:
        return f"{step.tool} failed: {headline(seen.text, _LINE)}"
    if step.kind == Kind.WRITE:
        files = first_few(step.paths, _NAMED)
        edited = f"{step.tool} {files}: {headline(turn.thought, _LINE)}".rstrip(": ")
        return "; ".join(filter(None, (edited, _tried(step.ran) if step.ran is not step else "")))
    if step.kind == Kind.TEST:
        return f"tests: {seen.facts.get('tests') or headline(seen.text, _LINE)}"
    if step.kind == Kind.RUN and only_runs_tests(turn.input) and "background" not in seen.facts:
        verdict = "failed" if step.status is Status.FAILED else "passed"
        return f"{verdict}: {headline(turn.input, _LINE)}"
    return ""


@dataclass(slots=True)
class Wish:
    """A tool that agents asked for but that does not exist."""

    name: str
    times: int = 0
    runs: set[int] = field(default_factory=set)
    inputs: list[str] = field(default_factory=list)  # some, as they were written
    then: Counter[str] = field(default_factory=Counter)  # the tools that were called instead

    @property
    def entry(self) -> str:
        """A line to add to the settings file, so that calls to this missing tool are handled."""
        if not _ENTRY.fullmatch(self.name):
            return ""
        tool, times = self.then.most_common(1)[0]
        if tool != NOTHING and times * 2 > self.times:
            return f"{self.name} = alias {tool}"
        return f"{self.name} = redirect Write here why not, and what to do instead."


def wishes(states: Iterable[State]) -> list[Wish]:
    """Return the nonexistent tools that agents called in these runs, the most frequent first."""
    found = dict[str, Wish]()
    for run, state in enumerate(states):
        tools = [step.seen.facts.get("tool") for step in state.steps]
        for number, step in enumerate(state.steps, 1):
            if step.seen.facts.get("how") != How.WISH:
                continue
            turn = step.said.turn
            wish = found.setdefault(turn.action, Wish(turn.action))
            wish.times += 1
            wish.runs.add(run)
            wish.then[next(filter(None, tools[number:]), NOTHING)] += 1
            first = turn.input.strip().split("\n")[0]
            if first and first not in wish.inputs and len(wish.inputs) < _EXAMPLES:
                wish.inputs.append(first)
    return sorted(found.values(), key=lambda wish: (-wish.times, wish.name))


def relevant(state: State) -> list[tuple[str, str]]:
    """Return the relevant files and why they are relevant, the most important first.

    Files mentioned in an interrupted step are included.
    """
    signs = defaultdict[str, dict[str, list[int]]](lambda: defaultdict(list))  # numbers of steps
    for step in state.steps:
        if step.kind != Kind.SEARCH or len(step.paths) <= _FEW:
            sign = _SIGNS.get(step.kind, "")
            if sign == "changed" and not step.stands:
                sign = "changed, then undone"
            for path in step.paths if sign else ():
                if path.strip("./") and not path.endswith("/"):
                    signs[path][sign].append(step.number)
    known = list(signs)
    said = [(step.number, step.said.turn.thought) for step in state.steps]
    if state.pending:
        turn = state.pending.turn
        said.append((len(said) + 1, f"{turn.thought}\n{turn.input}\n{turn.conclusion}"))
    for number, thought in said:
        for path in _named_in(thought, known):
            signs[path]["named"].append(number)
    for path in _named_in(state.objective or "", known):
        signs[path]["in the issue"].append(0)
    worth = {
        path: sum(_WORTH[sign] * len(steps) for sign, steps in found.items())
        for path, found in signs.items()
    }
    ranked = sorted(signs, key=lambda path: (-worth[path], path))
    return [(path, "; ".join(_sign_words(signs[path]))) for path in ranked]


def _sign_words(signs: Mapping[str, list[int]]) -> Iterator[str]:
    for sign in filter(signs.get, _WORTH):
        steps = signs[sign]
        if sign == "named":
            yield f"named in {counted(len(steps), 'thought')}"
        elif sign == "in the issue":
            yield "named by the issue"
        elif sign != "found" or "read" not in signs:
            yield f"{sign} at step{'s' if len(steps) > 1 else ''} {write_numbers(steps)}"


def _named_in(text: str, known: Collection[str]) -> list[str]:
    """Return the paths that the text mentions, even as a partial path or within a longer path."""
    found = dict[str, None]()
    for name in (one.removeprefix("./") for one in names_in(text) if is_path(one)):
        fitting = [one for one in known if _ends(one, name) or _ends(name, one)]
        is_whole = re.search(rf"(?<![\w/.@:-]){re.escape(name)}", text)
        is_attribute = re.fullmatch(r"\w+\.\w", name)  # `np.r`
        if len(fitting) == 1:
            found[fitting[0]] = None
        elif not fitting and is_whole and is_code(name) and not is_attribute:
            found[name] = None
    return list(found)


def _ends(whole: str, end: str) -> bool:
    return f"/{whole}".endswith(f"/{end}")
