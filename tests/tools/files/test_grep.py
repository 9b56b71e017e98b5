from collections.abc import Callable
from pathlib import Path

import pytest
from by_hand import plain_git
from check_rows import table_of

from react_agent.tools.context import Context, Limits
from react_agent.tools.files.grep import GREP
from react_agent.tools.observation import Observation, Status, failed

UNSEARCHED = "as it is written (ignored and binary files are not searched)"


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


def test_groups_what_it_finds_by_file(root: Path) -> None:
    (root / "new\n.py").write_text("parse_date\r\n")
    assert grep(root, "parse_date") == Observation(
        "3 matching lines in 3 of 5 files\n"
        "new\\n.py\n   1| parse_date\n"
        "src/cli.py\n   1| from dates import parse_date\n"
        "src/dates.py\n   1| def parse_date(text):",
        paths=("new\n.py", "src/cli.py", "src/dates.py"),
    )


@table_of(
    ("text", "header", "paths"),
    [
        pytest.param(
            "parse\npath: src/", "3 matching lines in 2 of 2 files (path: src/)",
            ("src/cli.py", "src/dates.py"), id="folder",
        ),
        pytest.param(
            "parse\npath: **/cli.py\npath: docs",
            "2 matching lines in 2 of 2 files (path: **/cli.py, docs)",
            ("docs/a b.md", "src/cli.py"), id="two",
        ),
        (r"^def \w+_\w+\(", "1 matching line in 1 of 4 files", ("src/dates.py",)),
        (r"(?<=def )p\w+?_", "1 matching line in 1 of 4 files", ("src/dates.py",)),
        pytest.param("-n", None, (), id="a dash"),
    ],
)  # fmt: skip
def test_searches_where_it_is_told(
    root: Path, text: str, header: str | None, paths: tuple[str, ...]
) -> None:
    seen = grep(root, text)
    assert (seen.text.split("\n")[0] if header else None, seen.paths) == (header, paths)


IN_SRC = "1 matching line in 1 of 2 files (path: src/)\n[read as the pattern def parse, path: src/"
FOUND = "src/dates.py\n   1| def parse_date(text):"


@table_of(
    ("text", "expected"),
    [
        ('{"query": "def parse", "path": "src/", "max": 5}', f"{IN_SRC}; left out: max]\n{FOUND}"),
        pytest.param("pattern: def parse\npath: src/", f"{IN_SRC}]\n{FOUND}", id="fields"),
        pytest.param('-rn "def parse" src/', f"{IN_SRC}]\n{FOUND}", id="options"),
        pytest.param(
            "-riw DEF", "1 matching line in 1 of 4 files\n[read as the pattern DEF, ignoring case, "
            f"whole words]\n{FOUND}", id="case and words",
        ),
        pytest.param(
            "-F 'parse(t'", "1 matching line in 1 of 4 files\n[read as the pattern parse(t, plain "
            "text]\nsrc/dates.py\n   2|     return parse(text)", id="plain",
        ),
        pytest.param(
            '"return parse" docs/', "no line of 1 file (path: docs/) matches return parse "
            f"{UNSEARCHED}\n[read as the pattern return parse, path: docs/]\n"
            "in all other files: 1 matching line\n"
            "src/dates.py\n   2|     return parse(text)", id="not there",
        ),
    ],
)  # fmt: skip
def test_another_form_is_read_and_it_is_said_how(root: Path, text: str, expected: str) -> None:
    assert grep(root, text).text == expected


def test_several_patterns_are_answered_one_by_one(root: Path) -> None:
    assert grep(root, "def parse\nno_such\npath: src") == Observation(
        "[pattern 1 of 2: def parse]\n"
        "1 matching line in 1 of 2 files (path: src)\n"
        "src/dates.py\n   1| def parse_date(text):\n"
        "\n"
        "[pattern 2 of 2: no_such]\n"
        f"no line of 2 files (path: src) matches no_such {UNSEARCHED}\n"
        "also no match ignoring case, spelled no_such, noSuch or no-such, its words in this "
        "order, in all other files, with one letter of no_such changed; it may be spelled "
        "differently",
        paths=("src/dates.py",),
    )


@table_of(
    ("text", "expected"),
    {
        "at the ends": (
            "one|five\npath: n.txt\ncontext: 1",
            "2 matching lines in 1 of 1 file (path: n.txt)\n"
            "n.txt\n   1| one\n   2- two\n   ...\n   4- four\n   5| five",
        ),
        "object": (
            '{"pattern": "four", "path": "n.txt", "-A": 1}',
            "1 matching line in 1 of 1 file (path: n.txt)\n"
            "[read as the pattern four, path: n.txt, with 1 line around it]\n"
            "n.txt\n   3- three\n   4| four\n   5- five",
        ),
    },
)
def test_lines_around_a_match_are_shown(root: Path, text: str, expected: str) -> None:
    (root / "n.txt").write_text("one\ntwo\nthree\nfour\nfive\n")
    assert grep(root, text).text == expected


def test_what_stands_there_as_it_is_written_is_found(root: Path) -> None:
    """Though it looks like named parts, or like options."""
    (root / "new.py").write_text('def f(query: str):\n    return {"a": 1}\n')
    (root / "new.md").write_text('"def parse" src/ or\nparse path: scr/\n')
    asked = ("query: str\npath: *.py", '{"a": 1}', '"def parse" src/ or', "e path: scr/")
    assert [grep(root, text).text for text in asked] == [
        "1 matching line in 1 of 3 files (path: *.py)\nnew.py\n   1| def f(query: str):",
        '1 matching line in 1 of 6 files\nnew.py\n   2|     return {"a": 1}\n'
        "[read as a Perl regular expression: Invalid preceding regular expression]",
        '1 matching line in 1 of 6 files\nnew.md\n   1| "def parse" src/ or',
        "1 matching line in 1 of 6 files\nnew.md\n   2| parse path: scr/",
    ]


def test_a_pattern_that_is_none_is_searched_as_text(root: Path) -> None:
    assert grep(root, "(see") == Observation(
        "1 matching line in 1 of 4 files\n"
        "docs/a b.md\n   2| (see below)\n"
        r"[read as plain text: Unmatched ( or \(]",
        paths=("docs/a b.md",),
    )


@table_of(
    ("text", "expected"),
    {
        "words": (
            "dateParse_Date",
            f"no line of 4 files matches dateParse_Date {UNSEARCHED}\n"
            "its words in this order: 1 matching line\n"
            "src/cli.py\n   1| from dates import parse_date",
        ),
        "plain text": (
            "parse(text)",
            f"no line of 4 files matches parse(text) {UNSEARCHED}\n"
            "as plain text: 1 matching line\nsrc/dates.py\n   2|     return parse(text)\n"
            "its words in this order: 2 matching lines\n"
            "src/dates.py\n   1| def parse_date(text):\n   2|     return parse(text)",
        ),
        "elsewhere": (
            "parseDate\npath: src",
            f"no line of 2 files (path: src) matches parseDate {UNSEARCHED}\n"
            "spelled parse_date, parseDate or parse-date: 2 matching lines\n"
            "src/cli.py\n   1| from dates import parse_date\n"
            "src/dates.py\n   1| def parse_date(text):\n"
            "in all other files: 1 matching line\ndocs/a b.md\n   1| parseDate is old",
        ),
        "what stands around it, and where": (
            "def date\npath: docs",
            f"no line of 1 file (path: docs) matches def date {UNSEARCHED}\n"
            "date alone: 3 matching lines\n"
            "docs/a b.md\n   1| parseDate is old\n"
            "src/cli.py\n   1| from dates import parse_date\n"
            "src/dates.py\n   1| def parse_date(text):",
        ),
        "a letter too many": (
            "datess",
            f"no line of 4 files matches datess {UNSEARCHED}\n"
            "with one letter of datess changed: 1 matching line\n"
            "src/cli.py\n   1| from dates import parse_date\n"
            "files with a similar name: src/dates.py",
        ),
        "ends of a word": (
            r"\<PARSE_date\>",
            rf"no line of 4 files matches \<PARSE_date\> {UNSEARCHED}"
            "\nignoring case: 2 matching lines\n"
            "src/cli.py\n   1| from dates import parse_date\n"
            "src/dates.py\n   1| def parse_date(text):\n"
            "its words in this order: 3 matching lines\n"
            "docs/a b.md\n   1| parseDate is old\n"
            "src/cli.py\n   1| from dates import parse_date\n"
            "src/dates.py\n   1| def parse_date(text):",
        ),
        "only git can read it": (
            "zz{1}{2}",
            f"no line of 4 files matches zz{{1}}{{2}} {UNSEARCHED}\n"
            "also no match ignoring case, as plain text, as plain text, its words in this "
            "order; it may be spelled differently",
        ),
    },
)
def test_what_finds_nothing_is_widened(root: Path, text: str, expected: str) -> None:
    seen = grep(root, text)
    assert (seen.text, seen.status) == (expected, Status.EMPTY)


@table_of(
    ("text", "notes"),
    [
        ("src/dates.py", "[files whose name matches: src/dates.py]"),
        ("src/", "[files whose name matches: src/cli.py, src/dates.py]"),
        pytest.param(
            "*.py",
            "[read as plain text: Invalid preceding regular expression]\n"
            "[files whose name matches: src/cli.py, src/dates.py]",
            id="a glob",
        ),
    ],
)
def test_a_pattern_that_is_a_file_name_finds_the_file(root: Path, text: str, notes: str) -> None:
    expected = f"no line of 4 files matches {text} {UNSEARCHED}\n{notes}"
    assert (grep(root, text).status, grep(root, text).text) == (Status.OK, expected)


def test_a_long_line_is_clipped_around_the_match_and_counted(root: Path) -> None:
    (root / "x.js").write_text("a" * 500 + "needle" + "b" * 500 + "\n")
    assert grep(root, "needle").text == (
        "1 matching line in 1 of 5 files\nx.js\n"
        f"   1| (+322 characters)…{'a' * 178}needle{'b' * 172}…(+328 characters)\n"
        "[1 line over 400 characters clipped around the match]"
    )


def test_every_file_gets_its_share_of_the_room(root: Path) -> None:
    (root / "many").write_text("needle\n" * 100)
    (root / "one").write_text("needle\n")
    assert grep(root, "needle", Limits(result_lines=6)).text == (
        "101 matching lines in 2 of 6 files; 95 of them are not shown: narrow it with a second "
        "line such as path: src/, or with a longer pattern\n"
        "many [95 more here]\n   1| needle\n   2| needle\n   3| needle\n   4| needle\n"
        "   5| needle\n"
        "one\n   1| needle"
    )


def test_the_projects_own_code_is_shown_before_what_is_beside_it(root: Path) -> None:
    for name in ("docs/a.md", "src/dates.py", "tests/test_dates.py"):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text("needle\n" * 8)
    shown = grep(root, "needle", Limits(result_lines=10)).text.split("\n")[1:]
    heads = [line for line in shown if not line.startswith(" ")]
    assert heads == ["docs/a.md [7 more here]", "src/dates.py", "tests/test_dates.py [7 more here]"]


def test_lines_around_a_match_are_cut_only_where_they_do_not_fit(root: Path) -> None:
    (root / "long.py").write_text("".join(f"x = {n}  # filler\n" for n in range(100)))
    for chars, less in ((8_000, ""), (500, "; only 8 lines around each fit")):
        shown = grep(root, "x = 50\ncontext: 35", Limits(output_chars=chars)).text.split("\n")
        assert shown[0] == f"1 matching line in 1 of 5 files{less}"
        assert "  51| x = 50  # filler" in shown


def test_files_that_have_no_room_are_named(root: Path) -> None:
    for number in range(12):
        (root / f"f{number:02}").write_text("needle\n")
    assert grep(root, "needle", Limits(result_lines=4)).text == (
        "12 matching lines in 12 of 16 files; 10 of them are not shown: narrow it with a second "
        "line such as path: src/, or with a longer pattern\n"
        "f00\n   1| needle\nf01\n   1| needle\n"
        "[10 more files with matches: f02, f03, f04, f05, f06, f07, f08, f09 ...]"
    )


def test_binary_files_and_submodules_are_said(root: Path) -> None:
    (root / "image").write_bytes(b"\0needle")
    plain_git(root, "init", "--quiet", "vendored")
    (root / "vendored" / "x").write_text("needle\n")
    plain_git(root / "vendored", "add", "x")
    plain_git(root / "vendored", "commit", "--quiet", "-m", "one")
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


@table_of(
    ("text", "reason"),
    [
        ("\n", "no pattern given: write an extended regular expression"),
        pytest.param(
            "\n".join("abcdefghi"),
            "too many patterns at once (9, one per line): write 8 or fewer; a pattern is one line",
            id="lines",
        ),
        ("\ud800", "the pattern contains a character that UTF-8 can't encode: write it again"),
        ("def\npath: scr", "no file matches path: scr; near it: src"),
        pytest.param(
            "def\npath: src/date.py",
            "no file matches path: src/date.py; near it: src/dates.py, src/cli.py",
            id="what is in the folder",
        ),
        pytest.param(
            "a\npath: ../x",
            "../x is outside the repository; only files in the repository can be accessed: write a "
            "path relative to its root",
            id="outside",
        ),
    ],
)
def test_says_what_is_wrong_with_a_request(root: Path, text: str, reason: str) -> None:
    assert grep(root, text) == failed(reason)
