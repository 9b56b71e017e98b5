"""A run in a folder of its own, with a scripted model, and clocks that go on by themselves."""

import itertools
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from around import surroundings
from by_hand import plain_git, save

from react_agent.demo.repository import make_repository
from react_agent.issue_to_pr.issue import Issue
from react_agent.loop.agent import Agent
from react_agent.loop.agent import run as run_agent
from react_agent.loop.guards import GUARDS
from react_agent.loop.guide import GUIDE
from react_agent.models.connection import Time
from react_agent.models.contract import Model, View
from react_agent.models.endpoints import Endpoints, Memory
from react_agent.models.replay import open_replay
from react_agent.parsers.settings.hidden import Hidden, HiddenKind
from react_agent.parsers.transcript.entries import Entry, Event, Objective
from react_agent.profiles.profile import Budget, Profile
from react_agent.profiles.settings import Settings
from react_agent.prompt.view import ANSWER
from react_agent.runs.commands import Surroundings
from react_agent.runs.report import Outcome
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.run_setup import Request, again
from react_agent.runs.solve import Otherwise, resume, said_again, solve
from react_agent.runs.verification import IN_CHECKOUT
from react_agent.state import transcript as transcripts
from react_agent.state.state import State, Stop
from react_agent.state.transcript import Transcript
from react_agent.testing import Reply, ScriptedModel
from react_agent.tools.context import Context
from react_agent.tools.errors import WorkspaceError
from react_agent.tools.git.repository import cut, find_base
from react_agent.tools.observation import Observation, Status, failed
from react_agent.tools.registry import Kind, Registry, Tool, build
from react_agent.tools.sandbox.sandboxes import UNCONFINED_NOTE

UNBOUND = Budget()
ECHO = Tool("echo", "say it again", Kind.READ, lambda given, context: Observation(given))
TOUCH = Tool(
    "touch",
    "write an empty file",
    Kind.WRITE,
    lambda given, context: Observation(f"wrote {given}", paths=(given,)),
)
FAIL = Tool("fail", "does not work", Kind.RUN, lambda given, context: failed("it broke"))
NOTHING = Tool(
    "nothing", "finds nothing", Kind.SEARCH, lambda given, context: Observation("", Status.EMPTY)
)
HIDDEN = {
    "say": Hidden(HiddenKind.ALIAS, "echo"),
    "shout": Hidden(HiddenKind.REDIRECT, "Nobody hears it. Use {echo}, not {input}."),
    "think": Hidden(HiddenKind.PROTOCOL, "Noted."),
}


@dataclass
class Pretended:
    """Files that are written down and brought back in name only."""

    broken: int = 0  # so many checkpoints fail
    brought_back: int = 0
    listed: str = ""

    def checkpoint(self, wrote: Sequence[str] | None = None, last: str = "") -> str:
        if self.broken:
            self.broken -= 1
            raise WorkspaceError("not a git repository")
        return "f" * 40

    def bring_back(self, state: State) -> None:
        self.brought_back += 1

    def wrote(self, state: State, tree: str) -> dict[str, str]:
        return {}


@dataclass
class Trial:
    """One run, and what was seen of it."""

    transcript: Transcript
    model: ScriptedModel
    stop: Stop

    @property
    def text(self) -> str:
        return self.transcript.path.read_text(encoding="utf-8")

    @property
    def observations(self) -> list[str]:
        return [step.seen.text for step in self.transcript.state.steps]


@dataclass
class Bench:
    """Makes runs; the tools only pretend."""

    folder: Path
    registry: Registry = field(default_factory=lambda: build([ECHO, TOUCH, FAIL, NOTHING], HIDDEN))
    files: Pretended = field(default_factory=Pretended)
    numbers: "itertools.count[int]" = field(default_factory=itertools.count)

    def open(self, *entries: Event | Objective) -> Transcript:
        place = self.folder / f"run{next(self.numbers)}"
        place.mkdir()
        return transcripts.create(place / transcripts.NAME, entries or (Objective("do it"),))

    def agent(
        self, transcript: Transcript, model: Model, budget: Budget = UNBOUND, **profile: Any
    ) -> Agent:
        ticks = itertools.count()
        return Agent(
            profile=Profile(budget=budget, **profile),
            transcript=transcript,
            model=model,
            registry=self.registry,
            context=Context(self.folder),
            guards=tuple(guard for name, guard in GUARDS.items() if name not in (ANSWER, GUIDE)),
            system="You are told what to do.\n\n",
            system_tokens=7,
            files=self.files,
            clock=lambda: float(next(ticks)),
            show=lambda text: None,
        )

    def play(self, *replies: Reply, budget: Budget = UNBOUND, price: float | None = None) -> Trial:
        transcript = self.open()
        model = ScriptedModel(replies, price=price)
        return Trial(transcript, model, run_agent(self.agent(transcript, model, budget)))


@pytest.fixture(scope="session", autouse=True)
def _quick_look(a_python_is_asked_once: None) -> None:
    """Nearly every run of these looks at the same files."""


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
def play(bench: Bench) -> Callable[..., Trial]:
    return bench.play


@dataclass
class Desk:
    """Real repositories, real tools, a scripted model, and places of its own."""

    folder: Path
    demo: Path  # its repository, not to be changed
    told: list[str] = field(default_factory=list)
    checked: list[str] = field(default_factory=list)
    tokens: "itertools.count[int]" = field(default_factory=itertools.count)
    entries: list[Entry] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)  # of the user
    has_gate: bool = False  # most scripts conclude wherever they stand

    @property
    def profiles(self) -> Path:
        place = self.folder / "profiles"
        if not self.has_gate and not place.exists():
            place.mkdir()
            place.joinpath("issue.cfg").write_text("[profile]\nbased on = issue\ngate = off\n")
        return place

    @property
    def repository(self) -> Path:
        """A copy of the demo's repository, made when it is first asked for."""
        place = self.folder / "repository"
        if not place.exists():
            shutil.copytree(self.demo, place)
            self.git("update-index", "--refresh")  # a copy has other inodes
        return place

    def around(self, *replies: Reply) -> Surroundings:
        model = ScriptedModel(replies)

        def open_model_of(spec: str) -> Model:
            return model if spec.split()[0] == "script" else open_replay(spec, self.told.append)

        return surroundings(
            self.folder,
            None,
            settings=replace(Settings(sandbox="none", profiles=self.profiles), **self.settings),
            token=lambda: f"t{next(self.tokens)}",
            open_model=open_model_of,
            tell=self.hear,
            listeners=(self.entries.append,),
        )

    def hear(self, line: str) -> None:
        """All but what each run without a sandbox says, and what each says before its tests."""
        if line.endswith(IN_CHECKOUT):
            self.checked.append(line)
        elif line != f"sandbox none: {UNCONFINED_NOTE}":
            self.told.append(line)

    def request(self, **options: Any) -> Request:
        issue = options.pop("issue", Issue("A title", "# A title\n\nAnd a text."))
        repository = options.pop("repository", self.repository)
        return Request(issue, repository, "HEAD", options.pop("model", "script"), **options)

    def solve(self, *replies: Reply, **options: Any) -> Outcome:
        return self.watched(*replies, **options)[0]

    def watched(self, *replies: Reply, **options: Any) -> tuple[Outcome, list[View]]:
        """What came of it, and what the model saw, by whatever name it is asked for."""
        model = ScriptedModel(replies)
        around = replace(self.around(), open_model=lambda spec: model)
        return solve(self.request(**options), around), model.seen

    def take_up(self, folder: RunFolder, *replies: Reply, **otherwise: Any) -> Outcome:
        keep = otherwise.pop("keep", False)
        return resume(folder, self.around(*replies), Otherwise(**otherwise), keep=keep)

    def replay(self, folder: RunFolder) -> Outcome:
        place = self.folder / f"replays-{next(self.tokens)}"
        said = said_again(transcripts.read(folder.transcript).entries)
        return solve(again(folder, None), replace(self.around(), runs=place, said=said))

    def git(self, *args: str, folder: Path | None = None) -> str:
        return plain_git(folder or self.repository, *args).strip()


@pytest.fixture
def endpoints(tmp_path: Path) -> Iterator[Endpoints]:
    endpoints = Endpoints(Memory(tmp_path / "cache"), Time(time.monotonic, time.sleep), "s")
    yield endpoints
    endpoints.close()


@pytest.fixture(scope="session")
def _demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("model") / "repository"
    make_repository(place)
    return place


@pytest.fixture(scope="session")
def _quick(_demo: Path, _git_settings: Path) -> Path:
    """The demo's repository, but that what a run ends with, its tests, takes no time."""
    place = _demo.with_name("quick")
    shutil.copytree(_demo, place)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_CONFIG_GLOBAL", str(_git_settings))
        save(place, {".react-agent.cfg": "[react_agent]\ntest = true\n"})
    return place


@pytest.fixture(scope="session")
def _cuts(_quick: Path) -> Path:
    """With what the first run on that repository would fetch from it."""
    place = _quick.with_name("cuts")
    cut(_quick, find_base(_quick).commit, place)
    return place


@pytest.fixture
def desk(tmp_path: Path, _quick: Path, _cuts: Path) -> Desk:
    shutil.copytree(_cuts, tmp_path / "cuts")
    return Desk(tmp_path, _quick)


@pytest.fixture
def gated(tmp_path: Path, _quick: Path, _cuts: Path) -> Desk:
    """For runs that are about their end."""
    shutil.copytree(_cuts, tmp_path / "cuts")
    return Desk(tmp_path, _quick, has_gate=True)


@pytest.fixture
def demo_desk(tmp_path: Path, _demo: Path) -> Desk:
    """For runs that are judged by the demo's own tests."""
    return Desk(tmp_path, _demo)
