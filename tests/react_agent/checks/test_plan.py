"""From what a repository declares to what is run, on which files."""

import pytest
from check_rows import table_of
from checking import CONFIG, local, remote, system

from react_agent.checks.check import Check, Verdict
from react_agent.checks.choosing import chosen
from react_agent.checks.plan import planned
from react_agent.checks.planned import Command, Forbidden, How, Not, Own, Planned
from react_agent.parsers.settings.file_checks import OWN


def plan(text: str) -> list[Planned]:
    return list(planned({CONFIG: text}, "", ()))


@table_of(
    ("text", "how"),
    [
        pytest.param(
            local(system("a", "tool --x 'y z'", "args: [-v, '1 2']")),
            Command(("tool", "--x", "y z", "-v", "1 2")),
            id="system",
        ),
        pytest.param(
            local("id: a\nentry: bin/check -x\nlanguage: script"),
            Command(("./bin/check", "-x")),
            id="script",
        ),
        pytest.param(
            local("id: a\nentry: python check.py\nlanguage: python"),
            Command(("python", "check.py")),
            id="python",
        ),
        pytest.param(
            local("id: a\nentry: check\nlanguage: python\nadditional_dependencies: [x==1, y]"),
            Not("it needs packages of its own (x==1, y)"),
            id="python with packages",
        ),
        pytest.param(
            local("id: a\nentry: check\nlanguage: docker_image"),
            Not("its language is docker_image"),
            id="another language",
        ),
        pytest.param(local("id: a\nentry: check"), Not("its language is not named"), id="none"),
        pytest.param(local(system("a", "")), Not("its entry is no command"), id="no entry"),
        pytest.param(local(system("a", 'x "y')), Not("its entry is no command"), id="half a quote"),
        pytest.param(
            local('id: a\nentry: "a\\x00b"\nlanguage: system'),
            Not("its entry is no command"),
            id="NUL",
        ),
        pytest.param(
            local("id: a\nentry: No such files\nlanguage: fail"),
            Forbidden("No such files"),
            id="fail",
        ),
        pytest.param(
            local("id: a\nentry: x\nlanguage: pygrep\nargs: [--colour]"),
            Not("its arguments are not known here"),
            id="pygrep of another kind",
        ),
        pytest.param(
            local(system("a", "x", "stages: [pre-push, manual]")),
            Not("it is for pre-push, manual"),
            id="another stage",
        ),
        pytest.param(local(system("a", "x", "stages: [commit]")), Command(("x",)), id="this stage"),
        pytest.param(
            remote("id: ruff\nargs: [--fix]"),
            Command(("ruff", "check", "--force-exclude", "--fix")),
            id="known",
        ),
        pytest.param(
            remote("id: mypy\nadditional_dependencies: [types-x]"),
            Command(("mypy", "--ignore-missing-imports", "--scripts-are-modules")),
            id="known, with its arguments",
        ),
        pytest.param(remote("id: black\nentry: blue"), Command(("blue",)), id="another entry"),
        pytest.param(remote("id: odd"), Not("a hook that is not known here"), id="unknown"),
        pytest.param(remote("id: end-of-file-fixer"), Own(OWN["end-of-file-fixer"]), id="ours"),
        pytest.param(
            remote("id: trailing-whitespace\nargs: [--chars=x]"),
            Not("its argument --chars=x is not known here"),
            id="ours, but for an argument",
        ),
        pytest.param(
            "repos: [{repo: meta, hooks: [{id: check-hooks-apply}]}]",
            Not("it is about the configuration"),
            id="meta",
        ),
        pytest.param(
            "repos: &x",
            Not("line 1: expected a value without anchor, alias or tag, found 'repos: &x'"),
            id="no plain YAML",
        ),
    ],
)
def test_how(text: str, how: How) -> None:
    assert [one.how for one in plan(text)] == [how]


FILES = {"src/a.py": "100644", "b.pyi": "100644", "run": "100755", "c.md": "100644"}
HELD = {"run": b"#!/usr/bin/env python3\n"}


@table_of(
    ("hook", "expected"),
    [
        pytest.param("", "b.pyi c.md run src/a.py", id="all"),
        pytest.param("files: ^src/", "src/a.py", id="files"),
        pytest.param("exclude: ^src/|md$", "b.pyi run", id="exclude"),
        pytest.param("types: [python]", "run src/a.py", id="types"),
        pytest.param("types: [python, executable]", "run", id="both types"),
        pytest.param("types_or: [pyi, markdown]", "b.pyi c.md", id="one of the types"),
        pytest.param("exclude_types: [markdown, executable]", "b.pyi src/a.py", id="no such types"),
        pytest.param("files: ''\ntypes: [file, text]", "b.pyi c.md run src/a.py", id="of no use"),
        pytest.param("files: '^$'", "", id="none"),
    ],
)
def test_which_files(hook: str, expected: str) -> None:
    found = plan(local(system("a", "x", *hook.split("\n"))))
    assert chosen(found, FILES, lambda path: HELD.get(path, b"")) == [tuple(expected.split())]


@pytest.mark.parametrize(
    ("hook", "why"),
    [
        ("types: [terrible]", "which files are of the type 'terrible' is not known here"),
        (
            "files: '('",
            "the pattern '(' can't be read: missing ) at position 1",
        ),
    ],
)
def test_which_files_is_not_known(hook: str, why: str) -> None:
    assert chosen(plan(local(system("a", "x", hook))), FILES, HELD.__getitem__) == [Not(why)]


def test_files_of_the_whole_configuration() -> None:
    text = f"files: ^src|md$\nexclude: md$\n{remote('id: ruff', 'id: check-json')}"
    assert chosen(plan(text), FILES, lambda path: b"") == [("src/a.py",), ()]


def test_other_declarations() -> None:
    texts = {
        ".githooks/pre-commit": "#!/bin/bash -e\n",
        ".husky/pre-commit": "npm t",
        "lefthook.yml": "x",
    }
    assert list(planned(texts, "", [])) == [
        Planned(
            ".githooks/pre-commit",
            Command(("/bin/bash", "-e", ".githooks/pre-commit")),
            takes_names=False,
        ),
        Planned(".husky/pre-commit", Command(("sh", "-e", ".husky/pre-commit")), takes_names=False),
        Planned("lefthook.yml", Not("its format is not read")),
    ]
    changed = planned({".husky/pre-commit": "true"}, "", [".husky/pre-commit"])
    assert [one.how for one in changed] == [Not("this change changes it")]


@pytest.mark.parametrize(
    ("command", "words", "takes_names"),
    [
        ("make lint", ("make lint",), False),
        (
            "lint {path} -x",
            (
                'failed=0; for path; do\n{ lint "$path" -x\n} || failed=1\ndone; exit $failed',
                "lint",
            ),
            True,
        ),
    ],
)
def test_the_lint_command(command: str, words: tuple[str, ...], takes_names: bool) -> None:
    [found] = planned({}, command, ())
    assert isinstance(found.how, Command)
    assert (found.how.argv[2:], found.takes_names) == (words, takes_names)


def test_a_line_is_one_whatever_a_hook_is_called() -> None:
    check = Check("a\nb\x1b[31m\u202e" + "c" * 99, Verdict.NOT_RUN, "d\n" * 999)
    assert check.line.startswith("a b<U+001B>[31m<U+202E>c")
    assert check.line.isprintable()
    assert len(check.line) < 400
