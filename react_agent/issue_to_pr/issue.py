"""Read an issue from a file, standard input, a forge, or the command line itself.

An issue on a forge and its comments become one text, the Objective of a run. They are untrusted.
The agent adds lines between them, and no untrusted line can look like one of these.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from react_agent.errors import UsageError
from react_agent.forges.contract import Forge, Posted, Remark
from react_agent.parsers.forge.safe_markdown import readable
from react_agent.parsers.issue.reference import Reference, read_reference
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.settings.front_matter import read_front_matter
from react_agent.parsers.text.counted import counted, first_few
from react_agent.parsers.text.gist import one_line
from react_agent.parsers.transcript.quoting import escape
from react_agent.profiles.settings import Speak
from react_agent.tools import disk

LARGEST = 200_000  # bytes
_LONGEST_PATH = 4096
_LONGEST_FIELD = 200

ForgeFor = Callable[[Reference], Forge]
_BODY, _COMMENT, _COMMENTS = 60_000, 8_000, 40_000  # characters
_TITLE, _NAME, _LABEL = 300, 60, 50
_MOST_LABELS = 20
_SEEN = 200  # characters of a line
_SAID_BY = "Comment by"
_UNREAD_TITLE = re.compile(r"---[ \t]*\ntitle:", re.IGNORECASE)
_LIKE_OURS = re.compile(rf"[^\w\n]{{0,40}}{_SAID_BY}\b", re.IGNORECASE)
_NOBODY = ("", "ghost")  # authors of deleted accounts
_KNOWN = ("owner", "member", "collaborator", "contributor")


_HEARD = {Speak.CONTRIBUTORS: _KNOWN, Speak.COLLABORATORS: _KNOWN[:3], Speak.NONE: ()}


@dataclass(frozen=True, slots=True)
class Issue:
    title: str
    text: str
    reference: Reference | None = None  # where it is at a forge


def no_forge(reference: Reference) -> Forge:
    raise UsageError(f"no forge can be asked for issue #{reference.number} here")


def read_issue(
    named: str,
    read_input: Callable[[int], bytes],
    forge_for: ForgeFor = no_forge,
    speak: Speak = Speak.CONTRIBUTORS,
) -> Issue:
    """Read the issue. `read_input(n)` reads at most n bytes; `speak` says whose comments count."""
    if named == "-":
        return _of_file(_issue(read_input(LARGEST + 1), "the issue on standard input"))
    path, reference = _named_path(named), read_reference(named)
    if path and path.exists():
        return _of_file(_issue(_read(path), f"the issue {path}"))
    if reference:
        return _of_forge(reference, forge_for, speak)
    if path and named.startswith(("https://", "http://")):
        raise UsageError(f"{named} is not the address of an issue")
    if path:
        raise UsageError(
            f"there is no file {named}: an issue is a file, a number, an address, or a text of "
            "several words"
        )
    return of_text(named)


def of_text(text: str, source: str = "the issue") -> Issue:
    return _issue(text.encode(errors="surrogateescape"), source)


def _of_forge(reference: Reference, forge_for: ForgeFor, speak: Speak) -> Issue:
    if reference.is_pull:
        raise UsageError(
            f"#{reference.number} is a pull request: `react-agent review` answers its review"
        )
    forge = forge_for(reference)
    posted = forge.issue(reference.number)
    remarks = forge.comments(reference.number) if speak is not Speak.NONE else ()
    text = written(posted, remarks, speak, reference.path)
    # without half characters and NULs, which JSON can hold
    text = text.encode(errors="replace").decode().replace("\0", "\ufffd")
    return Issue(title_of(text), text, reference)


def _of_file(issue: Issue) -> Issue:
    """Return the issue in a file, with the fields of its front matter written as text."""
    found = read_front_matter(issue.text)
    if not found.fields:
        if _UNREAD_TITLE.match(issue.text):
            form = "put `name: value` lines between two lines of `---`"
            raise UsageError(f"the front matter of the issue can't be read: {form}")
        return issue
    body = found.body.strip()
    title = title_of(found.value("title")) or title_of(body)
    if not title:
        raise UsageError("the issue has front matter, but no title and no text")
    heading = "" if title == title_of(body) else f"# {title}"
    fields = {name: one_line(", ".join(values)) for name, values in found.fields.items()}
    told = "\n".join(
        f"{name.capitalize()}: {value[:_LONGEST_FIELD]}"
        for name, value in fields.items()
        if value and name != "title"
    )
    return Issue(title, "\n\n".join(filter(None, (heading, body, told))))


def _named_path(named: str) -> Path | None:
    """Return the path if a text names an existing file or can only be meant as a path.

    A single ASCII word is always taken as a path.
    """
    if "\n" in named or not 0 < len(named) < _LONGEST_PATH:
        return None
    path = Path(named)
    is_one_word = named.isascii() and not any(map(str.isspace, named))
    is_meant = is_one_word or named.startswith(("/", "./", "../", "~"))
    try:
        return path if path.exists() or is_meant else None
    except OSError as error:  # a component may be longer than any name
        if is_meant and isinstance(error, PermissionError):
            raise UsageError(f"can't read the issue {named}: {error.strerror}") from error
        return None


def _read(path: Path) -> bytes:
    if not (path.is_file() or path.is_fifo()):  # a pipe: `<(command)`
        raise UsageError(f"the issue {path} is not a file")
    try:
        return disk.start_of(path, LARGEST + 1)
    except OSError as error:
        raise UsageError(f"can't read the issue {path}: {error.strerror}") from error


def _issue(data: bytes, source: str) -> Issue:
    if len(data) > LARGEST:
        raise UsageError(
            f"{source} is larger than {LARGEST // 1000} kB: shorten it to the important parts"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{source} is not text in UTF-8") from None
    if "\0" in text:
        raise UsageError(f"{source} is a binary file")
    text = text.replace("\r\n", "\n").strip()
    title = title_of(text)
    if not title:
        raise UsageError(f"{source} {'has no words' if text else 'is empty'}")
    return Issue(title, text)


def written(posted: Posted, remarks: Sequence[Remark], speak: Speak, path: str = "") -> str:
    """Return the issue and its comments as text. `path` is the repository's path on the forge.

    What bots say is left out.
    """
    plain = (replace(one, body=readable(one.body).rstrip()) for one in remarks if not one.is_bot)
    people = [one for one in plain if one.body]
    heard = [one for one in people if is_heard(one, posted.author, speak)]
    said = newest([_comment(one) for one in heard], _COMMENTS)
    older = len(heard) - len(said)
    left, unread = len(people) - len(heard), max(posted.comments - len(remarks), 0)
    return "\n\n".join(
        (
            f"# {_line(posted.title, _TITLE)}",
            "\n".join(_head(posted, path, said=len(said), left=left, unread=unread)),
            *filter(None, [_quoted(_clipped(readable(posted.body).rstrip(), _BODY))]),
            *([f"[{counted(older, 'older comment')} left out: too long]"] if older else ()),
            *said,
        )
    )


def _head(posted: Posted, path: str, *, said: int, left: int, unread: int) -> Iterator[str]:
    whose = f" of {_line(path, _TITLE)}" if path else ""
    state = "" if posted.is_open else ", which is closed"
    by = f", by {_who(posted.author, posted.association)}" if posted.author else ""
    yield f"Issue #{posted.number}{whose}{state}{by}."
    if posted.labels:
        names = [_line(label, _LABEL) for label in posted.labels]
        yield f"Labels: {first_few(names, _MOST_LABELS)}."
    if said or left or unread:
        told = f"{counted(said, 'comment')} below" if said else "No comment is shown"
        others = f", {left} by others left out" if left else ""
        yield f"{told}{others}{f', {unread} not read' if unread else ''}."


def is_heard(remark: Remark, author: str, speak: Speak) -> bool:
    """Return whether a comment counts. `author` opened the issue or the pull request."""
    is_author = remark.author not in _NOBODY and remark.author == author
    known = remark.association.casefold() in _HEARD.get(speak, ())
    return speak is Speak.ALL or known or (is_author and speak is not Speak.NONE)


def _comment(one: Remark) -> str:
    at = f", {_line(one.at[:10], 10)}" if one.at else ""
    who = _who(one.author, one.association)
    return f"{_SAID_BY} {who}{at}:\n\n{_quoted(_clipped(one.body, _COMMENT))}"


def newest(texts: Sequence[str], room: int) -> list[str]:
    """Return the last texts that fit into `room` characters together, but at least one."""
    kept = list[str]()
    for one in reversed(texts):
        room -= len(one)
        if room < 0 and kept:
            break
        kept.append(one)
    return kept[::-1]


def _who(author: str, association: str) -> str:
    part = association.casefold()
    told = part if part in _KNOWN else "not of the project" if part == "none" else ""
    name = _line(author, _NAME) or "somebody"
    return f"{name} ({told})" if told else name


def _quoted(text: str) -> str:
    """Return the text with a `\\` before each line that could be mistaken for one of ours."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        start = unicodedata.normalize("NFKC", line[:_SEEN])
        seen = one_line("".join(char for char in start if unicodedata.category(char) != "Cf"))
        if _LIKE_OURS.match(seen):
            lines[at] = f"\\{line}"
    return "\n".join(lines)


def _clipped(text: str, most: int) -> str:
    """Return the text, without its middle if it is too long."""
    if len(text) <= most:
        return text
    head, tail = most * 2 // 3, most // 3
    left = counted(len(text) - head - tail, "character")
    return f"{text[:head]}\n[... {left} left out here ...]\n{text[-tail:]}"


def _line(text: str, most: int) -> str:
    line = one_line(escape(text))
    return line if len(line) <= most else f"{line[: most - 1]}…"
