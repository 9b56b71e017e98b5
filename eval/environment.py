"""The repository and the environment of an instance.

A row identifies its repository by a path, a URL or OWNER/NAME. The repository is that folder, a
folder below --repositories, or a local mirror. Instances with the same requirements share a virtual
environment. The lines of `install` find its folder in $VENV, and run at the top of a checkout, in
the command sandbox, with network access. Later the environment is read-only. Files that the lines
create in the checkout are stored next to it, and are copied to the checkouts used for runs.
"""

import hashlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from react_agent.errors import MachineError, ReactAgentError, UsageError
from react_agent.eval.station import Ground, Station, scratch
from react_agent.eval.task import Conditions, Fault, Kind, Task, Verdict
from react_agent.parsers.forge.remote import Remote, read_remote_url
from react_agent.parsers.text.gist import one_line
from react_agent.parsers.transcript.quoting import escape
from react_agent.profiles.profile import Profile
from react_agent.profiles.settings import RepositorySettings, read_repository_settings
from react_agent.runs.commands import Commands, Surroundings, prepared
from react_agent.runs.run_folder import RunFolder
from react_agent.tools import clock, disk
from react_agent.tools.clip import clip_line
from react_agent.tools.context import Context
from react_agent.tools.disk import locked, remove_tree
from react_agent.tools.errors import writing
from react_agent.tools.git.access import Access, fault
from react_agent.tools.git.built import Built, TooMuch, files_in, keep
from react_agent.tools.git.door import Git
from react_agent.tools.git.objects import is_known
from react_agent.tools.git.remote import asked
from react_agent.tools.git.repository import (
    FETCH_S,
    Base,
    base_of,
    cut,
    file_at,
    new_repository,
    top_of,
)
from react_agent.tools.git.workspace import Workspace, make
from react_agent.tools.sandbox.sandboxes import moved
from react_agent.tools.shell import process, shell
from react_agent.tools.testing.probe import Environment

_NAME = re.compile(r"[\w-][\w.-]*(?:/[\w-][\w.-]*)?")
_SCHEMES = ("https", "ssh", "file")
_FORGE = "https://github.com/{name}.git"  # the address of a repository named OWNER/NAME
_ALL = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
_HOW = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--keep")
_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Mirrors:
    ours: Path  # the folder of our own mirrors
    given: Path | None = None  # --repositories: OWNER/NAME, OWNER__NAME or NAME
    environment: Mapping[str, str] = field(default_factory=dict)  # of what accesses a remote

    def repository(self, named: str, commits: Sequence[str]) -> Path:
        """Return a repository that has these commits, if possible. Raises ReactAgentError."""
        shown = clip_line(escape(one_line(named)), _SHOWN)
        if Path(named).is_absolute():
            return top_of(Path(named))
        if "://" not in named and _NAME.fullmatch(named):
            return self._by_name(named, shown, commits)
        remote = read_remote_url(named)
        is_address = (
            remote and remote.scheme in _SCHEMES and ("://" in named or not remote.is_local)
        )
        if remote is None or not is_address:
            raise UsageError(
                f"there is no repository {shown}: "
                "name it by a path from the root, OWNER/NAME, or a URL of https, ssh or file"
            )
        return self._mirror(remote, commits)

    def _by_name(self, named: str, shown: str, commits: Sequence[str]) -> Path:
        if self.given:
            last = named.rpartition("/")[2]
            for name in dict.fromkeys((named, named.replace("/", "__"), last)):
                for place in (self.given / name, self.given / f"{name}.git"):
                    if place.is_dir():
                        return top_of(place)
        remote = read_remote_url(_FORGE.format(name=named))
        if self.given or "/" not in named or remote is None:
            where = f"in {self.given}" if self.given else "without a folder of repositories"
            raise UsageError(f"there is no repository {shown} {where}")
        return self._mirror(remote, commits)

    def _mirror(self, remote: Remote, commits: Sequence[str]) -> Path:
        """Return the mirror of a remote. It is fetched only if a commit is missing."""
        key = hashlib.sha256(remote.url.encode(errors="surrogateescape")).hexdigest()[:16]
        last = Path(remote.path).name.removesuffix(".git")  # the name that links in an issue use
        place = self.ours / key / (last if _NAME.fullmatch(last) else "repository")
        if not _missing(place, commits):
            return place
        access = Access(remote, environment=self.environment)
        with writing(place):
            disk.mkdir(place.parent, parents=True, exist_ok=True)
            with locked(place.parent / "lock"):
                if wanted := _missing(place, commits):
                    _fetch(place, access, wanted)
        return place


def _missing(place: Path, commits: Sequence[str]) -> list[str]:
    if not (place / "HEAD").is_file():
        return list(commits)
    how = ("rev-parse", "--verify", "--quiet", "--end-of-options")
    return [commit for commit in commits if Git(place).ask(*how, f"{commit}^{{commit}}").code]


def _fetch(place: Path, access: Access, wanted: Sequence[str]) -> None:
    """Fetch branches and tags, and then any requested commits that are still missing, by id."""
    if not (place / "HEAD").is_file():
        new_repository(place)
    for lock in (*list(place.glob("*.lock")), *list(place.glob("refs/**/*.lock"))):
        disk.unlink(lock)  # left by a killed process
    answer = asked(Git(place), access, FETCH_S, "fetch", options=_HOW, refs=_ALL)
    if answer.code:
        raise fault(answer, access, "read")
    for commit in _missing(place, wanted):
        if is_known(commit):
            refs = (f"+{commit}:refs/wanted/{commit}",)
            asked(Git(place), access, FETCH_S, "fetch", options=_HOW, refs=refs)


AGAIN_S = 300.0  # after a failure, until the environment is tried again
_MADE, _FAILED, _LOG, _BUILT = "made", "failed", "log.txt", "built"
# Install lines can write only to this folder. Our own files are beside it, out of reach of links.
_OPEN = "open"
_CONTAINERS = ("docker:", "podman:")  # whose images are environments
# Settings of package indexes; a value that may hold a password is not passed on.
_INDEX = (
    *("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"),
    *("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_TRUSTED_HOST", "PIP_CERT", "REQUESTS_CA_BUNDLE"),
    *("UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_INDEX", "UV_NATIVE_TLS", "UV_PYTHON_INSTALL_MIRROR"),
)


class NoEnvironment(ReactAgentError):
    """The environment could not be created."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """The inputs from which an environment is created. Equal recipes share an environment."""

    base: Base
    install: str
    python: str

    @property
    def key(self) -> str:
        facts = (str(self.base.repository), self.base.commit, self.install, self.python)
        return hashlib.sha256("\0".join(facts).encode(errors="surrogateescape")).hexdigest()[:20]


@dataclass(frozen=True, slots=True)
class Making:
    """An environment that is being created, and the output of its commands."""

    venv: Path
    context: Context  # whose sandbox allows writing to the venv
    ends_at: float
    log: bytearray = field(default_factory=bytearray)

    def run(self, argv: Sequence[str]) -> str:
        """Run a command. Return the reason if it failed, or an empty string."""
        left = self.ends_at - clock.monotonic()
        done = shell.run_sandboxed(argv, self.context, timeout_s=max(left, 0.1))
        self.log.extend(done.output)
        if done.timed_out:
            return "it took too long"
        if not done.code:
            return ""
        said = done.output.decode(errors="replace").strip().split("\n")[-1]
        line = clip_line(" ".join(said.split()), _SHOWN)
        return f"exit code {done.code}{': ' if line else ''}{line}"


def ground_for(task: Task, station: Station) -> Ground | Fault:
    """Return the base and environment of a task. A Fault raised here is not the model's failure."""
    instance, conditions, site = task.instance, task.conditions, station.site
    mirrors = Mirrors(site.mirrors, conditions.repositories, station.environment)
    commits = tuple(filter(None, (instance.base, instance.environment_commit)))
    try:
        repository = mirrors.repository(instance.repo, commits)
        base = base_of(repository, instance.base, site.cuts)
        install = instance.install.strip()
        if conditions.sandbox.startswith(_CONTAINERS) or not (install or instance.python):
            return Ground(base)
        commit = instance.environment_commit or instance.base
        recipe = Recipe(base_of(repository, commit, site.cuts), install, instance.python)
        place = _environment(recipe, conditions, station)
    except NoEnvironment as error:
        return Fault(Verdict.ENV_FAILED, Kind.ENVIRONMENT, str(error))
    except MachineError as error:
        return Fault(Verdict.CRASHED, Kind.OURS, str(error))
    except ReactAgentError as error:
        return Fault(Verdict.ENV_FAILED, Kind.REPOSITORY, str(error))
    python, made = place / _OPEN / "venv" / "bin" / "python", recipe.base.commit
    # Built files reveal the commit they were built on, so it must be in the base's history.
    cuts = site.cuts
    is_before = (
        made == base.commit
        or not Git(cut(base.repository, base.commit, cuts)).ask("cat-file", "-e", made).code
    )
    return Ground(base, python, Built(place / _BUILT, made) if is_before else None)


def _environment(recipe: Recipe, conditions: Conditions, station: Station) -> Path:
    """Return the environment's folder. It is created if necessary. Raises ReactAgentError."""
    place = station.site.environments / recipe.key
    with writing(place):
        disk.mkdir(place, parents=True, exist_ok=True)
        with locked(place / "lock"):
            if not (place / _MADE).exists():
                _make(recipe, place, conditions, station)
    return place


def _make(recipe: Recipe, place: Path, conditions: Conditions, station: Station) -> None:
    failed = place / _FAILED
    if failed.exists() and abs(clock.unix() - failed.stat().st_mtime) < AGAIN_S:
        raise NoEnvironment(disk.read_text(failed))
    for folder in (place / _OPEN, place / _BUILT):
        remove_tree(folder)
    disk.mkdir(place / _OPEN)
    program = Path(recipe.python) if Path(recipe.python).is_absolute() else None
    ground = Ground(recipe.base, program)
    around = station.surroundings(replace(conditions, network=True), ground)
    around = replace(around, probe=lambda context, known: Environment())
    with _clone(ground, around, RepositorySettings(), station) as (_, commands):
        context = _writing(commands, place / _OPEN)
        making = Making(place / _OPEN / "venv", context, clock.monotonic() + conditions.install_s)
        problem = _venv(recipe, making) or _installed(recipe, making, place / _BUILT)
    disk.write_bytes(place / _LOG, bytes(making.log))
    if problem:
        text = f"no environment: {escape(problem)}; its output is in {place / _LOG}"
        disk.write_text(failed, text)
        raise NoEnvironment(text)
    disk.write_bytes(place / _MADE, b"")


@contextmanager
def _clone(
    ground: Ground, around: Surroundings, settings: RepositorySettings, station: Station
) -> Iterator[tuple[Workspace, Commands]]:
    """Yield a clone, and at the end stop its commands and remove it. Raises ReactAgentError."""
    with scratch(station.site) as place:
        folder, cuts = RunFolder(place), station.site.cuts
        workspace = make(
            ground.base, root=folder.workspace, branch="eval", cuts=cuts, built=ground.built
        )
        commands = prepared(folder, workspace, settings, around, Profile())
        try:
            yield workspace, commands
        finally:
            commands.close()


def _writing(commands: Commands, place: Path) -> Context:
    """Return the context for the commands that create the environment in this folder."""
    given, outer = commands.context.environment, commands.around.environment
    venv = place / "venv"
    environment = {
        **given,
        **{name: outer[name] for name in _INDEX if "@" not in outer.get(name, "@")},
        "PATH": os.pathsep.join((str(venv / "bin"), given["PATH"])),
        "VENV": str(venv),
        "VIRTUAL_ENV": str(venv),
        "UV_PYTHON_INSTALL_DIR": str(place / "pythons"),
        "UV_LINK_MODE": "copy",
    }
    sandbox = moved(commands.chosen, replace(commands.places, also=place), environment)
    return replace(commands.context, environment=environment, sandbox=sandbox)


def _venv(recipe: Recipe, making: Making) -> str:
    """Create the virtual environment with uv, or with the venv module if uv is missing or fails."""
    wanted, venv = recipe.python or "python3", str(making.venv)
    path = making.context.environment["PATH"]
    program = f"python{wanted}" if wanted[0].isdigit() else wanted
    # without install lines, the machine's packages are used
    open_to = () if recipe.install else ("--system-site-packages",)
    by_uv = ["uv", "venv", "--quiet", "--seed", *open_to, "--python", wanted, venv]
    problems = []
    for argv in (by_uv, [program, "-m", "venv", *open_to, venv]):
        if not process.find_program(argv[0], path=path):
            continue
        problem = making.run(argv)
        if not problem:
            return ""
        problems.append(f"{' '.join(argv[: argv.index('venv') + 1])}: {problem}")
        remove_tree(making.venv)
    return "; ".join(problems) or f"there is no {program}, and no uv to install it"


def _installed(recipe: Recipe, making: Making, kept: Path) -> str:
    if not recipe.install:
        return ""
    root = making.context.root
    before = frozenset(files_in(root))
    problem = shell.problem(recipe.install)
    problem = problem or making.run(shell.words(f"set -e\n{recipe.install}"))
    if not problem and not (making.venv / "bin" / "python").exists():
        problem = "the install lines removed $VENV/bin/python"
    if problem:
        return f"the install lines failed, {problem}"
    try:
        keep(root, before, kept)
    except TooMuch as error:
        return f"the install lines failed, {error}"
    return ""


@dataclass(frozen=True, slots=True)
class Fresh:
    """A new private clone at the base, and the context in which its commands run."""

    workspace: Workspace
    context: Context


@contextmanager
def fresh(ground: Ground, conditions: Conditions, station: Station) -> Iterator[Fresh]:
    """Yield a clone, which is removed at the end. Raises ReactAgentError."""
    settings = read_repository_settings(lambda name: file_at(ground.base, name))
    around = station.surroundings(conditions, ground)
    with _clone(ground, around, settings, station) as (workspace, commands):
        yield Fresh(workspace, commands.context)
