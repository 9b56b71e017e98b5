"""What each step changed, while the workspace is there and after it is gone."""

import subprocess
from pathlib import Path
from typing import Any

from by_hand import save
from replies import ASK, DONE, LOOK, replaced, run

from react_agent.runs.report import Outcome
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.work_tree import changes
from react_agent.state import transcript as transcripts
from react_agent.state.state import State, fold

EDIT = replaced("README.md", "# stopwatch", "# A watch", "edit")
NEW = " new\nAction: write_file\nAction Input: new.txt\nA line\n"
MOVE = " move\nAction: run\nAction Input: mv new.txt moved && git add moved && echo more >> moved\n"


def _state(folder: RunFolder) -> State:
    return fold(transcripts.read(folder.transcript).entries)


def _of(outcome: Outcome) -> dict[int, str]:
    return dict(changes(outcome.folder, _state(outcome.folder)))


def test_the_diffs_make_the_branch_out_of_the_base(desk: Any, tmp_path: Path) -> None:
    outcome = desk.solve(EDIT, LOOK, NEW, MOVE, DONE)
    found = _of(outcome)
    assert sorted(found) == [1, 3, 4]
    clone = tmp_path / "clone"
    desk.git("clone", "--quiet", str(desk.repository), str(clone))
    for text in found.values():
        subprocess.run(["git", "apply", "--index"], cwd=clone, input=text.encode(), check=True)
    made = desk.git("write-tree", folder=clone)
    assert made == desk.git("rev-parse", f"{outcome.branch}^{{tree}}")


def test_they_are_the_same_while_the_workspace_is_there(desk: Any) -> None:
    outcome = desk.solve(EDIT, NEW, DONE, keep=True)
    kept, state = _of(outcome), _state(outcome.folder)
    assert "watch" not in changes(outcome.folder, state, lambda text: text.replace("watch", ""))[1]
    outcome.folder.changes.unlink()
    assert _of(outcome) == kept
    assert "+# A watch" in kept[1]


def test_a_file_of_before_the_transcript_was_edited_is_not_believed(desk: Any) -> None:
    outcome = desk.solve(EDIT, NEW, DONE)
    path = outcome.folder.transcript
    path.write_text(path.read_text().replace(_state(outcome.folder).steps[1].tree, "e" * 40))
    found = _of(outcome)
    assert "+# A watch" in found[1]
    assert found[2] == "[not kept; new.txt +1 -0]\n"
    outcome.folder.changes.unlink()
    assert _of(outcome)[1] == "[not kept; README.md +1 -1]\n"


def test_a_run_within_a_run_has_its_own(desk: Any) -> None:
    outcome = desk.solve(NEW, ASK, EDIT, DONE, DONE)
    inner = RunFolder(outcome.folder.path / "sub/002")
    whole, own = _of(outcome), changes(inner, _state(inner))
    assert (sorted(whole), sorted(own)) == ([1, 2], [1])
    assert own[1] == whole[2]
    assert "+# A watch" in own[1]


def test_a_run_taken_up_again_has_those_of_all_its_steps(desk: Any) -> None:
    first = desk.solve(EDIT, LOOK, budget={"steps": "2"})
    assert sorted(_of(first)) == [1]
    ended = desk.take_up(first.folder, NEW, DONE, budget={"steps": "9"})
    assert sorted(_of(ended)) == [1, 3]
    assert not any("[not kept" in text for text in _of(ended).values())


ODD = {
    "seq 6000 > many": "[left out: 6,000 lines; many +6000 -0]\n",
    "head -c 300000 /dev/zero | tr '\\0' x > wide": "Binary files /dev/null and b/wide differ\n",
    "seq -w 1000000000000000 1000000000004000 > half": "[left out: 6",
    r"printf 'a\033[2Jb\n' > odd": "+a<U+001B>[2Jb\n",
    r"printf '\377\n' > odd": "+<U+DCFF>\n",
    "ln -s /etc/passwd link": "new file mode 120000\n",
    "chmod +x README.md": "new mode 100755\n",
}


def test_they_are_bounded_and_harmless(desk: Any) -> None:
    found = _of(desk.solve(*map(run, ODD), DONE))
    assert sorted(found) == [*range(1, len(ODD) + 1)]
    for text, expected in zip(found.values(), ODD.values(), strict=True):
        assert expected in text
        assert len(text) < 61_000
        assert text.replace("\n", "").replace("\t", "").isprintable()


def test_a_key_is_in_neither(desk: Any) -> None:
    start, rest = "ghp_a1B2c3D4", "e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    key = start + rest
    outcome = desk.solve(run(f"printf 'token = {start}%s\\n' {rest} > x.cfg"), DONE, keep=True)
    assert key in outcome.folder.workspace.joinpath("x.cfg").read_text()
    assert key not in outcome.folder.changes.read_text()
    outcome.folder.changes.unlink()
    assert "+token = [redacted: " in _of(outcome)[1]


def test_other_ends_of_lines_that_a_checkout_made_are_no_change(desk: Any) -> None:
    save(desk.repository, {".gitattributes": "*.md text eol=crlf\n"})
    assert "README" not in _of(desk.solve(NEW, DONE))[1]
