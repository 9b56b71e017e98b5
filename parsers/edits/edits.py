"""Apply the input of an editing tool to files: a patch in any format, or named old and new texts.

input  = object | patch | fields                 the first form that matches
object = {path, old_str, new_str}, under any usual names, or a list of them
fields = "path:" TEXT, then "old:" TEXT and "new:" TEXT, in turn

Named texts are replaced one after the other, each in the result of the previous replacements. The
text of an object is searched for literally, then as lines of a patch. The text of a field or a
block is searched for as lines of a patch, then as a part of a line.

A new file is written as a path and a text:

whole = object | ["path:"] PATH NEWLINE ["content:"] text

A fence around the whole text is removed. A text without a fence gets a final newline, because a
reply loses its own. The text of an object is not changed.
"""

import re
from collections import ChainMap
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, cast

from react_agent.parsers.patch import Refused, Repaired
from react_agent.parsers.patch.changes import FileChange, Hunk, Named, Role
from react_agent.parsers.patch.line_diff import kept_lines
from react_agent.parsers.patch.reading.files import named
from react_agent.parsers.patch.reading.path_line import labelled_path, looks_like_path
from react_agent.parsers.patch.reading.reader import read_changes
from react_agent.parsers.patch.repair import mended, rewritten
from react_agent.parsers.text.fence import opening_fence, unfenced
from react_agent.parsers.values.arguments import (
    PATH_NAME,
    Argument,
    Arguments,
    Table,
    Unreadable,
    flags,
    one_text,
    read_arguments,
)
from react_agent.parsers.values.damaged_json import insists_on_json

OLDS = frozenset({"oldstr", "oldstring", "old", "oldtext", "search", "find", "original"})
NEWS = frozenset(
    {"newstr", "newstring", "new", "newtext", "replace", "replacement", "updated", "replacewith"}
)
_NOTHING_READ = frozenset({Role.PROSE, Role.BLANK, Role.FENCE})
_PART = "matched as part of a line"
_SHOWN = 10  # places
_MOST = 100  # places: to count the lines above each is slow


@dataclass(frozen=True, slots=True)
class Replacement:
    """A replacement of whole lines, including their line ends, or of any text."""

    path: str
    old: str
    new: str
    whole_lines: bool = True
    all: bool = False
    left_out: tuple[str, ...] = ()  # members of an object that are not used


class _Done(NamedTuple):
    name: str
    text: str
    repairs: tuple[str, ...] = ()


_PATH = Argument(PATH_NAME, one_text, begins=True)
_OLD = Argument(OLDS, one_text, begins=True)
_NEW = Argument(NEWS, one_text)
_ALL = Argument({"replaceall", "all"}, flags)
_TABLE: Table = (_PATH, _OLD, _NEW, _ALL)


def is_object(text: str) -> bool:
    return insists_on_json(unfenced(text))


def parse_replacements(text: str) -> tuple[Replacement, ...] | Unreadable:
    """Read replacements given as named texts. Return an empty result for any other text."""
    bare, found = unfenced(text), list[Replacement]()
    requests = read_arguments(bare, _TABLE, of_lines=True)
    if isinstance(requests, Unreadable):
        return requests
    for request in requests:
        if problem := _take(found, request, of_lines=not insists_on_json(bare)):
            return Unreadable(problem)
    return tuple(found)


def _take(found: list[Replacement], request: Arguments, *, of_lines: bool) -> str:
    """Add the replacements of a request. Return the reason if it can't be read, or ""."""
    path = next(map(labelled_path, request.all(_PATH)), "")
    olds, news = request.all(_OLD), request.all(_NEW)
    if (olds or news) and not path:
        return "no path given: write it as path"
    if len(news) < len(olds):
        return "no new text given: write it as new_str, empty to delete"
    if len(news) > max(len(olds), 1):
        return "new text given without old text: write the old text as old_str"
    for old, new in zip(olds or ("",) * len(news), news, strict=True):
        old, new = (_of_field(one) if of_lines else one for one in (old, new))
        everywhere = True in request.all(_ALL)
        found.append(Replacement(path, old, new, of_lines, everywhere, request.left_out))
    return ""


def _of_field(value: str) -> str:
    """Return the value as lines, without a surrounding fence."""
    return "".join(f"{line}\n" for line in unfenced(value).split("\n")) if value else ""


class Edits(NamedTuple):
    """The files that a tool can edit."""

    files: Mapping[str, str]
    usage: str  # reported where nothing can be read
    roots: tuple[str, ...] = ()  # absolute paths of the folders that hold the files

    def edited(self, text: str) -> Repaired | Refused:
        if is_object(text):
            return self._by_name(text)
        reading = read_changes(text, self.files)
        if reading.problem:
            is_nothing = _NOTHING_READ.issuperset(reading.roles)
            return self._by_name(text) if is_nothing else Refused((reading.problem,))
        changes = tuple(map(self._below_root, reading.changes))
        found = mended(changes, self.files)
        if isinstance(found, Refused) and (blocks := tuple(_blocks(changes))):
            again = replaced(blocks, self.files)
            found = again if isinstance(again, Repaired) or again.of_parts else found
        if isinstance(found, Refused):
            return found
        return found._replace(repairs=(*reading.repairs, *found.repairs))

    def _by_name(self, text: str) -> Repaired | Refused:
        wanted = parse_replacements(text)
        if isinstance(wanted, Unreadable):
            return Refused((wanted.reason,))
        below = [replace(one, path=self._relative(one.path)) for one in wanted]
        return replaced(below, self.files) if below else Refused((self.usage,))

    def _below_root(self, change: FileChange) -> FileChange:
        old, new = (name and self._relative(name) for name in (change.old, change.new))
        return change._replace(old=old, new=new)

    def _relative(self, name: str) -> str:
        for root in self.roots:
            name = name.removeprefix(f"{root}/")
        return name


def _blocks(changes: Sequence[FileChange]) -> Iterator[Replacement]:
    """Yield the blocks, which may quote parts of lines, or nothing if there are other changes."""
    if all(hunk.is_block for change in changes for hunk in change.hunks):
        for change in changes:
            for hunk in change.hunks:
                old, new = ("".join(f"{line}\n" for line in each) for each in (hunk.old, hunk.new))
                yield Replacement(change.new or "", old, new, all=hunk.everywhere)


def replaced(wanted: Sequence[Replacement], files: Mapping[str, str]) -> Repaired | Refused:
    made, repairs = dict[str, str](), list[str]()
    now = ChainMap(made, cast(MutableMapping[str, str], files))
    for number, one in enumerate(wanted, 1):
        done = _replaced_one(one, now)
        which = f"edit {number}: " if len(wanted) > 1 else ""
        if isinstance(done, Refused):
            return done._replace(reasons=(which + "\n".join(done.reasons),))
        made[done.name] = done.text
        left_out = (f"left out: {', '.join(one.left_out)}",) if one.left_out else ()
        repairs += (which + repair for repair in (*left_out, *done.repairs))
    found = rewritten(made, files)
    return found if isinstance(found, Refused) else found._replace(repairs=tuple(repairs))


def _replaced_one(one: Replacement, files: Mapping[str, str]) -> _Done | Refused:
    change = _change(one)
    meant = named([change], files.keys())
    if isinstance(meant, Refused):
        # new lines may be meant for a file that is there, and empty
        done = _by_lines(change._replace(old=change.new), files) if change.old is None else meant
        return done if isinstance(done, _Done) else meant
    [found] = meant
    if found.old is None:
        return _by_lines(change, files)
    if not one.whole_lines:
        return _part(one, found, files) or _by_lines(change, files)
    done = _by_lines(change, files)
    return done if isinstance(done, _Done) else _part(one, found, files) or done


def _change(one: Replacement) -> FileChange:
    old, new = (text.removesuffix("\n").split("\n") if text else [] for text in (one.old, one.new))
    is_new = not (one.old.strip() if one.whole_lines else one.old)
    lines = kept_lines([] if is_new else old, new)
    endless = is_new and not one.new.endswith("\n")
    hunk = Hunk(0, lines, no_newline=(False, endless), everywhere=one.all, is_block=True)
    return FileChange(0, None if is_new else one.path, one.path, (hunk,))


def _by_lines(change: FileChange, files: Mapping[str, str]) -> _Done | Refused:
    done = mended([change], files)
    if isinstance(done, Refused):
        return done
    [result] = done.results
    return _Done(result.new or "", result.text or "", done.repairs)


def _part(one: Replacement, meant: Named, files: Mapping[str, str]) -> _Done | Refused | None:
    """Replace a part of a line. Return None if the file does not contain the old text."""
    name, old, new = meant.old or "", one.old, one.new
    content = files[name]
    if one.whole_lines:
        old, new = old.removesuffix("\n"), new.removesuffix("\n")
        if old in new and new in content:
            return None  # it may be replaced already
    pattern = _pattern(old, whole_words=one.whole_lines)
    if "\r\n" in content and "\r" not in old and not re.search(pattern, content):
        old, new = (text.replace("\n", "\r\n") for text in (old, new))
        pattern = _pattern(old, whole_words=one.whole_lines)
    # all places, including overlapping ones
    places = [place.start() for place in re.finditer(f"(?={pattern})", content)] if old else []
    if not places:
        return None
    if len(places) == 1 or one.all:
        repairs = (*meant.repairs, *([_PART] if one.whole_lines else []))
        return _Done(name, re.sub(pattern, lambda _: new, content), repairs)
    numbers = dict.fromkeys(content.count("\n", 0, at) + 1 for at in places[:_MOST])
    lines = ", ".join(map(str, [*numbers][:_SHOWN]))
    more = " and more" if len(numbers) > _SHOWN else ""
    reason = (
        f"the old text occurs several times in {name}, at lines {lines}{more}: quote more "
        "of the lines around the one you mean, or say that you mean all of them"
    )
    return Refused((reason,), of_parts=True)


def _pattern(old: str, *, whole_words: bool) -> str:
    """Return a pattern for the text. Of whole words, `x = 1` does not match in `max = 1`."""
    before = r"(?<!\w)(?<!(?<!\.)\.)" if old[:1].isdigit() else r"(?<!\w)"
    begins = before if whole_words and re.match(r"\w", old) else ""
    ends = r"(?!\w|\.\d)" if whole_words and re.search(r"\w\Z", old) else ""
    return f"{begins}{re.escape(old)}{ends}"


_LONGEST_SHOWN = 60  # characters of a text that is not a path
TEXTS = frozenset(
    {"content", "contents", "filetext", "text", "newstr", "inserttext", "code", "filecontent"}
    | {"newtext", "newstring", "newlines", "lines", "body"}
)
_CONTENT = re.compile(r"(?:contents?|text|file[ _]text):\s*\|?", re.IGNORECASE)


_FILE = Argument(PATH_NAME, one_text)
_CONTENTS = Argument(TEXTS, one_text)
_OF_FILE: Table = (_FILE, _CONTENTS)


@dataclass(frozen=True, slots=True)
class FileText:
    path: str
    text: str
    left_out: tuple[str, ...] = ()  # members of an object that are not used


def parse_file_text(text: str, hint: str) -> FileText | Unreadable:
    """Read a path and a text. `hint` tells the model how to write them."""
    requests = read_arguments(unfenced(text), _OF_FILE, hint)
    if isinstance(requests, Unreadable):
        return requests
    if len(requests) == 1 and len(paths := requests[0].all(_FILE)) == 1:
        texts = requests[0].all(_CONTENTS)
        if len(texts) != 1:
            return Unreadable(f"no text for {paths[0][:_LONGEST_SHOWN]}: {hint}")
        return FileText(paths[0].strip(), texts[0], requests[0].left_out)
    line, _, rest = unfenced(text).strip("\n").partition("\n")
    path = labelled_path(line)
    is_text = any(blank in path for blank in " \t") and path == line.strip()
    if is_text or not any(map(str.isalnum, path)):
        return Unreadable(
            f"{line.strip()[:_LONGEST_SHOWN]!r} is not a path: {hint}; quote a path that has spaces"
        )
    if not rest.strip("\n") and not looks_like_path(path):
        return Unreadable(f"no text below {line.strip()[:_LONGEST_SHOWN]!r}: {hint}")
    if ":" in line and _CONTENT.fullmatch(rest.lstrip("\n").partition("\n")[0]):
        rest = rest.lstrip("\n").partition("\n")[2]  # fields: `path: x` and `content:`
    bare = rest.strip("\n")
    bare = unfenced(bare) if opening_fence(bare.split("\n")[0]) else bare
    return FileText(path, f"{bare}\n" if bare else "")
