"""The commit of a run: words that the model is asked for once, in the habit of the repository.

Where the model can't be asked, or its answer can't be read, its Conclusion has to do.
"""

import os
from collections.abc import Iterable, Sequence

from react_agent.guards.means import Ask
from react_agent.issue_to_pr.target import ISSUE, target_of
from react_agent.loop.state import ANSWER, ASKED, State
from react_agent.models.contract import View
from react_agent.parsers.answers.labelled import PullWords, read_pull_words
from react_agent.parsers.forge.commit_message import About, habit_of, message_of, subject_of
from react_agent.parsers.issue.reference import Reference, read_reference
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.secrets.redaction import redacted
from react_agent.parsers.text.gist import headline
from react_agent.parsers.transcript.entries import Entry, Event, Said
from react_agent.parsers.transcript.facts import read_facts
from react_agent.parsers.transcript.quoting import escape
from react_agent.profiles.settings import Settings
from react_agent.prompt.plan_block import achieved
from react_agent.tools.clip import clip
from react_agent.tools.context import Limits
from react_agent.tools.git.door import AUTHOR

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
_SAID = Limits(output_chars=2_500, line_chars=400)
_SUBJECTS, _SUBJECT = 8, 100  # characters


def message(
    state: State, words: PullWords, history: Sequence[str], paths: Sequence[str], of: Settings
) -> tuple[str, str]:
    """The subject, and the whole."""
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
    """As the forge writes it that the change goes to, where it goes to one."""
    target = target_of(state.header)
    found = read_reference(target.issue if target else state.header.get(ISSUE, ""))
    return None if found is None or found.is_pull else found


def number_of(state: State) -> int:
    """Of the issue; 0: it has none here."""
    found, is_sent = issue_of(state), target_of(state.header) is not None
    return 0 if found is None or (is_sent and found.path) else found.number


def said_of(state: State) -> str:
    """Where the plan ended the run, what of it was reached."""
    return state.conclusion or "\n".join(f"- {goal}" for goal in achieved(state.plan))


def person(text: str) -> tuple[str, str]:
    """Of `NAME <EMAIL>`, as the settings have checked it; ours, where there is none."""
    name, _, mail = text.removesuffix(">").rpartition(" <")
    return (name, mail) if mail else AUTHOR


def ask_for_words(state: State, patch: bytes, subjects: Sequence[str], ask: Ask) -> PullWords:
    shown = (f"  {headline(one, _SUBJECT)}" for one in subjects[:_SUBJECTS])
    parts = (
        ("The issue", clip(state.objective or "", _ISSUE)),
        ("Subjects of this repository", "\n".join(shown)),
        ("Your change", clip(os.fsdecode(patch), _PATCH)),
        ("What you concluded", clip(state.conclusion, _SAID)),
        ("Tests", state.result.get("tests", "")),
        ("Still open", "\n".join(f"- {point.text}" for point in state.open)),
    )
    text = "\n\n".join(f"{name}:\n\n{escape(said)}" for name, said in parts if said.strip())
    answer, problem = ask(View(SYSTEM, f"{text}\n", (), _TAIL), _ROOM, PULL)
    return PullWords() if problem else read_pull_words(answer)


def words_in(entries: Iterable[Entry]) -> PullWords | None:
    """Those that were asked for behind its last turn; None: it was not asked."""
    found = None
    for entry in entries:
        if isinstance(entry, Said):
            found = None
        elif isinstance(entry, Event) and entry.name == ASKED:
            facts = read_facts(entry.text)
            if facts.get("for") == PULL:
                found = read_pull_words(facts.get(ANSWER, ""))
    return found
