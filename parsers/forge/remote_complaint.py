"""What git, and the server behind it, say when a remote can't be read or written.

complaint = line*
line      = "remote:" what the server says | what ssh says | ("fatal:" | "error:") what git says
rejection = "!" TAB refs TAB "[" kind "]" "(" reason ")"          of push --porcelain
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from react_agent.parsers.transcript.quoting import escape

_MOST_LINES = 3  # of what a server says
_LONGEST = 300
REMOTE = "remote:"
_REJECTION = re.compile(r"!\t[^\t]*\t\[[^]]*\](?: \((.*)\))?")
_ASKED_FOR = re.compile(r"could not read (?:Username|Password) for '([^']*)'")
_STATUS = re.compile(r"The requested URL returned error: ([0-9]{3})")
_QUOTED = re.compile("'[^']*'")
_LEADING = re.compile(r"(?:fatal|error): (?:unable to access '[^']*': )?")


class Trouble(StrEnum):
    NO_TOKEN = "no_token"
    BAD_TOKEN = "bad_token"
    FORBIDDEN = "forbidden"
    NO_KEY = "no_key"
    HOST_KEY = "host_key"
    NO_REPOSITORY = "no_repository"
    NO_BRANCH = "no_branch"
    MOVED = "moved"
    REFUSED = "refused"
    CERTIFICATE = "certificate"
    BUSY = "busy"
    UNREACHABLE = "unreachable"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Complaint:
    trouble: Trouble
    words: str = ""  # git's: why, as far as it says
    said: str = ""  # by the server
    place: str = ""  # that a token was wanted for
    status: int = 0


_BY_STATUS = {
    401: Trouble.BAD_TOKEN,
    403: Trouble.FORBIDDEN,
    404: Trouble.NO_REPOSITORY,
    410: Trouble.NO_REPOSITORY,
    429: Trouble.BUSY,
}
_SERVER_ERROR = 500
# In this order: ssh is not let in, and git adds that it could not read.
_BY_WORDS = (
    ("Authentication failed for", Trouble.BAD_TOKEN),
    ("Host key verification failed", Trouble.HOST_KEY),
    ("REMOTE HOST IDENTIFICATION HAS CHANGED", Trouble.HOST_KEY),
    ("Permission denied (", Trouble.NO_KEY),
    ("Too many authentication failures", Trouble.NO_KEY),
    ("couldn't find remote ref", Trouble.NO_BRANCH),
    ("certificate", Trouble.CERTIFICATE),
    ("SSL ", Trouble.CERTIFICATE),
    ("Repository not found", Trouble.NO_REPOSITORY),
    ("project you were looking for could not be found", Trouble.NO_REPOSITORY),
    ("does not appear to be a git repository", Trouble.NO_REPOSITORY),
    ("not valid: is this a git repository?", Trouble.NO_REPOSITORY),
    ("repository '' not found", Trouble.NO_REPOSITORY),
    ("Connection refused", Trouble.UNREACHABLE),
    ("Connection timed out", Trouble.UNREACHABLE),
    ("Connection reset", Trouble.UNREACHABLE),
    ("Connection closed", Trouble.UNREACHABLE),
    ("No route to host", Trouble.UNREACHABLE),
    ("Network is unreachable", Trouble.UNREACHABLE),
    ("Could not resolve", Trouble.UNREACHABLE),
    ("Operation timed out", Trouble.UNREACHABLE),
    ("unable to access ''", Trouble.UNREACHABLE),
    ("RPC failed", Trouble.UNREACHABLE),
    ("hung up unexpectedly", Trouble.UNREACHABLE),
    ("failed to report status", Trouble.UNREACHABLE),
    ("Could not read from remote repository", Trouble.NO_REPOSITORY),
)
_BY_REASON = (
    ("stale info", Trouble.MOVED),
    ("fetch first", Trouble.MOVED),
    ("non-fast-forward", Trouble.MOVED),
    ("needs force", Trouble.MOVED),
    ("already exists", Trouble.MOVED),
    ("failed to report status", Trouble.UNREACHABLE),
)
_MOVED_MEANWHILE = re.compile("is at [0-9a-f]+ but expected|reference already exists")


def read_complaint(errors: str, printed: str = "") -> Complaint:
    """Of what git wrote to stderr, and of what `push --porcelain` printed."""
    lines = [line.rstrip() for line in errors.split("\n")]
    said = _said([line for line in lines if line.startswith(REMOTE)])
    rejection = next(filter(None, map(_REJECTION.fullmatch, printed.split("\n"))), None)
    if rejection is not None:
        reason = escape(rejection[1] or "rejected")
        return Complaint(_of_reason(reason, errors), reason, said)
    own = [line for line in lines if line and not line.startswith(REMOTE)]
    if asked := _ASKED_FOR.search("\n".join(own)):
        return Complaint(Trouble.NO_TOKEN, said=said, place=escape(asked[1]))
    return _of_words(own, said)


def _of_reason(reason: str, errors: str) -> Trouble:
    if _MOVED_MEANWHILE.search(errors):
        return Trouble.MOVED
    return next((trouble for words, trouble in _BY_REASON if words in reason), Trouble.REFUSED)


def _of_words(own: list[str], said: str) -> Complaint:
    for line in own:
        if found := _STATUS.search(line):
            return _of_status(int(found[1]), said)
    line, trouble = _known(own) or _known([said]) or (_first(own), Trouble.OTHER)
    return Complaint(trouble, _short(_LEADING.sub("", line)), said)


def _known(lines: list[str]) -> tuple[str, Trouble] | None:
    # an address may hold any words
    plain = [(line, _QUOTED.sub("''", line)) for line in lines]
    for words, trouble in _BY_WORDS:
        for line, without_names in plain:
            if words in without_names:
                return line, trouble
    return None


def _first(own: list[str]) -> str:
    labelled = [line for line in own if _LEADING.match(line)]
    return (labelled or own or [""])[0]


def _of_status(status: int, said: str) -> Complaint:
    other = Trouble.BUSY if status >= _SERVER_ERROR else Trouble.OTHER
    words = f"it answers {status}"
    return Complaint(_BY_STATUS.get(status, other), words, said, status=status)


def _said(lines: list[str]) -> str:
    words = [line.removeprefix(REMOTE).strip() for line in lines]
    return _short(" ".join([word for word in words if word][:_MOST_LINES]))


def _short(text: str) -> str:
    text = escape(text.strip())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 4]} ..."
