"""The checks of a file or folder that is said not to be there."""

import re
from collections.abc import Callable, Mapping, Sequence
from posixpath import basename, dirname, splitext

from react_agent.backtrack.proof import FIND_FILE, Proof, Question, is_slip, shown_as_file
from react_agent.parsers.claims.claims import HERE
from react_agent.parsers.claims.definitions import is_aside
from react_agent.parsers.claims.spelling import is_restyled

_COMMON = re.compile(  # names of which a project may have many
    r"(?:__init__|__main__|main|index|app|base|common|core|utils?|helpers?|models?|views?|config"
    r"|settings"
    r"|constants|errors|exceptions|types|tests?|conftest|setup|urls|admin|forms|api|cli|server"
    r"|client"
    r"|readme|changelog|license|makefile|dockerfile|package|requirements|tox|mod|lib|data|schema"
    r"|routes"
    r"|middleware|version|about|contributing|init|run|build|docs|src)"
)


def _stale(question: Question) -> Proof | None:
    """It was not there when it was looked for, and something was run since."""
    assumed = question.assumed
    paths = [name for name in (assumed.name, *assumed.looked.names) if "/" in name]
    if not assumed.is_stale or not paths or not paths[0].endswith(assumed.name):
        return None
    path = paths[0].removeprefix("./")
    return shown_as_file(question.means, "stale", path, f"{path} is there by now", reads=True)


def _tree(question: Question) -> Proof | None:
    """The same name in another folder; a path that is said not to be there, is not."""
    wanted, looked = basename(question.name), question.assumed.looked
    if (_is_path(question) and not question.gives_up) or _is_common(wanted):
        return None
    bare = wanted if looked.by_name and not looked.is_path and not splitext(wanted)[1] else ""
    paths = [path for path in _known(question, wanted) if basename(path) == wanted]
    paths = paths or [path for path in _known(question, wanted) if _stem(path) == bare]
    return _the_only(question, "tree", paths)


def _names(question: Question) -> Proof | None:
    """Only what files hold was looked through, and it is a file."""
    wanted = basename(question.name)
    if question.assumed.looked.by_name or _is_common(wanted):
        return None
    names = [path for path in _known(question, wanted) if wanted in (basename(path), _stem(path))]
    return _the_only(question, "names", names)


def _case(question: Question) -> Proof | None:
    wanted = basename(question.name)

    def is_same(name: str) -> bool:
        return is_restyled(wanted, name if splitext(wanted)[1] else _stem(name))

    return _the_only(question, "case", _beside(question, wanted, is_same))


def _spelling(question: Question) -> Proof | None:
    wanted, suffix = splitext(basename(question.name))

    def is_meant(name: str) -> bool:
        other, its = splitext(name)
        return its == (suffix or its) and is_slip(question, wanted, other)

    return _the_only(question, "spelling", _beside(question, wanted, is_meant))


def _stem(path: str) -> str:
    return splitext(basename(path))[0]


def _is_common(name: str) -> bool:
    return bool(_COMMON.fullmatch(_stem(name).casefold().strip(".")))


def _is_path(question: Question) -> bool:
    """The claim is of one place: by its words, or by the path that was tried."""
    looked, place = question.assumed.looked, question.place
    if "/" in question.name or (place and (place != HERE or looked.places)):
        return True
    return looked.is_path and any("/" in name for name in looked.names)


def _beside(question: Question, sought: str, is_meant: Callable[[str], bool]) -> list[str]:
    """In the folder that the claim is of, if it is of one."""
    folder = None
    if _is_path(question):
        paths = (question.name, *question.assumed.looked.names)
        folder = next((dirname(path.removeprefix("./")) for path in paths if "/" in path), "")
    known = _known(question, sought)
    return [path for path in known if folder in (None, dirname(path)) and is_meant(basename(path))]


def _known(question: Question, name: str) -> Sequence[str]:
    """With those that begin or end alike: what the run has made itself has that name by now."""
    look, bare = question.means.look, _stem(name)
    if look is None:
        return ()
    third = max(3, len(bare) // 3)
    alike = look(FIND_FILE, f"*{bare[:third]}*\n*{bare[-third:]}*").paths if bare.isascii() else ()
    return tuple(dict.fromkeys((*look(FIND_FILE, name).paths, *alike)))


def _the_only(question: Question, check: str, paths: Sequence[str]) -> Proof | None:
    places = (question.assumed.claim.place, *question.assumed.looked.places)
    is_of_aside = is_aside(question.name) or any(is_aside(f"{place}/") for place in places)
    there = {
        path for path in paths
        if not question.was_made(path) and (is_of_aside or not is_aside(path))
    }  # fmt: skip
    if len(there) != 1:
        return None
    path = there.pop()
    return shown_as_file(question.means, check, path, f"the file is {path}")


FILE_CHECKS: Mapping[str, Callable[[Question], Proof | None]] = {
    "stale": _stale,
    "tree": _tree,
    "names": _names,
    "case": _case,
    "spelling": _spelling,
}
