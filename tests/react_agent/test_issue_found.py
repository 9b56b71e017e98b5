"""What of an issue is in the repository: rows of the first prompt."""

from pathlib import Path
from typing import Any

import pytest
from by_hand import plain_git, save
from check_rows import table_of

from react_agent.issue_to_pr.issue import Issue
from react_agent.issue_to_pr.places import found_lines
from react_agent.tools.context import Context

DATES = """\
import re

LONGEST = 80


class Reader:
    def parse_date(self, text):
        return re.match("x", text)


def fold_date(text):
    return text
"""
FILES = {
    "src/app/dates.py": DATES,
    "src/app/__init__.py": "",
    "src/app/cli.py": 'import argparse\n\nparser.add_argument("--dry-run")\nset_up_paths(1)\n',
    "src/web/cli.py": "x = 1\n",
    "src/json/decoder.py": "def decode(x):\n    return x\n",
    "tests/test_dates.py": "def test_a_date():\n    pass\n",
    "docs/use.md": "# parse_date\n",
    "settings.cfg": "max_age = 3\n",
    "src/web/age.py": "print(x.most_used)\nclass A:\n    most_used: int = 3\n",
}
TITLE = "What the issue names, looked up in this repository:"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory, _git_settings: Path) -> Path:
    place = tmp_path_factory.mktemp("found") / "app"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_CONFIG_GLOBAL", str(_git_settings))
        plain_git(place.parent, "init", "--quiet", str(place))
        save(place, FILES)
    return place


def rows(text: str, root: Path) -> list[str]:
    found = found_lines(text, Context(root))
    assert not found or found[0] == TITLE
    return list(found[1:])


@table_of(
    ("text", "expected"),
    {
        "nothing": ("It is slow and/or hangs, with GitHub and `max`. Thanks!", []),
        "perhaps of others": ("RunFolder, os.path.join and no_such_name", []),
        "files": (
            "see src/app/dates.py, dates.py and /home/me/src/json/decoder.py; docs/",
            [
                "- files: src/app/dates.py, src/json/decoder.py "
                "(home/me/src/json/decoder.py), docs/",
                "- tests: tests/test_dates.py",
            ],
        ),
        "files by their ends": (
            "`cli.py` and app.dates",
            [
                "- files: src/app/cli.py or src/web/cli.py (cli.py), src/app/dates.py (app.dates)",
                "- tests: tests/test_dates.py",
            ],
        ),
        "not there": (
            "lib/dates.py, lib/none.py, `frob_it()`",
            [
                "- nowhere in it: lib/dates.py (src/app/dates.py has that name), "
                "lib/none.py, frob_it"
            ],
        ),
        "symbols": (
            "`parse_date`, fold_date(x), test_a_date, LONGEST, `max_age` and --dry-run",
            [
                "- defined: parse_date (src/app/dates.py:7-8), max_age (settings.cfg:1), "
                "fold_date (src/app/dates.py:11-12), test_a_date (tests/test_dates.py:1-2), "
                "--dry-run (src/app/cli.py:3)"
            ],
        ),
        "dotted": (
            "Reader.parse_date, dates.fold_date, Other.parse_date, Reader.nothing",
            [
                "- defined: Reader.parse_date (src/app/dates.py:7-8), "
                "dates.fold_date (src/app/dates.py:11-12), Reader (src/app/dates.py:6-8)",
                "- tests: tests/test_dates.py",
            ],
        ),
        "used": (
            "`set_up_paths`, `most_used`",
            [
                "- used: set_up_paths (src/app/cli.py:4), "
                "most_used (src/web/age.py:3, src/web/age.py:1)"
            ],
        ),
        "traceback": (
            'File "/venv/site-packages/app/dates.py", line 3, in parse_date\n'
            '    return re.match("x", text)\n'
            'File "/usr/lib/python3.11/json/decoder.py", line 1, in decode\n'
            "    return theirs\n"
            'File "/venv/site-packages/app/dates.py", line 11, in fold_date\n'
            "    return that\n"
            "ValueError: x; tests/test_dates.py:40",
            [
                "- lines that it points to: src/app/dates.py:8 in parse_date (was line 3), "
                "src/app/dates.py:11 in fold_date (that line has changed), "
                "tests/test_dates.py:40 (it has 3 lines now), and 1 frame of other code"
            ],
        ),
    },
)
def test_says(text: str, expected: list[str], root: Path) -> None:
    assert rows(text, root) == expected


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"src/a{n}/b{n}.py `foo_{n}()` --opt-{n} a.b{n}.c" for n in range(3_000)),
        "\n".join(f'File "/q/src/app/cli.py", line {n}, in f\n    x{n}' for n in range(3_000)),
        "Observation: x\n%% stop: y\nAction: run `\ud800_a()`\n    $ \x1b[31m\n" * 3_000,
    ],
    ids=["names", "frames", "labels"],
)
def test_an_issue_of_many_names_takes_little_room(text: str, root: Path) -> None:
    found = rows(text, root)
    assert len(found) <= 12
    assert all(row.startswith(("- ", "  ")) and len(row) <= 600 for row in found)
    assert all(row.isprintable() for row in found)


def test_outside_of_a_repository_nothing_is_said(tmp_path: Path) -> None:
    assert found_lines("`parse_date` in x.py:1", Context(tmp_path)) == ()


@table_of(("profile", "is_told"), [("issue", True), ("classic", False)])
def test_the_first_prompt_says_it(desk: Any, profile: str, is_told: bool) -> None:
    issue = Issue("Mend it", "Mend it: `no_such_name()`")
    _, [view] = desk.watched(" done\nConclusion: it is done", issue=issue, profile=profile)
    row = f"{TITLE}\n- nowhere in it: no_such_name\n"
    assert (row in view.system) == is_told
