"""What a person may set, and what little a repository may."""

from pathlib import Path
from typing import Any

import pytest
from check_rows import table_of
from refusals import refusal
from replies import DONE, TITLE

from react_agent.errors import ConfigError
from react_agent.forges.account import Configured
from react_agent.gone import told_of_gone
from react_agent.parsers.settings.hidden import Hidden, HiddenKind
from react_agent.profiles.settings import (
    RepositorySettings,
    Settings,
    keys_of,
    read_repository_settings,
    read_settings,
)

FORGE = "[react_agent:forge a.org]"
WHOLE = """\
\ufeff# mine
[react_agent]
model = replay/x = y.txt
profile = issue
keep = Yes
author = Ada Vale <ada@example.org>
co_author =
    Rob <rob@example.org>
    Eve V. <eve@example.org>

[react_agent:forge Git.Example:8443]
kind = forgejo
api = http://git.example/api/v1/
token = MINE

[react_agent:budget]
steps = 7
money = 2.5

[react_agent:model coder]
spec = openai/qwen
base_url = http://localhost:8000/v1
window = 32768

[react_agent:hidden]
ShowFile = alias read_file
deploy = redirect Not now; 50% later.
hush = protocol Noted.
"""


@table_of(
    ("line", "expected"),
    {
        "a file beside it": ("profile = mine.cfg", {"profile": "{here}/mine.cfg"}),
        "a file": ("profile = /a/mine.cfg", {"profile": "/a/mine.cfg"}),
        "facts": ("facts = facts.txt", {"facts": "{here}/facts.txt"}),
    },
)
def test_files_are_looked_for_from_the_settings(
    tmp_path: Path, line: str, expected: dict[str, str]
) -> None:
    (tmp_path / "config.cfg").write_text(f"[react_agent]\n{line}\n")
    settings = read_settings(tmp_path / "config.cfg")
    for name, value in expected.items():
        assert str(getattr(settings, name)) == value.format(here=tmp_path)


def test_a_person_sets_everything(tmp_path: Path) -> None:
    (tmp_path / "config.cfg").write_text(WHOLE, encoding="utf-8")
    assert read_settings(tmp_path / "config.cfg") == Settings(
        model="replay/x = y.txt",
        profile="issue",
        keep=True,
        author="Ada Vale <ada@example.org>",
        co_author=("Rob <rob@example.org>", "Eve V. <eve@example.org>"),
        forges={"git.example:8443": Configured("gitea", "http://git.example/api/v1", "MINE")},
        budget={"steps": "7", "money": "2.5"},
        hidden={
            "ShowFile": Hidden(HiddenKind.ALIAS, "read_file"),
            "deploy": Hidden(HiddenKind.REDIRECT, "Not now; 50% later."),
            "hush": Hidden(HiddenKind.PROTOCOL, "Noted."),
        },
        models={
            "coder": {
                "spec": "openai/qwen",
                "base_url": "http://localhost:8000/v1",
                "window": "32768",
            }
        },
    )


@table_of("person", ["Ada", "<ada@example.org>", "Ada <ada>", "A <a@b> <c@d>"])
def test_a_person_has_a_name_and_an_address(tmp_path: Path, person: str) -> None:
    place = tmp_path / "config.cfg"
    place.write_text(f"[react_agent]\nco_author = {person}\n")
    line = f"{place}: [react_agent] co_author must be NAME <EMAIL>, not {person!r}"
    assert refusal(ConfigError, read_settings, place) == line


@table_of("where", ["nowhere", "file/below"])
def test_no_file_sets_nothing(tmp_path: Path, where: str) -> None:
    (tmp_path / "file").touch()
    assert read_settings(tmp_path / where / "config.cfg") == Settings()


def test_a_file_that_can_not_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=rf"^can't read {tmp_path}: Is a directory$"):
        read_settings(tmp_path)


@table_of(
    ("text", "line"),
    [
        (
            "[react_agent]\nspeak = everybody\n",
            "[react_agent] speak must be one of all, contributors, collaborators, none, "
            "not 'everybody'",
        ),
        (
            '[react_agent:mcp a]\ncommand = python3 -c "x\n',
            "[react_agent:mcp a] command: No closing quotation",
        ),
        (
            "[react_agent:budget]\nsteps = 1.5\n",
            "[budget] steps must be a whole number from 1, not '1.5'",
        ),
        *(
            (f"{FORGE}\n{setting}\n", f"{FORGE}: {said}")
            for setting, said in (
                ("kind = svn", "kind must be one of github, gitlab, gitea, forgejo, not 'svn'"),
                ("url = x", "no setting 'url'; choose from kind, api, token, seconds"),
                ("seconds = 0", "seconds must be a number from 1 to 600"),
                (
                    "api = https://me:s3cret@a.org",
                    "api must be an address like https://HOST/api/v3",
                ),
                ("token = ghp-s3cret", "token must be the name of a variable that holds the token"),
            )
        ),
    ],
)
def test_a_mistake_is_said(tmp_path: Path, text: str, line: str) -> None:
    path = tmp_path / "config.cfg"
    path.write_text(text)
    assert refusal(ConfigError, read_settings, path) == f"{path}: {line}"


OURS = "[react_agent]\ntest = make check\n"


@table_of(
    ("files", "expected"),
    {
        "none": ({}, RepositorySettings()),
        "a file of ours": ({".react-agent.cfg": OURS}, RepositorySettings({"test": "make check"})),
        "a file of many": ({"setup.cfg": OURS}, RepositorySettings({"test": "make check"})),
        "its own file first": (
            {".react-agent.cfg": OURS, "setup.cfg": "[react_agent]\ntest = other\n"},
            RepositorySettings({"test": "make check"}),
        ),
        "hidden tools": (
            {".react-agent.cfg": "[react_agent:hidden]\na = redirect No.\nb = protocol So.\n"},
            RepositorySettings(
                hidden={
                    "a": Hidden(HiddenKind.REDIRECT, "No."),
                    "b": Hidden(HiddenKind.PROTOCOL, "So."),
                }
            ),
        ),
        "names of commands in their own case": (
            {
                ".react-agent.cfg": "[react_agent]\nTest = c\n"
                "[react_agent:hidden]\ntail -F = No.\ntail -f = Never.\n"
            },
            RepositorySettings(
                {"test": "c"},
                {
                    "tail -F": Hidden(HiddenKind.REDIRECT, "No."),
                    "tail -f": Hidden(HiddenKind.REDIRECT, "Never."),
                },
            ),
        ),
        "no weaker sandbox, and no name that would run something": (
            {
                ".react-agent.cfg": "[react_agent]\nsandbox = none\nnetwork = yes\noffer = run\n"
                "[react_agent:hidden]\na = alias run\nb = command\nc = shell\nd = editor\n"
                "e = code\nf = code of conduct\n"
            },
            RepositorySettings(
                hidden={"f": Hidden(HiddenKind.REDIRECT, "code of conduct")},
                refused=tuple(
                    f".react-agent.cfg may not set {name!r}"
                    for name in ("sandbox", "network", "offer", "a", "b", "c", "d", "e")
                ),
            ),
        ),
        "what it may not": (
            {
                "setup.cfg": "[react_agent]\nmodel = x\nprofile = y\nenv_file = .env\n"
                "[react_agent:budget]\nsteps = 9999\n[react_agent:hidden]\nrm = alias run\n"
            },
            RepositorySettings(
                refused=(
                    "setup.cfg may not set 'model'",
                    "setup.cfg may not set 'profile'",
                    "setup.cfg may not set 'env_file'",
                    "setup.cfg may not set 'react_agent:budget'",
                    "setup.cfg may not set 'rm'",
                )
            ),
        ),
        "a misspelled section": (
            {".react-agent.cfg": "[react-agent]\ntest = x\n"},
            RepositorySettings(
                refused=(
                    ".react-agent.cfg has no section 'react-agent' (did you mean react_agent?)",
                )
            ),
        ),
        "no section": (
            {".react-agent.cfg": "test = x\n", "setup.cfg": OURS},
            RepositorySettings(
                refused=(".react-agent.cfg, line 1: expected a section such as [react_agent]",)
            ),
        ),
        "sections of others": (
            {".react-agent.cfg": "\n", "setup.cfg": f"[metadata]\nname = x\n{OURS}"},
            RepositorySettings({"test": "make check"}),
        ),
    },
)
def test_a_repository_sets_little(files: dict[str, str], expected: RepositorySettings) -> None:
    assert read_repository_settings(files.get) == expected


def test_only_the_base_commit_is_asked(demo_desk: Any) -> None:
    """A dirty worktree may be somebody's experiment, and what a run writes is of that run."""
    (demo_desk.repository / ".react-agent.cfg").write_text(
        "[react_agent]\ntest = false\nmodel = x\n[react_agent:hidden]\ncats = redirect no\n"
    )
    demo_desk.git("add", ".")
    command = "printf '[react_agent]\\ntest = true\\n' > .react-agent.cfg"
    forge = f" x\nAction: run\nAction Input: {command}\n"
    outcome = demo_desk.solve(" x\nAction: cats\nAction Input: y\n", forge, TITLE, DONE)
    assert demo_desk.told == []
    assert outcome.state.steps[0].seen.facts["how"] == "wish"
    assert outcome.verified
    assert outcome.verified.command == "python3 -m unittest -q"


KEYS = """\
# OPENAI_API_KEY=sk-not-this
export OPENAI_API_KEY="sk-one # whole"  # the first
 GH_TOKEN = 'two'

CODER=three#3 # named in the settings
WORK=four
EMPTY_KEY=
PATH=/evil
OPENAI_BASE_URL=http://evil.example
"""
OWN = "[react_agent]\nenv_file = keys.env\n[react_agent:model m]\nspec = openai/m\nkey = CODER\n"
OWN += "[react_agent:forge git.example.org]\nkind = gitea\ntoken = WORK\n"


def test_keys_of_a_file_that_a_person_names(tmp_path: Path) -> None:
    (tmp_path / "keys.env").write_text(KEYS)
    (tmp_path / "config.cfg").write_text(OWN)
    settings = read_settings(tmp_path / "config.cfg")
    assert keys_of(settings) == {
        "OPENAI_API_KEY": "sk-one # whole",
        "GH_TOKEN": "two",
        "CODER": "three#3",
        "WORK": "four",
        "EMPTY_KEY": "",
    }
    assert "sk-one" not in repr(settings)


@table_of(
    ("text", "line"),
    {
        "no file": (None, "env_file: there is no file {0}"),
        "no name": ("A=b\nsk-a-key\n", "{0}, line 2: expected NAME=VALUE"),
        "two words": ("A=b c\n", "{0}, line 1: expected NAME=VALUE"),
    },
)
def test_a_file_of_keys_that_is_wrong(tmp_path: Path, text: str | None, line: str) -> None:
    if text is not None:
        (tmp_path / "keys.env").write_text(text)
    (tmp_path / "config.cfg").write_text(OWN)
    told = refusal(ConfigError, lambda: keys_of(read_settings(tmp_path / "config.cfg")))
    assert told == line.format(tmp_path / "keys.env")


def test_a_setting_that_is_gone_is_read_and_named(tmp_path: Path) -> None:
    (tmp_path / "config.cfg").write_text("[react_agent]\nremember = yes\n")
    assert read_settings(tmp_path / "config.cfg") == Settings(gone=("remember",))
    assert list(told_of_gone((), ["remember"])) == [
        "the setting 'remember' is gone: runs no longer keep notes for later runs"
    ]
