"""The command line: called in this process, started as the installed script, on a terminal."""

import contextlib
import hashlib
import io
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from at_forge import AtForge, at_forge
from by_hand import plain_git
from emulated import Terminal, watch
from hosting import KINDS
from on_pty import OnPty

from react_agent.cli.main import main
from react_agent.parsers.transcript.entries import HEADER, VERSION, Event, Objective, Said, Seen
from react_agent.parsers.transcript.writer import write_transcript
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.places import settings_file

SCRIPT = str(Path(sys.executable).with_name("react-agent"))
PLACES = ("XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str

    def ends_well(self) -> str:
        """What was printed by a command that succeeded and complained of nothing."""
        assert (self.code, self.err) == (0, ""), self.out
        return self.out


class _Typed(io.StringIO):
    def isatty(self) -> bool:
        return True


@dataclass
class Cli:
    """`react-agent` in a folder of its own."""

    folder: Path
    capsys: pytest.CaptureFixture[str]
    monkeypatch: pytest.MonkeyPatch
    environment: dict[str, str] = field(default_factory=dict)

    def __call__(self, *arguments: str, stdin: bytes = b"", typed: str | None = None) -> Answer:
        """In this process; `typed` are lines that a person types."""
        given = io.TextIOWrapper(io.BytesIO(stdin)) if typed is None else _Typed(typed)
        self.capsys.readouterr()
        with self.monkeypatch.context() as patch:
            patch.chdir(self.folder)
            patch.setattr(sys, "stdin", given)
            for name, value in self.environment.items():
                patch.setenv(name, value)
            with _signals_as_they_are(), pytest.raises(SystemExit) as ended:
                main(arguments)
        out, err = self.capsys.readouterr()
        return Answer(int(ended.value.code or 0), out, err)

    def start(
        self, *arguments: str, env: Mapping[str, str] | None = None, through: Sequence[str] = ()
    ) -> "subprocess.Popen[str]":
        """The installed script, in a process of its own."""
        return subprocess.Popen(
            [*through, SCRIPT, *arguments],
            cwd=self.folder,
            env={**os.environ, **self.environment, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="surrogateescape",
        )

    def run(self, *arguments: str, **options: Any) -> Answer:
        """To its end."""
        with self.start(*arguments, **options) as process:
            out, err = process.communicate(timeout=60)
        return Answer(process.returncode, out, err)

    def on_terminal(
        self, *arguments: str, columns: int = 80, env: Mapping[str, str] | None = None
    ) -> tuple[int, str]:
        """The exit code, and every byte that a terminal was sent."""
        environment = {**self.environment, "TERM": "xterm", **(env or {})}
        with OnPty((SCRIPT, *arguments), self.folder, environment, columns) as terminal:
            return terminal.end(), terminal.sent.decode()

    def watched(self, terminal: Terminal, *arguments: str, **options: Any) -> int:
        """The exit code; the terminal is left as it looks then."""
        environment = {**os.environ, **self.environment, "TERM": "xterm"}
        return watch(terminal, (SCRIPT, *arguments), self.folder, environment, **options)

    def record(self, *turns: tuple[str, str] | str, name: str = "recorded.txt") -> Path:
        """The transcript of a model that does this, and that concludes at each text."""
        concludes = turns[-1:] and isinstance(turns[-1], str)
        turns = turns if concludes else (*turns, "it is done")
        made = [
            Turn(Kind.CONCLUSION, "enough", conclusion=one)
            if isinstance(one, str)
            else Turn(Kind.ACTION, "now this", *one)
            for one in turns
        ]
        said = [entry for turn in made for entry in (Said(turn, facts={"n": "1"}), Seen("x"))]
        header = (Event(HEADER, VERSION), Objective("do it"))
        path = self.folder / name
        path.write_text(write_transcript([*header, *said[:-1]]), encoding="utf-8")
        return path

    def solve(self, issue: str, model: Path, *options: str) -> Answer:
        """In the repository, with the model of a transcript."""
        return self("solve", issue, "--repo", "repository", "--model", f"replay/{model}", *options)

    def settings(self, text: str) -> Path:
        place = settings_file()
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        return place

    def git(self, *arguments: str) -> str:
        """In the repository."""
        return plain_git(self.folder / "repository", *arguments).strip()

    def holdings(self) -> dict[str, str]:
        """All there is: every run, and every file with a hash of what it holds."""
        hashes = {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in self.files}
        return hashes | {str(run): "a run" for run in self.runs}

    def refused(self, *arguments: str, stdin: bytes = b"") -> tuple[int, str]:
        """The exit code and the one line, when nothing comes of it."""
        before = self.holdings()
        answer = self(*arguments, stdin=stdin)
        assert answer.err.startswith("react-agent: ")
        assert answer.err.count("\n") == 1
        assert self.holdings() == before
        return answer.code, answer.err.removeprefix("react-agent: ").rstrip("\n")

    @property
    def files(self) -> list[Path]:
        folders = [self.folder, *(Path(os.environ[place]) for place in PLACES)]
        return [path for folder in folders for path in folder.rglob("*") if path.is_file()]

    @property
    def runs(self) -> list[Path]:
        return sorted(Path(os.environ["XDG_STATE_HOME"], "react-agent", "runs").glob("*"))


@contextlib.contextmanager
def _signals_as_they_are() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture(autouse=True)
def _no_job(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal is one, wherever the tests are run."""
    monkeypatch.delenv("CI", raising=False)


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    folder = tmp_path / "here"
    folder.mkdir()
    return Cli(folder, capsys, monkeypatch)


@pytest.fixture
def repository(cli: Cli, _demo: Path) -> Path:
    shutil.copytree(_demo, cli.folder / "repository", symlinks=True)
    return cli.folder / "repository"


@pytest.fixture(params=KINDS)
def desk(
    request: pytest.FixtureRequest, cli: Cli, repository: Path, tmp_path: Path
) -> Iterator[AtForge]:
    """At each forge in turn, with the demo's issue as number 12."""
    with at_forge(request.param, cli, repository, tmp_path) as desk:
        yield desk


@pytest.fixture
def place(cli: Cli, repository: Path) -> Path:
    """A folder with everything that a row below names."""
    folder = cli.folder
    cli.record(("list_files", ""), name="good.txt")
    (folder / "plain").mkdir()
    (folder / "file").write_text("a file\n")
    (folder / "nul.md").write_bytes(b"a\0b")
    (folder / "latin.md").write_bytes(b"gr\xfc\xdfe an alle\n")
    (folder / "blank.md").write_text("\n \t\n--\n")
    (folder / "other.txt").write_text("%% react-agent transcript: 1\n")
    (folder / "prose.txt").write_text("# An issue\n\nwith words\n")
    (folder / "silent.txt").write_text("%% react-agent transcript: 2\nObjective: x\n%% started:\n")
    (folder / "empty.txt").write_text("")
    return folder
