"""The files that real patches are about, as far as releases on the package index hold them.

A stand-in for the base commits, which are not on the index: for each of them the release that holds
most of what its patches quote. This favours found context a little.
"""

import itertools
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

# repository: its package, the first folders of its releases that count, where the package stands
PACKAGES = {
    "django/django": ("Django", r"1\.(8|9|1\d)|[2-5]\.", ("",)),
    "sympy/sympy": ("sympy", r"0\.7|1\.", ("",)),
    "scikit-learn/scikit-learn": ("scikit-learn", r"0\.(18|19|2\d)|1\.", ("",)),
    "matplotlib/matplotlib": ("matplotlib", r"[23]\.", ("lib/",)),
    "pytest-dev/pytest": ("pytest", r"[3-8]\.", ("src/", "")),
    "sphinx-doc/sphinx": ("Sphinx", r"1\.[5-8]|[2-7]\.", ("",)),
    "psf/requests": ("requests", r"[12]\.", ("", "src/")),
    "astropy/astropy": ("astropy", r"[2-6]\.", ("",)),
    "pylint-dev/pylint": ("pylint", r"[23]\.", ("",)),
    "mwaskom/seaborn": ("seaborn", r"0\.", ("",)),
    "pydata/xarray": ("xarray", r"0\.|202", ("",)),
    "pallets/flask": ("Flask", r"0\.12|[1-3]\.", ("src/",)),
}
PYTHONS = ("3.6", "3.9", "3.12", "2.7")
PLATFORMS = [
    word
    for name in ("manylinux1", "manylinux2010", "manylinux2014", "manylinux_2_17")
    for word in ("--platform", f"{name}_x86_64")
]
WHEELS = ["--only-binary", ":all:"]


def fetch(folder: Path) -> None:
    """Wheels by pip, a few hundred; nothing in them is run, their Python files are kept."""
    for repo, (package, wanted, _) in PACKAGES.items():
        jobs = [
            (package, version, python, folder / repo.replace("/", "__") / version)
            for version, python in _versions(package).items()
            if re.match(wanted, version) and not re.search(r"\.(dev|post)", version)
        ]
        with ThreadPoolExecutor(3) as pool:
            list(pool.map(_fetch, jobs))
        print(f"{repo}: {len(jobs)} releases", file=sys.stderr)


def _pip(*words: str) -> str:
    call = [sys.executable, "-m", "pip", *words]
    return subprocess.run(call, capture_output=True, text=True, check=False).stdout


def _versions(package: str) -> dict[str, str]:
    found = dict[str, str]()
    for python in PYTHONS:
        said = _pip("index", "versions", package, "--pre", *WHEELS, "--python-version", python)
        named = re.search(r"Available versions: (.*)", said)
        for version in named[1].split(", ") if named else []:
            found.setdefault(version, python)
    return found


def _fetch(job: tuple[str, str, str, Path]) -> None:
    package, version, python, into = job
    if into.exists():
        return
    with tempfile.TemporaryDirectory() as place:
        target = ["--python-version", python, *PLATFORMS, "-d", place]
        _pip("download", "-q", "--no-deps", *WHEELS, *target, f"{package}=={version}")
        for wheel in Path(place).glob("*.whl"):
            with zipfile.ZipFile(wheel) as packed:
                names = [name for name in packed.namelist() if name.endswith(".py")]
                packed.extractall(into, names)


class Release(Mapping[str, str]):
    """A release as a repository: the texts of its paths, which are those of the sources."""

    def __init__(self, folder: Path, prefix: str) -> None:
        self.folder, self.prefix = folder, prefix

    @cache  # noqa: B019  they live as long as the script
    def _paths(self) -> dict[str, Path]:
        found = sorted(self.folder.rglob("*.py"))
        return {self.prefix + path.relative_to(self.folder).as_posix(): path for path in found}

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths())

    def __len__(self) -> int:
        return len(self._paths())

    def __contains__(self, path: object) -> bool:
        return path in self._paths()

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return hash((self.folder, self.prefix))

    @cache  # noqa: B019
    def __getitem__(self, path: str) -> str:
        return self._paths()[path].read_bytes().decode("utf-8", "surrogateescape")

    @cache  # noqa: B019
    def runs(self, path: str) -> frozenset[tuple[str, ...]]:
        """Its lines, and each two that follow each other."""
        lines = [line.strip() for line in self[path].split("\n")]
        return frozenset([*((line,) for line in lines), *itertools.pairwise(lines)])


def releases(folder: Path, repo: str) -> Iterator[Release]:
    for prefix in PACKAGES[repo][2]:
        for version in sorted((folder / repo.replace("/", "__")).glob("[0-9]*")):
            yield Release(version, prefix)


def nearest(quoted: Sequence[tuple[str, Sequence[str]]], among: Sequence[Release]) -> Release:
    """The one that holds most of the lines, and of their pairs, that are quoted of its paths."""

    def held(release: Release) -> int:
        count = 0
        for path, old in quoted:
            if path in release:
                runs = release.runs(path)
                lines = [line.strip() for line in old]
                count += sum((line,) in runs for line in lines if line)
                count += sum(pair in runs for pair in itertools.pairwise(lines))
                count += 1
        return count

    return max(among, key=held)
