"""git_log, git_show and blame on one history, of which only a part may be read."""

import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from react_agent.tools.context import Context, Limits
from react_agent.tools.git.blame import BLAME
from react_agent.tools.git.door import work_tree
from react_agent.tools.git.git_log import GIT_LOG
from react_agent.tools.git.git_show import GIT_SHOW
from react_agent.tools.git.repository import find_base
from react_agent.tools.git.workspace import Workspace, make
from react_agent.tools.observation import Observation, Status
from react_agent.tools.shell.run import RUN

PlainGit = Callable[..., str]

TOOLS = {"log": GIT_LOG, "show": GIT_SHOW, "blame": BLAME}
ONLY = "only the history up to the commit this run starts from can be read"
TEXT = "".join(f"line {number}\n" for number in range(1, 31))
BINARY = b"\x89PNG\0\r\n"


@dataclass(frozen=True)
class History:
    made: Workspace
    ids: dict[str, str]  # of the commits, by a word for each

    def ask(self, asked: str, root: Path | None = None, **limits: int) -> Observation:
        """`TOOL INPUT`, where `<word>` stands for a commit's id."""
        name, _, given = asked.partition(" ")
        for word, commit in self.ids.items():
            given = given.replace(f"<{word}>", commit)
        base = self.made.base.commit
        context = Context(root or self.made.root, Limits(**limits), base=base)  # type: ignore[arg-type]
        return TOOLS[name].call(given, context)

    def lines(self, asked: str, **limits: int) -> list[str]:
        """Of the answer, with `<word>` for each id and without dates."""
        text = self.ask(asked, **limits).text
        for word, commit in self.ids.items():
            text = text.replace(commit, f"<{word}>").replace(commit[:7], f"<{word}>")
        return text.replace(" 2024-02-03", "").split("\n")


@dataclass(frozen=True)
class _Repository:
    folder: Path

    def git(self, *args: str | bytes, stdin: bytes = b"") -> str:
        argv = ["git", *args]
        done = subprocess.run(argv, cwd=self.folder, check=True, capture_output=True, input=stdin)
        return done.stdout.decode(errors="replace").strip()

    def write(self, name: str, content: str | bytes) -> None:
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(self, subject: str) -> str:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", subject)
        return self.git("rev-parse", "HEAD")


def _history(one: _Repository) -> Iterator[tuple[str, str]]:
    one.git("init", "--quiet")
    one.write("src/old.py", TEXT)
    one.write("logo.png", BINARY)
    yield "root", one.commit("Begin")
    one.git("mv", "src/old.py", "src/new.py")
    yield "move", one.commit("Move old to new")
    one.git("checkout", "--quiet", "-b", "side")
    one.write("a b.txt", "blank\n")
    one.write("é\nü.txt", "odd\n")
    yield "odd", one.commit("Add names with blanks")
    one.git("checkout", "--quiet", "main")
    one.write("src/new.py", TEXT.replace("line 3\n", "line three\n"))
    yield "three", one.commit("Spell three\n\nBecause it is nicer.")
    one.git("merge", "--quiet", "--no-ff", "-m", "Take the side", "side")
    yield "merge", one.git("rev-parse", "HEAD")
    one.write("logo.png", BINARY + b"\0")
    one.git("add", "--all")
    tree = one.git("write-tree").encode()
    raw = b"tree %s\nparent %s\nauthor J\xfcrgen <j> 1706918400 +0000\n" % (
        tree, one.git("rev-parse", "HEAD").encode())  # fmt: skip
    raw += b"committer J <j> 1706918400 +0000\n\nPaint the logo\n"
    one.git("reset", "--quiet", one.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=raw))
    yield "base", one.git("rev-parse", "HEAD")
    one.write("src/new.py", TEXT.replace("line 3\n", "the fix\n"))
    yield "fix", one.commit("Fix it")
    one.git("branch", "solution")
    one.write("src/new.py", "stashed\n")
    one.git("stash", "push", "--quiet")
    yield "stash", one.git("rev-parse", "stash@{0}")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, _git_settings: Path) -> History:
    """A root, a rename, a merge, odd names; behind the base a fix, a branch and a stash."""
    folder = tmp_path_factory.mktemp("history")
    (folder / "project").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_CONFIG_GLOBAL", str(_git_settings))
        for date in ("AUTHOR", "COMMITTER"):
            patch.setenv(f"GIT_{date}_DATE", "2024-02-03T00:00:00Z")
        ids = dict(_history(_Repository(folder / "project")))
    base = find_base(folder / "project", ids["base"])
    return History(make(base, root=folder / "w", branch="agent/it", cuts=folder / "cuts"), ids)


MERGE = "<merge> A Developer: Take the side (merge, 2 files)"
THREE = "<three> A Developer: Spell three (1 file)"
ODD = "<odd> A Developer: Add names with blanks (2 files)"
MOVE = "<move> A Developer: Move old to new (1 file)"
ROOT = "<root> A Developer: Begin (2 files)"
PAINT = "<base> J\ufffdrgen: Paint the logo (1 file)"
MOVED = "<move> A Developer: Move old to new (1 file, renamed from src/old.py)"


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        pytest.param("log -n 1", ["1 commit; there are more: -n 2 or --skip 1", PAINT], id="n"),
        pytest.param(
            "log git log --oneline -2 --skip=1 | head -5",
            ["2 commits; there are more: -n 4 or --skip 3", MERGE, THREE], id="shell",
        ),
        pytest.param(
            "log ./src/new.py", ["3 commits (path: src/new.py)", THREE, MOVED, ROOT], id="follows"
        ),
        pytest.param(
            "log -- 'a b.txt'", ["1 commit (path: a b.txt)", ODD], id="a blank, quoted"
        ),
        pytest.param("log a b.txt", ["1 commit (path: a b.txt)", ODD], id="a blank"),
        pytest.param(
            "log path: src\nn: 1",
            ["1 commit (path: src); there are more: -n 2 or --skip 1", THREE], id="fields",
        ),
        pytest.param(
            'log {"path": "src/", "limit": 1, "format": "x"}',
            ["[options left out: format]",
             "1 commit (path: src); there are more: -n 2 or --skip 1", THREE], id="object",
        ),
        pytest.param("log -S 'three'", ["1 commit (-S three)", THREE], id="S"),
        pytest.param("log -Gthree$ --graph", ["[options left out: --graph]",
                     "1 commit (-G three$)", THREE], id="G"),
        pytest.param("log --grep=BLANKS -i", ["1 commit (--grep BLANKS, -i)", ODD], id="grep"),
        pytest.param(
            "log -L 3,3:src/new.py", ["2 commits (-L3,3:src/new.py)", THREE, ROOT], id="L"
        ),
        pytest.param(
            "log src/new.py:3-3", ["2 commits (-L3,3:src/new.py)", THREE, ROOT], id="a range"
        ),
        pytest.param("log <root>..<move>", ["1 commit (<root>..<move>)", MOVE], id="A..B"),
        pytest.param("log *.txt", ["1 commit (path: *.txt)", ODD], id="glob"),
        pytest.param("log HEAD~3 --no-merges -n1", [
            "1 commit (HEAD~3, --no-merges); there are more: -n 2 or --skip 1", MOVE], id="rev"),
        pytest.param("log --reverse base~4", ["1 commit (base~4, --reverse)", ROOT], id="base"),
        pytest.param("log src/new.py and who", ["[options left out: and who]",
                     "3 commits (path: src/new.py)", THREE, MOVED, ROOT], id="prose"),
        pytest.param("log -S", ["6 commits", PAINT, MERGE, THREE, ODD, MOVE, ROOT], id="-S alone"),
    ],
)  # fmt: skip
def test_lists_commits(built: History, asked: str, expected: list[str]) -> None:
    seen = built.lines(asked)
    assert sorted(seen) == sorted(expected)
    assert seen[0] == expected[0]


def test_shows_patches_while_there_is_room(built: History) -> None:
    long = built.lines("log -p <three> -n 2")
    assert "+line three" in long
    assert "rename from src/old.py" in long
    short = built.lines("log -p <three> -n 2", output_chars=360)
    assert "+line three" not in short
    assert short[1:] == [
        THREE,
        "[its diff is too long to be shown here]",
        MOVE,
    ]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        pytest.param(
            "log src/nwe.py",
            ["none of the 6 commits that can be read fits (path: src/nwe.py); " + ONLY,
             "there is no src/nwe.py; near it: src/new.py"], id="no such path",
        ),
        pytest.param(
            "log -S nothing src",
            ["none of the 6 commits that can be read fits (path: src, -S nothing); " + ONLY],
            id="no such text",
        ),
        pytest.param(
            "show <three> logo.png",
            ["<three> did not change logo.png; of the 1 file it changed: src/new.py; "
             "as it was then: <three>:logo.png"], id="a file that it did not change",
        ),
    ],
)  # fmt: skip
def test_what_finds_nothing_states_its_scope(
    built: History, asked: str, expected: list[str]
) -> None:
    assert (built.ask(asked).status, built.lines(asked)) == (Status.EMPTY, expected)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        pytest.param(
            "show <three>",
            ["commit <three>", "A Developer,", "", "Spell three", "", "Because it is nicer.", "",
             "1 file changed", "  +1 -1 src/new.py", "",
             "diff --git a/src/new.py b/src/new.py"], id="commit",
        ),
        pytest.param(
            "show git show <move>",
            ["commit <move>", "A Developer,", "", "Move old to new", "", "1 file changed",
             "  +0 -0 src/new.py (renamed from src/old.py)", "",
             "diff --git a/src/old.py b/src/new.py", "similarity index 100%",
             "rename from src/old.py", "rename to src/new.py"], id="rename",
        ),
        pytest.param(
            "show {\"rev\": \"<move>\", \"path\": \"src/new.py\"}",
            ["<move> A Developer: Move old to new", "diff of src/new.py",
             "diff --git a/src/old.py b/src/new.py", "similarity index 100%",
             "rename from src/old.py", "rename to src/new.py"], id="rename, of a path",
        ),
        pytest.param(
            "show HEAD^",
            ["commit <merge>", "A Developer,", "merge: what it brought to its first parent", "",
             "Take the side", "", "2 files changed", "  +1 -0 a b.txt", "  +1 -0 é\\nü.txt"],
            id="merge, names of every kind",
        ),
        pytest.param(
            "show base", ["commit <base>", "J\ufffdrgen,", "", "Paint the logo", "",
             "1 file changed", "  binary logo.png"], id="binary, an author in Latin-1",
        ),
        pytest.param(
            "show <root>", ["commit <root>", "A Developer,", "", "Begin", "", "2 files changed",
             "  binary logo.png", "  +30 -0 src/old.py"], id="root",
        ),
        pytest.param(
            "show <root> src:1-4",
            ["<root> A Developer: Begin", "diff of src, lines 1-4 of 36",
             "diff --git a/src/old.py b/src/old.py", "new file mode 100644"], id="some lines",
        ),
        pytest.param(
            "show `<three>~:src/new.py:3-4`",
            ["<move>:src/new.py lines 3-4 of 30",
             "[2 lines above; previous: <move>:src/new.py:1-2]", "   3| line 3", "   4| line 4",
             "[26 lines below; next: <move>:src/new.py:5-30]"], id="file as it was",
        ),
        pytest.param("show commit <odd>:/a b.txt", ["<odd>:a b.txt lines 1-1 of 1", "   1| blank"],
                     id="a word too many, a slash"),
        pytest.param("show <odd> src/new.py:30-30", ["[<odd> did not change it; as it was:]",
                     "<odd>:src/new.py lines 30-30 of 30"], id="lines that it did not change"),
        pytest.param("show <odd>:a b.txt", ["<odd>:a b.txt lines 1-1 of 1", "   1| blank"],
                     id="file with a blank"),
        pytest.param("show HEAD:", ["<base>: holds 4 entries", "a b.txt", "logo.png", "src/",
                     "é\\nü.txt"], id="the top folder"),
        pytest.param("show <root>:src", ["<root>:src holds 1 entry", "old.py"], id="folder"),
    ],
)  # fmt: skip
def test_shows(built: History, asked: str, expected: list[str]) -> None:
    seen = built.lines(asked)
    assert seen[: len(expected)] == expected


def test_a_long_diff_says_how_to_go_on(built: History) -> None:
    seen = built.lines("show <root>", output_chars=700)
    assert seen[-1] == "[diffs left out: src/old.py; next: <root> src/old.py]"
    part = built.lines("show <root> src/old.py", output_chars=360)
    assert part[1] == "diff of src/old.py, lines 1-10 of 36"
    assert part[-1] == "[26 lines below; next: <root> src/old.py lines 11-36]"
    rest = built.lines("show <root> src/old.py lines 11-36")
    assert (rest[1], rest[2]) == ("diff of src/old.py, lines 11-36 of 36", "+line 5")
    assert all(len(built.ask("show <root>", output_chars=n).text) <= n for n in (700, 900, 2000))


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        pytest.param(
            "blame src/new.py:2-4",
            ["src/new.py lines 2-4 of 30", "<root> A Developer: Begin", "   2| line 2",
             "<three> A Developer: Spell three", "   3| line three",
             "<root> A Developer: Begin", "   4| line 4",
             "[26 lines below; next: src/new.py:5-30]"], id="folds equal commits",
        ),
        pytest.param(
            "blame -L 29,+9 src/new.py", ["src/new.py lines 29-30 of 30",
             "<root> A Developer: Begin", "  29| line 29", "  30| line 30"], id="-L",
        ),
        pytest.param(
            "blame <move> src/new.py 3-3",
            ["src/new.py lines 3-3 of 30", "<root> A Developer: Begin", "   3| line 3",
             "[27 lines below; next: <move> src/new.py:4-30]"], id="as of a commit",
        ),
        pytest.param("blame a b.txt", ["a b.txt lines 1-1 of 1",
                     "<odd> A Developer: Add names with blanks", "   1| blank"], id="a blank"),
        pytest.param("blame src/new.py:99", ["src/new.py lines 30-30 of 30",
                     "[there is no line 99]", "<root> A Developer: Begin", "  30| line 30"],
                     id="past the end"),
    ],
)  # fmt: skip
def test_blames(built: History, asked: str, expected: list[str]) -> None:
    further = built.ids["move"][7:12]  # of the id, where a longer part of it is shown
    seen = [line.replace(f"<move>{further}", "<move>") for line in built.lines(asked)]
    assert [line for line in seen if line] == expected


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        *(pytest.param(f"{tool} {option}", f"{option} is not possible: {ONLY}", id=tool + option)
          for tool in TOOLS for option in ("--all", "--reflog")),
        *(pytest.param(f"{tool} {ref} x", f"{ref} is beyond it: {ONLY} (write a commit's id, "
                       "HEAD~3 or base)", id=f"{tool} {ref}")
          for tool, refs in (
              ("show", ("HEAD@{1}", "stash", "solution@{0}", "main", "origin/solution",
                        "refs/stash", "FETCH_HEAD", "v1.0")),
              ("log", ("stash@{0}", "main")), ("blame", ("HEAD@{1}",))) for ref in refs),
        *(pytest.param(f"{tool} {rev} x", f"no commit that can be read has the id {rev}: {ONLY}",
                       id=f"{tool} {rev}")
          for tool in TOOLS for rev in ("<fix>", "<stash>")),
        pytest.param("show <fix>:src/new.py",
                     f"no commit that can be read has the id <fix>: {ONLY}", id="a later file"),
        pytest.param("log <base>..<fix>",
                     f"no commit that can be read has the id <fix>: {ONLY}", id="a later range"),
        pytest.param("show HEAD~9", "HEAD~9 is before the first of 6 commits", id="too far back"),
        pytest.param(
            "show solution", "solution is no revision: write a commit's id, HEAD, HEAD~3 or base",
            id="a branch",
        ),
        pytest.param(
            "show Spell Three", "Spell is no revision: write a commit's id, HEAD, HEAD~3 or base; "
            "near it:\n  <three> A Developer: Spell three", id="a subject",
        ),
        pytest.param(
            "show src/new.py",
            "src/new.py is a path, and a revision comes first: HEAD:src/new.py is the file as "
            "committed, and REV src/new.py what a commit changed in it\n"
            "the last commits that changed it:\n  <three> A Developer: Spell three\n"
            "  <move> A Developer: Move old to new", id="a path alone",
        ),
        pytest.param("show HEAD:src/nwe.py", "there was no src/nwe.py in <base>; near it: "
                     "src/new.py", id="no such file"),
        pytest.param("show HEAD:logo.png", "<base>:logo.png is binary (8 bytes): it can't be shown",
                     id="a binary file"),
        pytest.param("log ../x", "../x is outside the repository; only files in the repository can "
                     "be reached: write a path relative to its root", id="outside"),
        pytest.param("log -G a(", "git log: invalid regex: Unmatched ( or \\(; -S TEXT looks for a "
                     "text as it is written, without operators; else give a path, --since, or "
                     "fewer commits with -n 5", id="no pattern"),
        pytest.param("blame logo.png", "logo.png is binary: its lines say nothing", id="binary"),
        pytest.param("log -L 1,2", "-L needs lines and a file: write -L 10,20:PATH", id="-L alone"),
        pytest.param("log -S \0", "there is a character in it that no text can hold: write it anew",
                     id="NUL"),
        pytest.param("blame ", "there is no path: write PATH:START-END", id="nothing to blame"),
        pytest.param("blame nwe.py", "nwe.py does not exist; near it: src/new.py", id="near"),
        pytest.param("blame -L /x/,+2 a", "-L needs the numbers of lines: write PATH:START-END",
                     id="-L with a pattern"),
        pytest.param("show base~2..base", "one commit is shown at a time", id="a range shown"),
        pytest.param("blame src", "src is a folder; write PATH:START-END", id="a folder"),
    ],
)  # fmt: skip
def test_refuses(built: History, asked: str, expected: str) -> None:
    assert built.ask(asked).status is Status.FAILED
    assert built.lines(asked) == expected.split("\n")


def test_an_abbreviation_of_a_later_commit_is_no_way_to_it(built: History) -> None:
    for length in (4, 7, 12):
        abbreviated = built.ids["fix"][:length]
        seen = built.ask(f"show {abbreviated}").text
        assert seen.startswith(f"no commit that can be read has the id {abbreviated}: {ONLY}")


def test_no_object_after_the_base_is_in_the_workspace(built: History) -> None:
    context = Context(built.made.root, environment={"PATH": "/usr/bin:/bin"})
    listed = RUN.call("git cat-file --batch-all-objects --batch-check | cut -c1-40", context).text
    project = built.made.base.repository
    every = work_tree(project).run("cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
    reachable = work_tree(project).run(
        "rev-list", "--objects", "--no-object-names", built.ids["base"]
    )
    later = set(every.decode().split()) - set(reachable.decode().split())
    assert {built.ids["fix"], built.ids["stash"]} <= later
    assert [one for one in later if one in listed] == []
    assert built.ids["base"] in listed


def test_where_later_commits_are_there_they_are_refused(built: History) -> None:
    """In a repository that is no cut, the tools alone keep what is later away."""
    project = built.made.base.repository
    work_tree(project).run("checkout", "--quiet", built.ids["base"])
    seen = built.ask("show <fix>", root=project)
    assert (seen.status, seen.text) == (Status.FAILED, f"{built.ids['fix']} is beyond it: {ONLY}")
    assert "Fix it" not in built.ask("log", root=project).text
    assert "Paint the logo" in built.ask("log", root=project).text


def test_work_on_top_of_the_base_can_be_read(made: Workspace, plain_git: PlainGit) -> None:
    context = Context(made.root, base=made.base.commit)
    (made.root / "src/two.py").write_text("two = 2\nthree = 3\n")
    seen = BLAME.call("src/two.py", context).text.split("\n")
    assert seen[3:] == ["changed in the work tree, not committed", "   2| three = 3"]
    plain_git(made.root, "commit", "--quiet", "-a", "-m", "Mine")
    assert ": Mine (1 file)" in GIT_LOG.call("-n 1", context).text
    assert "+three = 3" in GIT_SHOW.call("HEAD", context).text
    (made.root / "new.py").write_text("x\n")
    assert BLAME.call("new.py", context).text == (
        "new.py is not in HEAD: it is new, or had another name there"
    )


def test_says_that_a_clone_is_shallow(tmp_path: Path, project: Path, plain_git: PlainGit) -> None:
    plain_git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{project}", "shallow")
    context = Context(tmp_path / "shallow")
    note = "[this is a shallow clone: older commits are not here]"
    for tool, given in ((GIT_LOG, ""), (GIT_LOG, "-S nothing"), (BLAME, "src/one.py")):
        assert tool.call(given, context).text.split("\n")[-1] == note


def test_says_that_there_is_no_commit(tmp_path: Path, plain_git: PlainGit) -> None:
    plain_git(tmp_path, "init", "--quiet")
    for tool in TOOLS.values():
        assert tool.call("x", Context(tmp_path)) == Observation(
            "there is no commit yet, so there is no history to read", Status.FAILED
        )
