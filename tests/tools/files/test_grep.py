from collections.abc import Callable
from pathlib import Path

import pytest
from by_hand import plain_git, save

from react_agent.tools.context import Context, Limits
from react_agent.tools.errors import WorkspaceError
from react_agent.tools.files.git_grep import Search, search
from react_agent.tools.files.grep import GREP
from react_agent.tools.git.door import Answer, Git
from react_agent.tools.observation import Observation


@pytest.fixture
def root(planted: Callable[..., Path]) -> Path:
    return planted(
        {
            ".gitignore": b"*.log\n",
            "src/dates.py": b"def parse_date(text):\n    return parse(text)\n",
            "src/cli.py": b"from dates import parse_date\n",
            "docs/a b.md": b"parseDate is old\n(see below)\n",
            "run.log": b"parse_date\n",
        }
    )


def grep(root: Path, text: str, limits: Limits | None = None) -> Observation:
    return GREP.call(text, Context(root, limits or Limits()))


def test_a_long_line_is_clipped_around_the_match_and_counted(root: Path) -> None:
    (root / "x.js").write_text("a" * 500 + "needle" + "b" * 500 + "\n")
    assert grep(root, "needle").text == (
        "1 matching line in 1 of 5 files\nx.js\n"
        f"   1| (+322 characters)…{'a' * 178}needle{'b' * 172}…(+328 characters)\n"
        "[1 line over 400 characters clipped around the match]"
    )


def test_lines_around_a_match_are_cut_only_where_they_do_not_fit(root: Path) -> None:
    (root / "long.py").write_text("".join(f"x = {n}  # filler\n" for n in range(100)))
    for chars, less in ((8_000, ""), (500, "; only 8 lines around each fit")):
        shown = grep(root, "x = 50\ncontext: 35", Limits(output_chars=chars)).text.split("\n")
        assert shown[0] == f"1 matching line in 1 of 5 files{less}"
        assert "  51| x = 50  # filler" in shown


def test_binary_files_and_submodules_are_said(root: Path) -> None:
    (root / "image").write_bytes(b"\0needle")
    plain_git(root, "init", "--quiet", "vendored")
    save(root / "vendored", {"x": "needle\n"})
    plain_git(root, "add", "vendored")
    assert grep(root, "needle\npath: src").text.split("\n")[1:2] == [
        "[submodules not searched: vendored]"
    ]
    assert grep(root, "def parse\npath: src").text.split("\n")[-1] == "   1| def parse_date(text):"
    for path in ("vendored", "v*", "."):
        note = grep(root, f"needle|def parse\npath: src\npath: {path}").text.split("\n")[-1]
        assert note == "[submodules not searched: vendored]"
    assert grep(root, "needle").text.split("\n")[1:3] == [
        "[binary files that match: image]",
        "[submodules not searched: vendored]",
    ]


def test_where_a_link_leads_is_searched(root: Path) -> None:
    (root / "code").symlink_to("src")
    for path in ("code", "code/dates.py", "code/*.py"):
        assert "\nsrc/dates.py\n" in grep(root, f"def parse\npath: {path}").text


def test_a_search_that_a_signal_ended_has_not_found_nothing(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Git, "ask", lambda *_, **__: Answer(-11, b"", ""))
    with pytest.raises(WorkspaceError, match="git grep: it ended with code -11"):
        search(root, Search(("needle",)), 5)


def test_a_match_is_shown_that_is_past_what_is_read_of_a_large_file(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "large.txt").write_text("filler\n" * 9 + "needle\n")
    monkeypatch.setattr("react_agent.tools.files.grep.LARGEST", 14)
    shown = grep(root, "needle\ncontext: 8").text
    assert shown == "1 matching line in 1 of 5 files\nlarge.txt\n   2- filler\n   ...\n  10| needle"
