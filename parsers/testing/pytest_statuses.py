r"""Each test that pytest tells of by its name: with -v, in its short summary, from xdist's workers.

log     = session*
session = ["= test session starts ="] told* [("= FAILURES =" | "= PASSES =" | ...) other*] [summary]
told    = id STATUS [" (" reason ")"] [PERCENT] | "[gw" N "]" [PERCENT] STATUS id
summary = "= short test summary info =" (STATUS id [" - " message] | sub | other)*
sub     = "SUBFAILED" ["[" text "]"] ["(" values ")"] " " id [" - " message]

What a test prints is shown among the failures, or before its own line: only a line at a place where
pytest itself speaks counts, and of several summaries in a session the last one does.
"""

import re
from collections.abc import Container, Iterator
from itertools import islice

from react_agent.parsers.late_pattern import LatePattern
from react_agent.parsers.testing.status import LONGEST, Status, Statuses, worse

_WORD = "|".join(Status)
_BANNER = LatePattern(r"={2,} (?P<title>[^=].*?) ={2,}")
_SESSION = "test session starts"
_SUMMARY = "short test summary info"
_DETAILS = frozenset({"FAILURES", "ERRORS", "PASSES", "XFAILURES", "XPASSES"})
_ENDS = LatePattern(rf" (?P<word>{_WORD})(?= |$)")
_BEHIND = LatePattern(r"(?: \(.*\))?(?: +\[ *\d+%\])? *")
_ELSEWHERE = LatePattern(r" <- \S+$")  # the file that defines it
_TRIED = 4  # words in a line that could be its status
_BY_WORKER = LatePattern(
    rf"\[gw\d+\](?: \[ *\d+%\])? (?P<word>{_WORD}) (?P<id>\S.*?)(?: <- \S+)? *"
)
_SUMMED = LatePattern(rf"(?P<word>{_WORD}) (?P<rest>\S.*)")
_SUBTEST = LatePattern(r" (?P<rest>[^\s(\[]+?::.*)")
_FOLDED = LatePattern(r"\[\d+\] ")  # SKIPPED [2] path:line: reason
_WITH_PARAMETERS = LatePattern(r"(?P<id>[^\[]*\[.*?\])(?: - .*)?")
_DASH = re.compile(" - ")


def statuses_of_pytest(text: str) -> Statuses:
    """Of an id that failed as well as passed, as of one whose end failed, the failure."""
    found = dict[str, Status]()
    for session in _sessions(text.split("\n")):
        for name, status in session.statuses():
            found[name] = worse(status, found.get(name))
    return found


class _Session:
    def __init__(self) -> None:
        self.told = dict[str, Status]()
        self.summary = list[str]()

    def tell(self, line: str) -> None:
        if found := _told(line):
            name, status = found
            self.told[name] = worse(status, self.told.get(name))

    def statuses(self) -> Iterator[tuple[str, Status]]:
        yield from self.told.items()
        for line in self.summary:
            if found := _SUMMED.fullmatch(line):
                if not _FOLDED.match(found["rest"]):
                    yield _id(found["rest"], self.told), Status(found["word"])
            elif line.startswith("SUBFAIL") and (found := _SUBTEST.search(line)):
                yield _id(found["rest"], self.told), Status.FAILED


def _sessions(lines: list[str]) -> Iterator[_Session]:
    session, place = _Session(), _SESSION
    for line in (one for one in lines if len(one) <= LONGEST):
        banner = _BANNER.fullmatch(line) if line.startswith("==") else None
        title = banner["title"] if banner else ""
        if title == _SESSION:
            yield session
            session, place = _Session(), _SESSION
        elif title == _SUMMARY:
            session.summary, place = [], _SUMMARY
        elif title in _DETAILS:
            place = title
        elif place == _SESSION:
            session.tell(line)
        elif place == _SUMMARY:
            session.summary.append(line)
    yield session


def _told(line: str) -> tuple[str, Status] | None:
    if "::" not in line:
        return None
    if found := _BY_WORKER.fullmatch(line):
        return found["id"], Status(found["word"])
    for end in islice(_ENDS.pattern.finditer(line), _TRIED):
        name = _ELSEWHERE.sub("", line[: end.start()])
        if "::" in name and not name.startswith(" ") and _BEHIND.fullmatch(line[end.end() :]):
            return name, Status(end["word"])
    return None


def _id(rest: str, known: Container[str]) -> str:
    """Before the message, which nothing tells for sure from parameters: known ids come first."""
    ends = [len(rest), *(found.start() for found in _DASH.finditer(rest))]
    for end in sorted(ends, reverse=True):
        if rest[:end] in known:
            return rest[:end]
    bare = rest[: min(ends)]
    found = _WITH_PARAMETERS.fullmatch(rest) if "[" in bare else None
    return (found["id"] if found else bare).rstrip()
