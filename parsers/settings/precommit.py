"""`.pre-commit-config.yaml`: which hooks a repository wants, and of which files."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.settings.plain_yaml import Node, read_yaml

LOCAL, META = "local", "meta"
MOST_HOOKS = 100
_YES, _NO = ("true", "yes", "on"), ("false", "no", "off")
_BEFORE_A_COMMIT = ("pre-commit", "commit")


@dataclass(frozen=True, slots=True)
class Hook:
    """What is None is not said, and as whoever made the hook meant it."""

    id: str
    repo: str
    name: str = ""
    entry: str = ""
    language: str = ""
    files: str | None = None
    exclude: str | None = None
    types: tuple[str, ...] | None = None
    types_or: tuple[str, ...] | None = None
    exclude_types: tuple[str, ...] | None = None
    args: tuple[str, ...] | None = None
    needs: tuple[str, ...] = ()  # packages of its own
    stages: tuple[str, ...] = ()  # none: all
    pass_filenames: bool | None = None
    always_run: bool | None = None

    @property
    def is_for_commits(self) -> bool:
        return not self.stages or any(stage in _BEFORE_A_COMMIT for stage in self.stages)


@dataclass(frozen=True, slots=True)
class Config:
    hooks: tuple[Hook, ...]
    files: str = ""
    exclude: str = "^$"


def read_precommit(text: str) -> Config:
    """Raises ParseError."""
    top = _mapping(read_yaml(text), "the configuration")
    stages = _texts(top, "default_stages") or ()
    hooks = tuple(_hooks(top, stages))
    if len(hooks) > MOST_HOOKS:
        raise ParseError(f"expected at most {MOST_HOOKS} hooks, found {len(hooks)}")
    return Config(hooks, _text(top, "files") or "", _text(top, "exclude") or "^$")


def _hooks(top: Mapping[str, Node], stages: tuple[str, ...]) -> Iterator[Hook]:
    for node in _list(top, "repos"):
        repo = _mapping(node, "an entry of repos")
        url = _text(repo, "repo")
        if not url:
            raise ParseError("expected `repo:` in each entry of repos")
        for inner in _list(repo, "hooks"):
            yield _hook(_mapping(inner, "a hook"), url, stages)


def _hook(given: Mapping[str, Node], repo: str, stages: tuple[str, ...]) -> Hook:
    name = _text(given, "id")
    if not name:
        raise ParseError(f"expected `id:` in each hook of {repo}")
    return Hook(
        id=name,
        repo=repo,
        name=_text(given, "name") or "",
        entry=_text(given, "entry") or "",
        language=_text(given, "language") or "",
        files=_text(given, "files"),
        exclude=_text(given, "exclude"),
        types=_texts(given, "types"),
        types_or=_texts(given, "types_or"),
        exclude_types=_texts(given, "exclude_types"),
        args=_texts(given, "args"),
        needs=_texts(given, "additional_dependencies") or (),
        stages=_texts(given, "stages") or stages,
        pass_filenames=_switch(given, "pass_filenames"),
        always_run=_switch(given, "always_run"),
    )


def _mapping(node: Node, what: str) -> Mapping[str, Node]:
    if not isinstance(node, dict):
        raise ParseError(f"expected {what} as keys and values, found {_kind(node)}")
    return node


def _list(given: Mapping[str, Node], key: str) -> list[Node]:
    node = given.get(key, "")
    if not isinstance(node, list):
        raise ParseError(f"expected a list of {key}, found {_kind(node)}")
    return node


def _text(given: Mapping[str, Node], key: str) -> str | None:
    node = given.get(key)
    if node is not None and not isinstance(node, str):
        raise ParseError(f"expected a text as {key}, found {_kind(node)}")
    return node


def _texts(given: Mapping[str, Node], key: str) -> tuple[str, ...] | None:
    node = given.get(key)
    if node is None or node == "":
        return None
    texts = tuple(each for each in node if isinstance(each, str)) if isinstance(node, list) else ()
    if len(texts) != len(node) or not isinstance(node, list):
        raise ParseError(f"expected a list of texts as {key}, found {_kind(node)}")
    return texts


def _switch(given: Mapping[str, Node], key: str) -> bool | None:
    word = (_text(given, key) or "").casefold()
    if word not in ("", *_YES, *_NO):
        raise ParseError(f"expected true or false as {key}, found {word[:60]!r}")
    return None if not word else word in _YES


def _kind(node: Node) -> str:
    match node:
        case dict():
            return "keys and values"
        case list():
            return "a list"
        case _:
            return repr(node[:60]) if node else "nothing"
