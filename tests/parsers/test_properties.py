"""What holds of any text or value: it is read back as it was written, or fits what it is for."""

import json
import re
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.answers import labelled, speech
from react_agent.parsers.answers.labelled import PullWords, read_answers, read_pull_words
from react_agent.parsers.forge.remote import read_remote_url
from react_agent.parsers.forge.safe_markdown import readable
from react_agent.parsers.issue.clues import clues_of
from react_agent.parsers.issue.reference import Reference, read_reference
from react_agent.parsers.issue.title import slug_of, title_of
from react_agent.parsers.repo import git_diff, similarity
from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.settings.front_matter import read_front_matter
from react_agent.parsers.settings.procedure import read_procedure
from react_agent.parsers.shell.line import commands
from react_agent.parsers.shell.lookups import lookup
from react_agent.parsers.shell.tool_aliases import fed_to_python
from react_agent.parsers.text.counted import read_age, write_age
from react_agent.parsers.text.fence import unfenced
from react_agent.parsers.text.names import main_names
from react_agent.parsers.text.printed import plain
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript import facts
from react_agent.parsers.transcript.hook_files import Job, Kind, read_job, write_job
from react_agent.parsers.values.arguments import Named, Span, Unreadable, read_fields
from react_agent.parsers.values.commands import words
from react_agent.parsers.values.searches import searches
from react_agent.parsers.values.targets import (
    FileRequest,
    named_files,
    parse_recall_request,
    readings,
)

Property = tuple["st.SearchStrategy[Any]", Callable[[Any], bool]]
MOST = 999_999_999
PROCEDURES = (
    *("procedure: p", "state: a", "  role b:", "  next: a", "  next: 0 a, 1 end_state"),
    "    task: x",
)

any_text = st.text()
short = st.text(min_size=1, max_size=20)
line = (
    st.text(alphabet="abc XYZ`.()'", min_size=1).map(str.strip).filter(lambda one: one.strip("`. "))
)
keys = st.from_regex(r"[a-z]{1,5}(_[a-z0-9]{1,5}){0,2}", fullmatch=True)
trimmed = st.text(st.characters(exclude_characters="\n")).filter(lambda text: text == text.strip())
values = st.text() | st.text("% ,=\n2CA05", max_size=8)
odd = st.text() | st.text("% :=#\n\r\t\x0c\x85\ud800<U+0A>25", max_size=8)
pull_words = st.builds(
    PullWords, line.map(lambda one: f"a{one}b"), st.just("fix"), line, line, line
)
jobs = st.builds(
    Job,
    *(
        st.just("k"),
        st.just("post-commit"),
        st.sampled_from(Kind),
        short,
        st.just("0a" * 20),
        short,
    ),
    said=short,
    text=st.text(max_size=50),
)
hexadecimal = st.text("0123456789abcdef", min_size=1, max_size=12)
patches = st.lists(
    st.sampled_from((" # step 3 of a..b", "+# step 3 of a..b", "-", "@@ -1 +1 @@"))
).map(lambda lines: "".join(f"{line}\n" for line in lines))
step_diffs = st.lists(
    st.builds(git_diff.StepDiff, st.integers(0, MOST), hexadecimal, hexadecimal, patches)
)
paths = st.lists(
    st.builds("{}{}".format, st.sampled_from("aZ0_"), st.text("aZ0_.-", max_size=9)),
    min_size=2,
    max_size=4,
).map("/".join)
hosts = st.sampled_from(["github.com", "git.example:8443", "127.0.0.1:1", "[::1]:9"])
numbers = st.integers(1, 9_999_999_999)
references = st.builds(Reference, numbers, paths | st.just(""), is_pull=st.booleans()) | st.builds(
    Reference, numbers, paths, hosts, st.booleans(), st.sampled_from(["http", "https"])
)
notes = st.lists(
    st.sampled_from(
        (
            *("Steps 3-4:", "Step 5", "[6-9]", "\n", "\n\n", " ", "- ", "**", "1. ", "```", "`"),
            *(":", "Action:", "%%", "Thought:", "a", "b.py", "<think>", "</think>"),
            *("<|im_end|>", "[", "12"),
        )
    ),
    max_size=20,
).map("".join)


def _shell_words(given: list[str]) -> bool:
    quoted = " ".join("'{}'".format(word.replace("'", "'\\''")) for word in ["x", *given])
    return [one.words for one in commands(quoted)] == [["x", *given]]


def _here_document(text: str) -> bool:
    [command] = commands(fed_to_python(text))
    return (command.words, command.here) == (["python3", "-"], text.removesuffix("\n"))


def _searched_pattern(pattern: str) -> bool:
    call = lookup("rg -e '{}' src".format(pattern.replace("'", "'\\''")))
    found = searches(call.input, lambda _: False) if call else Unreadable("")
    assert call and isinstance(found, tuple)
    [[read]] = found
    is_same = json.loads(call.input) == {"pattern": pattern, "path": ["src"]}
    return is_same and (read.pattern, read.globs) == (pattern, ("src",))


def _file_request(given: tuple[str, int, int]) -> bool:
    path, start, count = given
    written = named_files(json.dumps({"path": path, "start": start, "end": start + count}))
    assert isinstance(written, Named)
    expected = FileRequest(path, Span(min(start, MOST), min(start + count, MOST)))
    return readings(written.lines[0])[-1] == expected


def _fields(given: list[tuple[str, str]]) -> bool:
    text = "\n".join(f"{key}: {value}" for key, value in given)
    return read_fields(text) == read_fields(text, {key for key, _ in given}) == tuple(given)


def _notes(answer: str) -> bool:
    """Those that can be written are read again; none is of steps that were not asked for."""
    found = labelled.read_condensed(answer, 3, 9)
    kept = [one for one in found if [one] == _again([one])]
    assert all(3 <= note.first <= note.last <= 9 and "\n" not in note.text for note in found)
    return _again(kept) == kept


def _again(written: list[labelled.Condensed]) -> list[labelled.Condensed]:
    return labelled.read_condensed(labelled.write_condensed(written), 3, 9)


def _title(text: str) -> bool:
    title = title_of(text)
    is_safe = title.isprintable() or not title.isascii()
    return len(title) <= 72 and is_safe and len(title.splitlines()) <= 1


def _slug(title: str) -> bool:
    slug = slug_of(title)
    return len(slug) <= 32 and re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug) is not None


def _recalled(text: str) -> bool:
    asked = parse_recall_request(text)
    return isinstance(asked, Unreadable) or bool(asked.query) == (asked.step is None)


def _searched(text: str) -> bool:
    found = searches(text, lambda word: "a" in word)
    return isinstance(found, Unreadable) or not any(one[-1].repaired for one in found)


def _front_matter(text: str) -> bool:
    found = read_front_matter(text)
    return text.endswith(found.body) and bool(found.fields or found.body == text)


def _endpoints(given: dict[tuple[str, str], dict[str, str]]) -> bool:
    written = facts.write_endpoints(given)
    lines = written.encode().decode().count("\n")
    return facts.read_endpoints(written) == given and lines == 1 + len(given)


def _pull_words(text: str) -> bool:
    found = read_pull_words(text)
    return "\n" not in found.subject and len(found.problem) <= 2600


def _procedure(text: str) -> bool:
    """What was read is read again; or it says what is wrong."""
    try:
        procedure = read_procedure(text)
    except ParseError:
        return True
    return read_procedure(procedure.text) == procedure


def _compared(text: str) -> bool:
    words = similarity.loose_words(text)
    similarity.is_same_place(text, text)
    similarity.searched_words(text)
    return similarity.is_same_call(words, words) is bool(words)


READ_BACK: dict[str, Property] = {
    "a name that git writes": (
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
        lambda name: git_diff.read_name(git_diff.write_name(name)) == name,
    ),
    "steps of a run": (
        step_diffs,
        lambda given: list(git_diff.read_step_diffs(git_diff.write_step_diffs(given))) == given,
    ),
    "an age, no older than it is": (
        st.integers(0, 10**8),
        lambda seconds: (read_age(write_age(seconds)) or 0) <= seconds,
    ),
    "what a fence holds": (
        st.text().filter(lambda text: "```" not in text),
        lambda text: unfenced(f"```text\n{text}\n```") == text,
    ),
    "quoted words of a shell": (st.lists(st.text(), min_size=1), _shell_words),
    "code in a here-document": (
        any_text
        | st.lists(st.sampled_from(("EOF", "_1", "\n", "'", "$x", "`", "\\"))).map("".join),
        _here_document,
    ),
    "a pattern of rg": (
        st.text(st.sampled_from("ab('\"\\|.*+ -[]{}^$/:"), min_size=1).filter(str.strip),
        _searched_pattern,
    ),
    "lines of a file": (
        st.tuples(
            st.from_regex(r"[a-z/]{1,9}\.py", fullmatch=True), st.integers(1), st.integers(1)
        ),
        _file_request,
    ),
    "fields": (st.lists(st.tuples(keys, trimmed), min_size=1), _fields),
    "facts": (
        st.dictionaries(st.text("abcdefgh_", min_size=1), values),
        lambda given: facts.read_facts(facts.write_facts(given)) == given,
    ),
    "a list": (
        st.lists(values.filter(bool)).map(tuple),
        lambda members: facts.read_list(facts.write_list(members)) == members,
    ),
    "a list in facts": (
        st.lists(values).map(tuple).map(facts.write_list),
        lambda written: facts.read_facts(facts.write_facts({"x": written})) == {"x": written},
    ),
    "numbers of steps": (
        st.sets(st.integers(1, 60)),
        lambda some: facts.read_numbers(facts.write_numbers(some), 60) == tuple(sorted(some)),
    ),
    "endpoints": (
        st.dictionaries(st.tuples(odd, odd), st.dictionaries(odd, odd, max_size=3), max_size=3),
        _endpoints,
    ),
    "a job of the hook": (jobs, lambda job: read_job(write_job(job)) == job),
    "answers to threads": (
        st.dictionaries(
            st.integers(1, 9), st.text("ab .,", min_size=1).map(str.strip).filter(bool), min_size=1
        ),
        lambda given: (
            read_answers("\n".join(f"Thread {at}: {text}" for at, text in given.items()), 9)
            == given
        ),
    ),
    "words for a pull request": (
        pull_words,
        lambda given: (
            read_pull_words(
                "\n".join(f"{key.title()}: {text}" for key, text in asdict(given).items())
            )
            == given
        ),
    ),
    "a reference": (references, lambda given: read_reference(str(given)) == given),
    "notes": (notes | any_text, _notes),
}
ANY_TEXT: dict[str, Property] = {
    "a comment goes, nothing else": (
        st.text(alphabet="`->[]()a\n ~", max_size=60),
        lambda text: readable(text) == text.strip("\n"),
    ),
    "no escape of a terminal": (any_text, lambda raw: not {"\x1b", "\r"} & set(plain(raw))),
    "speech is left of speech": (
        st.tuples(any_text, st.lists(st.text(max_size=5), max_size=3)),
        lambda given: bool(speech.process(given[0], given[1], given[1])) == bool(given[0].strip()),
    ),
    "a remote, again": (
        any_text | st.text("/ab.-:@%20").map("ssh://{}".format),
        lambda text: (
            (found := read_remote_url(text)) is None or read_remote_url(found.url) == found
        ),
    ),
    "a reference, again": (
        any_text | st.text("/ab.-#!:@0", max_size=20).map("https://h.org/{}/issues/1".format),
        lambda text: (found := read_reference(text)) is None or read_reference(str(found)) == found,
    ),
    "no word is lost": (
        st.text(st.sampled_from("-a \"'`\\,\n")),
        lambda text: (
            all(word.text or word.quoted for word in words(text))
            and (text.strip() == "") == (not list(words(text)))
        ),
    ),
    "names stand in the text": (
        st.tuples(any_text, st.integers(0, 5)),
        lambda given: (
            len(found := main_names(*given)) <= given[1] and all(one in given[0] for one in found)
        ),
    ),
    "a step or words, or neither": (any_text, _recalled),
    "a search as it is written": (st.text(st.sampled_from("-rneg \"'a/.:=|path\n")), _searched),
    "a path is the strictest reading": (
        any_text,
        lambda text: readings(text)[0] == FileRequest(text.strip()),
    ),
    "a body is the end": (st.text(alphabet="-.:a[]', \n#|", max_size=60), _front_matter),
    "threads that there are": (
        st.tuples(any_text, st.integers(1, 5)),
        lambda given: set(read_answers(*given)) <= set(range(1, given[1] + 1)),
    ),
    "steps that there are": (
        st.tuples(st.text("0123456789-,x ²", max_size=30), st.integers(0, 40)),
        lambda given: set(facts.read_numbers(*given)) <= set(range(1, given[1] + 1)),
    ),
    "diffs that stand there": (
        any_text,
        lambda text: all(one.text in text for one in git_diff.read_step_diffs(text)),
    ),
    "clues that stand there": (
        st.text(alphabet='`$~>/\\.:-_aB1# \n()"', max_size=80),
        lambda text: all(one.text in text.replace("\\", "/") for one in clues_of(text).names),
    ),
    "a title is one short line": (st.text(st.characters()), _title),
    "a slug is fit for a branch": (st.text(st.characters()), _slug),
    "words for a pull request": (any_text, _pull_words),
    "a procedure, again": (
        any_text | st.lists(st.sampled_from(PROCEDURES) | st.text(max_size=9)).map("\n".join),
        _procedure,
    ),
    "a call is the same as itself": (any_text, _compared),
    "a longer text has hardly fewer tokens": (
        st.tuples(any_text, any_text),
        lambda both: 0 <= estimate_tokens(both[0]) <= estimate_tokens("".join(both)) + 1,
    ),
}


@pytest.mark.parametrize(("given_", "holds"), READ_BACK.values(), ids=READ_BACK)
@given(data=st.data())
def test_what_is_written_is_read_back(
    given_: "st.SearchStrategy[Any]", holds: Callable[[Any], bool], data: st.DataObject
) -> None:
    assert holds(data.draw(given_))


@pytest.mark.parametrize(("given_", "holds"), ANY_TEXT.values(), ids=ANY_TEXT)
@given(data=st.data())
def test_holds_of_any_text(
    given_: "st.SearchStrategy[Any]", holds: Callable[[Any], bool], data: st.DataObject
) -> None:
    assert holds(data.draw(given_))
