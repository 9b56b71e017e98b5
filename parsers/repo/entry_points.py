"""What can be started in a repository, by the files that say so."""

import configparser
import json
import tomllib
from collections.abc import Callable, Iterator, Mapping

_MOST_TARGETS = 12
_NO_TARGET = "\t#. "


def entry_points(name: str, text: str) -> tuple[str, ...]:
    """`react-agent = react_agent.cli.main:main`; of what can't be read, none."""
    reader = _READERS.get(name)
    try:
        return tuple(reader(text)) if reader else ()
    except (ValueError, configparser.Error, RecursionError):
        return ()


def _setup_cfg(text: str) -> Iterator[str]:
    settings = configparser.RawConfigParser(strict=False)
    settings.read_string(text)
    given = settings.get("options.entry_points", "console_scripts", fallback="")
    yield from (line.strip() for line in given.split("\n") if line.strip())


def _pyproject(text: str) -> Iterator[str]:
    settings = tomllib.loads(text)
    poetry = _table(_table(settings, "tool"), "poetry")
    for table in (_table(settings, "project"), poetry):
        yield from (f"{name} = {value}" for name, value in _table(table, "scripts").items())


def _package_json(text: str) -> Iterator[str]:
    settings = _table({"": json.loads(text)}, "")
    main, given = (settings.get(key) for key in ("main", "bin"))
    if isinstance(main, str):
        yield f"main = {main}"
    if isinstance(given, str):
        yield f"bin = {given}"
    yield from (f"{name} = {value}" for name, value in _table(settings, "bin").items())
    scripts = list(_table(settings, "scripts"))
    if scripts:
        yield f"npm run {' | '.join(scripts[:_MOST_TARGETS])}"


def _makefile(text: str) -> Iterator[str]:
    heads = (line.partition(":") for line in text.split("\n"))
    targets = dict.fromkeys(
        head.strip()
        for head, colon, rest in heads
        if colon and head and head[0] not in _NO_TARGET and "=" not in head + rest[:1]
    )
    plain = [one for one in targets if one.replace("-", "").replace("_", "").isalnum()]
    if plain:
        yield f"make {' | '.join(plain[:_MOST_TARGETS])}"


def _cargo(text: str) -> Iterator[str]:
    settings = tomllib.loads(text)
    listed = settings.get("bin")
    rows = listed if isinstance(listed, list) else []
    yield from (f"bin = {one.get('name')}" for one in rows if isinstance(one, dict))


def _table(settings: object, key: str) -> Mapping[str, object]:
    table = settings.get(key) if isinstance(settings, dict) else None
    return table if isinstance(table, dict) else {}


_READERS: Mapping[str, Callable[[str], Iterator[str]]] = {
    "setup.cfg": _setup_cfg,
    "pyproject.toml": _pyproject,
    "package.json": _package_json,
    "Makefile": _makefile,
    "Cargo.toml": _cargo,
}
