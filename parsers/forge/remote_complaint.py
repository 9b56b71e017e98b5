"""Read what git and the server report when a remote can't be read or written.

complaint = line*
line      = "remote:" what the server says | what ssh says | ("fatal:" | "error:") what git says
rejection = "!" TAB refs TAB "[" kind "]" "(" reason ")"          of push --porcelain
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from react_agent.parsers.text.gist import clipped
from react_agent.parsers.transcript.quoting import escape

_MOST_LINES = 3  # of a server's message
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
    words: str = ""  # git's reason, if it gives one
    said: str = ""  # the server's message
    place: str = ""  # the address that a token is needed for
    status: int = 0


# The order matters: if ssh fails, git adds that it could not read. Names are left out.
_BY_WORDS = {
    r"Authentication failed for": Trouble.BAD_TOKEN,
    r"Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED": Trouble.HOST_KEY,
    r"Permission denied \(|Too many authentication failures": Trouble.NO_KEY,
    r"couldn't find remote ref": Trouble.NO_BRANCH,
    r"certificate|SSL ": Trouble.CERTIFICATE,
    r"Repository not found|project you were looking for could not be found"
    r"|does not appear to be a git repository|not valid: is this a git repository\?"
    r"|repository '' not found": Trouble.NO_REPOSITORY,
    r"Connection (?:refused|timed out|reset|closed)|No route to host|Network is unreachable"
    r"|Could not resolve|Operation timed out|unable to access ''|RPC failed"
    r"|hung up unexpectedly|failed to report status": Trouble.UNREACHABLE,
    r"Could not read from remote repository": Trouble.NO_REPOSITORY,
}
_BY_STATUS = {401: Trouble.BAD_TOKEN, 403: Trouble.FORBIDDEN, 404: Trouble.NO_REPOSITORY}
_BY_STATUS |= {410: Trouble.NO_REPOSITORY, 429: Trouble.BUSY}
_MOVED = re.compile(
    r"\((?:stale info|fetch first|non-fast-forward|needs force|already exists)\)"
    r"|is at [0-9a-f]+ but expected|reference already exists"
)


def read_complaint(errors: str, printed: str = "") -> Complaint:
    """Read what git wrote to stderr, and what `push --porcelain` printed."""
    lines = [line.rstrip() for line in errors.split("\n")]
    words = (line.removeprefix(REMOTE).strip() for line in lines if line.startswith(REMOTE))
    said = _short(" ".join([word for word in words if word][:_MOST_LINES]))
    own = [line for line in lines if line and not line.startswith(REMOTE)]
    if rejection := next(filter(None, map(_REJECTION.fullmatch, printed.split("\n"))), None):
        reason = escape(rejection[1] or "rejected")
        _, trouble = _known([reason]) or ("", Trouble.REFUSED)
        has_moved = _MOVED.search(f"{rejection[0]}\n{errors}")
        return Complaint(Trouble.MOVED if has_moved else trouble, reason, said)
    if asked := _ASKED_FOR.search("\n".join(own)):
        return Complaint(Trouble.NO_TOKEN, said=said, place=escape(asked[1]))
    if answered := _STATUS.search("\n".join(own)):
        status = int(answered[1])
        trouble = _BY_STATUS.get(status, Trouble.BUSY if status >= 500 else Trouble.OTHER)
        return Complaint(trouble, f"it answers {status}", said, status=status)
    first = next(filter(_LEADING.match, own), next(iter(own), ""))
    line, trouble = _known(own) or _known([said]) or (first, Trouble.OTHER)
    return Complaint(trouble, _short(_LEADING.sub("", line)), said)


def _known(lines: list[str]) -> tuple[str, Trouble] | None:
    plain = [(line, _QUOTED.sub("''", line)) for line in lines]  # an address may contain any words
    found = (
        (line, trouble)
        for words, trouble in _BY_WORDS.items()
        for line, without_names in plain
        if re.search(words, without_names)
    )
    return next(found, None)


def _short(text: str) -> str:
    return clipped(escape(text.strip()), _LONGEST, " ...")
