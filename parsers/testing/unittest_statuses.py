r"""Each test that unittest tells of with -v; Django's runner writes the same.

log    = (told | title | other)*
told   = name [NEWLINE description] " ... " [output NEWLINE] status
name   = METHOD " (" DOTTED ")" [subtest]            subtest = [" [" text "]"] [" (" values ")"]
status = "ok" | "FAIL" | "ERROR" | "skipped " REASON | "expected failure" | "unexpected success"
title  = "=" * 70 NEWLINE ("FAIL" | "ERROR" | "UNEXPECTED SUCCESS") ": " name

A set names a test that has a description by that, as the official harness does: it is told under
both. A subtest that fails is a failure of its test.
"""

from collections.abc import Mapping
from itertools import pairwise

from react_agent.parsers.late_pattern import LatePattern
from react_agent.parsers.testing.status import LONGEST, Status, Statuses, worse

_NAME = LatePattern(r" *(?P<name>[\w.<>\[\]-]+ \([\w.<>-]+\))(?P<more>$| .*)")
_JOINED = LatePattern(r"(?:.* \.\.\. )?(?P<last>\S+ \([\w.]+\) \.\.\. .*)")
_RULE = "=" * 70
_TITLES: Mapping[str, Status] = {
    "FAIL": Status.FAILED,
    "ERROR": Status.ERROR,
    "UNEXPECTED SUCCESS": Status.XPASS,
}
_WORDS: Mapping[str, Status] = {
    "ok": Status.PASSED,
    "OK": Status.PASSED,
    "FAIL": Status.FAILED,
    "ERROR": Status.ERROR,
    "expected failure": Status.XFAIL,
    "unexpected success": Status.XPASS,
}
_DOTS = " ... "


def statuses_of_unittest(text: str) -> Statuses:
    reader = _Reader()
    lines = text.split("\n")
    for before, line in pairwise(("", *lines)):
        if len(line) <= LONGEST:
            reader.read(line.rstrip(), is_title=before.rstrip() == _RULE)
    return reader.found


class _Reader:
    def __init__(self) -> None:
        self.found = dict[str, Status]()
        self._name = ""  # of a test whose status is still to come
        self._description = ""
        self._is_described = False  # what follows the name is its description

    def read(self, line: str, *, is_title: bool) -> None:
        word, colon, rest = line.partition(": ")
        if is_title and colon and word in _TITLES:
            self._end()
            if title := _NAME.fullmatch(rest):
                self._is(title["name"], _TITLES[word])
        elif named := _NAME.fullmatch(_last_of(line)):
            self._begin(named["name"], f"{named['more']} ")
        elif self._name and (status := _status(line)):
            self._is_told(status)
        elif self._is_described and _DOTS in f"{line} ":
            self._describe(f"{line} ")

    def _begin(self, name: str, more: str) -> None:
        if more.startswith((" [", " (")):  # a subtest
            status = _status(more.rpartition(_DOTS)[2])
            if status and status.is_failure:
                self._is(name, status)
        elif more == " " or more.startswith(_DOTS):
            self._name, self._description, self._is_described = name, "", more == " "
            if status := _status(more.removeprefix(_DOTS)):
                self._is_told(status)

    def _describe(self, line: str) -> None:
        description, _, rest = line.rpartition(_DOTS)
        status = _status(rest)
        if not status:
            description, _, _ = line.partition(_DOTS)
        self._description, self._is_described = description.strip(), False
        if status:
            self._is_told(status)

    def _is_told(self, status: Status) -> None:
        self._is(self._name, status)
        if self._description:
            self.found[self._description] = status
        self._end()

    def _is(self, name: str, status: Status) -> None:
        self.found[name] = worse(status, self.found.get(name))

    def _end(self) -> None:
        self._name, self._description, self._is_described = "", "", False


def _last_of(line: str) -> str:
    """Before Python 3.11, the next test stands on the line of one whose subtest failed."""
    joined = _JOINED.fullmatch(line) if line.count(_DOTS) > 1 else None
    return joined["last"] if joined else line


def _status(words: str) -> Status | None:
    bare = words.strip()
    return Status.SKIPPED if bare.startswith("skipped ") else _WORDS.get(bare)
