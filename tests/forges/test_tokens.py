"""Which token is for which host, and for no other."""

from pathlib import Path

import pytest
from by_hand import program
from check_rows import EachRow
from reader_rows import FOLDER, read_rows

from react_agent.forges.account import find_token

# What the command lines of GitHub and GitLab answer; a token of a variable would win, as theirs do.
GH = """#!/bin/sh
[ "$*" = "auth token --hostname github.com" ] || exit 1
echo "${GH_TOKEN-${GITHUB_TOKEN-gho_a}}"
"""
GLAB = """#!/bin/sh
case "$*" in
"config get token --host gitlab.com") echo glpat-a ;;
"config get token --host git.example:8443") echo b ;;
*) echo ;;
esac
"""


def test_a_token_is_for_one_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, each_row: EachRow
) -> None:
    def token(kind: str, host: str, variable: str, environment: dict[str, str]) -> tuple[str, str]:
        return find_token(kind, host, variable, {"PATH": path, **environment}, tmp_path)

    for name, script in (("gh", GH), ("glab", GLAB)):
        program(tmp_path / "bin" / name, script)
    path = f"{tmp_path}/bin:/bin"
    monkeypatch.chdir(tmp_path)
    each_row(read_rows(FOLDER / "own/tokens.txt"), lambda row: row.check({"token": token}))
