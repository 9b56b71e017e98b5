"""Build a pull request from a run's folder and its branch, exactly as it would be sent."""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from react_agent.guards.means import Ask
from react_agent.issue_to_pr.change import automatic, keys_in
from react_agent.issue_to_pr.target import ISSUE, target_of
from react_agent.models.contract import View
from react_agent.parsers.answers.labelled import PullWords, read_pull_words
from react_agent.parsers.forge.commit_message import About, habit_of, message_of, subject_of
from react_agent.parsers.forge.safe_markdown import code, prose
from react_agent.parsers.issue.reference import Reference, read_reference
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.repo.file_roles import is_code
from react_agent.parsers.repo.git_diff import FileDiff, read_git_diff
from react_agent.parsers.secrets.redaction import redacted
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.gist import headline, one_line
from react_agent.parsers.transcript.entries import Entry, Event, Said
from react_agent.parsers.transcript.facts import read_facts, read_list
from react_agent.parsers.transcript.quoting import escape
from react_agent.procedure.course import as_one_run
from react_agent.profiles.settings import Settings
from react_agent.prompt.plan_block import achieved
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.run_setup import check_header
from react_agent.runs.verification import OF_TESTS, Verdict, changed_tests, unanswered
from react_agent.state import transcript as transcripts
from react_agent.state.events import COMMIT
from react_agent.state.state import ANSWER, ASKED, OUTCOME, TESTED, State, Stop, fold
from react_agent.state.steps import RETRACTED
from react_agent.tools.clip import clip
from react_agent.tools.context import Limits
from react_agent.tools.git.change import published
from react_agent.tools.git.door import AUTHOR, Git
from react_agent.tools.git.repository import in_repository

PULL = "pull"  # what a model is asked for
SYSTEM = """\
You have changed a repository so that an issue is resolved. Now say what its maintainers need to
know before they read the change. You are given the issue, the change and what you concluded.

Rules:
- Say only what the change shows. Name files and symbols as they are written there, in backticks.
- Plain and short sentences; no praise, no headings, no list of files.
- The subject is one line of at most 60 characters in the manner of the subjects of this repository
  that you are shown, but without their prefixes and numbers: those are added.

Answer with these five lines alone, each begun by its label; all but the first two may be longer:

Subject: what the change does
Kind: one of fix, feat, docs, test, refactor, perf, build, ci, style, chore
Problem: what was wrong, and why, in one to three sentences
Change: what was changed, and why in this way, in one to four sentences
Uncertain: what you assumed, did not test, or what a reviewer should look at twice; else: nothing

"""
_TAIL = "\nThe five lines:\n"
_ROOM = 900  # tokens of an answer
_ISSUE = Limits(output_chars=4_000, line_chars=400)
_PATCH = Limits(output_chars=14_000, line_chars=300)
_CONCLUDED = Limits(output_chars=2_500, line_chars=400)
_SUBJECTS, _SUBJECT = 8, 100  # characters


def message(
    state: State, words: PullWords, history: Sequence[str], paths: Sequence[str], of: Settings
) -> tuple[str, str]:
    """Return the subject line and the full commit message."""
    objective = state.objective or ""
    about = About(
        title=title_of(objective),
        text=objective,
        number=number_of(state),
        paths=tuple(paths),
        author=of.author or "{} <{}>".format(*AUTHOR),
        co_authors=of.co_author,
    )
    habit = habit_of(history)
    subject = redacted(subject_of(words.subject, words.kind, habit, about))
    body = "\n\n".join(filter(None, (words.problem, words.change))) or said_of(state)
    return subject, redacted(message_of(subject, body, habit, about))


def issue_of(state: State) -> Reference | None:
    """Return the issue as the target forge refers to it, or None if there is none."""
    target = target_of(state.header)
    found = read_reference(target.issue if target else state.header.get(ISSUE, ""))
    return None if found is None or found.is_pull else found


def number_of(state: State) -> int:
    """Return the number of the issue, or 0 if it has none in this repository."""
    found, is_sent = issue_of(state), target_of(state.header) is not None
    return 0 if found is None or (is_sent and found.path) else found.number


def said_of(state: State) -> str:
    """Return the conclusion, or the achieved goals if the plan ended the run."""
    return state.conclusion or "\n".join(f"- {goal}" for goal in achieved(state.plan))


def person(text: str) -> tuple[str, str]:
    """Split `NAME <EMAIL>` from the settings. Return our own author if it is empty."""
    name, _, mail = text.removesuffix(">").rpartition(" <")
    return (name, mail) if mail else AUTHOR


def ask_for_words(state: State, patch: bytes, subjects: Sequence[str], ask: Ask) -> PullWords:
    shown = (f"  {headline(one, _SUBJECT)}" for one in subjects[:_SUBJECTS])
    parts = (
        ("The issue", clip(state.objective or "", _ISSUE)),
        ("What the maintainer said later", clip(state.all_told, _ISSUE)),
        ("Subjects of this repository", "\n".join(shown)),
        ("Your change", clip(os.fsdecode(patch), _PATCH)),
        ("What you concluded", clip(state.conclusion, _CONCLUDED)),
        ("Tests", state.result.get("tests", "")),
        ("Still open", "\n".join(f"- {point.text}" for point in state.open)),
    )
    text = "\n\n".join(f"{name}:\n\n{escape(said)}" for name, said in parts if said.strip())
    answer, problem = ask(View(SYSTEM, f"{text}\n", (), _TAIL), _ROOM, PULL)
    return PullWords() if problem else read_pull_words(answer)


def words_in(entries: Iterable[Entry]) -> PullWords | None:
    """Return what the model wrote about the change as it is now, or None if it was not asked."""
    found = None
    for entry in entries:
        if isinstance(entry, Said) or (isinstance(entry, Event) and entry.name == RETRACTED):
            found = None
        elif isinstance(entry, Event) and entry.name == ASKED:
            facts = read_facts(entry.text)
            if facts.get("for") == PULL:
                found = read_pull_words(facts.get(ANSWER, ""))
    return found


MOST, MOST_LINES = 8_000, 40  # bytes and lines of a body
_PROBLEM, _CHANGE, _UNCERTAIN = 2_000, 2_500, 1_200  # characters
_OPEN, _SAID, _TESTS = 300, 150, 600
_LINES = 12  # of the problem, and of the change
_SHARES = (1.0, 0.7, 0.4, 0.2, 0.1, 0.05)  # of them
_MOST_OPEN, _MOST_CHECKS, _MOST_AUTOMATIC = 6, 10, 10
_PATH = 60  # characters of its end
_CHECK_FAILED = ": failed"
_CHANGED_SINCE = "the branch was changed after the run"
_NOT_READY = OF_TESTS | {"tests_gone"}
_SETTLED = frozenset({"scratch", "left_out"})  # what was dropped, or never got in


@dataclass(frozen=True, slots=True)
class Prepared:
    title: str
    body: str
    is_draft: bool
    branch: str  # in the repository
    base: str  # the commit that it begins at
    repository: Path
    refused: tuple[str, ...] = ()  # why it must not be sent; empty: it may


@dataclass(frozen=True, slots=True)
class Told:
    """The parts of a pull request's body. Only the numbers are trusted."""

    words: PullWords
    tests: Sequence[str] = ()  # how they ended, and how they were run
    is_draft: bool = False
    breaks_tests: bool = False  # which is said first: what the model says may be wrong
    checks: Sequence[str] = ()  # a line each: changed tests, and the checks of the repository
    open: Sequence[str] = ()  # what the gate found
    closes: str = ""  # `#12`, `owner/name#12`
    number: int = 0
    places: Sequence[str] = ()  # of this machine, which nobody is told
    automatic: Mapping[str, str] = field(default_factory=dict)  # files that run, and why


def prepared(
    folder: RunFolder,
    *,
    moved: Path | None = None,
    closes: str = "",
    known: Collection[str] = (),
) -> Prepared:
    """Build the pull request. `closes` is the reference to the issue; `known` lists secrets.

    `moved` is the repository's current path, if it has moved since the run.
    """
    entries = transcripts.read(folder.transcript).entries
    own = fold(entries)
    check_header(own, folder)
    state, words = as_one_run(folder, own), words_in(entries) or PullWords()
    base, before = own.header["base"], own.header["repository"]
    has_branch = own.stop is Stop.CONCLUDED and "diff" in own.result
    branch = own.result.get("branch", "") if has_branch else ""
    repository = (moved or Path(before)).absolute()
    files, refused = _looked_at(repository, base, branch, own, folder.path.name)
    told = replace(
        _told(state, words, files),
        closes=closes or str(issue_of(state) or ""),
        places=(str(folder.path), str(repository), before),
        automatic=automatic(files),
    )
    if files:
        with in_repository(repository) as git:
            changed = changed_tests(files, partial(_read, git, base))
            is_old = _has_changed(git, branch, entries)
        tests = (*told.tests, _CHANGED_SINCE) if is_old else told.tests
        checks = (*(f"changed {one}" for one in changed), *told.checks)
        told = replace(told, tests=tests, checks=checks)
    return Prepared(
        title=redacted(own.result.get("subject") or title_of(own.objective or ""), known),
        body=redacted(body(told), known),
        is_draft=told.is_draft,
        branch=branch,
        base=base,
        repository=repository,
        refused=refused,
    )


def _looked_at(
    repository: Path, base: str, branch: str, state: State, run: str
) -> tuple[Sequence[FileDiff], tuple[str, ...]]:
    """Return the branch's current changes, including those by people, and any objections."""
    if not branch:
        if state.stop is Stop.CONCLUDED and not state.is_complete:
            return (), (f"the run has not made its branch yet: react-agent resume {run}",)
        ended = state.result.get(OUTCOME) or state.stop or Stop.INTERRUPTED
        return (), (f"the run made no branch: it ended as {ended}",)
    found = published(repository, base, branch)
    if found is None:
        return (), (f"the branch {branch} does not exist any more, or no longer contains its base",)
    files = read_git_diff(os.fsdecode(found.patch))
    if not files:
        return (), (f"the branch {branch} changes nothing",)
    keys = [f"{place} {what}" for one in files for place, what in keys_in(one)]
    return files, (*keys, *([found.objection] if found.objection else ()))


def _has_changed(git: Git, branch: str, entries: Iterable[Entry]) -> bool:
    """Return whether the branch's files differ from the run's commit; False if it is unknown."""
    made = [one.text for one in entries if isinstance(one, Event) and one.name == COMMIT][-1:]
    trees = (f"{name}^{{tree}}" for name in (*made, f"refs/heads/{branch}"))
    found = git.ask("rev-parse", *trees)
    return found.code == 0 and len(set(found.out.split())) > 1


def _read(git: Git, commit: str, path: str) -> bytes | None:
    answer = git.ask("cat-file", "blob", f"{commit}:{path}")
    return answer.out if answer.code == 0 else None


def _told(state: State, words: PullWords, files: Sequence[FileDiff]) -> Told:
    result = state.result
    tested = read_facts(result.get(TESTED, ""))
    verdict, command = tested.get("verdict"), tested.get("command")
    is_known, has_failed = verdict in (Verdict.PASSED, Verdict.FAILED), verdict == Verdict.FAILED
    has_code = any(is_code(one.path) for one in files)
    tests = [code(f"tests: {headline(result.get('tests', ''), _TESTS)}")]
    told = tests if has_code or command else []
    told += [f"run in a fresh checkout: {code(headline(command, _SAID))}"] if command else []
    told += [] if has_code or is_known else ["no code was changed"]
    points = unanswered(state.open, verdict, has_fixed="fixed" in tested)
    points = [one for one in points if one.check not in _SETTLED]
    left = [point.text for point in points]
    left += ["tests fail with and without this change"] if is_known and "same" in tested else []
    checks = read_list(result.get("checks", ""))
    is_broken = any(point.check in _NOT_READY for point in points)
    is_broken |= any(line.endswith(_CHECK_FAILED) for line in checks)
    return Told(
        words if words.problem or words.change else replace(words, problem=said_of(state)),
        breaks_tests=has_failed,
        tests=told,
        checks=checks,
        open=left,
        number=number_of(state),
        is_draft=is_broken or has_failed or (has_code and not is_known),
    )


def body(told: Told) -> str:
    """Return the body, shortened until it fits even though escaping makes it longer."""
    tries = (_parts(told, share) for share in _SHARES)
    fits = (text for text in tries if len(text.encode()) <= MOST and text.count("\n") < MOST_LINES)
    return placeless(f"{next(fits, '')}\n", told.places)


def placeless(text: str, places: Iterable[str]) -> str:
    """Return the text without the paths of this machine that `places` lists."""
    for place in places:
        text = text.replace(place, "…") if len(place) > 1 else text
    return text


def _parts(told: Told, share: float) -> str:
    """Return the body, with less of all but the files that run automatically."""
    runs = [f"{code(_end(path, _PATH))}: {why}" for path, why in told.automatic.items()]
    checks = [_headline(told, line, _SAID * share) for line in told.checks]
    parts = (
        "**With this change, tests fail that do not fail without it.**"
        if told.breaks_tests
        else "",
        prose(_short(told.words.problem, _PROBLEM * share, _LINES * share), told.number),
        prose(_short(told.words.change, _CHANGE * share, _LINES * share), told.number),
        _list("Runs automatically", _some(runs, _MOST_AUTOMATIC, "more file")),
        _list("Tested", [*told.tests, *_some(checks, _MOST_CHECKS * share, "more line")]),
        _list("Uncertain", _uncertain(told, share)),
        f"Fixes {told.closes}" if told.closes else "",
    )
    return "\n\n".join(filter(None, parts))


def _short(text: str, most: float, lines: float = 1) -> str:
    text, room = text.strip(), round(most)
    shown = "\n".join(text.split("\n")[: max(round(lines), 1)])
    if len(shown) > room:
        shown = shown[:room].rpartition(" ")[0] or shown[:room]
    return shown if shown == text else f"{shown} …"


def _end(text: str, most: int) -> str:
    return text if len(text) <= most else f"…{text[-most:]}"


def _list(title: str, items: Iterable[str]) -> str:
    lines = [f"- {item}" for item in items]
    return "\n".join((f"**{title}**", "", *lines)) if lines else ""


def _some(lines: Sequence[str], most: float, more: str) -> Iterator[str]:
    shown = max(round(most), 1)
    yield from lines[:shown]
    if (left := len(lines) - shown) > 0:
        yield f"and {counted(left, more)}"


def _uncertain(told: Told, share: float) -> Iterator[str]:
    if told.words.uncertain:
        said = told.words.uncertain.replace("\n- ", "; ").removeprefix("- ")
        yield prose(_short(one_line(said), _UNCERTAIN * share), told.number)
    for point in told.open[: max(round(_MOST_OPEN * share), 1)]:
        yield _headline(told, point, _OPEN * share)


def _headline(told: Told, text: str, most: float) -> str:
    """Return the headline. Remove local paths first, because a cut could leave half of one."""
    return prose(_short(headline(placeless(text, told.places), _OPEN), most))
