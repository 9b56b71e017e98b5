"""What git is asked of its history, in a shell, as an input of ours."""

import re
import shlex
from collections.abc import Sequence

from react_agent.parsers.call import Call, read_as
from react_agent.parsers.shell_options import NUMBER, known, read_options
from react_agent.parsers.shell_search import Place

_SHORT_LINES = "--oneline --no-color --follow --abbrev-commit --decorate"
_LOG = known(
    f"{NUMBER} {_SHORT_LINES} -p -u --patch -i --no-merges --merges --reverse",
    "-n --max-count --skip -S -G --grep --author --since --after --until --before",
)
_SHOW = known("--no-color -p -u --patch --oneline")
_BLAME = known("-w -s -l -n -f -e -c -M --no-color", "-L")
_LINES = re.compile(r"(?P<start>\d{1,9}),(?P<plus>\+?)(?P<end>\d{1,9})")
_NEEDLESS = frozenset(_SHORT_LINES.split())


def logged(words: Sequence[str], place: Place, left_out: Sequence[str] = ()) -> Call | None:
    options = read_options(words, _LOG)
    if options is None or (place.folder and options.words):
        return None
    given = [
        part
        for name, value in options.options
        if name not in _NEEDLESS
        for part in ((f"-{value}",) if name == NUMBER else (name, value) if value else (name,))
    ]
    paths = [place.path(path) for path in options.behind]
    if not given and not options.words:
        return read_as("git_log", "\n".join(paths), left_out)
    behind = ["--", *paths] if paths else []
    return read_as("git_log", shlex.join([*given, *options.words, *behind]), left_out)


def showed(words: Sequence[str], place: Place, left_out: Sequence[str] = ()) -> Call | None:
    options = read_options(words, _SHOW)
    if options is None or len(options.words) > 1 or len(options.behind) > 1:
        return None
    revision = options.words or ("HEAD",)
    if ":" in revision[0] and options.behind:
        return None
    asked = [*revision, *(place.path(path) for path in options.behind)]
    return read_as("git_show", shlex.join(asked), left_out)


def blamed(words: Sequence[str], place: Place, left_out: Sequence[str] = ()) -> Call | None:
    options = read_options(words, _BLAME)
    paths = (*options.words, *options.behind) if options else ()
    spans = options.values("-L") if options else ()
    found = _LINES.fullmatch(spans[0]) if spans else None
    if len(paths) != 1 or len(spans) > 1 or bool(spans) != bool(found):
        return None
    path = place.path(paths[0])
    if not found:
        return read_as("blame", path, left_out)
    start, end = int(found["start"]), int(found["end"])
    last = start + end - 1 if found["plus"] else end
    return read_as("blame", f"{path}:{start}-{last}", left_out) if last >= start else None
