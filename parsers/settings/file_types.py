"""Types by which the pre-commit framework chooses files: by a name, a first line, a few bytes."""

from collections.abc import Iterator
from pathlib import PurePosixPath

TEXT, BINARY, FILE, EXECUTABLE = "text", "binary", "file", "executable"
_LOOKED_AT = 8_000  # bytes
_ENDINGS = {
    "python": "py pyw",
    "pyi": "pyi",
    "cython": "pyx pxd",
    "jupyter": "ipynb",
    "javascript": "js mjs cjs",
    "jsx": "jsx",
    "ts": "ts mts cts",
    "tsx": "tsx",
    "vue": "vue",
    "svelte": "svelte",
    "json": "json ipynb webmanifest geojson",
    "json5": "json5",
    "yaml": "yaml yml",
    "toml": "toml",
    "ini": "ini cfg",
    "xml": "xml xsd xsl svg",
    "svg": "svg",
    "html": "html htm",
    "css": "css",
    "scss": "scss",
    "less": "less",
    "markdown": "md markdown",
    "mdx": "mdx",
    "rst": "rst",
    "plain-text": "txt",
    "shell": "sh bash zsh ksh bats",
    "bash": "bash",
    "go": "go",
    "rust": "rs",
    "c": "c h",
    "c++": "cc cpp cxx hpp hxx hh",
    "java": "java",
    "kotlin": "kt kts",
    "scala": "scala",
    "ruby": "rb gemspec",
    "php": "php",
    "lua": "lua",
    "perl": "pl pm",
    "swift": "swift",
    "sql": "sql",
    "terraform": "tf tfvars",
    "proto": "proto",
    "csv": "csv",
    "diff": "diff patch",
    "nix": "nix",
    "haskell": "hs",
    "r": "r",
    "graphql": "graphql gql",
}
_NAMES = {
    "dockerfile": "Dockerfile Containerfile",
    "makefile": "Makefile GNUmakefile makefile",
    "toml": "Pipfile poetry.lock uv.lock Cargo.lock",
    "json": "Pipfile.lock",
    "ruby": "Gemfile Rakefile",
    "cmake": "CMakeLists.txt",
    "gitignore": ".gitignore",
}
_INTERPRETERS = {
    "python": "python python2 python3",
    "shell": "sh bash dash zsh ksh",
    "bash": "bash",
    "javascript": "node",
    "ruby": "ruby",
    "perl": "perl",
    "php": "php",
    "lua": "lua",
}
KNOWN = frozenset((TEXT, BINARY, FILE, EXECUTABLE, *_ENDINGS, *_NAMES, *_INTERPRETERS))


def _by_word(table: dict[str, str]) -> dict[str, frozenset[str]]:
    words = {word for listed in table.values() for word in listed.split()}
    return {
        word: frozenset(tag for tag, listed in table.items() if word in listed.split())
        for word in words
    }


_OF_ENDING, _OF_NAME, _OF_INTERPRETER = map(_by_word, (_ENDINGS, _NAMES, _INTERPRETERS))


def types_of(path: str, data: bytes, *, is_executable: bool) -> frozenset[str]:
    """Of a regular file."""
    name = PurePosixPath(path).name
    found = {FILE, *_of_name(name)}
    head = data[:_LOOKED_AT]
    if is_executable:
        found.add(EXECUTABLE)
    if not found & _OF_LANGUAGES and head.startswith(b"#!"):
        found.update(_of_first_line(head.partition(b"\n")[0].decode(errors="replace")))
    found.add(BINARY if b"\0" in head else TEXT)
    return frozenset(found)


def has_known_name(path: str) -> bool:
    """Whether it is named as files of a known type are."""
    return any(_of_name(PurePosixPath(path).name))


def _of_name(name: str) -> Iterator[str]:
    yield from _OF_NAME.get(name, ())
    yield from _OF_ENDING.get(name.rpartition(".")[2].lower() if "." in name else "", ())


def _of_first_line(line: str) -> Iterator[str]:
    words = line.removeprefix("#!").split()
    programs = [word.rpartition("/")[2] for word in words if not word.startswith("-")]
    named = next((program for program in programs if program != "env"), "")
    yield from _OF_INTERPRETER.get(named.partition(".")[0], ())


_OF_LANGUAGES = frozenset((*_ENDINGS, *_NAMES))
