"""A shell line that only looks at files, as one call of a tool of ours; whole, or not at all.

line   = ("cd" folder ("&&" | ";"))* view (("&&" | ";") (view | echo))* ["||" echo]
view   = show ("|" filter)* | show "|" search | (search | list | find) ("|" head)*

Nothing that writes, starts something else, or hides what it shows is translated.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from react_agent.parsers.call import Call, read_as
from react_agent.parsers.shell_command import Pipeline, Simple
from react_agent.parsers.shell_find import fd_found, found, listed, tracked
from react_agent.parsers.shell_line import read_line
from react_agent.parsers.shell_search import Place, searched
from react_agent.parsers.shell_view import WHOLE, Shown, narrowed, shown

_Translate = Callable[[Sequence[str], Place, Sequence[str]], Call | None]

_LONGEST = 2_000  # characters; what is longer does more than look
_MOST_FILES = 8  # that read_file shows at once
_SILENT = frozenset({"2>/dev/null", "2>&1"})  # errors are said anyway
_SAYS = ("echo", "printf", "true", ":")
_ALL_OF_IT = ("cat", "less", "more")
_LISTS: Mapping[str, _Translate] = {
    "ls": listed,
    "ll": listed,
    "dir": listed,
    "tree": listed,
    "find": found,
    "fd": fd_found,
    "fdfind": fd_found,
}
_SEARCHES = ("grep", "egrep", "fgrep", "rg", "ag", "ack")
_OF_GIT: Mapping[str, _Translate] = {
    "grep": lambda words, place, left_out: searched(("git", "grep", *words), place, left_out),
    "ls-files": tracked,
}
_MAY_GLOB = frozenset({"ls", "ll", "dir", *_SEARCHES})


def call_of_line(text: str) -> Call | None:
    """Never raises. None: the line has to be run as it is."""
    line = read_line(text) if len(text) <= _LONGEST else None
    if line is None or not line.is_plain:
        return None
    folder, rest = _placed(line.pipelines)
    pipelines = _without_else(rest)
    if not pipelines or folder is None:
        return None
    place = Place(folder)
    return _view(pipelines[0], place) if len(pipelines) == 1 else _views(pipelines, place)


def _placed(pipelines: Sequence[Pipeline]) -> tuple[str | None, Sequence[Pipeline]]:
    """The folder that the line goes to first; none if that can't be said."""
    folder = ""
    for at, pipeline in enumerate(pipelines):
        first = pipeline.commands[0]
        if first.given[:1] != ("cd",):
            return folder, pipelines[at:]
        if not _is_step(pipeline):
            return None, ()
        folder = Place(folder).path(first.given[1])
    return None, ()


def _is_step(pipeline: Pipeline) -> bool:
    command = pipeline.commands[0]
    is_whole = len(pipeline.commands) == 1 and pipeline.then in ("&&", ";")
    is_folder = len(command.words) == len(("cd", "folder")) and command.given[1][:1] not in (
        "-",
        "",
    )
    return is_whole and is_folder and _is_literal(command, may_glob=False)


def _without_else(pipelines: Sequence[Pipeline]) -> Sequence[Pipeline]:
    """`|| echo no` says what we say ourselves."""
    if len(pipelines) > 1 and pipelines[-2].then == "||" and _only_says(pipelines[-1]):
        return (*pipelines[:-2], Pipeline(pipelines[-2].commands))
    return pipelines


def _only_says(pipeline: Pipeline) -> bool:
    command = pipeline.commands[0]
    is_said = len(pipeline.commands) == 1 and command.given[:1] and command.given[0] in _SAYS
    return bool(is_said) and _is_literal(command, may_glob=True)


def _views(pipelines: Sequence[Pipeline], place: Place) -> Call | None:
    """Several files one after the other, perhaps with a line said between them."""
    if any(pipeline.then not in ("&&", ";", "") for pipeline in pipelines):
        return None
    calls = [_view(one, place) for one in pipelines if not _only_says(one)]
    if not calls or not all(call and call.tool == "read_file" for call in calls):
        return None
    lines = [line for call in calls if call for line in call.input.split("\n")]
    return read_as("read_file", "\n".join(lines)) if len(lines) <= _MOST_FILES else None


def _view(pipeline: Pipeline, place: Place) -> Call | None:
    if pipeline.then == "&" or not all(map(_may_be_read, pipeline.commands)):
        return None
    first, *filters = [command.given for command in pipeline.commands]
    if translate := _translator(first):
        return _listing(translate, filters, place)
    return _showing(first, filters, place)


def _may_be_read(command: Simple) -> bool:
    may_glob = bool(command.words) and command.given[0] in _MAY_GLOB
    return bool(command.words) and _is_literal(command, may_glob=may_glob or _is_git_grep(command))


def _is_git_grep(command: Simple) -> bool:
    return "git" in command.given[:1] and "grep" in command.given[1:3]


def _is_literal(command: Simple, *, may_glob: bool) -> bool:
    expands = any(word.expands or (word.globs and not may_glob) for word in command.words)
    return not (expands or command.assignments or set(command.redirections) - _SILENT)


@dataclass(frozen=True, slots=True)
class _Bound:
    """A translator, and the words that it is for."""

    translate: _Translate
    words: Sequence[str]
    folder: str = ""  # of `git -C`

    def call(self, place: Place, left_out: Sequence[str]) -> Call | None:
        inside = Place(place.path(self.folder)) if self.folder else place
        return self.translate(self.words, inside, left_out)


def _translator(words: Sequence[str]) -> _Bound | None:
    name = words[0]
    if name == "git":
        return _of_git(words[1:])
    if name == "rg" and "--files" in words:
        return _Bound(tracked, words[1:])
    if name in _SEARCHES:
        return _Bound(searched, words)
    return _Bound(_LISTS[name], words) if name in _LISTS else None


def _of_git(words: Sequence[str]) -> _Bound | None:
    folder, rest = "", list(words)
    while rest[:1] in (["--no-pager"], ["-P"], ["-C"]):
        is_folder = rest.pop(0) == "-C"
        if is_folder and rest:
            folder = Place(folder).path(rest.pop(0))
    if not rest or rest[0] not in _OF_GIT:
        return None
    return _Bound(_OF_GIT[rest[0]], rest[1:], folder)


def _listing(first: _Bound, filters: Sequence[Sequence[str]], place: Place) -> Call | None:
    """Ours are cut, too: `| head` may be left out, and is said to be."""
    left_out = list[str]()
    for words in filters:
        kept = shown(words)
        is_sorted = tuple(words) == ("sort",)
        if not is_sorted and (kept is None or kept.paths or words[0] not in ("head", *_ALL_OF_IT)):
            return None
        if words[0] == "head":
            left_out.append(" ".join(words))
    return first.call(place, left_out)


def _showing(first: Sequence[str], filters: Sequence[Sequence[str]], place: Place) -> Call | None:
    source = shown(first)
    for at, words in enumerate(filters):
        if source and words[0] in _SEARCHES:
            return _searching(source, words, filters[at + 1 :], place)
        source = narrowed(source, words) if source else None
    if source is None or not source.paths:
        return None
    lines = _placed_lines(source, place)
    return read_as("read_file", "\n".join(lines)) if _can_be_lines(lines) else None


def _placed_lines(source: Shown, place: Place) -> tuple[str, ...]:
    return Shown(source.spans, tuple(map(place.path, source.paths))).lines


def _can_be_lines(lines: Sequence[str]) -> bool:
    return len(lines) <= _MOST_FILES and not any("\n" in line for line in lines)


def _searching(
    source: Shown, words: Sequence[str], filters: Sequence[Sequence[str]], place: Place
) -> Call | None:
    """`cat x | grep foo` searches x."""
    if source.spans != WHOLE or not source.paths:
        return None
    fed = Place(place.folder, tuple(map(place.path, source.paths)))
    return _listing(_Bound(searched, words), filters, fed)
