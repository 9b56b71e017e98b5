"""How well real patches by models are repaired: `python real_patches.py --releases DIR`.

Run by hand. `--fetch` first fills DIR by pip with some hundred wheels, of which it keeps the Python
files (half an hour); `--data FILE` names the patches, `--list` shows each case that is not right,
`--only ID` one of them in full.

The base commits are not on the package index, so each is stood in for by the release that holds
most of what its patches quote. This favours found context a little, and where the code moved on
between the two it turns certain patches into approximate ones (`drifted` counts those).

certain      each old block stands in its file exactly once, trailing blanks aside
several      one of them stands there more than once
approximate  one of them stands nowhere, but a region alike by half or more does
placeless    the lines quoted are not in the file
no file      it is not in the release (tests and documents are not in wheels)
nothing      no diff, or one that changes nothing
"""

import argparse
import collections
import difflib
import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from real_oracle import Block, Edit, Match, aligned, edited, places, read
from real_releases import PACKAGES, Release, fetch, nearest, releases

from react_agent.parsers.patch import Refused, repair

STRONG = ("claude", "anthropic/claude", "gpt-4", "llama-3.3-70b")
CLASSES = ("certain", "several", "approximate", "placeless", "no file", "nothing")
HALF = 0.5
MARGIN = 0.1  # of the best place above the next one, for the oracle to have a say

Texts = Mapping[str, str | None]
Tool = Callable[[str, Release, Iterable[str]], Texts | None]  # none: it refused


class Case(NamedTuple):
    key: str
    model: str
    raw: str
    release: Release
    edits: tuple[Edit, ...]
    kind: str
    due: Texts | None  # what should come out, where that can be told
    drifted: bool  # approximate here, exact at the base commit

    @property
    def is_core(self) -> bool:
        return self.model.startswith(STRONG)

    @property
    def names(self) -> list[str]:
        return [name for edit in self.edits for name in (edit.old, edit.new)]


def cases(rows: Sequence[dict[str, Any]], folder: Path) -> list[Case]:
    by_base = collections.defaultdict[tuple[str, str], list[dict[str, Any]]](list)
    for row in rows:
        if row["repo"] in PACKAGES:
            by_base[row["repo"], row["base_commit"]].append(row)
    found, there = list[Case](), {repo: list(releases(folder, repo)) for repo in PACKAGES}
    for (repo, _), group in by_base.items():
        quoted = [
            (edit.name, [text for block in edit.blocks for text in block.old])
            for row in group
            for edit in read(row["raw"])
            if edit.old != "/dev/null"
        ]
        release = nearest(quoted, there[repo])
        found += [_case(row, release) for row in group]
    return sorted(found)


def _case(row: dict[str, Any], release: Release) -> Case:
    named = {edit.name for edit in read(row["raw"])} & set(release)
    known = {line.strip() for name in named for line in release[name].split("\n")}
    edits = tuple(read(row["raw"], known))
    parts = [_part(edit, release) for edit in edits]
    kind = max((kind for kind, _ in parts), key=CLASSES.index, default="nothing")
    if all(block.is_idle for edit in edits for block in edit.blocks):
        kind = "nothing"
    due = dict[str, str | None]()
    for edit, (_, text) in zip(edits, parts, strict=True):
        if text != release.get(edit.name):
            due[edit.name] = text
    told = kind in ("certain", "approximate") and all(text is not None for _, text in parts)
    drifted = kind == "approximate" and "context differs" not in " ".join(row["defects"])
    return Case(
        row["id"], row["model"], row["raw"], release, edits, kind, due if told else None, drifted
    )


def _part(edit: Edit, release: Release) -> tuple[str, str | None]:
    """What class the edit of one file is of, and the file after it."""
    if edit.old == "/dev/null":
        lines = [text for block in edit.blocks for mark, text in block.lines if mark != "-"]
        return ("no file" if edit.new in release else "certain"), "\n".join([*lines, ""])
    if edit.name not in release:
        return "no file", None
    lines = release[edit.name].split("\n")
    found, kind, told = list[tuple[Block, Match]](), "certain", True
    for block in edit.blocks:
        if block.is_idle:
            continue
        one, match, clear = _placed(block, lines)
        kind, told = max(kind, one, key=CLASSES.index), told and clear
        found.append((block, match))
    found.sort(key=lambda pair: pair[1].span)
    return kind, "\n".join(edited(lines, found)) if told else None


def _placed(block: Block, lines: list[str]) -> tuple[str, Match, bool]:
    """Its class, its place, and whether there is no other as good."""
    exact = places(block.old, lines) if block.old else []
    if exact:
        match = Match(1.0, tuple(range(exact[0], exact[0] + len(block.old))))
        return ("certain" if len(exact) == 1 else "several"), match, len(exact) == 1
    match = aligned(block.old, lines)
    if match.score < HALF:
        return "placeless", match, False
    other = aligned(block.old, lines, range(*match.span))
    return "approximate", match, match.score - other.score >= MARGIN


def by_repair(raw: str, release: Release, names: Iterable[str]) -> Texts | None:
    del names
    done = repair(raw, release)
    if isinstance(done, Refused):
        return None
    return {one.new or one.old or "": one.text for one in done.results}


def by_command(*command: str) -> Tool:
    """A tool that reads the patch from its input, in a folder that holds the files."""

    def run(raw: str, release: Release, names: Iterable[str]) -> Texts | None:
        lines = [line for line in raw.split("\n") if not line.startswith("```")]
        with tempfile.TemporaryDirectory() as place:
            for name in release.keys() & set(names):
                _write(Path(place, name), release[name])
            text = "\n".join(lines).rstrip("\n") + "\n"
            if _run(command, place, text).returncode:
                return None
            return dict(_changed(Path(place), release))

    return run


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8", "surrogateescape"))


def _run(command: Sequence[str], place: str, text: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "GIT_CEILING_DIRECTORIES": place}
    given = text.encode("utf-8", "surrogateescape")
    return subprocess.run(
        command, cwd=place, input=given, capture_output=True, check=False, env=environment
    )


def _changed(place: Path, release: Release) -> Iterable[tuple[str, str | None]]:
    for path in place.rglob("*"):
        if path.is_file() and path.suffix not in (".orig", ".rej"):
            name = path.relative_to(place).as_posix()
            text = path.read_bytes().decode("utf-8", "surrogateescape")
            if text != release.get(name):
                yield name, text


TOOLS: dict[str, Tool] = {
    "repair": by_repair,
    "git apply --recount": by_command("git", "apply", "--recount"),
    "patch -p1 -F3": by_command("patch", "-p1", "-F3", "--batch", "--silent"),
}


def verdict(case: Case, done: Texts | None) -> str:
    if done is None:
        return "refused"
    if case.due is None:
        return "accepted"
    return "right" if _same(case.due, done) else "wrong"


def _same(due: Texts, done: Texts) -> bool:
    def plain(texts: Texts) -> dict[str, str]:
        return {name: (text or "").rstrip("\n") for name, text in texts.items()}

    return plain(due) == plain(done)


def report(found: Sequence[Case], verdicts: Mapping[str, Mapping[str, str]]) -> None:
    for core in (True, False):
        mine = [case for case in found if case.is_core == core]
        drifted = sum(case.drifted for case in mine)
        print(f"\n{'core' if core else 'rest'}: {len(mine)} patches, {drifted} drifted")
        for kind in CLASSES:
            group = [case for case in mine if case.kind == kind]
            for tool in TOOLS if group else ():
                counts = collections.Counter(verdicts[tool][case.key] for case in group)
                shown = "  ".join(
                    f"{word} {counts[word]:3}" for word in ("right", "wrong", "accepted", "refused")
                )
                print(f"  {kind:12}{len(group):4}  {tool:20} {shown}")


def proven(case: Case) -> str:
    """What is wrong with the patch that came out, whatever it does; empty: nothing."""
    done = repair(case.raw, case.release)
    if len(done.roles) != len(case.raw.split("\n")):
        return f"{len(case.raw.split(chr(10)))} lines, {len(done.roles)} accounted for"
    if isinstance(done, Refused):
        return ""
    again = repair(done.patch, case.release)
    if isinstance(again, Refused) or again.patch != done.patch or again.repairs:
        return f"repairing it again: {again!r:.300}"
    touched = [name for one in done.results for name in (one.old, one.new) if name]
    after = by_command("git", "apply")(done.patch, case.release, touched)
    texts = {one.new: one.text for one in done.results if one.new}
    return "" if after is not None and _same(texts, after) else "git makes something else of it"


def show(case: Case, word: str) -> None:
    print(f"\n{case.key} {case.kind} {word} ({case.model}, {case.release.folder.name})")
    done = repair(case.raw, case.release)
    if isinstance(done, Refused):
        print("\n".join(f"  ! {reason}" for reason in done.reasons))
        return
    print("\n".join(f"  * {said}" for said in done.repairs))
    if case.due is None:
        print(done.patch)
        return
    texts = {one.new or one.old or "": one.text or "" for one in done.results}
    for name in sorted({*texts, *case.due}):
        due, came = (of.get(name) or "" for of in (case.due, texts))
        lines = (due.split("\n"), came.split("\n"))
        print("\n".join(difflib.unified_diff(*lines, f"due/{name}", f"came/{name}", lineterm="")))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--releases", type=Path, required=True)
    parser.add_argument("--data", type=Path, default=Path("model-patches.jsonl"))
    parser.add_argument("--fetch", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    args = parser.parse_args()
    if args.fetch:
        fetch(args.releases)
    rows = [json.loads(line) for line in args.data.read_text().split("\n") if line]
    found = cases([row for row in rows if row["id"] in args.only or not args.only], args.releases)
    verdicts = {
        name: {case.key: verdict(case, tool(case.raw, case.release, case.names)) for case in found}
        for name, tool in TOOLS.items()
    }
    for case in found:
        word = verdicts["repair"][case.key]
        if args.only:
            print(case.raw)
        if args.only or (args.list and word != "right"):
            show(case, word)
        if problem := proven(case):
            print(f"{case.key}: {problem}")
    report(found, verdicts)


if __name__ == "__main__":
    main()
