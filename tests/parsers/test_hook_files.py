"""What a commit asks for, and the files of the hook's queue."""

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.transcript.hook_files import (
    Asked,
    HookRequest,
    Job,
    Kind,
    read_job,
    read_push,
    read_request,
    requests_in,
    write_job,
)

ID = "0123456789" * 4


@table_of(
    ("message", "expected"),
    [
        pytest.param("Agent: fix issues/12.md", [("file", "issues/12.md")], id="file"),
        pytest.param("agent: ./a.txt.", [("file", "a.txt")], id="no verb"),
        pytest.param('AGENT: see "my issue.md"', [("file", "my issue.md")], id="quoted"),
        pytest.param("Agent: fixes #12", [("reference", "#12")], id="number"),
        pytest.param("Agent: a\n  b\n\tc\nd", [("text", "a b c")], id="goes on"),
        pytest.param("Agents: x\n Agent: y\n> Agent: z\nThe Agent: w", [], id="none"),
    ],
)
def test_what_a_message_asks_for(message: str, expected: list[tuple[str, str]]) -> None:
    assert requests_in(message) == tuple(Asked(Kind(kind), words) for kind, words in expected)


def test_reads_a_request() -> None:
    request = HookRequest("post-commit", ID, "/a")
    assert read_request(f"hook: post-commit\ncommit: {ID}\ntop: /a\n") == request
    folder = HookRequest("post-commit", ID, "/a\ntop: \n")  # with the end of a line in its name
    assert read_request(f"hook: post-commit\ncommit: {ID}\ntop: /a\ntop: \n\n") == folder


@table_of("text", ["", "hook: x\ntop: /\n", "hook: x\ncommit: --all\ntop: /\n"])
def test_refuses_a_request(text: str) -> None:
    expected = "expected `hook: NAME`, `commit: ID` and `top: FOLDER`, found "
    with pytest.raises(ParseError) as refused:
        read_request(text)
    assert str(refused.value) == f"line 1: {expected}{text!r}"


def test_refuses_a_push() -> None:
    with pytest.raises(ParseError, match=r"^line 1: expected OLD NEW REF, found 'a b'$"):
        read_push("a b")


JOB = f"key=k\nhook=x\nkind=text\nwords=x\ntop=/\ncommit={'0' * 40}\n"
names = st.text(min_size=1, max_size=20)


@given(names, names, st.sampled_from(Kind), names, st.text(max_size=50))
def test_reads_back_the_job_that_it_writes(
    words: str, top: str, kind: Kind, said: str, text: str
) -> None:
    job = Job("k", "post-commit", kind, words, "0a" * 20, top, said=said, text=text)
    assert read_job(write_job(job)) == job


def test_a_job_is_told_on_one_line() -> None:
    job = Job("k", "post-commit", Kind.FILE, "issues/a\ndone: b.md", "0a" * 20, "/")
    assert job.title == "issues/a done: b.md (0a0a0a0)"


@table_of(
    ("text", "line"),
    [
        ("x=1\n", "line 1: expected NAME=VALUE, found 'x=1'"),
        ("key=1", "line 1: expected a job with commit, found 'key=1'"),
        (f"{JOB}kind=all", "line 1: expected another kind, found 'all'"),
        (f"{JOB}commit=--all", "line 1: expected another commit, found '--all'"),
        (f"{JOB}run=../x", "line 1: expected another run, found '../x'"),
        (f"{JOB}branch=-x", "line 1: expected another branch, found '-x'"),
        (f"{JOB}tries=many", "line 1: expected another tries, found 'many'"),
    ],
)
def test_refuses_a_job(text: str, line: str) -> None:
    with pytest.raises(ParseError) as refused:
        read_job(text)
    assert str(refused.value) == line
