"""The checks of a file or folder that is said not to be there."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from posixpath import basename, dirname, splitext

from react_agent.backtrack.proof import FIND_FILE, Proof, shown_as_file
from react_agent.backtrack.question import Question, is_a_slip
from react_agent.parsers.claims.claims import HERE
from react_agent.parsers.claims.definitions import is_aside
from react_agent.parsers.claims.spelling import is_restyled, misspelled_word

_IGNORED = re.compile(r"^ignored files with such a name: (.+)$", re.MULTILINE)
_COMMON = frozenset(
    [
        "__init__",
        "__main__",
        "main",
        "index",
        "app",
        "base",
        "common",
        "core",
        "utils",
        "util",
        "helpers",
        "helper",
        "models",
        "model",
        "views",
        "view",
        "config",
        "settings",
        "constants",
        "errors",
        "exceptions",
        "types",
        "test",
        "tests",
        "conftest",
        "setup",
        "urls",
        "admin",
        "forms",
        "api",
        "cli",
        "server",
        "client",
        "readme",
        "changelog",
        "license",
        "makefile",
        "dockerfile",
        "package",
        "requirements",
        "tox",
        "mod",
        "lib",
        "data",
        "schema",
        "routes",
        "middleware",
        "version",
        "about",
        "contributing",
        "init",
        "run",
        "build",
        "docs",
        "src",
    ]
)
_FAMILIES = (
    frozenset((".py", ".pyx")),
    frozenset((".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs")),
    frozenset((".yml", ".yaml")),
    frozenset((".c", ".cc", ".cpp", ".cxx")),
    frozenset((".h", ".hpp")),
    frozenset((".htm", ".html")),
    frozenset((".cfg", ".toml", ".ini")),
)


def _elsewhere(question: Question) -> Proof | None:
    """The same name in another folder; a path that is said not to be there, is not."""
    if (_is_path(question) and not question.ends) or _is_common(question.name):
        return None
    wanted = basename(question.name)
    looked = question.assumed.looked
    bare = wanted if looked.by_name and not looked.is_path and not splitext(wanted)[1] else ""
    paths = [path for path in _known(question, wanted) if basename(path) == wanted]
    paths = paths or [path for path in _known(question, wanted) if _stem(path) == bare]
    return _the_only(question, "tree", paths)


def _in_another_case(question: Question) -> Proof | None:
    def is_same(written: str, name: str) -> bool:
        bare = name if splitext(written)[1] else splitext(name)[0]
        return is_restyled(written, bare)

    found = _beside(question, basename(question.name), is_same)
    return _the_only(question, "case", found)


def _misspelled(question: Question) -> Proof | None:
    wanted, suffix = splitext(basename(question.name))

    def is_slip(written: str, name: str) -> bool:
        other, its = splitext(name)
        is_alike = its == suffix or not suffix
        return (
            is_alike
            and bool(misspelled_word(wanted, other))
            and is_a_slip(question, wanted, other, other)
        )

    return _the_only(question, "spelling", _beside(question, wanted, is_slip))


def _out_of_sight(question: Question) -> Proof | None:
    """Ignored by git, or with the extension of a kin."""
    wanted = basename(question.name)
    if _is_common(question.name):
        return None
    ignored = [path for path in _ignored(question, wanted) if basename(path) == wanted]
    if not _is_path(question) and (proof := _the_only(question, "scope", ignored)):
        return proof

    def is_kin(written: str, name: str) -> bool:
        (stem, suffix), (other, its) = splitext(written), splitext(name)
        kin = any({suffix, its} <= family for family in _FAMILIES)
        return stem == other and suffix != its and kin

    return _the_only(question, "scope", _beside(question, splitext(wanted)[0], is_kin))


def _by_name(question: Question) -> Proof | None:
    """Only what files hold was looked through, and it is a file."""
    if question.assumed.looked.by_name:
        return None
    wanted = basename(question.name)
    names = {path for path in _known(question, wanted) if wanted in (basename(path), _stem(path))}
    return None if _is_common(wanted) else _the_only(question, "names", sorted(names))


def _stem(path: str) -> str:
    return splitext(basename(path))[0]


def _is_common(name: str) -> bool:
    return _stem(name).casefold().strip(".") in _COMMON


def _is_path(question: Question) -> bool:
    """The claim is of one place: by its words, or by the path that was tried."""
    looked, place = question.assumed.looked, question.place
    if "/" in question.name or (place and (place != HERE or looked.places)):
        return True
    return looked.is_path and any("/" in name for name in looked.names)


def _folder(question: Question) -> str | None:
    """Of the place that the claim is of; None where it is of none."""
    if not _is_path(question):
        return None
    paths = (question.name, *question.assumed.looked.names)
    return next((dirname(path.removeprefix("./")) for path in paths if "/" in path), "")


def _beside(question: Question, sought: str, is_meant: Callable[[str, str], bool]) -> list[str]:
    wanted, folder = basename(question.name), _folder(question)
    return [
        path
        for path in _known(question, sought)
        if folder in (None, dirname(path)) and is_meant(wanted, basename(path))
    ]


def _known(question: Question, name: str) -> Sequence[str]:
    """With those that begin or end alike: what the run has made itself has that name by now."""
    look, third = question.means.look, max(3, len(_stem(name)) // 3)
    if look is None:
        return ()
    bare = _stem(name)
    alike = look(FIND_FILE, f"*{bare[:third]}*\n*{bare[-third:]}*").paths if bare.isascii() else ()
    return tuple(dict.fromkeys((*look(FIND_FILE, name).paths, *alike)))


def _ignored(question: Question, name: str) -> Iterator[str]:
    look = question.means.look
    found = _IGNORED.search(look(FIND_FILE, name).text) if look else None
    yield from found[1].split(", ") if found else ()


def _the_only(question: Question, check: str, paths: Sequence[str]) -> Proof | None:
    places = (question.assumed.claim.place, *question.assumed.looked.places)
    is_of_aside = is_aside(question.name) or any(is_aside(f"{place}/") for place in places)
    there = [
        path for path in paths
        if not question.was_made(path) and (is_of_aside or not is_aside(path))
    ]  # fmt: skip
    if len(there) != 1:
        return None
    how = ", which git ignores" if check == "scope" and there[0] in paths else ""
    is_ignored = how if there[0] in _ignored(question, basename(there[0])) else ""
    return shown_as_file(question.means, check, there[0], f"the file is {there[0]}{is_ignored}")


def _come_since(question: Question) -> Proof | None:
    """It was not there when it was looked for, and something was run since."""
    assumed = question.assumed
    paths = [name for name in (assumed.name, *assumed.looked.names) if "/" in name]
    if not assumed.is_stale or not paths or not paths[0].endswith(assumed.name):
        return None
    path = paths[0].removeprefix("./")
    return shown_as_file(question.means, "stale", path, f"{path} is there by now", reads=True)


FILE_CHECKS: Mapping[str, Callable[[Question], Proof | None]] = {
    "stale": _come_since,
    "tree": _elsewhere,
    "names": _by_name,
    "scope": _out_of_sight,
    "case": _in_another_case,
    "spelling": _misspelled,
}
