"""The look at an environment, taken once by each process for those that are the same."""

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from react_agent.runs.commands import Probe
from react_agent.tools.context import Context
from react_agent.tools.git.built import Built
from react_agent.tools.git.door import work_tree
from react_agent.tools.testing.probe import Environment, Surroundings, probe

_SETTINGS = (
    *("setup.cfg", "pyproject.toml", "setup.py", "requirements.txt", "tox.ini", "pytest.ini"),
    *(".pytest.ini", "noxfile.py", "package.json", "go.mod", "Cargo.toml", "pom.xml"),
    *("GNUmakefile", "makefile", "Makefile", "manage.py", "conftest.py"),
)
_FOLDERS = ("src", "lib", "test", "tests")  # whose names count, too
_HERE = "\0"  # stands for the run's folder


@dataclass(frozen=True, slots=True)
class Probed:
    kept: dict[str, Environment] = field(default_factory=dict)

    def for_python(self, python: Path | None, built: Built | None = None) -> Probe:
        """Of commands that are to have this interpreter, whatever it can import."""

        def look(context: Context, known: Surroundings) -> Environment:
            here = str(context.root.parent)
            key = _key(context, known, built)
            if key not in self.kept:
                self.kept[key] = _moved(probe(context, known), here, _HERE)
            return _led_by(python, _moved(self.kept[key], _HERE, here), context)

        return look


def _key(context: Context, known: Surroundings, built: Built | None) -> str:
    """Of all that the answer follows from, as far as it is at the top of a repository."""
    here = str(context.root.parent)
    facts = [repr((known.checkout, known.active, known.configured, built))]
    facts += [repr(dict(context.commands))]
    facts += [repr(sorted(context.environment.items())).replace(here, _HERE)]
    listed = work_tree(context.root).ask("ls-tree", "HEAD", *_listed(context.root))
    facts.append(listed.out.decode(errors="surrogateescape"))
    return hashlib.sha256("\n".join(facts).encode(errors="surrogateescape")).hexdigest()


def _listed(root: Path) -> Iterator[str]:
    """Settings by what they hold; folders by the names that are in them."""
    for place in sorted(root.iterdir()):
        if place.name in _SETTINGS:
            yield place.name
        elif place.name in _FOLDERS and place.is_dir():
            yield f"{place.name}/"


def _moved(found: Environment, here: str, there: str) -> Environment:
    return replace(
        found,
        lines=tuple(line.replace(here, there) for line in found.lines),
        changes={name: value.replace(here, there) for name, value in found.changes.items()},
    )


def _led_by(python: Path | None, found: Environment, context: Context) -> Environment:
    """An environment that was made for an instance is the one of its commands, good or not."""
    if python is None or "VIRTUAL_ENV" in found.changes:
        return found
    before = found.changes.get("PATH", context.environment.get("PATH", os.defpath))
    changes: Mapping[str, str] = {
        **found.changes,
        "PATH": os.pathsep.join((str(python.parent), before)),
        "VIRTUAL_ENV": str(python.parent.parent),
    }
    return replace(found, changes=changes)
