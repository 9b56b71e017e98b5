"""What version faf7090 left behind, unpacked into a folder, and what the commands make of it now.

The data and the facts in it were made at faf7090, and no later version can make them: `git show
41b98812:tests/baseline/make.py` tells how. The facts are read from transcripts, branches and exit
codes, never from how something is worded.
"""

import json
import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from by_hand import plain_git
from fake_endpoint import FakeEndpoint, Request

from react_agent.profiles.settings import read_settings

DATA = Path(__file__).parents[1] / "data" / "baseline"
ROOT, URL = b"@ROOT@", b"@URL@"  # in the data: the folder it is in, the endpoint's address
STOPS = (
    *("concluded", "gave_up", "out_of_steps", "out_of_tokens", "out_of_time", "out_of_money"),
    *("stuck", "model_failed", "interrupted", "prompt_exhausted"),
)
CODER_KEY = "no-key-of-anybody"  # in the variable that config.cfg names


class Answer(NamedTuple):
    code: int
    out: str


Call = Callable[..., Answer]  # the command line: its arguments
Facts = dict[str, Any]


def scripted(replies: Iterable[str], aside: str = "") -> Any:
    """A script for the endpoint: a reply a step, the last one again and again.

    What is asked without a stop is no step of a run: the `aside` answers.
    """
    left = list(replies)

    def reply(request: Request) -> str:
        if aside and not request.stops:
            return aside
        return left.pop(0) if len(left) > 1 else left[0]

    return reply


class Run(NamedTuple):
    name: str
    archive: str


@dataclass(frozen=True)
class World:
    """A folder with a repository, and the places of a person: state, cache, config."""

    root: Path
    call: Call
    checkout: str = "repository"

    @property
    def environment(self) -> dict[str, str]:
        kinds = ("state", "cache", "config", "data")
        places = {f"XDG_{kind.upper()}_HOME": str(self.root / kind) for kind in kinds}
        return {**places, "CODER_KEY": CODER_KEY}

    def unpack(self, archive: str, url: str = "http://127.0.0.1:1") -> None:
        """With the real folder and address in place of the placeholders.

        They stay in databases, where bytes can't be exchanged and nothing here needs them."""
        with tarfile.open(DATA / f"{archive}.tar.xz") as tar:
            tar.extractall(self.root, filter="fully_trusted")
            names = [one.name for one in tar if one.isfile() and not one.name.endswith(".sqlite")]
        for path in (self.root / name for name in names):
            data = path.read_bytes()
            filled = data.replace(ROOT, os.fsencode(self.root)).replace(URL, url.encode())
            if filled != data:
                about = path.stat()
                path.write_bytes(filled)
                os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))

    @property
    def repository(self) -> Path:
        return self.root / self.checkout

    @property
    def runs(self) -> Path:
        return self.root / "state" / "react-agent" / "runs"

    @property
    def names(self) -> set[str]:
        return {folder.name for folder in self.runs.iterdir()}

    def transcript(self, run: str) -> str:
        return (self.runs / run / "transcript.txt").read_text(encoding="utf-8")

    def events(self, run: str) -> list[tuple[str, str]]:
        return re.findall(r"^%% ([^:\n]+): ?(.*)$", self.transcript(run), re.MULTILINE)

    def git(self, *arguments: str) -> str:
        return plain_git(self.repository, *arguments).strip()

    def changed(self, branch: str, base: str) -> dict[str, str]:
        """What the branch has in place of what the base has: the blobs, by their paths."""
        raw = self.git("diff-tree", "-r", "--no-renames", base, branch)
        rows = (line.split() for line in raw.splitlines())
        return {path: blob for _, _, _, blob, _, path in rows}

    def came_to(self, run: str, answer: Answer) -> Facts:
        """How the run ended, and what its branch holds."""
        events = dict(self.events(run))
        is_branch = self.git("branch", "--list", events["branch"]) != ""
        changed = self.changed(events["branch"], events["base"]) if is_branch else None
        return {"code": answer.code, "stop": events["stop"].split()[0], "changed": changed}


def read_only(world: World, run: Run) -> Facts:
    """Which Thoughts are shown, by how they begin; how a replay ends. The run stays as it is.

    A replay's exit code of 1 says that a prompt differs, as it may where our words do."""
    before = world.transcript(run.name)
    shown = world.call("show", run.name, "--full")
    replayed = world.call("replay", run.name)
    last = replayed.out.rstrip().rpartition("\n")[2]
    thoughts = re.findall(r"^Thought: (.+)$", before, re.MULTILINE)
    return {
        "shown": shown.code,
        "thoughts": [one[:40] for one in thoughts if one in shown.out],
        "replayed": replayed.code in (0, 1),
        "stop": [stop for stop in STOPS if re.search(rf"\b{stop}\b", last)],
        "same": world.transcript(run.name) == before and world.names == {run.name},
    }


def resume(world: World, run: Run, script: Facts) -> Facts:
    answer = world.call("resume", run.name, *script.get("options", ()))
    return world.came_to(run.name, answer)


def fork(world: World, run: Run, script: Facts) -> Facts:
    before = world.names
    transcript = world.runs / run.name / "transcript.txt"
    options = (word.format(transcript=transcript) for word in script.get("options", ()))
    answer = world.call("fork", run.name, "--at", str(script["at"]), *options)
    [new] = world.names - before
    return world.came_to(new, answer)


def all_of(world: World, run: Run, known: Facts) -> Facts:
    """What becomes of a run that is shown and replayed, forked, and taken up."""
    replies = {
        name: scripted(known[name]["replies"], known[name].get("aside", ""))
        for name in ("fork", "resume")
    }
    now = "fork"
    with FakeEndpoint(lambda request: replies[now](request)) as endpoint:
        world.unpack(run.archive, endpoint.url)
        found = {"read": read_only(world, run), "fork": fork(world, run, known["fork"])}
        now = "resume"
        return {**found, "resume": resume(world, run, known["resume"])}


def lay_settings(world: World, url: str) -> Path:
    place = world.root / "config" / "react-agent" / "config.cfg"
    place.parent.mkdir(parents=True, exist_ok=True)
    text = (DATA / "config.cfg").read_text(encoding="utf-8")
    place.write_text(text.replace("@URL@", url).replace("@PYTHON@", sys.executable))
    return place


def read(world: World) -> Facts:
    """The settings file of a person, whose every line means something."""
    settings = asdict(read_settings(lay_settings(world, "http://127.0.0.1:1")))
    settings["hidden"] = {name: _as_then(one) for name, one in settings["hidden"].items()}
    text = json.dumps(settings, default=str).replace(str(world.root), "@ROOT@")
    found: Facts = json.loads(text.replace(sys.executable, "@PYTHON@"))
    return found


def _as_then(hidden: Facts) -> Facts:
    """How a name is answered, in the words of faf7090."""
    kind, text = hidden["kind"], hidden["text"]
    if kind in ("redirect", "protocol"):
        return {"text": text}
    return {"target": text} if kind == "alias" else {"how": kind}


def use_settings(world: World, script: Facts) -> Facts:
    """A run with the settings file of a person, on the commit that sets all a repository may."""
    with FakeEndpoint(scripted(script["replies"]), key=CODER_KEY) as endpoint:
        lay_settings(world, endpoint.url)
        repository = ("--repo", "repository", "--base", "all-settings")
        answer = world.call("solve", "Count each bottle once.", *repository)
    [run] = world.names
    came_to, events = world.came_to(run, answer), dict(world.events(run))
    steps = [text for name, text in world.events(run) if name == "step"]
    asked = endpoint.requests[0]
    branch = events["branch"]
    return {
        **came_to,
        "limits": dict(fact.split("=") for fact in events["limits"].split()),
        "hows": [re.findall(r"\bhow=(\w+)", text) for text in steps],
        "tests": "command=sh%20check.sh" in events["tested"],
        "author": world.git("log", "-1", "--format=%an <%ae>", branch),
        "trailers": world.git("log", "-1", "--format=%(trailers:only)", branch).split("\n"),
        "kept": (world.runs / run / "workspace").is_dir(),
        "asked": {name: asked.body.get(name) for name in script["asked"]},
        "offered": [name for name in script["tools"] if f"`{name}`" in asked.prompt],
    }


def report(world: World, of: Facts) -> Facts:
    """Which attempts it names, and the patches that are exported."""
    world.unpack("experiment")
    answer = world.call("eval", "report", "experiment")
    exported = world.call("eval", "export", "experiment", "--to", "preds.json")
    preds = json.loads((world.root / "preds.json").read_text(encoding="utf-8"))
    patches = {name: row["model_patch"] for name, row in preds.items()}
    return {
        "codes": [answer.code, exported.code],
        "named": [name for name in of["names"] if name in answer.out],
        "patches": {name: sha256(text.encode()).hexdigest() for name, text in patches.items()},
    }


def work_off(world: World, script: Facts) -> Facts:
    """The queue: which jobs are told of, and what comes of each."""
    world = replace(world, checkout="hooked")
    with FakeEndpoint(scripted(script["replies"])) as endpoint:
        world.unpack("hook", endpoint.url)
        queue = world.repository / ".git" / "react-agent"
        before = {name: _files(queue / name) for name in ("queue", "work", "done")}
        told = world.call("hook", "status", "--repo", "hooked")
        ran = world.call("hook", "run", "--repo", "hooked")
    jobs = {path.name: path.read_text(encoding="utf-8") for path in (queue / "done").iterdir()}
    return {
        "codes": [told.code, ran.code],
        "told": {name: [key for key in keys if key in told.out] for name, keys in before.items()},
        "left": {name: len(_files(queue / name)) for name in ("asked", "queue", "work")},
        "done": {key: _came_of(world, text) for key, text in sorted(jobs.items())},
    }


def _files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))


def _came_of(world: World, job: str) -> Facts:
    head = dict(line.split("=", 1) for line in job.partition("\n\n")[0].split("\n"))
    is_branch = head["ended"] == "done"
    changed = world.changed(head["branch"], head["commit"]) if is_branch else None
    return {"ended": head["ended"], "changed": changed}


def lay_repository(place: Path) -> None:
    history = (DATA / "repository.fast-import").read_bytes()
    for words, given in (
        (("init", "--quiet", "--initial-branch=main", str(place)), None),
        (("-C", str(place), "fast-import", "--quiet"), history),
        (("-C", str(place), "reset", "--quiet", "--hard"), None),
    ):
        subprocess.run(["git", *words], input=given, check=True, capture_output=True)


def facts() -> Facts:
    found: Facts = json.loads((DATA / "facts.json").read_text(encoding="utf-8"))
    return found
