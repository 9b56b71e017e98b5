"""Patterns that take for ever on the right text: of models, of repositories, and our own."""

import importlib
import random
import re
import re._constants as codes  # type: ignore[import-not-found]
import re._parser as reading  # type: ignore[import-not-found]
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from react_agent.parsers.answers.speech import read_number
from react_agent.parsers.secrets.finder import secrets_in
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.tools.context import Context
from react_agent.tools.files.grep import GREP
from react_agent.tools.files.list_files import LIST_FILES
from react_agent.tools.git.door import Git
from react_agent.tools.observation import Status

pytestmark = pytest.mark.slow

LARGE = "((((a{1,100}){1,100}){1,100}){1,100})"
MOST_S = 1.5  # of processor time; where it grows by the square of 4,000 characters, 0.2


@pytest.fixture
def tree(root: Path) -> Path:
    (root / "a.txt").write_text("a" * 5_000 + "\n" + "a " * 3_000 + "!\nneedle 42\n")
    (root / ("a" * 200)).write_text("")
    return root


@pytest.mark.attack("grep for a pattern that would take all memory", by="model", wall="limits")
def test_a_pattern_that_grows_is_told_so(tree: Path) -> None:
    few = replace(Git(tree), memory=300 << 20)
    refused = few.ask("grep", "--untracked", "-E", "-e", LARGE)
    assert (refused.code, "Memory exhausted" in refused.err) == (128, True)
    assert few.run("grep", "--untracked", "-E", "-e", "needle [0-9]+") == b"a.txt:needle 42\n"
    text = GREP.call(LARGE, Context(tree)).text
    assert "[read as plain text: Memory exhausted]" in text or "the search was stopped" in text


@pytest.mark.attack("grep for a pattern that takes for ever", by="model", wall="limits")
def test_a_pattern_that_takes_for_ever_is_ended(tree: Path) -> None:
    before = time.monotonic()
    seen = GREP.call(r"(a*)*\1b", Context(tree))
    assert time.monotonic() - before < 2
    assert (seen.status, seen.text.count("\n")) == (Status.FAILED, 0)
    assert "the search was stopped: it took more than 1." in seen.text
    assert GREP.call(r"needle \d+", Context(tree)).status is Status.OK


@pytest.mark.attack("a name of a file as a pattern: {id}", by="model", wall="limits")
@pytest.mark.parametrize(
    "glob",
    [
        pytest.param("*a" * 60 + "b", id="stars"),
        pytest.param("a*" * 40 + "?b", id="stars of a long name"),
        pytest.param("**/*a" * 30 + "b", id="folders"),
        pytest.param("{a,a}" * 30 + "b", id="choices"),
        pytest.param("[a" * 60, id="open brackets"),
        pytest.param("a" + " " * 200_000 + "b", id="blanks"),
    ],
)
def test_a_glob_takes_no_time(tree: Path, glob: str) -> None:
    for tool, asked in ((LIST_FILES, glob), (GREP, f"x\npath: {glob}")):
        before = time.monotonic()
        with within(10):
            assert tool.call(asked, Context(tree)).status is not Status.OK
        assert time.monotonic() - before < 2
    assert LIST_FILES.call("*a*t", Context(tree)).status is Status.OK


class TooSlow(Exception):
    pass


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Of processor time; a search of `re` is broken off as well."""

    def end(number: int, frame: object) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@pytest.mark.attack("a choice of many blanks", by="model", wall="limits")
def test_a_choice_takes_no_time() -> None:
    with within(MOST_S):
        assert read_number("<end>" + " " * 50_000 + "\0" + "<end>" * 10_000, 3) is None
    assert read_number("<end> 9 </end> <END>\n 1 </end>", 3) == 1


@pytest.mark.attack("a key that begins again and again, as {id}", by="model", wall="limits")
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("xoxb-" * 20_000 + "_", id="of Slack"),
        pytest.param("tskey-a-" * 15_000 + "_", id="of Tailscale"),
        pytest.param("sk-" * 60_000 + " T3Blbk" + "FJ", id="of OpenAI"),
    ],
)
def test_a_search_for_keys_takes_no_time(text: str) -> None:
    with within(MOST_S):
        assert secrets_in(text) == []


def _patterns(value: object, depth: int = 0) -> Iterator[re.Pattern[str]]:
    if isinstance(value, LatePattern):
        value = value.pattern
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield value
    elif depth < 3 and isinstance(value, (tuple, list, frozenset)):
        for one in value:
            yield from _patterns(one, depth + 1)
    elif depth < 3 and isinstance(value, dict):
        yield from _patterns([*value.values()], depth + 1)


def _ours(sources: dict[str, str]) -> Iterator[tuple[str, re.Pattern[str], str]]:
    """Every pattern that a module of ours holds, and how it is asked there."""
    for module, text in sources.items():
        if "re.compile" not in text and "LatePattern" not in text:
            continue
        for name, value in vars(importlib.import_module(module)).items():
            if isinstance(value, type) or f"\n{name} = " not in text:
                continue
            called = re.findall(rf"\b{name}\.(match|fullmatch)\(", text)
            for pattern in _patterns(value):
                yield f"{module}.{name}", pattern, called[0] if called else "search"


def _once(parsed: Any) -> str:
    """A text that matches, of what is in it once."""
    return "".join(_piece(str(code), arg) for code, arg in parsed)


def _piece(code: str, arg: Any) -> str:
    match code:
        case "LITERAL":
            return chr(arg)
        case "IN":
            return _of_set(arg)
        case "ANY" | "NOT_LITERAL":
            return "a"
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            return _once(arg[2]) * max(1, min(arg[0], 3))
        case "SUBPATTERN":
            return _once(arg[-1])
        case "ATOMIC_GROUP":
            return _once(arg)
        case "BRANCH":
            return _once(arg[1][0])
    return ""


def _of_set(items: Any) -> str:
    first, value = items[0]
    if first is codes.CATEGORY:
        return {"CATEGORY_SPACE": " ", "CATEGORY_DIGIT": "1"}.get(str(value), "a")
    if first is codes.RANGE:
        return chr(value[0])
    return chr(value) if first is codes.LITERAL else "a"


def _repeated(parsed: Any, before: str = "") -> Iterator[tuple[str, str]]:
    """What is repeated without end, and what stands before it."""
    for code, arg in parsed:
        kind = str(code)
        if kind in ("MAX_REPEAT", "MIN_REPEAT"):
            if arg[1] > 100:
                yield before, _once(arg[2])
            yield from _repeated(arg[2], before)
        elif kind == "SUBPATTERN":
            yield from _repeated(arg[-1], before)
        elif kind == "BRANCH":
            for one in arg[1]:
                yield from _repeated(one, before)
        before += _piece(kind, arg)


def _texts(pattern: re.Pattern[str]) -> Sequence[str]:
    """Long ones that nearly match."""
    parsed = reading.parse(pattern.pattern, pattern.flags)
    pairs = [("", _once(parsed)), *_repeated(parsed)]
    pairs += [(before, blank) for before, _ in pairs for blank in (" ", "a")]
    return [f"{a}{b * (4_000 // len(b))}\n\0" for a, b in dict.fromkeys(pairs) if b]


def _is_slow(pattern: re.Pattern[str], how: str) -> bool:
    try:
        for text in _texts(pattern):
            with within(MOST_S):
                getattr(pattern, how)(text)
    except TooSlow:
        return True
    return False


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.attack("any text that one of our own patterns reads", by="model", wall="limits")
def test_no_pattern_of_ours_takes_for_ever(
    sources: dict[str, str], share: Callable[[int], int], long_seed: int
) -> None:
    found = {f"{name} {one.pattern}": (one, how) for name, one, how in _ours(sources)}
    assert len(found) > 400
    tried = random.Random(long_seed).sample(sorted(found), share(len(found)))
    assert [name for name in tried if _is_slow(*found[name])] == []


@pytest.mark.parametrize("pattern", [r"(a+)+b", r"<end>\s*(.*?)\s*</end>", r"(?:\s*x?\s*)*y"])
def test_a_pattern_that_does_is_found(pattern: str) -> None:
    assert _is_slow(re.compile(pattern, re.DOTALL), "match")
    assert not _is_slow(re.compile("a+b"), "match")
