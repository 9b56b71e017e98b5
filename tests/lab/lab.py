"""./dev lab: real issues, a real small model, several ways of using it, one table.

See CONTRIBUTING.md.

lab.py fetch                      weights into the cache, their sums checked
lab.py run [OPTION...]            the cells that are not in the store yet; then the table
lab.py record [--from FILE]       replies of the runs, for the corpus
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

import lab_rows
import lab_ways
from bench_step import _installed as mini_installed
from lab_rows import Row
from recorder import LIMIT, Recorder, recording
from weights import ALL, QWEN, fetch, place_of, sum_of

from react_agent.eval.task import Instance
from react_agent.models.endpoint import GGUF, find_endpoint
from react_agent.models.gguf import GgufServer, serve

ROOT = Path(__file__).parents[2]
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
LAB = CACHE / "react-agent" / "lab"
REPLIES = LAB / "replies.jsonl"  # of all runs here; `record` adds them to the store
_SHORT = 12
_SHARED = ("parsers", "tools", "eval")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./dev lab")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("fetch", help="download the weights and check their sums")
    run = commands.add_parser(
        "run", help="run the cells that are not in the store, print the table"
    )
    run.add_argument("--model", default=f"{GGUF}/{place_of(QWEN, CACHE)}", help="gguf/FILE")
    run.add_argument("--ways", default=",".join(lab_ways.WAYS), help="with commas")
    run.add_argument("--issues", default="", help="ids, with commas; else all")
    run.add_argument("--set", choices=["bundled", "further"], default="bundled")
    run.add_argument("--seeds", default="1", help="with commas; one after the other")
    run.add_argument("--temperature", type=float, default=0.0)
    run.add_argument("--seconds", type=float, default=150.0, help="of an attempt")
    run.add_argument("--at", default="", metavar="COMMIT", help="of a checkout of its own")
    run.add_argument("--table", action="store_true", help="run nothing")
    record = commands.add_parser("record", help="add the replies of the runs to the store")
    record.add_argument("--from", dest="source", type=Path, default=REPLIES)
    options = parser.parse_args(arguments)
    return {"fetch": _fetch, "run": _run, "record": _record}[options.command](options)


def _fetch(options: argparse.Namespace) -> int:
    for weights in ALL:
        print(fetch(weights, CACHE))
    return 0


def _run(options: argparse.Namespace) -> int:
    chosen = options.ways.split(",")
    if unknown := set(chosen) - {*lab_ways.WAYS}:
        sys.exit(f"no way {', '.join(sorted(unknown))}; there are {', '.join(lab_ways.WAYS)}")
    file = Path(options.model.removeprefix(f"{GGUF}/")).expanduser().absolute()
    if not file.is_file():
        sys.exit(f"{file} is missing: ./dev lab fetch")
    commit = _commit(options.at)
    with tempfile.TemporaryDirectory(prefix="lab-") as folder:
        found = lab_rows.issues_of(options.set, Path(folder))
        named = options.issues.split(",") if options.issues else [one.id for one in found]
        issues = [one for one in found if one.id in named]
        weights = sum_of(file)[:_SHORT]
        templates = [
            Row(
                *(weights, commit[:_SHORT], int(seed), options.temperature),
                *("", "", "", 0, 0, 0, 0, 0, 0.0, time.strftime("%Y-%m-%d"), _machine()),
            )
            for seed in options.seeds.split(",")
        ]
        there = {row.cell for row in lab_rows.read()}
        wanted = [  # issue by issue, the ways interleaved
            (issue, empty)
            for template in templates
            for issue in issues
            for way in chosen
            if (empty := replace(template, way=way, issue=issue.id)).cell not in there
        ]
        if wanted and not options.table:
            _cells(wanted, file, commit, options)
    tables = {template.cell[:4] for template in templates}
    own = [row for row in lab_rows.read() if row.cell[:4] in tables]
    told = f"weights {weights}, commit {commit[:_SHORT]}"
    told += f", seeds {options.seeds}, temperature {options.temperature:g}"
    print(told, "", *lab_rows.table(own, chosen, [one.id for one in issues]), sep="\n")
    return 0


def _commit(at: str) -> str:
    """Without one named: that of the checkout, which must hold nothing else."""
    if not at and _git("status", "--porcelain", "--untracked-files=no", "--", *_CODE):
        sys.exit("the checkout has changes: commit them, or name a commit with --at")
    return _git("rev-parse", f"{at or 'HEAD'}^{{commit}}")


_CODE = ("parsers", "tools", "react_agent", "eval")


def _cells(
    wanted: list[tuple[Instance, Row]], file: Path, commit: str, options: argparse.Namespace
) -> None:
    with ExitStack() as held:
        server: GgufServer = serve(find_endpoint(f"{GGUF}/{file}", {}, {}))
        held.callback(server.close)
        there = server.endpoint
        recorder = held.enter_context(recording(there.base_url.removesuffix("/v1")))
        asked = lab_ways.Asked(
            *("m", f"{recorder.url}/v1", there.key, options.temperature, wanted[0][1].seed),
            *(options.seconds, there.kind),
        )
        here = (sys.executable, "-P", "-m", "react_agent")
        mini = (
            mini_installed(CACHE) if any(row.way == lab_ways.MINI for _, row in wanted) else Path()
        )
        programs = lab_ways.Programs(here, _environment(_checked_out(commit)), mini)
        for number, (issue, row) in enumerate(wanted, 1):
            print(f"{number}/{len(wanted)}  {issue.id}  {row.way}", end="  ", flush=True)
            recorder.taken()
            made = lab_ways.attempt(row.way, issue, replace(asked, seed=row.seed), programs)
            if made.failed:
                print(f"not counted: {made.failed.strip().splitlines()[-1:]}")
                continue
            row = replace(row, verdict=lab_ways.verdict(issue, made.patch))
            row = _counted(row, recorder, made)
            lab_rows.append(row)
            print(f"{row.verdict}, {row.calls} calls, {row.seconds:.0f} s", flush=True)


def _counted(row: Row, recorder: Recorder, made: lab_ways.Made) -> Row:
    calls = recorder.taken()
    LAB.mkdir(parents=True, exist_ok=True)
    with REPLIES.open("a", encoding="utf-8") as file:
        for call in calls:
            about = {"issue": row.issue, "way": row.way, "seed": row.seed, "commit": row.commit}
            file.write(f"{json.dumps({**about, 'weights': row.weights, **call.row()})}\n")
    return replace(
        row,
        calls=len(calls),
        unreadable=made.unreadable,
        limited=sum(call.finish == LIMIT for call in calls),
        prompt_tokens=sum(call.prompt_tokens for call in calls),
        reply_tokens=sum(call.reply_tokens for call in calls),
        seconds=round(made.seconds, 1),
    )


def _checked_out(commit: str) -> Path:
    """A folder to import the package of that commit from."""
    place = LAB / "at" / commit
    if not (place / "ready").exists():
        place.mkdir(parents=True, exist_ok=True)
        archive = subprocess.run(
            ["git", "archive", commit, *_CODE], cwd=ROOT, capture_output=True, check=True
        ).stdout
        subprocess.run(["tar", "-x", "-C", str(place)], input=archive, check=True)
        package = place / "path" / "react_agent"
        package.mkdir(parents=True, exist_ok=True)
        inner = [*(place / "react_agent").iterdir(), *(place / name for name in _SHARED)]
        for one in inner:
            (package / one.name).unlink(missing_ok=True)
            (package / one.name).symlink_to(one)
        (place / "ready").touch()
    return place / "path"


def _environment(package: Path) -> dict[str, str]:
    """Nobody's keys, and no settings of the terminal."""
    passed = ("PATH", "HOME", "LANG", "TMPDIR")
    return {
        **{name: os.environ[name] for name in passed if name in os.environ},
        "PYTHONPATH": str(package),
    }


def _record(options: argparse.Namespace) -> int:
    """One that equals another but for digits and paths is left out."""
    store = lab_rows.FOLDER / "replies.jsonl"
    seen = {_gist(row["reply"]) for row in _lines(store)}
    added = 0
    lab_rows.FOLDER.mkdir(parents=True, exist_ok=True)
    with store.open("a", encoding="utf-8") as file:
        for row in _lines(options.source):
            if row["reply"].strip() and (gist := _gist(row["reply"])) not in seen:
                seen.add(gist)
                name = sha256(f"{row['way']}\0{row['reply']}".encode()).hexdigest()[:10]
                file.write(f"{json.dumps({'id': name, **row})}\n")
                added += 1
    print(f"{added} replies added to {store}, of {len(seen)} in all")
    return 0


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    if path.exists():
        yield from map(json.loads, path.read_text(encoding="utf-8").splitlines())


def _gist(reply: str) -> str:
    words = (word for word in reply.split() if "/" not in word)
    return " ".join("".join(one for one in word if not one.isdecimal()) for word in words)


def _machine() -> str:
    return f"{platform.machine()}, {os.cpu_count()} cores"


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=True, text=True)
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
