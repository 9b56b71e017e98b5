"""Which modules a line of source takes in, by the words of their paths."""

import re
from collections.abc import Iterator

_PYTHON = re.compile(
    r"\s*(?:from\s+(?P<package>[.\w]+)\s+import\s+(?P<names>[^#\n]*)|import\s+(?P<modules>[^#\n]*))"
)
_QUOTED = re.compile(r"""["'<](?P<path>[\w./@-]+)["'>]""")
_WORD = re.compile(r"[\w-]+")


def mentions(line: str) -> Iterator[str]:
    """Ends of paths, without extensions: `a/b` for `import a.b` or `from "./a/b.js"`."""
    if quoted := _QUOTED.search(line):
        yield _plain(quoted["path"])
        return
    found = _PYTHON.match(line)
    if not found:
        yield from _elsewhere(line)
        return
    if found["modules"]:
        yield from (each.split()[0].replace(".", "/") for each in _parts(found["modules"]))
        return
    package = found["package"].strip(".").replace(".", "/")
    if package:
        yield package
    for name in _parts(found["names"].strip("( )")):
        first = name.split()[0]
        yield f"{package}/{first}" if package else first


def _elsewhere(line: str) -> Iterator[str]:
    """`use crate::a::b;`, `require a.b`: the last words."""
    parts = _WORD.findall(line)[1:]
    if parts:
        yield "/".join(parts[-2:])


def _parts(text: str) -> Iterator[str]:
    return (part.strip() for part in text.split(",") if part.strip(" ()\\\r"))


def _plain(path: str) -> str:
    last = path.rpartition("/")[2]
    stem = path.removesuffix(f".{last.rpartition('.')[2]}") if "." in last.strip(".") else path
    return "/".join(part for part in stem.split("/") if part not in (".", "..", ""))
