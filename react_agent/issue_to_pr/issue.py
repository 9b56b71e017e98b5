"""The issue, from where it was named: a file, standard input, a forge, or the text itself."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from react_agent.errors import UsageError
from react_agent.forges.contract import Forge
from react_agent.issue_to_pr.conversation import Speak, written
from react_agent.parsers.issue.reference import Reference, read_reference
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.settings.front_matter import Field, read_front_matter
from react_agent.tools import disk

LARGEST = 200_000  # bytes
_LONGEST_PATH = 4096
_LONGEST_FIELD = 200
_LIKE_A_NUMBER = re.compile(r"[\w./-]*[#!]\d+")
_WEB = ("https://", "http://")
_LABELS = ("labels", "label", "tags")

ForgeFor = Callable[[Reference], Forge]


@dataclass(frozen=True, slots=True)
class Issue:
    title: str
    text: str
    reference: Reference | None = None  # where it is at a forge
    labels: tuple[str, ...] = ()
    url: str = ""


def no_forge(reference: Reference) -> Forge:
    raise UsageError(f"no forge can be asked for issue #{reference.number} here")


def read_issue(
    named: str,
    read_input: Callable[[int], bytes],
    forge_for: ForgeFor = no_forge,
    speak: Speak = Speak.CONTRIBUTORS,
) -> Issue:
    """`read_input` gives at most so many bytes of standard input; `speak`: whose comments count."""
    if named == "-":
        return _of_file(_issue(read_input(LARGEST + 1), "the issue on standard input"))
    path = _path(named)
    reference = read_reference(named)
    if reference and not (path and path.exists()):
        return _of_forge(reference, forge_for, speak)
    if path and named.startswith(_WEB):
        raise UsageError(f"{named} is not the address of an issue")
    if path and _LIKE_A_NUMBER.fullmatch(named) and not path.exists():
        raise UsageError(f"{named} is the number of no issue")
    if path:
        return _of_file(_issue(_read(path), f"the issue {path}"))
    return of_text(named)


def of_text(text: str) -> Issue:
    return _issue(text.encode(errors="surrogateescape"), "the issue")


def _of_forge(reference: Reference, forge_for: ForgeFor, speak: Speak) -> Issue:
    if reference.is_pull:
        raise UsageError(
            f"#{reference.number} is a pull request: `react-agent address` answers its review"
        )
    forge = forge_for(reference)
    posted = forge.issue(reference.number)
    remarks = forge.comments(reference.number) if speak is not Speak.NONE else ()
    text = _as_text(written(posted, remarks, speak, reference.path))
    return Issue(title_of(text), text, reference, posted.labels, posted.url)


def _as_text(given: str) -> str:
    """JSON can hold half a character, and a NUL."""
    return given.encode(errors="replace").decode().replace("\0", "\ufffd")


def _of_file(issue: Issue) -> Issue:
    """With what its front matter says in words."""
    found = read_front_matter(issue.text)
    if not found.fields:
        return issue
    body = found.body.strip()
    title = title_of(found.value("title")) or title_of(body)
    if not title:
        raise UsageError("the issue has a front matter, and neither a title nor a text")
    heading = "" if title == title_of(body) else f"# {title}"
    told = "\n".join(_told(found.fields))
    text = "\n\n".join(filter(None, (heading, body, told)))
    return Issue(title, text, labels=found.values(*_LABELS))


def _told(fields: Iterable[Field]) -> Iterator[str]:
    for field in fields:
        value = " ".join(", ".join(field.values).split())
        if value and field.name != "title":
            yield f"{field.name.capitalize()}: {value[:_LONGEST_FIELD]}"


def _path(named: str) -> Path | None:
    """A file that is there, or a text that can only have been meant as one."""
    if "\n" in named or not 0 < len(named) < _LONGEST_PATH:
        return None
    path = Path(named)
    try:
        return path if path.exists() or _looks_like_a_path(named) else None
    except OSError:  # a component longer than any name
        return None


def _looks_like_a_path(named: str) -> bool:
    """Also one English word: that is no issue. A sentence in another script may have no blanks."""
    is_one_word = named.isascii() and not any(map(str.isspace, named))
    return is_one_word or named.startswith(("/", "./", "../", "~"))


def _read(path: Path) -> bytes:
    if path.exists() and not (path.is_file() or path.is_fifo()):  # a pipe: `<(command)`
        raise UsageError(f"the issue {path} is not a file")
    try:
        return disk.start_of(path, LARGEST + 1)
    except OSError as error:
        raise UsageError(f"can't read the issue {path}: {error.strerror}") from error


def _issue(data: bytes, source: str) -> Issue:
    if len(data) > LARGEST:
        raise UsageError(
            f"{source} is larger than {LARGEST // 1000} kB: cut it down to what counts"
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
        raise UsageError(f"{source} is empty")
    return Issue(title, text)
