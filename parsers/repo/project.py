"""What a project declares: what can be started in it, its Python packages, what it needs."""

import ast
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from react_agent.parsers.testing.repository import ini, toml

_MOST_TARGETS = 12
_NO_TARGET = "\t#. "
_NO_PROJECT = frozenset(
    {"test", "tests", "testing", "doc", "docs", "example", "examples", "scripts", "tools"}
    | {"benchmark", "benchmarks", "build", "dist", "ci", "bin", "eval"}
)
_REQUIREMENT = re.compile(r"\s*(?P<name>[A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*(?P<rest>[^#]*)")
_MARKER = re.compile(r";\s*(?P<marker>.+)")
_TEST_EXTRAS = ("test", "tests", "testing", "dev")


def entry_points(name: str, text: str) -> tuple[str, ...]:
    """`react-agent = react_agent.cli.main:main`; of what can't be read, none."""
    reader = _READERS.get(name)
    return tuple(reader(text)) if reader else ()


def _setup_cfg(text: str) -> Iterator[str]:
    given = ini(text).get("options.entry_points", {}).get("console_scripts", "")
    yield from (line.strip() for line in given.split("\n") if line.strip())


def _pyproject(text: str) -> Iterator[str]:
    settings = toml(text)
    poetry = _table(_table(settings, "tool"), "poetry")
    for table in (_table(settings, "project"), poetry):
        yield from (f"{name} = {value}" for name, value in _table(table, "scripts").items())


def _package_json(text: str) -> Iterator[str]:
    try:
        settings = json.loads(text)
    except (ValueError, RecursionError):
        return
    settings = settings if isinstance(settings, dict) else {}
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
    listed = toml(text).get("bin")
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


@dataclass(frozen=True, slots=True)
class PythonProject:
    name: str = ""
    packages: tuple[str, ...] = ()  # as they are imported; tops only
    folder: str = "."  # they lie in it: `.` or `src`
    mapped: tuple[str, ...] = ()  # sub-packages that lie elsewhere than their names say
    requirements: tuple[str, ...] = ()  # names


def read_project(texts: Mapping[str, str], files: Sequence[str]) -> PythonProject:
    """From setup.cfg, pyproject.toml, setup.py as far as they are there, and the list of files."""
    cfg = ini(texts.get("setup.cfg", ""))
    tables = toml(texts.get("pyproject.toml", ""))
    project = _table(tables, "project")
    call = _setup_call(texts.get("setup.py", ""))
    name = str(project.get("name") or cfg.get("metadata", {}).get("name") or call.get("name", ""))
    folder, packages = _packages(name, files)
    declared = [
        *_strings(project.get("dependencies")),
        *cfg.get("options", {}).get("install_requires", "").split("\n"),
        *_strings(call.get("install_requires")),
        *_of_tests(cfg, project),
    ]
    places = _package_dir(cfg)
    mapped = tuple(one for one in places if "." in one)
    return PythonProject(name, packages, folder, mapped, tuple(_names(declared)))


def _package_dir(cfg: Mapping[str, Mapping[str, str]]) -> Mapping[str, str]:
    lines = cfg.get("options", {}).get("package_dir", "").split("\n")
    pairs = (line.partition("=") for line in lines if "=" in line)
    return {name.strip(): place.strip() for name, _, place in pairs}


def _of_tests(cfg: Mapping[str, Mapping[str, str]], project: Mapping[str, object]) -> Iterator[str]:
    extras, groups = cfg.get("options.extras_require", {}), project.get("optional-dependencies")
    for extra in _TEST_EXTRAS[:3]:
        yield from extras.get(extra, "").split("\n")
        yield from _strings(groups.get(extra)) if isinstance(groups, dict) else ()


def _strings(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _setup_call(text: str) -> Mapping[str, object]:
    """The arguments of `setup(...)` that are written out."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    found = dict[str, object]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("setup"):
            found |= {word.arg: _value(word.value) for word in node.keywords if word.arg}
    return found


def _value(node: ast.expr) -> object:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError):
        return ""


def _packages(name: str, files: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """`src` first; the one that is called like the project first."""
    for folder in ("src", ".", "lib", "python"):
        found = [one for one in _tops(folder, files) if one.casefold() not in _NO_PROJECT]
        wanted = re.sub(r"[-.]", "_", name).casefold()
        ordered = sorted(found, key=lambda one: (one.casefold() != wanted, one))
        if ordered:
            return folder, tuple(ordered)
    single = f"{re.sub(r'[-.]', '_', name)}.py"
    return ".", (single.removesuffix(".py"),) if name and single in files else ()


def _tops(folder: str, files: Iterable[str]) -> list[str]:
    start = "" if folder == "." else f"{folder}/"
    inits = (name.removeprefix(start) for name in files if name.startswith(start))
    parts = (name.split("/") for name in inits if name.endswith("/__init__.py"))
    return sorted({names[0] for names in parts if len(names) == 2 and names[0].isidentifier()})


def _names(declared: Iterable[str]) -> Iterator[str]:
    """Without those that a marker may leave out on this machine."""
    for line in dict.fromkeys(declared):
        found = _REQUIREMENT.match(line)
        if found and not line.lstrip().startswith(("#", "-", "file:")) and not _MARKER.search(line):
            yield found["name"]
