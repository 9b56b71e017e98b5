"""The ways that the lab compares: each makes a patch of one issue, asking one model."""

import json
import os
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import function_rewrite

from react_agent.eval.task import Arm, Conditions, Instance, Key, Task
from react_agent.eval.work import grade_task
from react_agent.parsers.turn.turn import Kind
from react_agent.state.state import fold
from react_agent.state.transcript import NAME, read

KEY, MODEL = "LAB_KEY", "lab"
PROFILES = {
    "small": ("--profile", "small"),
    "small x4": ("--profile", "small", "--attempts", "4"),
    "issue": ("--profile", "issue"),
    "single-shot": ("--profile", "single-shot"),
}
REWRITE, MINI = "function-rewrite", "mini-swe-agent"
WAYS = (*PROFILES, REWRITE, MINI)
_GIT = ("git", "-c", "user.name=Lab", "-c", "user.email=lab@localhost")
_TESTS_S = 120.0
_SPARE_S = 60.0  # for what is not the model: a start, the tests at the end


@dataclass(frozen=True)
class Asked:
    """How the model is asked."""

    model: str
    url: str
    key: str = field(repr=False)
    temperature: float
    seed: int
    seconds: float  # of an attempt
    kind: str = "openai"

    @property
    def settings(self) -> str:
        """Those of the model, as a file has them: llama.cpp continues a reply that has begun."""
        return f"""\
[react_agent:model {MODEL}]
spec = {self.kind}/m
base_url = {self.url}
key = {KEY}
temperature = {self.temperature:g}
seed = {self.seed}
prefill = {"yes" if self.kind == "openai" else "no"}
"""


@dataclass(frozen=True)
class Programs:
    agent: tuple[str, ...]  # the command line of the commit that is tried
    environment: Mapping[str, str]  # what it is started with
    mini: Path  # the Python of mini-swe-agent


@dataclass
class Made:
    patch: str
    seconds: float
    unreadable: int = 0
    failed: str = ""  # by what surrounds the model


def attempt(way: str, issue: Instance, asked: Asked, programs: Programs) -> Made:
    with tempfile.TemporaryDirectory(prefix="lab-") as folder:
        place = Path(folder)
        root = place / "repository"
        _git(place, "clone", "-q", issue.repo, str(root))
        _git(root, "checkout", "-q", "-B", "main", issue.base)
        began = time.monotonic()
        run = _RUNS.get(way) or partial(_agent, PROFILES[way])
        made = run(root, issue, asked, programs)
        made.seconds = time.monotonic() - began
        return made


def _agent(
    options: tuple[str, ...], root: Path, issue: Instance, asked: Asked, programs: Programs
) -> Made:
    place = root.parent
    (place / "issue.md").write_text(issue.problem, encoding="utf-8")
    homes = {f"XDG_{name}_HOME": str(place / name.lower()) for name in ("STATE", "CACHE", "CONFIG")}
    settings = place / "config" / "react-agent" / "config.cfg"
    settings.parent.mkdir(parents=True)
    settings.write_text(asked.settings, encoding="utf-8")
    attempts = int(options[-1]) if "--attempts" in options else 1
    done = _run(
        [
            *programs.agent,
            *("solve", str(place / "issue.md"), "--repo", str(root), "--model", MODEL),
            *("--seconds", f"{asked.seconds:.0f}", "--plain", *options),
        ],
        place,
        {**programs.environment, **homes, KEY: asked.key},
        attempts * (asked.seconds + _SPARE_S),
    )
    heads = _git(root, "for-each-ref", "--format=%(refname)", "refs/heads").split()
    branches = [one for one in heads if one != "refs/heads/main"]
    patch = _git(root, "diff", "--binary", issue.base, branches[-1]) if branches else ""
    transcripts = sorted(place.glob(f"state/react-agent/runs/*/{NAME}"))
    states = [fold(read(path).entries) for path in transcripts]
    steps = [step for state in states for step in state.steps]
    unreadable = sum(step.said.turn.kind is Kind.MALFORMED for step in steps)
    return Made(patch, 0.0, unreadable, "" if transcripts else done)


def _mini(root: Path, issue: Instance, asked: Asked, programs: Programs) -> Made:
    program = Path(__file__).with_name("mini_attempt.py")
    words = [str(programs.mini), "-P", str(program), "m", asked.url, asked.key]
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(root.parent),
        "MSWEA_GLOBAL_CONFIG_DIR": str(root.parent / "mini"),
        "MSWEA_SILENT_STARTUP": "1",
        "MSWEA_COST_TRACKING": "ignore_errors",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    }
    more = [f"{asked.temperature:g}", str(asked.seed)]
    said = _run([*words, *more], root, environment, asked.seconds, issue.problem)
    counted = _last_object(said)
    return Made(_changed(root), 0.0, int(counted.get("unreadable", 0)))


def _last_object(said: str) -> dict[str, Any]:
    lines = [line for line in said.splitlines() if line.startswith('{"unreadable"')]
    return json.loads(lines[-1]) if lines else {}


def _rewrite(root: Path, issue: Instance, asked: Asked, programs: Programs) -> Made:
    until = time.monotonic() + asked.seconds

    def ask(messages: function_rewrite.Messages) -> str:
        body = {
            "messages": messages,
            "max_tokens": function_rewrite.TOKENS,
            "temperature": asked.temperature,
            "seed": asked.seed,
        }
        headers = {"authorization": f"Bearer {asked.key}", "content-type": "application/json"}
        request = urllib.request.Request(
            f"{asked.url}/chat/completions", json.dumps(body).encode(), headers
        )
        left = max(until - time.monotonic(), 1.0)
        with urllib.request.urlopen(request, timeout=left) as answer:
            return str(json.load(answer)["choices"][0]["message"]["content"])

    try:
        unreadable = function_rewrite.solve(root, issue.problem, ask).unreadable
    except TimeoutError:
        unreadable = 0
    return Made(_changed(root), 0.0, unreadable)


_RUNS: dict[str, Callable[[Path, Instance, Asked, Programs], Made]] = {
    REWRITE: _rewrite,
    MINI: _mini,
}


def verdict(issue: Instance, patch: str) -> str:
    """By the hidden tests of the issue, and those that passed before."""
    with tempfile.TemporaryDirectory(prefix="lab-") as folder:
        conditions = Conditions(sandbox="none", tests_s=_TESTS_S)
        task = Task(Key(issue.id, "lab", 1), issue, Arm(MODEL), conditions)
        return grade_task(task, patch, Path(folder)).verdict.value


def _changed(root: Path) -> str:
    _git(root, "add", "--all")
    return _git(root, "diff", "--cached", "--binary", "HEAD", "--", ".", ":!*.pyc")


def _git(place: Path, *arguments: str) -> str:
    done = subprocess.run([*_GIT, *arguments], cwd=place, capture_output=True, check=True)
    return done.stdout.decode(errors="surrogateescape")


def _run(
    words: list[str], cwd: Path, environment: Mapping[str, str], seconds: float, given: str = ""
) -> str:
    """What it prints; it is ended when its time is up."""
    try:
        done = subprocess.run(
            words,
            cwd=cwd,
            env=dict(environment),
            input=given.encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired as error:
        return (error.stdout or b"").decode(errors="replace")
    return done.stdout.decode(errors="replace")
