"""What a step costs in CPU time, of whatever process, beside the steps of mini-swe-agent.

41 steps on a repository of 300 files, each of which shows 2 kB or changes a line in a file of 2 kB,
asked of an endpoint on this machine that answers at once. mini-swe-agent runs the same commands, in
its text mode and called from Python: it has no sandbox and no checkpoints, and writes no file. It
is installed into a cache of ours, once.

Each run has a process of its own. When the endpoint is asked for the second step and when it is
asked what follows the last, it adds up what the run's processes have used: those that are alive,
and those that have been waited for. So the start, what the first step loads, and the end are left
out, which together take longer than the steps. A process that outlives its parent stays in the sum
(see subreaper.py). The median of five rounds counts; in each, all take turns.

All of it lies in memory, where the system has a place for that: on a disk with ext4, a new file
takes up to a millisecond of CPU time for some minutes after others were removed.

What a run uses until it asks for its first step is the start, beside what no start can do without:
to import the SDK and what draws on terminals, and a `git clone --local` that checks the files out.
"""

import contextlib
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import venv
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from beside import git, judge, share

sys.path.insert(0, str(Path(__file__).parents[1] / "endpoint"))

from fake_endpoint import FakeEndpoint
from fake_reply import Reply, Request

MINI = "mini-swe-agent==2.4.6"
MEMORY = Path("/dev/shm")
STEPS = 41
FILES = 300
ROUNDS = 5
AGAIN = 4  # times, what a start is compared with, of which the mean counts
# Of a step of mini-swe-agent; by the kind of the steps, and the sandbox.
BARS = {"run-bubblewrap": 1.0, "run-none": 0.75, "edit-none": 0.4, "read-none": 0.4}
OURS, LEAST = "react-agent", "import, clone"
THOUGHT = "The range is read from its first number alone. Look at the next file."
INPUTS = {
    "read": "read_file\nAction Input: {path}",
    "run": "run\nAction Input: cat {path}",
    "edit": "replace\nAction Input: {path}\n<<<<<<< SEARCH\n{line}\n=======\n{line}  # seen\n"
    ">>>>>>> REPLACE",
}
ENDED = {"mini": 0}  # the code of a run that ended as it should; ours, given up: 1
START_BAR = 1.8  # times what no start can do without; 1.66 at faf7090
TICK = os.sysconf("SC_CLK_TCK")


@dataclass
class Script:
    """The endpoint's: a run has a model of its own, `KIND-SANDBOX-TURN` or `mini-TURN`."""

    asked: dict[str, int] = field(default_factory=dict)
    marks: list[float] = field(default_factory=list)  # seconds of CPU until then
    process: int = 0  # with all that comes from it, the run

    def __call__(self, request: Request) -> Reply:
        model = request.body["model"]
        step = self.asked[model] = self.asked.get(model, -1) + 1
        if step and _shown(step - 1) not in request.prompt:
            return Reply(status=400, error=f"step {step} was not done")
        if step in (0, 1, STEPS):
            self.marks.append(_seconds_of(self.process))
        return Reply(_reply(model.partition("-")[0], step))


def _reply(kind: str, step: int) -> str:
    path = _path(step)
    if kind == "mini":
        command = f"cat {path}" if step < STEPS else "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
        return f"THOUGHT: {THOUGHT}\n\n```mswea_bash_command\n{command}\n```"
    if step == STEPS:
        return "Thought: That is all.\nConclusion: I give up because nothing is wrong."
    return f"Thought: {THOUGHT}\nAction: {INPUTS[kind].format(path=path, line=_shown(step))}\n"


def main() -> int:
    mini = _installed(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"))
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        place = Path(folder)
        _generate(place / "repository")
        return int(_missed(place, mini))


def _installed(cache: Path) -> Path:
    """Its Python."""
    place = cache / "react-agent" / "bench" / MINI.replace("==", "-")
    if not (place / "ready").exists():
        print(f"installing {MINI} into {place}, once", flush=True)
        venv.create(place, clear=True, with_pip=True)
        pip = [str(place / "bin" / "python"), "-m", "pip", "install", "-qq", MINI]
        if subprocess.run(pip, check=False).returncode:
            sys.exit(f"pip could not install {MINI}; check the network and pip's index")
        (place / "ready").touch()
    return place / "bin" / "python"


def _generate(root: Path) -> None:
    for number in range(FILES):
        path = root / _path(number)
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [f"def function_{number}_{n}(argument): return argument" for n in range(40)]
        path.write_text("\n".join(lines)[:1999] + "\n")
    git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "All of it")


def _path(number: int) -> str:
    return f"package_{number % 20}/module_{number}.py"


def _shown(number: int) -> str:
    """A line of that file, and of no other."""
    return f"def function_{number}_7(argument): return argument"


def _missed(place: Path, mini: Path) -> bool:
    steps: dict[str, list[float]] = {name: [] for name in ("mini", *BARS)}
    starts: dict[str, list[float]] = {name: [] for name in (OURS, LEAST)}
    script = Script()
    with FakeEndpoint(script, models=[{"id": "m"}]) as endpoint:
        runner = Runner(place, mini, script, f"{endpoint.url}/v1")
        for turn in range(-1, share(ROUNDS)):  # the first only warms up
            runs = {name: runner.run(name, turn) for name in steps}
            least = _least_start(place)
            if turn < 0:
                continue
            for name, run in runs.items():
                steps[name].append(run.step)
            starts[OURS].append(statistics.mean(runs[name].start for name in BARS))
            starts[LEAST].append(least)
    missed = _report(f"A step of {STEPS}", steps, "mini", BARS)
    return _report("The start of a run", starts, LEAST, {OURS: START_BAR}) or missed


@dataclass(frozen=True)
class Run:
    start: float  # seconds of CPU
    step: float


@dataclass(frozen=True)
class Runner:
    place: Path
    mini: Path
    script: Script
    url: str

    def run(self, name: str, turn: int) -> Run:
        self.script.marks.clear()
        model = f"{name}-{turn}"
        subreaper = [sys.executable, "-I", "-S", str(Path(__file__).with_name("subreaper.py"))]
        with (self.place / "output").open("w+") as output:
            process = subprocess.Popen(
                [*subreaper, *self._command(name, model)],
                cwd=self.place / "repository",
                env=_environment(self.place),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
            self.script.process = process.pid
            code = process.wait()
            output.seek(0)
            if len(self.script.marks) != 3 or code != ENDED.get(name, 1):
                asked = self.script.asked.get(model)
                sys.exit(f"{model} ended with {code}, at request {asked}\n{output.read()}")
        first, second, last = self.script.marks
        return Run(first, (last - second) / (STEPS - 1))

    def _command(self, name: str, model: str) -> list[str]:
        if name == "mini":
            program = Path(__file__).parents[1] / "lab" / "mini_attempt.py"
            return [str(self.mini), "-P", str(program), model, self.url, "none", "0", "1"]
        sandbox = name.partition("-")[2]
        options = f"--model openai/{model} --base-url {self.url} --sandbox {sandbox}"
        program = Path(sys.executable).with_name("react-agent")
        limit = ["--plain", "--steps", str(STEPS + 9)]
        return [str(program), "solve", "Mend the functions.", *limit, *options.split()]


def _least_start(place: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for _ in range(AGAIN):
        subprocess.run([sys.executable, "-P", "-c", "import openai, rich, typer"], check=True)
        git(place, "clone", "--quiet", "--local", "repository", "clone")
        shutil.rmtree(place / "clone")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / AGAIN


def _environment(place: Path) -> Mapping[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(place),
        "XDG_STATE_HOME": str(place / "state"),
        "XDG_CACHE_HOME": str(place / "cache"),
        "XDG_CONFIG_HOME": str(place / "config"),
        "MSWEA_GLOBAL_CONFIG_DIR": str(place / "mini"),
        "MSWEA_SILENT_STARTUP": "1",
        "MSWEA_COST_TRACKING": "ignore_errors",  # nobody knows what such a model costs
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # or it asks the network
    }


def _seconds_of(root: int) -> float:
    """Of a process and its descendants, and of those of theirs that they have waited for."""
    children: dict[int, list[int]] = {}
    ticks: dict[int, int] = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended
            words = place.read_text().rpartition(")")[2].split()
            pid = int(place.parent.name)
            children.setdefault(int(words[1]), []).append(pid)
            ticks[pid] = sum(map(int, words[11:15]))
    total, found = 0, [root]
    while found:
        pid = found.pop()
        total += ticks.get(pid, 0)
        found += children.get(pid, [])
    return total / TICK


def _report(
    title: str, taken: Mapping[str, list[float]], beside: str, bars: Mapping[str, float]
) -> bool:
    print(f"{title}, CPU time of all processes (median of {len(taken[beside])})")
    rounds = {
        name: [ours / theirs for ours, theirs in zip(each, taken[beside], strict=True)]
        for name, each in taken.items()
    }
    ratios = {name: statistics.median(each) for name, each in rounds.items()}
    for name, each in taken.items():
        all_of_them = " ".join(f"{ratio:.2f}" for ratio in sorted(rounds[name]))
        took = f"{statistics.median(each) * 1000:7.1f} ms"
        print(f"  {name:14}  {took}  {ratios[name]:6.2f}  ({all_of_them})")
    missed = [
        judge(ratios[name] <= bar, f"{name} {ratios[name]:.2f}, the bar is {bar:.2f}")
        for name, bar in bars.items()
    ]
    return any(missed)


if __name__ == "__main__":
    sys.exit(main())
