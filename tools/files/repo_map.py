"""What matters in a repository, in little room: its starts, its folders, its tests."""

from collections import Counter
from collections.abc import Iterable, Sequence
from posixpath import basename, splitext

from react_agent.parsers.repo.file_roles import is_code, is_of_tests
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.tools.clip import clip_line, counted
from react_agent.tools.context import Context
from react_agent.tools.files.file_list import known_files, one_line
from react_agent.tools.observation import Observation
from react_agent.tools.registry import Kind, Tool

MOST_TOKENS = 1_000
_LINE_CHARS = 300
_MOST_ROWS = 12
_LANGUAGES = {
    ".py": "Python", ".pyi": "Python", ".js": "JavaScript", ".jsx": "JavaScript",
    ".mjs": "JavaScript", ".cjs": "JavaScript", ".ts": "TypeScript", ".tsx": "TypeScript",
    ".rs": "Rust", ".go": "Go", ".java": "Java", ".kt": "Kotlin", ".c": "C", ".h": "C",
    ".cc": "C++", ".cpp": "C++", ".hpp": "C++", ".cs": "C#", ".rb": "Ruby", ".php": "PHP",
    ".swift": "Swift", ".scala": "Scala", ".sh": "shell", ".lua": "Lua", ".ex": "Elixir",
    ".hs": "Haskell", ".ml": "OCaml", ".pl": "Perl", ".r": "R", ".jl": "Julia", ".sql": "SQL",
    ".md": "Markdown", ".rst": "reStructuredText", ".html": "HTML", ".css": "CSS",
}  # fmt: skip
_MAINS = ("__main__.py", "manage.py", "main.go", "main.rs", "index.js", "main.py", "cli.py")
_NOTE_TOKENS = 12
_MOST_LANGUAGES = 6
_MOST_MAINS = 6
_MOST_INNER = 6
_MOST_TESTS = 6


def repo_map(context: Context) -> str:
    """At most a thousand tokens of it; raises ReactAgentError where git refuses."""
    files = known_files(context)
    if not files:
        return "the repository holds no files"
    parts = (
        [f"{counted(len(files), 'file')}: {_languages(files)}"],
        _part("entry points", _starts(files)),
        _part("folders", _folders(files)),
        _part("tests", _tests(files)),
    )
    return _within([clip_line(line, _LINE_CHARS) for part in parts for line in part])


def _repo_map(text: str, context: Context) -> Observation:
    return Observation(repo_map(context))


def _part(title: str, lines: Sequence[str]) -> list[str]:
    return [f"{title}:", *(f"  {line}" for line in lines)] if lines else []


def _within(lines: Sequence[str]) -> str:
    """As many of them as fit, from the top."""
    kept = len(lines)
    while kept and estimate_tokens("\n".join(lines[:kept])) > MOST_TOKENS - _NOTE_TOKENS:
        kept -= 1
    left = [f"[{counted(len(lines) - kept, 'more line')} left out]"] if kept < len(lines) else []
    return "\n".join((*lines[:kept], *left))


def _languages(files: Iterable[str]) -> str:
    known = Counter(_LANGUAGES.get(splitext(name)[1].casefold(), "") for name in files)
    others = known.pop("", 0)
    most = [f"{language} {count:,}" for language, count in known.most_common(_MOST_LANGUAGES)]
    return ", ".join((*most, f"other {others:,}") if others else most)


def _starts(files: Sequence[str]) -> list[str]:
    """The files that are usually started."""
    mains = [name for name in files if basename(name) in _MAINS and not _is_test(name)]
    shallow = sorted(mains, key=lambda name: (name.count("/"), _MAINS.index(basename(name)), name))
    return list(map(one_line, shallow[:_MOST_MAINS]))


def _folders(files: Iterable[str]) -> list[str]:
    """The top ones, and what is below the one that holds nearly everything."""
    tops = Counter(name.partition("/")[0] for name in files if "/" in name)
    below = Counter("/".join(name.split("/")[:2]) for name in files if name.count("/") > 1)
    shown = [_folder(name, count, below) for name, count in tops.most_common(_MOST_ROWS)]
    left = len(tops) - len(shown)
    return [*shown, f"and {left:,} more"] if left else shown


def _folder(name: str, count: int, below: Counter[str]) -> str:
    inner = [each for each, _ in below.most_common() if each.startswith(f"{name}/")]
    said = ", ".join(each.partition("/")[2] + "/" for each in inner[:_MOST_INNER])
    more = ", ..." if len(inner) > _MOST_INNER else ""
    return (
        f"{one_line(name)}/ {counted(count, 'file')}{f': {one_line(said)}{more}' if said else ''}"
    )


def _tests(files: Iterable[str]) -> list[str]:
    places = Counter(name.rpartition("/")[0] or "." for name in files if _is_test(name))
    shown = [f"{one_line(name)}: {count:,}" for name, count in places.most_common(_MOST_TESTS)]
    left = sum(places.values()) - sum(count for _, count in places.most_common(_MOST_TESTS))
    return [*shown, f"elsewhere: {left:,}"] if left else shown


def _is_test(name: str) -> bool:
    return is_code(name) and is_of_tests(name)


REPO_MAP = Tool(
    "repo_map",
    "show what matters in the repository: entry points, folders, tests",
    Kind.READ,
    _repo_map,
    needs_input=False,
)
