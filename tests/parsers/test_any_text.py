"""Any text is read or refused, and in a time that grows as the text does: a table of readers."""

import contextlib
import gc
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import NamedTuple

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.claims.claims import claims
from react_agent.parsers.edits.edits import Edits, parse_file_text
from react_agent.parsers.forge.safe_markdown import readable
from react_agent.parsers.issue.clues import clues_of
from react_agent.parsers.issue.examples import are_better
from react_agent.parsers.issue.reference import read_reference
from react_agent.parsers.repo.outline import python_outline
from react_agent.parsers.secrets.finder import secrets_in
from react_agent.parsers.servers.overflow import read_overflow
from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.settings.hidden import TRANSLATED
from react_agent.parsers.settings.profile_text import read_sections
from react_agent.parsers.shell.line import commands, first_barred
from react_agent.parsers.shell.lookups import lookup
from react_agent.parsers.shell.tool_aliases import meant
from react_agent.parsers.testing.block_log import read_blocks
from react_agent.parsers.testing.selection import read_selection
from react_agent.parsers.text.html_text import html_text
from react_agent.parsers.text.json_rows import numbered_values
from react_agent.parsers.text.printed import without_noise
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.hook_files import read_job
from react_agent.parsers.turn.other_formats import NoCall, find_call
from react_agent.parsers.turn.turn import parse_turn
from react_agent.parsers.values.arguments import read_value
from react_agent.parsers.values.damaged_json import closing, insists_on_json, read_json, tokens
from react_agent.parsers.values.searches import searches
from react_agent.parsers.values.targets import parse_page_request

Read = Callable[[str], object]
CALL = '{"name": "grep", "arguments": {"pattern": "x"}}'
BLOCK = "src/x.py\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE"
DIFF = "--- a/src/x.py\n+++ b/src/x.py\n@@ -1 +1 @@\n-old\n+new\n"


def _called(text: str) -> None:
    with contextlib.suppress(NoCall):
        find_call(text, None)


def _words(text: str) -> None:
    assert all(one.words for one in commands(text))


def _value(text: str) -> None:
    value = read_value(text)
    assert value == text or isinstance(value, dict | list)


def _scanned(text: str) -> object:
    return list(tokens(text)), closing(text), insists_on_json(text)


def _searched(text: str) -> None:
    for one in (text, f'{{"pattern": {text}'):
        searches(one, lambda word: "a" in word)


def _of_shells(text: str) -> None:
    names = ("bash", "cat", "find", "sed", "git", "git_log", "ls", "edit", "python")
    for how, name in product(TRANSLATED, names):
        meant(how, name, text)


def _barred(text: str) -> None:
    found = first_barred(text, [("git", "push"), ("python", "$"), ("-", "|"), ("pip", "'"), ()])
    assert found is None or found.text in text


SHELL = (
    *("git push", "ls", " ", "\n", ";", "&&", "||", "|", "&", "(", ")", "{", "}", "$(", "`", "'"),
    *('"', "\\", "#", "<<EOF\n", "EOF", "<", ">", "2>&1", "$x", "${", "$((", "((", "))", "if "),
    *("a=", "case ", " in ", "do ", "bash -c ", "env ", "find -exec ", "eval ", "$'", "\x00"),
    *("$((a)", "<<A <<B\n", "a=(", "$(`", 'x"$(', "vim;", "find -exec a ", "sh -c 'a' ", "{a,"),
)
LOOKS = (
    *("cat ", "grep ", "find ", "sed -n ", "ls ", "git ", "-n ", "-e ", "5p", "'", '"', "|", "&&"),
    *(";", "\\", "\n", "$", "(", ")", "-name ", "-rn ", "x ", "head -3", "1,", "{", "}", "--", " "),
    *("[", "*", "tail -n +2 ", "rg ", "\x00", "cat x; ", "cat x | ", "-name a "),
)
ALIASES = (
    *("cat ", "sed -n ", "git ", "log ", "5p", "'", '"', "|", "\n", "$ ", "-name ", "x ", ":", "1"),
    *("{", "}", '"path"', "command: ", "```", "<<<<<<< SEARCH\n", "\x00"),
    *("create ", "str_replace ", "x.py ", "path: ", "old_str: ", "="),
)
READERS: dict[str, tuple[Read, Sequence[str]]] = {
    "claims": (claims, ("there is no ", "x_y", " does not exist", ". ", "`", "I ", "\n", "> ")),
    "an edit": (
        Edits({"src/x.py": "old\n"}, "usage").edited,
        (*BLOCK.split("\n"), *DIFF.split("\n"), "old: ", "{", "```", "\n"),
    ),
    "a file": (partial(parse_file_text, hint="HINT"), ("a.py", "\n", "```", "path: ", "{", '"')),
    "an outline": (python_outline, ("class A:", "def f(", "):", "\n", "    ", '"""', "@", "x = 1")),
    "a profile": (read_sections, ("a", "[", "]", "#", " = ", "\n", "\t", ".", "\u2028", "\f")),
    "commands": (_words, SHELL),
    "what is barred": (_barred, SHELL),
    "a look": (lookup, LOOKS),
    "a call by another name": (_of_shells, ALIASES),
    "a selection of tests": (read_selection, tuple("-k:[](){}\"'`,.# a=b\n/|&>")),
    "rows of JSON": (lambda text: list(numbered_values(text)), tuple('[]{},:" \\n1ae')),
    "brackets": (_scanned, tuple("{}[]:,\"'\\ \na1")),
    "what is printed": (without_noise, ("2026-01-02", "10:11", "0x7f", "/tmp/", "12", "%", " ")),
    "a job": (read_job, ("key=k\n", "kind=", "text", "\n", "top=/\n", "=", "commit=")),
    "a value": (_value, tuple("{}[]:,\"'a1 \\\n/*#")),
    "a search": (_searched, (*'{}[]:,"a\\\n', "pattern", "-rne ", "path: ", "'", "|", "=")),
}


@pytest.mark.parametrize(("read", "pieces"), READERS.values(), ids=READERS)
@given(data=st.data())
def test_any_text_is_read_or_refused(
    read: Read, pieces: Sequence[str], data: st.DataObject
) -> None:
    texts = st.text() | st.lists(st.sampled_from(pieces), max_size=20).map("".join)
    with contextlib.suppress(ParseError):
        read(data.draw(texts))


class Growing(NamedTuple):
    read: Read
    piece: str
    begin: str = ""
    end: str = ""

    def text(self, size: int) -> str:
        return f"{self.begin}{self.piece * size}{self.end * size}"


def _damaged(text: str) -> None:
    with contextlib.suppress(ParseError):
        read_json(text)


TURNS = (
    *("\n", "Action: x\n", "Action 1", "```\n", "x\n", "Thought: x\n", "{", " \n", "**"),
    *("</code>\n", '"""\n', "<|im_end|>\n", "<think>\n", "</think>\n", "cat <<A\n", "Obs\n"),
    *("```x\n", "<tool_call>\n", '{"a": ', "---\n\n", "I look at it now.\n\n", "</s>"),
    "- Action: x\n",
)
JSON = (
    *(("[", "'a\\d', "), ("", "{"), ("", '{"a": '), ("[", '"'), ('["', "\\"), ("[", "1,\n")),
    *(('{"a": ', '"b'), ("[", "[],"), ("{'a': ", "\n ")),
)
BRACKETS = ("{", "[", '"', "\\", "\n", '["a",', '{"a": "', '["\\"', "[1,")


def _growing() -> Iterator[Growing]:
    yield from (Growing(commands, piece) for piece in SHELL)
    yield from (Growing(lookup, piece, "find . ") for piece in LOOKS)
    yield from (Growing(estimate_tokens, one) for one in ("a", " ", "\n", "(", "a(1 ", "漢", "\0"))
    for begin in ("", "Action: a\nAction Input:"):
        yield from (Growing(parse_turn, piece, begin) for piece in TURNS)
    yield from (Growing(_damaged, piece, begin) for begin, piece in JSON)
    for begin in ("", '{"a": ', '["a", '):
        yield from (Growing(_scanned, piece, begin) for piece in BRACKETS)
    yield from (Growing(_called, piece) for piece in ("{", "<tool_call>\n", f"{CALL}\n"))
    yield Growing(_called, '```json\n{"a": 1}\n```\n')
    yield Growing(_called, '{"a": 1,,}\n', '{"action": "x", "action_input": [')
    yield Growing(_called, "</parameter> x", "<function=grep><parameter=a>")
    yield Growing(_called, f"```json\n{CALL}\nx\n", end="```\n")


@table_of("growing", [pytest.param(one, id=repr(one[1:])) for one in _growing()])
def test_time_grows_with_the_text(growing: Growing) -> None:
    growing.read(growing.text(80))  # patterns are compiled when they are first needed
    short, long = (_calls(growing.read, growing.text(size)) for size in (200, 400))
    assert long <= 2.2 * short + 200


def test_time_grows_with_the_members() -> None:
    texts = [f"{{{','.join(f'a{n}: 1' for n in range(members))}}}" for members in (200, 400)]
    short, long = (_calls(_damaged, text) for text in texts)
    assert long <= 2.2 * short + 200


# What a pattern does by itself is not seen in calls.
LONG: dict[Read, tuple[int, Sequence[str]]] = {
    clues_of: (
        100_000,
        (
            *("/", "a/", "a.", "\\", "`", "` `", "> ", "> > \n", "a.py:1 ", "    $ x\n"),
            *("``` a\n", "at a.b.c(\n", 'File "', "aB", "_", "-", "`a_b()`", "$ "),
            'File "a.py", line 1, in f\n  x\n',
        ),
    ),
    read_blocks: (500_000, ("---- tests::a stdout ----\n\n", "error: a\n --> a.rs:1\n\n")),
    readable: (200_000, ("<!--", "-->", "`", "``` a\n", "<!-- `", "<!-- -->")),
    secrets_in: (40_000, ("a", "-----BEGIN PRIVATE KEY-----\n", "token=", "eyJ", "A: b\n")),
    read_overflow: (1_000_000, ("9k ",)),
    read_reference: (90_000, ("a/", "a", "https://a.b/", "#1")),
    parse_page_request: (90_000, ("a", "a.")),
    partial(are_better, before={"a": "1"}, after={"a": "2"}): (90_000, ("\n", "`")),
    html_text: (
        400_000,
        ('<a x=">"', "<!--", "<a", "</a ", '<a ="', "&#", "<![CDATA[", "<title>", "<a" + " " * 50),
    ),
    partial(html_text, address="x"): (
        10_000,
        (
            *("<div>", "<p hidden>", "<li>", "</x>", "<pre>", "<a href=x>", "<ul><li>x"),
            *("<div></p>", "<td>x"),
        ),
    ),
}


@table_of(
    ("read", "text"),
    [
        pytest.param(read, piece * (length // len(piece)), id=repr(piece))
        for read, (length, pieces) in LONG.items()
        for piece in pieces
    ],
)
def test_a_long_text_takes_no_time(read: Read, text: str) -> None:
    """What is quadratic takes far longer."""
    started = time.process_time()
    read(text)
    assert time.process_time() - started < 2


def _calls(read: Read, text: str) -> int:
    """How many calls it makes, in Python and of C: time, but for the noise."""
    count = 0

    def counted(*_: object) -> None:
        nonlocal count
        count += 1

    gc.disable()  # what it calls would be counted, too
    sys.setprofile(counted)
    try:
        read(text)
    finally:
        sys.setprofile(None)
        gc.enable()
    return count
