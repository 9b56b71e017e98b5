"""react-agent repair: what goes where, and what is said when nothing can come of it."""

import io
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from react_agent.cli.repair import main
from react_agent.errors import ReactAgentError
from react_agent.parsers.patch import Refused, Repaired
from react_agent.parsers.patch.changes import Result, Role

PATCH = "diff --git a/src/x.py b/src/x.py\n--- a/src/x.py\n+++ b/src/x.py\n"
PATCH += "@@ -1,3 +1,4 @@\n one\n-two\n+zwei\n+drei\n three\n"
RESULTS = (Result("src/x.py", "src/x.py", "one\nzwei\ndrei\nthree\n"),)
ROLES = (Role.PROSE, Role.BLANK, *[Role.FENCE], *[Role.HEADER] * 3, *[Role.BODY] * 5, Role.FENCE)
REPAIRS = (
    "the fence around the patch was left out",
    "hunk 1: header said line 40, found at 1; 1 context line re-indented",
)
REPLY = f"Here it is:\n\n```diff\n{PATCH.partition(chr(10))[2]}```\n"
MENDED = Repaired(PATCH, RESULTS, REPAIRS, ROLES)
REFUSED = Refused(("hunk 1 of src/x.py (line 6 of the patch) fits twice\n   2| two",), ROLES)


@pytest.fixture
def mend(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Callable[..., tuple[int, str, str]]:
    """`react-agent repair` in a folder with a file, its mender handed in."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src/x.py").write_text("one\ntwo\nthree\n")
    (tmp_path / "reply.txt").write_text(REPLY)
    monkeypatch.chdir(tmp_path)

    def call(
        *arguments: str, answer: Repaired | Refused = MENDED, stdin: bytes = REPLY.encode()
    ) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = main(arguments, lambda text, files: answer)
        out, err = capfdbinary.readouterr()
        return code, out.decode(errors="surrogateescape"), err.decode()

    return call


@pytest.mark.parametrize("arguments", [(), ("-",), ("reply.txt",)], ids=["stdin", "-", "file"])
def test_the_patch_here_and_the_repairs_there(mend: Any, arguments: tuple[str, ...]) -> None:
    assert mend(*arguments) == (0, PATCH, "".join(f"{line}\n" for line in REPAIRS))


def test_nothing_but_reasons_where_it_is_refused(mend: Any) -> None:
    said = "hunk 1 of src/x.py (line 6 of the patch) fits twice\n   2| two\n"
    assert mend(answer=REFUSED) == (1, "", said)


def test_what_git_does_not_take_is_refused(mend: Any) -> None:
    wrong = MENDED._replace(patch=PATCH.replace("three", "tree"))
    said = "git rejects the repaired patch: patch failed: src/x.py:1\n"
    assert mend(answer=wrong) == (1, "", said)


def test_a_proof_that_fails_is_no_traceback(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    def fails(text: str, files: Mapping[str, str]) -> Repaired:
        raise ValueError("line 3 is another")

    (tmp_path / "p").write_text(REPLY)
    assert main([str(tmp_path / "p"), "--repo", str(tmp_path)], fails) == 1
    said = b"the repaired patch has a different effect: line 3 is another\n"
    assert capfdbinary.readouterr() == (b"", said)


def test_bytes_come_out_as_they_went_in(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    before, after = b"gr\xfc\xdfe\x0c\r\n", b"gr\xfcn\r\n"
    (tmp_path / "x").write_bytes(before)
    patch = b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-%b+%b" % (before, after)
    (tmp_path / "p").write_bytes(b"\xef\xbb\xbf" + patch)

    def same(text: str, files: Mapping[str, str]) -> Repaired:
        assert files["x"].encode(errors="surrogateescape") == before
        return Repaired(text, (Result("x", "x", after.decode(errors="surrogateescape")),), ())

    assert main([str(tmp_path / "p"), "--repo", str(tmp_path)], same) == 0
    assert capfdbinary.readouterr() == (patch, b"")


def test_says_where_to_apply_it(mend: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    subprocess.run(["git", "init", "--quiet"], check=True)
    (tmp_path / "src/deep").mkdir()
    monkeypatch.chdir("src/deep")
    last = f"apply it in {tmp_path.resolve()}: its paths begin there\n"
    assert mend()[2].endswith(last)
    monkeypatch.chdir("..")
    assert not mend()[2].endswith(last)


USAGE = "(see react-agent repair --help)"


@pytest.mark.parametrize(
    ("arguments", "stdin", "code", "line"),
    [
        pytest.param(("--modle",), b"", 2, f"option --modle not recognized {USAGE}", id="option"),
        pytest.param(
            ("--repo",), b"", 2, f"option --repo requires argument {USAGE}", id="no value"
        ),
        pytest.param(("--repo", "nowhere"), b"", 2, "there is no folder nowhere", id="no folder"),
        pytest.param(("--repo", "file"), b"", 2, "file is not a folder", id="repo is a file"),
        pytest.param(
            ("plain",),
            b"",
            2,
            "plain is a folder: name a file",
            id="input is a folder",
        ),
        pytest.param(
            ("nosuch",), b"", 2, "can't read nosuch: No such file or directory", id="no input"
        ),
        pytest.param(("a\0b",), b"", 2, "'a\\x00b' is not a valid file name", id="NUL in a name"),
        pytest.param(
            ("file", "file"),
            b"",
            2,
            "one patch at a time: name one FILE",
            id="two inputs",
        ),
        pytest.param(
            ("--stats", "plain"),
            b"",
            2,
            "--stats is gone: call it for each file and count its exit codes",
            id="gone",
        ),
        pytest.param(("nul.md",), b"", 1, "nul.md is binary: a patch is text", id="binary file"),
        pytest.param((), b"a\0b", 1, "standard input is binary: a patch is text", id="binary"),
        pytest.param(
            (),
            "--- a/x".encode("utf-16"),
            1,
            "standard input is in UTF-16: save it as UTF-8",
            id="UTF-16",
        ),
        pytest.param(
            (),
            b"x" * (20 * 1024 * 1024 + 1),
            1,
            "standard input is larger than 20 MB: cut it down to the patch",
            id="huge",
        ),
    ],
)
def test_one_line_and_a_code(
    cli: Any, place: Path, arguments: tuple[str, ...], stdin: bytes, code: int, line: str
) -> None:
    assert cli.refused("repair", *arguments, stdin=stdin) == (code, line)


def test_nothing_on_a_terminal_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Terminal(io.BytesIO(b"\n")))
    with pytest.raises(ReactAgentError) as caught:
        main([])
    assert (str(caught.value), caught.value.exit_code) == (
        "no patch was given: pipe one in (react-agent repair < reply.txt), or name a FILE "
        "(see react-agent repair --help)",
        2,
    )


def test_the_help_looks_like_the_others(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    ours, theirs = cli("repair", "--help").out, cli("inspect", "tools", "--help").out
    headings = re.compile(r"^\S.*:$|^  -h, --help  .*$|^  Example:$", re.MULTILINE)
    columns = re.compile(" +")
    assert [columns.sub(" ", line) for line in headings.findall(ours)] == [
        columns.sub(" ", line) for line in headings.findall(theirs)
    ]
    assert cli("--", "repair", "--help").out == ours


ASK = """
import sys
from react_agent.cli.main import main
try:
    main(["repair", sys.argv[1]])
except SystemExit:
    print(*{name.partition(".")[0] for name in sys.modules}, file=sys.stderr)
"""


def test_loads_no_sdk_and_no_typer(tmp_path: Path) -> None:
    (tmp_path / "p").write_text("nothing")
    done = subprocess.run(
        [sys.executable, "-P", "-c", ASK, str(tmp_path / "p")],
        cwd=tmp_path,
        env={**os.environ},
        capture_output=True,
        text=True,
        check=False,
    )
    roots = set(done.stderr.split("\n")[-2].split())
    assert roots & {"anthropic", "openai", "typer", "rich", "regex", "argparse"} == set()


DOC = Path(__file__).parents[3] / "docs/repair.md"


@pytest.mark.checkout
def test_the_example_of_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    example = re.findall(r"```python\n(.*?)```", DOC.read_text(encoding="utf-8"), re.DOTALL)
    exec(example[0])
    assert capsys.readouterr().out == (
        "diff --git a/src/x.py b/src/x.py\n--- a/src/x.py\n+++ b/src/x.py\n"
        "@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n"
        " ('path x.py read as src/x.py',) one\nzwei\nthree\n\n"
    )


DAMAGED = """\
I have fixed it:

```diff
--- a/x.py
+++ b/x.py
@@ -7,9 +7,9 @@
 one
-two
+zwei
+drei
 three
```
"""


def test_from_a_reply_to_a_branch(cli: Any, tmp_path: Path) -> None:
    """The installed script, and git behind it."""
    top = cli.folder
    (top / "src").mkdir()
    (top / "src/x.py").write_text("one\ntwo\nthree\n")
    (top / "reply.txt").write_text(DAMAGED)
    subprocess.run(["git", "init", "--quiet"], cwd=top, check=True)
    done = cli.run("repair", "reply.txt")
    assert (done.code, done.out) == (0, PATCH)
    assert done.err.split("\n")[0] == "the fence around the patch was left out"
    applied = subprocess.run(["git", "apply"], cwd=top, input=done.out.encode(), check=True)
    assert applied.returncode == 0
    assert (top / "src/x.py").read_text() == "one\nzwei\ndrei\nthree\n"
    again = cli.run("repair", "reply.txt")
    assert (again.code, again.out) == (1, "")


def diff_of(folder: Path, name: str, before: bytes, after: bytes) -> bytes:
    """What git says of an edit, which is then taken back."""

    def git(*arguments: str) -> bytes:
        argv = ["git", "-c", "core.autocrlf=false", *arguments]
        return subprocess.run(argv, cwd=folder, check=True, capture_output=True).stdout

    (folder / name).write_bytes(before)
    git("init", "--quiet")
    git("add", "--all")
    (folder / name).write_bytes(after)
    diff = git("diff", "--text")
    git("checkout", "--quiet", ".")
    return diff


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        pytest.param("a b.py", b"one\ntwo\n", b"one\nzwei\n", id="blank in the name"),
        pytest.param('q"te.py', b"one\ntwo\n", b"one\nzwei\n", id="quote in the name"),
        pytest.param("gr\u00fcn.py", b"one\ntwo\n", b"one\nzwei\n", id="umlaut in the name"),
        pytest.param("x", b"one\r\ntwo\r\n", b"one\r\nzwei\r\n", id="CRLF"),
        pytest.param("x", b"one\r\ntwo\n", b"one\r\nzwei\n", id="mixed ends"),
        pytest.param("x", b"one\r\ntwo\n", b"uno\r\ntwo\n", id="mixed ends, the other"),
        pytest.param("x", b"\xfcber\ntwo\n", b"\xfcber\nzw\xe9i\n", id="not UTF-8"),
        pytest.param("x", b"\xef\xbb\xbfone\ntwo\n", b"\xef\xbb\xbfone\nzwei\n", id="BOM"),
        pytest.param("x", b"\xef\xbb\xbfone\ntwo\n", b"\xef\xbb\xbfuno\ntwo\n", id="line of BOM"),
        pytest.param("x", b"o\x0cne\ntwo", b"o\x0cne\nzwei", id="form feed, no newline at the end"),
    ],
)
def test_a_valid_patch_does_what_it_did(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
    name: str,
    before: bytes,
    after: bytes,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p").write_bytes(diff_of(tmp_path, name, before, after))
    assert main(["p"]) == 0
    out, err = capfdbinary.readouterr()
    assert err == b""
    subprocess.run(["git", "apply"], cwd=tmp_path, input=out, check=True)
    assert (tmp_path / name).read_bytes() == after
