"""`react-agent inspect procedures`, and the ones that come with the package."""

from pathlib import Path
from typing import Any

from check_rows import table_of

from react_agent.parsers.settings.procedure import read_procedure
from react_agent.procedure.roles import find_procedure, shipped
from react_agent.profiles.profile_file import shipped as shipped_profile


def test_lists_them(cli: Any) -> None:
    assert cli("inspect", "procedures").out == (
        "issue   locate -> reproduce -> change -> verify -> end_state\nreview  work -> end_state\n"
    )


def test_shows_one(cli: Any) -> None:
    (cli.folder / "issue").write_text("a file in this folder")
    first, _, text = cli("inspect", "procedures", "issue").out.partition("\n\n")
    assert first == "issue: locate -> reproduce -> change -> verify -> end_state"
    assert text == f"{find_procedure('issue').text}\n"


@table_of(
    ("text", "said"),
    {
        "tool": (
            "procedure: mine\nstate: do\n  role one:\n    tools: grepp\n  next: end_state\n",
            ":4: expected names of tools (`react-agent inspect tools` lists them), found 'grepp'",
        ),
        "empty": ("", ":1: expected `procedure: NAME` first, found 'nothing'"),
        "no text": ("\x80", " is not text in UTF-8"),
    },
)
def test_says_what_is_wrong_in_a_file(cli: Any, text: str, said: str) -> None:
    file = cli.folder / "mine.txt"
    file.write_bytes(text.encode("latin-1"))
    assert cli.refused("inspect", "procedures", str(file)) == (2, f"{file}{said}")


def test_the_model_of_each_role_is_checked_before_the_run(cli: Any, repository: Path) -> None:
    file = cli.folder / "mine.txt"
    later = "state: then\n  role two:\n    model: gtp\n  next: end_state\n"
    file.write_text(f"procedure: mine\nstate: first\n  role one:\n  next: then\n{later}")
    cli.settings(f"[react_agent]\nprocedure = {file}\n")
    words = ("solve", "x is wrong", "--repo", "repository", "--model", "openai/m")
    code, line = cli.refused(*words)
    assert (code, line.startswith("no model 'gtp'")) == (2, True)


@table_of("name", shipped())
def test_what_is_shipped_is_whole(name: str) -> None:
    procedure = find_procedure(name)
    assert read_procedure(procedure.text) == procedure
    assert shipped_profile(procedure.profile).name == procedure.profile
    assert procedure.name == name
