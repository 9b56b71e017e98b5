"""What a call looked for, and where: of our own tools that look, and of commands that do.

A command looks where its programs only do: `grep -rn name src | head`, `find . -name 'x*'`, `ls`.
"""

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

_BY_TEXT = ("grep", "egrep", "fgrep", "rg", "ag", "ack")
_BY_NAME = ("find", "fd", "fdfind", "locate", "ls", "tree")
_READERS = ("cat", "head", "tail", "sed", "less", "wc", "stat", "file", "nl", "test", "awk", "sort")
_HARMLESS = (*_READERS, "cd", "echo", "true", "xargs", "cut", "uniq", "pwd", "which", "type", "[")
_WITH_VALUE = ("-e", "-A", "-B", "-C", "-m", "-f", "-maxdepth", "-mindepth", "-type", "--include",
               "--exclude", "--exclude-dir", "-t", "-g", "--glob", "--type", "-d")  # fmt: skip
_PARTED = re.compile(r"\|\||&&|[|;\n]")
_WORD = re.compile(r"[A-Za-z_$@][\w$./-]*[\w$]|--[a-z][\w-]+")
_KEYWORDS = frozenset(
    (
        *(
            "def",
            "class",
            "function",
            "func",
            "fn",
            "import",
            "from",
            "const",
            "let",
            "var",
            "struct",
        ),
        *(
            "define",
            "view",
            "table",
            "create",
            "interface",
            "type",
            "enum",
            "trait",
            "macro",
            "select",
        ),
    )
)
_WRITES = re.compile(r"(?<![0-9&])>{1,2}(?!&|\s*/dev/null)|\btee\b|\bsed\b.*\s-i|-delete\b|-exec\b")
_NOT_IMPORTED = re.compile(
    r"^(?:ModuleNotFoundError|ImportError): No module named '([\w.]+)'", re.MULTILINE
)
_TEXT_TOOLS, _NAME_TOOLS = ("grep",), ("find_file",)
_PATH_TOOLS = ("read_file", "list_files", "outline")


@dataclass(frozen=True, slots=True)
class Searched:
    names: tuple[str, ...]  # that were looked for
    places: tuple[str, ...] = ()  # where; none: everywhere
    by_name: bool = False  # among the names of files, not in what they hold
    is_path: bool = False  # the names are paths that were to be shown
    is_module: bool = False  # it was imported


@lru_cache(512)
def searched(tool: str, given: str) -> Searched | None:
    """None of a call that does more than to look."""
    first, _, rest = given.strip().partition("\n")
    if tool in _TEXT_TOOLS:
        return Searched(_names(first), _places_below(rest))
    if tool in _NAME_TOOLS:
        return Searched((first.strip(),), _places_below(rest), by_name=True)
    if tool in _PATH_TOOLS:
        path = re.sub(r":\d+(?:-\d*)?$", "", first.strip())
        return Searched((path,), is_path=True, by_name=True)
    return _of_commands(given) if tool == "run" and given.strip() else None


def not_imported(said: str) -> Searched | None:
    """What Python could not import, by its own last words."""
    found = _NOT_IMPORTED.findall(said)
    last = found[-1].rpartition(".")[2] if found else ""
    return Searched((last,), is_module=True) if last else None


def _places_below(rest: str) -> tuple[str, ...]:
    lines = (line.partition(":") for line in rest.split("\n"))
    return tuple(value.strip() for name, _, value in lines if name.strip() == "path")


def _names(pattern: str) -> tuple[str, ...]:
    """The words of a regular expression that can be names."""
    bare = re.sub(r"\\[bBwWsSdD<>]|\.[*+?]|\[\^?[^\]]*\][*+]?", " ", pattern.replace("[-_]?", "_"))
    bare = bare.replace("_?", "_").replace("\\", "")
    found = (
        word.strip(".-") if not word.startswith("--") else word for word in _WORD.findall(bare)
    )
    return tuple(dict.fromkeys(word for word in found if word and word.casefold() not in _KEYWORDS))


def _of_commands(given: str) -> Searched | None:
    if _WRITES.search(given) or "$(" in given or "<<" in given:
        return None
    found = list[Searched]()
    for part in _PARTED.split(_without_quoted_bars(given)):
        words = _words(part.replace("\0", "|"))
        if not words:
            continue
        one = _of_command(words)
        if one is None:
            return None
        found += [one] if one.names else []
    return _joined(found) if found else None


def _joined(found: Sequence[Searched]) -> Searched:
    """Several of one kind are one."""
    first, *others = found
    alike = [one for one in others if one.by_name == first.by_name]
    names = (name for one in (first, *alike) for name in one.names)
    places = (place for one in (first, *alike) for place in one.places)
    return Searched(
        tuple(dict.fromkeys(names)), tuple(dict.fromkeys(places)), first.by_name, first.is_path
    )


def _without_quoted_bars(line: str) -> str:
    quoted = re.compile(r"\"[^\"]*\"|'[^']*'")
    return quoted.sub(lambda found: re.sub(r"[|;&]", "\0", found[0]), line)


def _words(part: str) -> Sequence[str]:
    try:
        words = shlex.split(part)
    except ValueError:
        words = part.split()
    return [word for word in words if not re.match(r"\d?>|&", word)]


def _of_command(words: Sequence[str]) -> Searched | None:
    name, given = words[0].rpartition("/")[2], list(words[1:])
    if name == "git" and given[:1] in (["grep"], ["ls-files"]):
        name, given = ("grep", given[1:]) if given[0] == "grep" else ("ls", given[1:])
    if name in _BY_TEXT:
        return _by_text(given)
    if name == "find":
        return _by_find(given)
    plain = [word for word in _bare(given) if word not in (".", "]")]
    if name in _BY_NAME:
        names = plain if name == "ls" else plain[:1]
        places = () if name == "ls" else plain[1:]
        return Searched(tuple(names), tuple(places), by_name=True, is_path=name == "ls")
    if name in _READERS:
        paths = [word for word in plain if not re.fullmatch(r"\d+(?:,\d+)?p?|\$p?", word)]
        return Searched(tuple(paths[-1:]), by_name=True, is_path=True)
    return Searched(()) if name in _HARMLESS else None


def _by_text(given: Sequence[str]) -> Searched:
    pattern = next((b for a, b in pairwise(given) if a in ("-e", "--regexp")), "")
    plain = list(_bare(given))
    if not pattern and plain:
        pattern, plain = plain[0], plain[1:]
    kinds = tuple(word.partition("=")[2] for word in given if word.startswith("--include="))
    return Searched(_names(pattern), tuple(p for p in plain if p != ".") + kinds)


def _by_find(given: Sequence[str]) -> Searched:
    wanted = ("-name", "-iname", "-path", "-ipath", "-wholename")
    tests = zip(["", *given], given, given[1:], strict=False)
    named = (name for no, test, name in tests if test in wanted and no not in ("-not", "!"))
    names = tuple(name.replace("*", "").strip("/") for name in named)
    places = tuple(word for word in _until_option(given) if word not in (".", "./", "/"))
    return Searched(names, places, by_name=True)


def _until_option(given: Sequence[str]) -> Iterator[str]:
    for word in given:
        if word.startswith(("-", "(", "!")):
            return
        yield word


def _bare(given: Sequence[str]) -> Iterator[str]:
    is_value = False
    for word in given:
        if is_value:
            is_value = False
        elif word.startswith("-"):
            is_value = word in _WITH_VALUE
        else:
            yield word
