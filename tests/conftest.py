"""What every test gets: no network, settings of its own, plain git, and no silent skip."""

import gc
import importlib
import ipaddress
import math
import os
import resource
import shutil
import sys
import uuid
import zlib
from collections.abc import Callable, Collection, Generator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from tool_names import names_in

from react_agent.issue_to_pr.places import TITLE
from react_agent.parsers.testing.repository import PythonProject
from react_agent.tools.context import Context
from react_agent.tools.sandbox.sandbox import unconfined
from react_agent.tools.testing import probe
from react_agent.tools.testing.probe import Answer, Prefix, probe_python

pytest_plugins = ["check_rows", "chromium"]

TERMINAL = ("FORCE_COLOR", "CLICOLOR_FORCE", "NO_COLOR", "COLUMNS", "LINES", "PYTHONUNBUFFERED")
PACKAGES = ("react_agent", "react_agent.tools", "react_agent.parsers", "react_agent.eval")


def _share(whole: int) -> int:
    return max(1, math.ceil(whole * float(os.environ.get("LONG_FRACTION", "1"))))


hypothesis.settings.register_profile(
    "quick", deadline=None, max_examples=20, derandomize="CI" in os.environ
)
hypothesis.settings.register_profile("deep", deadline=None, max_examples=_share(5000))
hypothesis.settings.load_profile("quick")


@pytest.fixture(scope="session")
def share() -> Callable[[int], int]:
    """How many of `whole` examples to try: `./dev long --tenth` asks for a tenth."""
    return _share


@pytest.fixture(scope="session")
def long_seed() -> int:
    return int(os.environ.get("LONG_SEED", "0"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of the slow tests that always take as long, `./dev long --tenth PART` runs one tenth."""
    part = os.environ.get("LONG_PART")
    if part is None:
        return
    left_out = {item for item in items if _is_slow(item) and _tenth(item) != int(part) % 10}
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = [item for item in items if item not in left_out]


def _is_slow(item: pytest.Item) -> bool:
    """The others take a tenth of their examples."""
    marks = {mark.name for mark in item.iter_markers()}
    return "slow" in marks and not marks & {"long", "hypothesis"}


def _tenth(item: pytest.Item) -> int:
    return zlib.crc32(item.nodeid.encode()) % 10


def pytest_configure(config: pytest.Config) -> None:
    if config.option.markexpr != "live":
        sys.addaudithook(_refuse_network)
        _forget("ANTHROPIC_API_KEY", "OPENAI_API_KEY")
    sys.addaudithook(_refuse_offers_of_what_is_hidden)
    # A hook that runs these tests exports GIT_DIR and GIT_INDEX_FILE: the user's own.
    _forget(*TERMINAL, *(name for name in os.environ if name.startswith("GIT_")))
    os.environ["PATH"] = os.pathsep.join(_folders(os.environ.get("PATH", os.defpath)))


def _folders(path: str) -> Iterator[str]:
    """A shim (pyenv's, asdf's) starts shells before Python: what it would start goes first."""
    for folder in path.split(os.pathsep):
        if Path(folder).name == "shims":
            yield str(Path(sys.base_prefix, "bin"))
        yield folder


def _forget(*names: str) -> None:
    for name in names:
        os.environ.pop(name, None)


def _refuse_network(event: str, args: tuple[Any, ...]) -> None:
    if event == "socket.getaddrinfo":
        _refuse_host(args[0])
    elif event in ("socket.connect", "socket.sendto") and isinstance(args[1], tuple):
        _refuse_host(args[1][0])


def _refuse_offers_of_what_is_hidden(event: str, args: tuple[Any, ...]) -> None:
    """Of every prompt that any test has rendered: our texts name no tool that is not offered."""
    if event != "react_agent.prompt":
        return
    view, registry = args
    system = view.system.partition(TITLE)[0]  # whole files are no words of ours
    ours = names_in(system + view.tail) - set(registry.visible)
    told = names_in("".join(view.turns)) & registry.names - set(registry.visible)
    if ours or told:
        raise RuntimeError(f"a prompt offers what is hidden: {', '.join(sorted(ours | told))}")


def _refuse_host(host: str | bytes | None) -> None:
    name = os.fsdecode(host or "localhost")
    if not _is_loopback(name):
        # Not an OSError: code under test may handle those, and the test would pass.
        raise RuntimeError(f"tests have no network, and this one asked for {name}: mark it live")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@pytest.fixture(scope="session")
def _git_settings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("git")
    for folder in ("hooks", "info"):  # git's own template is a dozen samples of hooks
        place.joinpath("template", folder).mkdir(parents=True)
    path = place / "config"
    path.write_text(
        "[user]\n\tname = A Developer\n\temail = developer@example.org\n"
        f"[init]\n\tdefaultBranch = main\n\ttemplateDir = {place / 'template'}\n"
    )
    return path


@pytest.fixture(autouse=True)
def _own_settings(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory, _git_settings: Path
) -> None:
    home = tmp_path_factory.getbasetemp() / "xdg" / uuid.uuid4().hex
    for kind in ("STATE", "CONFIG", "CACHE", "DATA"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(home / kind.lower()))
    monkeypatch.setenv("REACT_AGENT_SANDBOX", "none")  # a test of one says so
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(_git_settings))


@pytest.fixture(scope="session")
def a_python_is_asked_once() -> Iterator[None]:
    """Of one commit in one environment it answers the same, and to ask it starts a process."""
    answers = dict[object, Answer]()

    def once(
        prefix: Prefix, project: PythonProject, context: Context, wanted: Collection[str]
    ) -> Answer:
        run = str(context.root.parent)
        environment = sorted(context.environment.items())
        key = (prefix, repr(project), *wanted, context.base, repr(environment).replace(run, "RUN"))
        if context.sandbox is not unconfined or not context.base:
            return probe_python(prefix, project, context, wanted)
        if key not in answers:
            answers[key] = _moved(probe_python(prefix, project, context, wanted), run, "RUN")
        return _moved(answers[key], "RUN", run)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(probe, "probe_python", once)
        yield


def _moved(answer: Answer, here: str, there: str) -> Answer:
    changes = {name: value.replace(here, there) for name, value in answer.changes.items()}
    return replace(answer, changes=changes)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than processors: for a third of their time tests wait for disks and processes."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) + 1
    return (os.cpu_count() or 1) + 1


def pytest_collection_finish() -> None:
    """Thousands of tests and the SDKs stay to the end: no collector needs to look at them again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """By now the workers have ended, and what they started."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    seconds = sum(one.ru_utime + one.ru_stime for one in used)
    terminalreporter.write_line(f"CPU seconds, of all processes: {seconds:.0f}")


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("needs"):
        program, package = mark.args
        if shutil.which(program) is None:
            pytest.skip(f"{program} is missing: apt-get install {package}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if item.get_closest_marker("may_skip") is None:
        _fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _fail_if_skipped(report)
    return report


def _fail_if_skipped(report: pytest.TestReport | pytest.CollectReport) -> None:
    if os.environ.get("CI") != "true" or not report.skipped or hasattr(report, "wasxfail"):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
    report.outcome = "failed"
    report.longrepr = f"{report.nodeid} was skipped, which fails when CI=true. {reason}"


@pytest.fixture(scope="session")
def sources() -> dict[str, str]:
    """The text of every module of ours by its dotted name, installed from a wheel or in place."""
    return {
        name: path.read_text(encoding="utf-8")
        for package in PACKAGES
        for folder in importlib.import_module(package).__path__
        for name, path in _modules(package, Path(folder))
    }


def _modules(package: str, folder: Path) -> Generator[tuple[str, Path], None, None]:
    for path in folder.glob("*.py"):
        yield (package if path.stem == "__init__" else f"{package}.{path.stem}"), path
    for inner in folder.glob("*/__init__.py"):
        yield from _modules(f"{package}.{inner.parent.name}", inner.parent)
