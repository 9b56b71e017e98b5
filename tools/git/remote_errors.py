"""What went wrong at a remote, as one line each: what, where, and what to do."""

from dataclasses import replace

from react_agent.parsers.quoting import escape
from react_agent.parsers.remote_complaint import REMOTE, Complaint, Trouble, read_complaint
from react_agent.tools.errors import MachineError, ReactAgentError
from react_agent.tools.git.access import Access, RemoteError
from react_agent.tools.git.door import Answer, refusal

_LINES: dict[Trouble, str] = {
    Trouble.NO_TOKEN: "{where} wants a token, and none is known for {host}",
    Trouble.BAD_TOKEN: (
        "{where} does not accept the token: it is wrong, has expired or was taken back"
    ),
    Trouble.FORBIDDEN: "{where} does not let {who} {do} it (403); {remedy}",
    Trouble.NO_KEY: "{where} accepts no ssh key of yours; try: ssh -T {login}",
    Trouble.HOST_KEY: (
        "the key of {host} is not known here, or has changed; look at it: ssh -T {login}"
    ),
    Trouble.NO_REPOSITORY: "there is no repository {where}, or not for {who}",
    Trouble.NO_BRANCH: "{where} has no branch {branch}",
    Trouble.MOVED: (
        "{branch} has changed at {where} in the meantime; nothing was overwritten: try again"
    ),
    Trouble.REFUSED: "{where} refused the branch {branch} ({words})",
    Trouble.CERTIFICATE: "{host} can't be trusted: {words}",
    Trouble.BUSY: "{where} is not up to it now, {words}; try again later",
    Trouble.UNREACHABLE: "{where} can't be reached: {words}",
    Trouble.OTHER: "{where} can't be {done}: {words}",
}
_COMMAND = {"read": "fetch", "write": "push"}
_DONE = {"read": "read", "write": "written"}
_REMEDY = {
    "read": "give the token the right to read the repository's contents",
    "write": "give the token the right to write the repository's contents, or use a fork",
}


def fault(answer: Answer, access: Access, do: str, branch: str = "") -> ReactAgentError:
    """The error that git's answer is; `do` is "read" or "write"."""
    errors = access.redacted(answer.err)
    own = [escape(line) for line in errors.split("\n") if not line.startswith(REMOTE)]
    general = refusal(_COMMAND[do], replace(answer, err="\n".join(own)))
    if isinstance(general, MachineError):
        return general
    complaint = read_complaint(errors, access.redacted(answer.out.decode(errors="replace")))
    if complaint.place and not _is_at(complaint.place, access):
        return RemoteError(
            f"{access.shown} sends us on to {complaint.place}, which does not get the token; "
            "if it has moved there, say so: git remote set-url",
            Trouble.FORBIDDEN,
        )
    return _as_error(complaint, access, do, branch)


def too_slow(access: Access, seconds: float) -> RemoteError:
    line = f"{access.shown} did not answer within {seconds:g} s; try again later"
    return RemoteError(line, Trouble.UNREACHABLE)


def _is_at(place: str, access: Access) -> bool:
    return place.partition("://")[2].rpartition("@")[2] == access.host


def _as_error(complaint: Complaint, access: Access, do: str, branch: str) -> RemoteError:
    trouble = complaint.trouble
    if trouble is Trouble.NO_TOKEN and access.token:
        trouble = Trouble.BAD_TOKEN  # given once, and asked for again
    text = _LINES[trouble].format(
        where=access.shown,
        host=access.host,
        who="this token" if access.token else "us",
        do=do,
        done=_DONE[do],
        remedy=_REMEDY[do],
        login=_login(access),
        branch=escape(branch),
        words=complaint.words or "it does not say why",
    )
    return RemoteError(f"{text}; it says: {complaint.said}" if complaint.said else text, trouble)


def _login(access: Access) -> str:
    """How ssh is told where."""
    remote = access.remote
    port = f"-p {remote.port} " if remote.port else ""
    return f"{port}{remote.user}@{remote.host}" if remote.user else f"{port}{remote.host}"
