"""What matters in a repository, in little room: its starts, its folders, its tests."""

from collections import Counter
from collections.abc import Iterator, Sequence
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
_MOST = 6  # of languages, of entry points, of folders in one, of folders with tests


def repo_map(context: Context) -> str:
    """At most a thousand tokens of it; raises ReactAgentError where git refuses."""
    files = known_files(context)
    if not files:
        return "the repository holds no files"
    known = Counter(_LANGUAGES.get(splitext(name)[1].casefold(), "") for name in files)
    others = known.pop("", 0)
    languages = [f"{language} {count:,}" for language, count in known.most_common(_MOST)]
    languages += [f"other {others:,}"] * bool(others)
    lines = [f"{counted(len(files), 'file')}: {', '.join(languages)}"]
    parts = {"entry points": _starts(files), "folders": [*_folders(files)], "tests": _tests(files)}
    for title, rows in parts.items():
        lines += [f"{title}:", *(f"  {row}" for row in rows)] if rows else []
    lines = [clip_line(line, _LINE_CHARS) for line in lines]
    kept = len(lines)
    while kept and estimate_tokens("\n".join(lines[:kept])) > MOST_TOKENS - _NOTE_TOKENS:
        kept -= 1
    left = [f"[{counted(len(lines) - kept, 'more line')} left out]"] if kept < len(lines) else []
    return "\n".join((*lines[:kept], *left))


def _starts(files: Sequence[str]) -> list[str]:
    """The files that are usually started."""
    mains = [name for name in files if basename(name) in _MAINS and not _is_test(name)]
    shallow = sorted(mains, key=lambda name: (name.count("/"), _MAINS.index(basename(name)), name))
    return list(map(one_line, shallow[:_MOST]))


def _folders(files: Sequence[str]) -> Iterator[str]:
    """The top ones, and what is below each."""
    tops = Counter(name.partition("/")[0] for name in files if "/" in name)
    below = Counter("/".join(name.split("/")[:2]) for name in files if name.count("/") > 1)
    for name, count in tops.most_common(_MOST_ROWS):
        inner = [one for one, _ in below.most_common() if one.startswith(f"{name}/")]
        said = ", ".join(one.partition("/")[2] + "/" for one in inner[:_MOST])
        more = ", ..." if len(inner) > _MOST else ""
        held = f": {one_line(said)}{more}" if said else ""
        yield f"{one_line(name)}/ {counted(count, 'file')}{held}"
    if len(tops) > _MOST_ROWS:
        yield f"and {len(tops) - _MOST_ROWS:,} more"


def _tests(files: Sequence[str]) -> list[str]:
    places = Counter(name.rpartition("/")[0] or "." for name in files if _is_test(name))
    most = places.most_common(_MOST)
    left = places.total() - sum(count for _, count in most)
    shown = [f"{one_line(name)}: {count:,}" for name, count in most]
    return [*shown, f"elsewhere: {left:,}"] if left else shown


def _is_test(name: str) -> bool:
    return is_code(name) and is_of_tests(name)


REPO_MAP = Tool(
    "repo_map",
    "show what matters in the repository: entry points, folders, tests",
    Kind.READ,
    lambda text, context: Observation(repo_map(context)),
    needs_input=False,
)
