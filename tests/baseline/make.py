"""How tests/data/baseline was made, at faf7090: `python tests/baseline/make.py` in its checkout.

It is kept to be read. A later version can't make this data: the point of it is that an earlier one
did. Needs bubblewrap; starts the real command line, with an endpoint on this machine.
"""

import configparser
import io
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tarfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path

from react_agent.forges import account
from react_agent.models import endpoint, manner
from react_agent.profiles import settings
from react_agent.profiles.profile import Budget, limits_of
from react_agent.profiles.settings import HookPolicy

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "endpoint")]

from fake_endpoint import FakeEndpoint  # noqa: E402
from make_scripts import (  # noqa: E402
    DONE,
    HOOK_CONFIG,
    ISSUE,
    QUEUED,
    RUNS,
    SETTINGS,
    Made,
)
from old_world import (  # noqa: E402
    DATA,
    HANG,
    ROOT,
    URL,
    Answer,
    Facts,
    Run,
    World,
    facts,
    fork,
    lay_repository,
    read,
    read_only,
    report,
    resume,
    scripted,
    use_settings,
    work_off,
)

CHECKOUT = HERE.parents[1]
COMMAND = str(Path(sys.executable).with_name("react-agent"))
GIT_SETTINGS = "[user]\n\tname = A Developer\n\temail = developer@example.org\n"
# Not below /tmp, in whose place commands see a folder of the run.
PLACE = Path("/var/tmp/react-agent-baseline")
WAIT_S = 60
SLOW_S = 15  # so long a command takes a minute


def environment(world: World) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    settings = world.root / "gitconfig"
    settings.write_text(GIT_SETTINGS)
    git = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": str(settings)}
    return {**kept, **git, **world.environment, "HOME": str(world.root / "home")}


def start(world: World, *arguments: str, **more: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [COMMAND, *arguments],
        cwd=world.root,
        env={**environment(world), **more},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def call(world_root: Path, *arguments: str) -> Answer:
    """As the tests do: without a sandbox."""
    with start(World(world_root, call), *arguments, REACT_AGENT_SANDBOX="none") as process:
        out = process.communicate(timeout=WAIT_S)[0].decode()
    print(f"--- {' '.join(arguments)}: {process.returncode}\n{out[-1500:]}")
    return Answer(process.returncode, out)


def new_world(root: Path) -> World:
    world = World(root, partial(call, root))
    for name in ("home", "config", "state", "cache"):
        (root / name).mkdir(parents=True)
    return world


def make_run(made: Made, root: Path) -> tuple[str, list[str]]:
    """The endpoint's address, and the runs that the command has made."""
    world = new_world(root)
    lay_repository(world.repository)
    for name, text in made.files.items():
        (root / name).write_text(text)
    hangs, until = threading.Event(), int(time.time()) + SLOW_S
    replies = [reply.replace("@UNTIL@", str(until)) for reply in made.replies]
    script = scripted(replies, made.aside, hangs.set)
    with FakeEndpoint(script) as endpoint:
        model = ("--model", "openai/scripted", "--base-url", f"{endpoint.url}/v1")
        process = start(world, "solve", made.issue, "--repo", "repository", *model, *made.options)
        if HANG in made.replies or made.until:
            _wait(lambda: hangs.is_set() or _appeared(world, made.until), process)
            process.send_signal(signal.SIGKILL)
            time.sleep(SLOW_S if made.until else 0)  # it is not slow any more
        out = process.communicate(timeout=WAIT_S)[0].decode()
    print(f"=== {made.name}: {process.returncode}\n{out[-3000:]}")
    return endpoint.url, sorted(world.names)


def _wait(is_so: Callable[[], bool], process: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + WAIT_S
    while not is_so():
        assert process.poll() is None and time.monotonic() < until, "it ended too early"
        time.sleep(0.05)
    time.sleep(0.3)  # what was written last is whole


def _appeared(world: World, text: str) -> bool:
    """A command has begun to write."""
    notes = world.runs.glob("*/workspace/NOTES.md")
    return bool(text) and any(text in file.read_text() for file in notes)


def pack(root: Path, folders: Sequence[str], archive: str, url: str = "") -> None:
    """With placeholders for where it was made, and for the endpoint."""
    (DATA / archive).parent.mkdir(exist_ok=True)
    with tarfile.open(DATA / f"{archive}.tar.xz", "w:xz", preset=9) as tar:
        for path in sorted(path for folder in folders for path in (root / folder).rglob("*")):
            info = tar.gettarinfo(path, str(path.relative_to(root)))
            info.uid = info.gid = 0
            info.uname = info.gname = ""
            data = relocatable(path, root, url) if info.isfile() else b""
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))


def relocatable(path: Path, root: Path, url: str) -> bytes:
    data = path.read_bytes()
    places = {os.fsencode(root): ROOT, os.fsencode(CHECKOUT): ROOT, url.encode(): URL}
    named = [(old, new) for old, new in places.items() if old and old in data]
    if named and path.suffix == ".sqlite":
        return replaced(path, named)
    assert not named or b"\0" not in data, f"{path} names a place, and is no text"
    for old, new in named:
        data = data.replace(old, new)
    return data


def replaced(file: Path, named: Sequence[tuple[bytes, bytes]]) -> bytes:
    """A database, with other texts in its rows."""
    copy = PLACE / "copy.sqlite"
    shutil.copy(file, copy)
    connection = sqlite3.connect(copy)
    for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'"):
        for _, column, kind, *_ in connection.execute(f"PRAGMA table_info({table})").fetchall():
            for old, new in named if kind == "TEXT" else ():
                change = f"UPDATE {table} SET {column} = replace({column}, ?, ?)"
                connection.execute(change, (old.decode(), new.decode()))
    connection.execute("UPDATE about SET value = 'Linux' WHERE name = 'system'")
    connection.commit()
    connection.execute("VACUUM")
    connection.close()
    data = copy.read_bytes()
    copy.unlink()
    assert not any(old in data for old, _ in named), f"{file} names a place"
    return data


def facts_of(made: Made, run: Run, root: Path) -> Facts:
    """What the version that has made it makes of it."""

    def world_for(what: str) -> World:
        world = new_world(root / what)
        lay_repository(world.repository)
        return world

    return {
        "run": run.name,
        "resume": {**made.resume, "facts": resume(world_for("resume"), run, made.resume)},
        "fork": {**made.fork, "facts": fork(world_for("fork"), run, made.fork)},
        "read": read_only(world_for("read"), run),
    }


def make_runs(place: Path, only: list[str]) -> Facts:
    found = {}
    for made in RUNS:
        if only and made.name not in only:
            continue
        root = place / made.name
        url, runs = make_run(made, root)
        for number, name in enumerate(runs, 1):
            title = made.name if len(runs) == 1 else f"{made.name}-{number}"
            run = Run(name, f"runs/{title}")
            pack(root, [f"state/react-agent/runs/{name}"], run.archive, url)
            found[title] = facts_of(made, run, place / f"{title}-facts")
    return found


def make_cut(place: Path) -> None:
    """What the cache folder holds of the repository, once it was worked on."""
    world = new_world(place)
    lay_repository(world.repository)
    read_only(world, Run(facts()["runs"]["cleared"]["run"], "runs/cleared"))
    pack(place, ["cache/react-agent/cuts"], "cuts")


def make_experiment(place: Path) -> Facts:
    names = ["ledger-1", "wordbox-8", "timetable-8"]
    world = new_world(place)
    only = [word for name in names for word in ("--only", name)]
    options = ("--workers", "1", "--sandbox", "none", "--out", "experiment")
    assert world.call("eval", "run", "bundled", *only, *options).code == 0
    pack(place, ["experiment"], "experiment")
    of = {"names": names}
    return {**of, "facts": report(new_world(place / "facts"), of)}


def make_queue(place: Path) -> Facts:
    """Two jobs that ended, one whose worker was killed, one that waits, one only asked for."""
    world = replace(new_world(place), checkout="hooked")
    lay_repository(world.repository)
    in_queue = ("--repo", "hooked", "--sandbox", "none")
    assert world.call("hook", "install", "post-commit", *in_queue).code == 0
    script = world.repository / ".git" / "hooks" / "post-commit"
    installed = script.read_text()
    script.write_text(installed.replace(sys.executable, "/nonexistent/python"))
    hangs = threading.Event()
    with FakeEndpoint(scripted(QUEUED, on_hang=hangs.set)) as endpoint:
        allow(world, endpoint.url, seconds=7000)
        for words in ("fix issues/1.md", "fix issues/none.md", "fix the count"):
            ask_for(world, words)
        process = start(world, "hook", "run", *in_queue)
        _wait(hangs.is_set, process)
        process.kill()
        process.communicate()
    ask_for(world, "this one waits")
    allow(world, endpoint.url, seconds=0)
    assert world.call("hook", "run", *in_queue).code == 0
    allow(world, endpoint.url, seconds=7000)
    ask_for(world, "this one is only asked for")
    script.write_text(installed)
    pack(place, ["hooked", "state", "config"], "hook", endpoint.url)
    script = {"replies": [DONE]}
    return {**script, "facts": work_off(new_world(place / "facts"), script)}


def allow(world: World, url: str, seconds: int) -> None:
    config = world.root / "config" / "react-agent" / "config.cfg"
    config.parent.mkdir(exist_ok=True)
    config.write_text(HOOK_CONFIG.format(url=url, seconds=seconds))


def ask_for(world: World, words: str) -> None:
    """By a commit, whose hook can't start a worker."""
    (world.repository / "issues").mkdir(exist_ok=True)
    (world.repository / "issues" / "1.md").write_text(ISSUE)
    for command in (["add", "issues"], ["commit", "-q", "--allow-empty", "-m", "Ask"]):
        more = ["-m", f"Agent: {words}"] if "commit" in command else []
        subprocess.run(
            ["git", *command, *more], cwd=world.repository, env=environment(world), check=True
        )


def use_all_settings(place: Path) -> Facts:
    check_that_each_is_set()
    world = new_world(place)
    lay_repository(world.repository)
    return {**SETTINGS, "read": read(world), "facts": use_settings(world, SETTINGS)}


def check_that_each_is_set() -> None:
    """Of those that the code of faf7090 knows."""
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(DATA / "config.cfg")
    known = {
        "react_agent": settings._OWN,
        "react_agent:budget": (*limits_of(Budget()), "money"),
        "react_agent:model coder": (*endpoint.OWN, *manner.NAMES),
        "react_agent:forge git.example.org": account._SETTINGS,
        "react_agent:hook": tuple(field.name for field in fields(HookPolicy)),
    }
    for section, names in known.items():
        missing = set(names) ^ set(parser[section])
        assert not missing, f"{section}: {missing}"


def main() -> None:
    shutil.rmtree(PLACE, ignore_errors=True)
    only = sys.argv[1:]  # those parts are made anew
    known = facts() if only else {"runs": {}}
    known["runs"].update(make_runs(PLACE, only))
    if not only or "cuts" in only:
        make_cut(PLACE / "cuts")
    for name, make in PARTS.items():
        if not only or name in only:
            known[name] = make(PLACE / name)
    text = json.dumps(known, indent=1, sort_keys=True) + "\n"
    (DATA / "facts.json").write_text(text)
    shutil.rmtree(PLACE)


PARTS = {"experiment": make_experiment, "hook": make_queue, "settings": use_all_settings}

if __name__ == "__main__":
    main()
