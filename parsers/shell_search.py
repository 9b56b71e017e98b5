"""A search as a shell runs it, as an input of ours: a pattern, and lines of `path: GLOB`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from posixpath import join, normpath

from react_agent.parsers.basic_pattern import extended
from react_agent.parsers.call import Call, read_as
from react_agent.parsers.search_command import readings
from react_agent.parsers.search_request import SearchRequest, within
from react_agent.parsers.shell_options import Known, Options, known, read_options

_PATTERN = "-e --regexp"
# What only changes how the lines look is left out, and said if it takes something away.
_GREP = known(
    "-n -r -R -H -h -I -s -a -i -y -w -F -E -G -P -l --recursive --line-number --ignore-case "
    "--word-regexp --fixed-strings --extended-regexp --perl-regexp --with-filename --no-filename "
    "--no-messages --color --text --files-with-matches --untracked --heading --break --full-name",
    f"{_PATTERN} -m --max-count --include --exclude --exclude-dir --color --binary-files --threads",
)
_RG = known(
    "-n -N -i -s -S -w -F -P -H -l -u -U --line-number --ignore-case --case-sensitive --smart-case "
    "--word-regexp --fixed-strings --pcre2 --no-heading --hidden --no-ignore --files-with-matches "
    "--with-filename --column --heading --no-messages --trim --pretty -p -Q --literal -. "
    "--python --py --js --ts --go --rust --java --cc --cpp --ruby --html --json --yaml --nocolor",
    f"{_PATTERN} -t -g -m --type --glob --iglob --max-count --color --sort -M --max-columns "
    "--max-filesize --ignore",
)
_TYPES = {
    "python": "py", "rust": "rs", "markdown": "md", "ruby": "rb", "cc": "c", "yml": "yaml",
    "typescript": "ts", "javascript": "js",
}  # fmt: skip
IGNORED = frozenset(
    {".git", "node_modules", "__pycache__", ".venv", "venv", ".tox", ".mypy_cache", ".eggs"}
    | {".pytest_cache", "*.pyc", "*.min.js", "*.egg-info"}
)  # by git as well, nearly everywhere
_SAME_AS = {"egrep": "-E", "fgrep": "-F"}
_SMART = ("ag", "ack")  # ignore case unless the pattern has capitals
_IGNORE_CASE = ("-i", "-y", "--ignore-case")
_WORDS = ("-w", "--word-regexp")
_PLAIN = ("-F", "--fixed-strings", "-Q", "--literal")
_NOT_BASIC = ("-E", "-P", "--extended-regexp", "--perl-regexp", *_PLAIN)
_LEFT_OUT = {
    "-l": "-l", "--files-with-matches": "-l", "-m": "-m", "--max-count": "-m",
    "--exclude": "--exclude", "--exclude-dir": "--exclude-dir",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """Where a command runs, and which files it is fed."""

    folder: str = ""
    fed: tuple[str, ...] = ()

    def path(self, path: str) -> str:
        return normpath(join(self.folder, path)) if self.folder else path


def searched(words: Sequence[str], place: Place, left_out: Sequence[str] = ()) -> Call | None:
    """None if it is no search, or one that has to be run as it is."""
    name, rest = words[0], list(words[1:])
    if name == "git":
        name, rest = "git grep", rest[1:]
    elif name in _SAME_AS:
        name, rest = "grep", [_SAME_AS[name], *rest]
    expected = _PROGRAMS.get(name)
    options = read_options(rest, expected) if expected else None
    if options is None:
        return None
    found = _Search(name, options).request(place)
    without = tuple(dict.fromkeys(_LEFT_OUT[one] for one, _ in options.options if one in _LEFT_OUT))
    text = _written(found) if found else None
    return read_as("grep", text, (*without, *left_out)) if text else None


@dataclass(frozen=True, slots=True)
class _Search:
    name: str
    options: Options

    def request(self, place: Place) -> SearchRequest | None:
        given = self.options.values("-e", "--regexp")
        words = (*self.options.words, *self.options.behind)
        patterns, paths = (given, words) if given else (words[:1], words[1:])
        if not patterns or not all(patterns) or any("\n" in pattern for pattern in patterns):
            return None
        plain = self.options.has(*_PLAIN)
        if (plain and len(patterns) > 1) or not self._can_leave_out():
            return None
        if place.fed and paths not in ((), ("-",)):
            return None
        globs = within([place.path(one) for one in self._paths(paths, place)], self._globs())
        return SearchRequest(
            "|".join(map(self._extended, patterns)),
            globs,
            ignore_case=self._ignores_case(patterns),
            whole_words=self.options.has(*_WORDS),
            plain=plain,
        )

    def _paths(self, paths: Sequence[str], place: Place) -> Sequence[str]:
        """What is searched without a path is the folder itself, or what is fed."""
        here = place.fed or ((".",) if place.folder else ())
        return [path for path in paths or here if place.folder or path not in (".", "./")]

    def _extended(self, pattern: str) -> str:
        is_basic = self.name in ("grep", "git grep") and not self.options.has(*_NOT_BASIC)
        return extended(pattern) if is_basic else pattern

    def _ignores_case(self, patterns: Sequence[str]) -> bool:
        is_smart = self.name in _SMART or self.options.has("-S", "--smart-case")
        is_lower = all(pattern == pattern.lower() for pattern in patterns)
        return self.options.has(*_IGNORE_CASE) or (
            is_smart and is_lower and not self.options.has("-s", "--case-sensitive")
        )

    def _globs(self) -> tuple[str, ...]:
        types = [name[2:] for name, value in self.options.options if name in _BY_TYPE and not value]
        types += self.options.values("-t", "--type")
        globs = self.options.values("--include", "-g", "--glob")
        kept = [glob for glob in globs if not glob.startswith("!")]
        return (*kept, *(f"*.{_TYPES.get(one, one)}" for one in types))

    def _can_leave_out(self) -> bool:
        globs = self.options.values("-g", "--glob")
        out = [glob[1:].strip("/*") for glob in globs if glob.startswith("!")]
        out += [one.strip("/") for one in self.options.values("--exclude", "--exclude-dir")]
        out += [one.strip("/") for one in self.options.values("--ignore")]
        is_upper_level = self.options.has("--iglob")
        return all(one in IGNORED for one in out) and not is_upper_level


def _written(request: SearchRequest) -> str | None:
    """As our tool reads it back; None if nothing does."""
    paths = "".join(f"\npath: {glob}" for glob in request.globs)
    flags = "".join(
        letter
        for letter, holds in (
            ("i", request.ignore_case),
            ("w", request.whole_words),
            ("F", request.plain),
        )
        if holds
    )
    option = f"-{flags} -e" if flags else "-e"
    pattern = request.pattern
    quoted = [f"'{pattern}'", '"{}"'.format(pattern.replace('"', '\\"'))]
    spelled = [] if flags else [pattern]
    for text in (*spelled, *(f"{option} {one}" for one in quoted)):
        if _means(text + paths, request):
            return text + paths
    return None


def _means(text: str, request: SearchRequest) -> bool:
    read = readings(text, lambda word: True)
    return isinstance(read, tuple) and _core(read[0]) == _core(request)


def _core(request: SearchRequest) -> tuple[object, ...]:
    flags = (request.ignore_case, request.whole_words, request.plain)
    return (request.pattern, request.globs, *flags)


_BY_TYPE = frozenset(
    {"--python", "--py", "--js", "--ts", "--go", "--rust", "--java", "--cc", "--cpp"}
    | {"--ruby", "--html", "--json", "--yaml"}
)
_PROGRAMS: Mapping[str, Known] = {
    "grep": _GREP,
    "git grep": _GREP,
    "rg": _RG,
    "ag": _RG,
    "ack": _RG,
}
