"""A copy of the package, laid out as it is imported, and the tests that run in it."""

import configparser
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from mutants import Mutant

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SETTINGS = "setup.cfg"
DATA = "measured"  # a folder beside the package
SELECTION = "not (checkout or check or slow or long or live or lab)"
PYTEST = (
    *("-q", "-m", SELECTION, "-p", "no:randomly", "-p", "no:cacheprovider"),
    *("-p", "reach", "--hypothesis-profile", "mutate"),
)
TIMED_OUT = -signal.SIGPROF


def make(root: Path, copy: Path) -> Path:
    settings = configparser.ConfigParser(interpolation=None)
    settings.read(root / SETTINGS, encoding="utf-8")
    ignored = shutil.ignore_patterns("__pycache__")
    for line in settings["options"]["package_dir"].strip().splitlines():
        package, folder = line.split(" = ")
        target = copy.joinpath(*package.split("."))
        shutil.copytree(root / folder, target, ignore=ignored, dirs_exist_ok=True)
    for folder in ("tests", "examples"):
        shutil.copytree(root / folder, copy / folder, ignore=ignored)
    copy.joinpath(DATA).mkdir()
    measured = settings["coverage:run"]
    measured["data_file"] = str(copy / DATA / "data")
    # By `patch = subprocess`, a child process would not know for which test it was started.
    measured.pop("patch")
    measured["context"] = "${PYTEST_CURRENT_TEST-}"
    with copy.joinpath(SETTINGS).open("w", encoding="utf-8") as out:
        settings.write(out)
    return copy


def sources(copy: Path) -> dict[str, str]:
    """The text of every module by its dotted name."""
    return {
        ".".join(file.relative_to(copy).with_suffix("").parts): file.read_text(encoding="utf-8")
        for file in sorted(copy.joinpath("react_agent").rglob("*.py"))
    }


def file_of(copy: Path, module: str) -> Path:
    return copy.joinpath(*module.split(".")).with_suffix(".py")


def measure(copy: Path, tests: Sequence[str], workers: int) -> set[str]:
    """The tests that passed. What each reached is left in the folder DATA of the copy."""
    extra = {"COVERAGE_PROCESS_START": str(copy / SETTINGS)}
    return _passing(copy, ("-n", str(workers), *tests), extra, is_shown=True)


def passing(copy: Path, chosen: Collection[str], workers: int) -> set[str]:
    """Those of the chosen tests that pass as they are run over a mutant, but without one."""
    if not chosen:  # pytest without a file would collect every test
        return set()
    words, extra = _chosen(copy, sorted(chosen))
    return _passing(copy, ("-n", str(workers), *words), extra, is_shown=False)


def run_over(copy: Path, mutant: Mutant, tests: Sequence[str]) -> tuple[int, str]:
    """The exit code of pytest, which ends with the first test that fails, and its last test."""
    file = file_of(copy, mutant.module)
    source, status = file.read_text(encoding="utf-8"), file.stat()
    file.write_text(mutant.apply(source), encoding="utf-8")
    os.utime(file, (0, 0))  # bytecode counts only for a source of the same age and size
    started = copy / "started"
    started.write_text("", encoding="utf-8")
    words, extra = _chosen(copy, tests)
    extra |= {"MUTATE_STARTED": str(started), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        return _run(copy, ("-x", *words), extra, 300), started.read_text(encoding="utf-8")
    finally:
        file.write_text(source, encoding="utf-8")
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))


def _chosen(copy: Path, tests: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Words and environment of a pytest that runs these tests in this order."""
    file = copy / "chosen"
    file.write_text("\n".join(tests), encoding="utf-8")
    files = list(dict.fromkeys(name.partition("::")[0] for name in tests))
    return files, {"MUTATE_TESTS": str(file)}


def _passing(
    copy: Path, words: Sequence[str], extra: Mapping[str, str], *, is_shown: bool
) -> set[str]:
    with tempfile.TemporaryDirectory(dir=copy) as folder:
        code = _run(copy, words, {**extra, "MUTATE_PASSED": folder}, 7200, is_shown=is_shown)
        if code not in (0, 1):
            sys.exit(f"mutate: the tests did not run to their end: pytest's exit code is {code}")
        lists = [file.read_text(encoding="utf-8") for file in Path(folder).iterdir()]
    return {name for text in lists for name in text.split("\n")}


def _run(
    copy: Path,
    words: Sequence[str],
    extra: Mapping[str, str],
    seconds: int,
    *,
    is_shown: bool = False,
) -> int:
    # A test that starts this is not the one that is measured.
    outer = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    path = {"PYTHONPATH": f"{copy}{os.pathsep}{HERE}", "PYTHONHASHSEED": "0"}
    out = None if is_shown else subprocess.DEVNULL
    started = subprocess.Popen(
        [sys.executable, "-P", "-m", "pytest", *PYTEST, f"--basetemp={copy}/tmp", *words],
        cwd=copy,
        env={**outer, **path, **extra},
        stdin=subprocess.DEVNULL,
        stdout=out,
        stderr=out,
        start_new_session=True,
    )
    try:
        return started.wait(seconds)
    except subprocess.TimeoutExpired:
        return TIMED_OUT
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(started.pid, signal.SIGKILL)
        started.wait()
