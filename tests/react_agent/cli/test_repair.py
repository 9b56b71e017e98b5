"""react-agent repair: what goes where, and what is said when nothing can come of it."""

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from check_rows import table_of

from react_agent.cli.repair import main
from react_agent.errors import ReactAgentError

PATCH = "diff --git a/src/x.py b/src/x.py\n--- a/src/x.py\n+++ b/src/x.py\n"
PATCH += "@@ -1,3 +1,4 @@\n one\n-two\n+zwei\n+drei\n three\n"
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


@pytest.fixture
def top(cli: Any) -> Path:
    """A repository with a file, and a reply beside it."""
    folder: Path = cli.folder
    (folder / "src/deep").mkdir(parents=True)
    (folder / "src/x.py").write_text("one\ntwo\nthree\n")
    (folder / "reply.txt").write_text(DAMAGED)
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    return folder


@table_of(
    ("arguments", "stdin"),
    [((), DAMAGED.encode()), (("-",), b"\xef\xbb\xbf" + DAMAGED.encode()), (("reply.txt",), b"")],
)
def test_the_patch_here_and_the_repairs_there(
    cli: Any, top: Path, arguments: tuple[str, ...], stdin: bytes
) -> None:
    answer = cli("repair", *arguments, stdin=stdin)
    assert (answer.code, answer.out) == (0, PATCH)
    assert answer.err.startswith("the fence around the patch was left out\n")


def test_from_a_reply_to_a_change(cli: Any, top: Path) -> None:
    """The installed script, and git behind it; there is nothing to repair a second time."""
    done = cli.run("repair", "reply.txt")
    subprocess.run(["git", "apply"], cwd=top, input=done.out.encode(), check=True)
    assert (top / "src/x.py").read_text() == "one\nzwei\ndrei\nthree\n"
    again = cli.run("repair", "reply.txt")
    assert (again.code, again.out) == (1, "")
    assert again.err


def test_says_where_to_apply_it(cli: Any, top: Path) -> None:
    last = f"apply it in {top.resolve()}: its paths begin there\n"
    for folder, is_told in ((top / "src/deep", True), (top / "src", False)):
        cli.folder = folder
        assert cli("repair", stdin=DAMAGED.encode()).err.endswith(last) == is_told


@table_of(
    ("stdin", "line"),
    [
        (b"a\0b", "is binary: a patch is text"),
        ("--- a/x".encode("utf-16"), "is in UTF-16: save it as UTF-8"),
        (b"x" * (20 * 1024 * 1024 + 1), "is larger than 20 MB: cut it down to the patch"),
    ],
)
def test_what_is_no_text(cli: Any, place: Path, stdin: bytes, line: str) -> None:
    assert cli.refused("repair", stdin=stdin) == (1, f"standard input {line}")


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
        pytest.param("gr\u00fcn.py", b"one\ntwo\n", b"one\nzwei\n", id="umlaut in the name"),
        pytest.param("x", b"one\r\ntwo\r\n", b"one\r\nzwei\r\n", id="CRLF"),
        pytest.param("x", b"one\r\ntwo\n", b"one\r\nzwei\n", id="mixed ends"),
        pytest.param("x", b"\xfcber\ntwo\n", b"\xfcber\nzw\xe9i\n", id="not UTF-8"),
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
