"""What lists or finds files, in a shell, as an input of ours."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from react_agent.parsers.call import Call, read_as
from react_agent.parsers.shell_options import known, read_options
from react_agent.parsers.shell_search import IGNORED, Place

_LS = known(
    "-l -a -A -h -1 -R -F -p -G -o -g -n -C -x --all --almost-all --recursive --human-readable "
    "--color --color=auto --color=never --long --classify --full-time",
    "",
)
_TREE = known("-a -C -F -f -h -s -i -n -p -A --noreport --dirsfirst", "-L -I -P --filelimit")
_FILES = known("--cached -c --full-name --files --hidden --no-ignore -u", "-g --glob")
_FD = known("-H -I -u -i --hidden --no-ignore", "-t -e --type --extension")
_NAME = re.compile(r"[\w.-]+")
_TESTS_OF_NAMES = ("-name", "-iname")
_NEEDLESS = ("-print", "(", ")", "-depth", "-follow", "-L", "-H", "-P")


def listed(words: Sequence[str], place: Place, left_out: Sequence[str] = ()) -> Call | None:
    """`ls`, `dir` and `tree`."""
    is_tree = words[0] == "tree"
    options = read_options(words[1:], _TREE if is_tree else _LS)
    if options is None or options.has("-P", "--filelimit"):
        return None
    paths = (*options.words, *options.behind)
    if any(one.endswith("*/") for one in paths):
        return None
    without = [f"{name} {value}" for name, value in options.options if value]
    return _list_files(paths, place, (*without, *left_out))


def _list_files(paths: Sequence[str], place: Place, left_out: Sequence[str]) -> Call | None:
    asked = [place.path(path) for path in paths] or ([place.folder] if place.folder else [])
    several = len(asked) > 1 and any(re.search(r"[\s,*?\[]", path) for path in asked)
    if several or any("\n" in path for path in asked):
        return None
    root = [path for path in asked if path not in (".", "./")]
    return read_as("list_files", " ".join(root if len(asked) == 1 else asked), left_out)


def tracked(words: Sequence[str], place: Place, left_out: Sequence[str] = ()) -> Call | None:
    """`git ls-files` and `rg --files`, behind these words."""
    options = read_options(words, _FILES)
    if options is None:
        return None
    paths = (*options.words, *options.behind, *options.values("-g", "--glob"))
    if len(paths) > 1 or any(path.startswith(("!", ":")) for path in paths):
        return None
    return _list_files(paths, place, left_out)


@dataclass(slots=True)
class _Tests:
    names: list[str] = field(default_factory=list)
    depth: str = ""
    alternatives: int = 0


def found(words: Sequence[str], place: Place, left_out: Sequence[str] = ()) -> Call | None:
    """`find`, with tests of names and with none."""
    rest = list(words[1:])
    starts = [at for at, word in enumerate(rest) if word.startswith(("-", "(", "!"))]
    at = starts[0] if starts else len(rest)
    folders, tests = rest[:at], _tests(iter(rest[at:]))
    if tests is None or len(tests.names) != tests.alternatives + 1:
        return None if tests is None or tests.names else _below(folders, tests, place, left_out)
    if tests.depth:
        return None
    return _find_file(tests.names, folders, place, left_out)


def _below(
    folders: Sequence[str], tests: _Tests, place: Place, left_out: Sequence[str]
) -> Call | None:
    if tests.alternatives:
        return None
    without = (f"-maxdepth {tests.depth}",) if tests.depth else ()
    return _list_files(folders, place, (*without, *left_out))


def _find_file(
    names: Sequence[str], folders: Sequence[str], place: Place, left_out: Sequence[str]
) -> Call | None:
    below = [place.path(one) for one in folders] or ([place.folder] if place.folder else [])
    paths = [one for one in below if one not in (".", "./")]
    if not all(name.strip() for name in names) or any("\n" in one for one in (*names, *paths)):
        return None
    if paths and len(paths) != len(below):
        paths = []  # the root is among them
    return read_as("find_file", "\n".join((*names, *(f"path: {one}" for one in paths))), left_out)


def _tests(words: Iterator[str]) -> _Tests | None:
    tests = _Tests()
    for word in words:
        if word in _TESTS_OF_NAMES:
            tests.names.append(next(words, ""))
        elif word == "-maxdepth":
            tests.depth = next(words, "")
        elif word in ("-o", "-or"):
            tests.alternatives += 1
        elif not _says_nothing(word, words):
            return None
    return tests


def _says_nothing(word: str, rest: Iterator[str]) -> bool:
    """A test that our tools make anyway: files only, and none that git ignores."""
    if word == "-type":
        return next(rest, "") == "f"
    if word in ("-not", "!"):
        is_test = next(rest, "") in ("-path", "-name", "-wholename")
        return is_test and next(rest, "").removeprefix("./").strip("*/") in IGNORED
    return word in _NEEDLESS


def fd_found(words: Sequence[str], place: Place, left_out: Sequence[str] = ()) -> Call | None:
    options = read_options(words[1:], _FD)
    if options is None or options.values("-t", "--type") not in ((), ("f",), ("file",)):
        return None
    names, folders = options.words[:1], options.words[1:]
    extensions = options.values("-e", "--extension")
    if options.behind or (names and extensions) or not all(map(_NAME.fullmatch, names)):
        return None
    asked = names or [f"*.{one}" for one in extensions]
    return _find_file(asked, folders, place, left_out) if asked else None
