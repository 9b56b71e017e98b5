"""Read requests in commit messages, requests from git hooks, and jobs in the queue.

message   = ("Agent:" [verb] what, at the start of a line; indented lines below belong to it)*
what      = reference | file | text        reference = #12 | OWNER/REPO#12 | URL
file      = one word, or anything in quotes, that ends in .md, .markdown or .txt
request   = "hook: " name NEWLINE "commit: " id NEWLINE "top: " folder NEWLINE
job       = fact* NEWLINE text             a fact is a line NAME=VALUE (facts.py)

A verb before a reference or a file is ignored. Other text is kept unchanged. In a request, the
folder comes last, because its name may contain a newline. A job is written once, and rewritten when
it begins and when it ends. A person may edit a job, so its values must not be read as git options
or lead to another folder.
"""

import re
from dataclasses import asdict, dataclass, fields
from enum import StrEnum

from react_agent.parsers.settings.errors import parse_error
from react_agent.parsers.transcript.facts import read_facts, write_facts

_REQUESTS = re.compile(r"^agent:(.*(?:\n[ \t].*\S.*)*)", re.IGNORECASE | re.MULTILINE)
_VERB = re.compile(
    r"(?:please )?(?:fix(?:es)?|solves?|resolves?|closes?|do|see|work on):? +(?=\S)", re.IGNORECASE
)
_REFERENCE = re.compile(r"(?:[\w.-]+(?:/[\w.-]+)+)?#[0-9]+|https?://\S+")
_FILE = re.compile(r"(?P<quote>[\"'`])(?P<quoted>.+)(?P=quote)|(?P<word>\S+)")
_SUFFIXES = (".md", ".markdown", ".txt")
_SHOWN = 40  # characters of a file that can't be read
_ID = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")
_REQUEST = re.compile(rf"hook: (.*)\ncommit: ({_ID.pattern})\ntop: ((?s:.*))\n")


class Kind(StrEnum):
    FILE = "file"
    REFERENCE = "reference"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Asked:
    kind: Kind
    words: str


def requests_in(message: str) -> tuple[Asked, ...]:
    """Return each request of the message once, in order."""
    texts = (" ".join(text.split()) for text in _REQUESTS.findall(message))
    return tuple(dict.fromkeys(_asked(text) for text in texts if text))


def _asked(text: str) -> Asked:
    what = _VERB.sub("", text, count=1).rstrip(".,;")
    if _REFERENCE.fullmatch(what):
        return Asked(Kind.REFERENCE, what)
    found = _FILE.fullmatch(what)
    name = (found["quoted"] or found["word"]) if found else ""
    if name.endswith(_SUFFIXES):
        return Asked(Kind.FILE, name.removeprefix("./"))
    return Asked(Kind.TEXT, text)


@dataclass(frozen=True, slots=True)
class Push:
    old: str  # all zeros for a new branch
    new: str
    ref: str


@dataclass(frozen=True, slots=True)
class HookRequest:
    hook: str
    commit: str
    top: str


def read_request(text: str) -> HookRequest:
    if found := _REQUEST.fullmatch(text):
        return HookRequest(*found.groups())
    raise parse_error(1, "`hook: NAME`, `commit: ID` and `top: FOLDER`", text[:_SHOWN])


def read_push(text: str, number: int = 1) -> Push:
    """Read a push, `OLD NEW REF`. Raises ParseError."""
    words = text.split(" ", 2)
    if len(words) != 3 or not all(map(_ID.fullmatch, words[:2])):
        raise parse_error(number, "OLD NEW REF", text)
    return Push(*words)


_SHAPES = {
    "kind": "|".join(Kind),
    "commit": _ID.pattern,
    "run": r"(?!\.)[^/\0]*",
    "branch": r"(?!-)[^\0]*",
    "tries": "[0-9]{1,4}",
}


@dataclass(frozen=True, slots=True)
class Job:
    key: str  # identifies the request: the same request is the same job
    hook: str
    kind: str  # of `words`
    words: str  # a path in the commit, a reference, or a title of the text
    commit: str
    top: str  # the work tree of the request
    at: str = ""  # time of the request
    run: str = ""  # empty until the job begins
    branch: str = ""  # to be made by the run; in the end, the one that was made
    tries: str = "0"
    ended: str = ""  # done, unchanged, failed
    said: str = ""  # how it ended, for a person
    text: str = ""  # of the issue, if it is in no other place

    @property
    def title(self) -> str:
        """Return a title on one line, even if a file's name contains newlines."""
        return f"{' '.join(self.words.split())} ({self.commit[:7]})"


def write_job(job: Job) -> str:
    facts = {name: value for name, value in asdict(job).items() if value and name != "text"}
    lines = (write_facts({name: value}) for name, value in facts.items())
    return "\n".join((*lines, "", job.text))


def read_job(text: str) -> Job:
    head, _, rest = text.partition("\n\n")
    known = {field.name for field in fields(Job)} - {"text"}
    found: dict[str, str] = {}
    for number, line in enumerate(head.split("\n"), 1):
        fact = read_facts(line)
        if len(fact) != 1 or not fact.keys() <= known:
            raise parse_error(number, "NAME=VALUE", line)
        found |= fact
    missing = {"key", "hook", "kind", "words", "commit", "top"} - found.keys()
    if missing:
        raise parse_error(1, f"a job with {min(missing)}", head[:_SHOWN])
    for name in found.keys() & _SHAPES.keys():
        if not re.fullmatch(_SHAPES[name], found[name]):
            raise parse_error(1, f"another {name}", found[name][:_SHOWN])
    return Job(**found, text=rest)
