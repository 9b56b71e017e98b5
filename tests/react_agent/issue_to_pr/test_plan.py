"""From what a repository declares to what is run."""

from pathlib import Path

from check_rows import table_of
from checking import local, remote, system

from react_agent.issue_to_pr.declared_checks import (
    Ran,
    Verdict,
    configuration,
    hook_blocks,
    installed_hooks,
    line_of,
    planned,
    read_run,
    store_folder,
)

TWO = f"# one\nfail_fast: false\n{local(system('a', 'x'))}\n# two\n" + remote(
    "id: black\nargs: [--x, 'id: no']", "id: 'mypy'  # types"
).removeprefix("repos:\n")


HOOKS = [("local", "", "a"), ("https://example.org/hooks", "v1", "black mypy")]


@table_of(
    ("text", "blocks"),
    {
        "two repositories": (TWO, HOOKS),
        "Windows line ends": (
            TWO.replace("  hooks:\n", "\n  hooks:\n").replace("\n", "\r\n"),
            HOOKS,
        ),
        "more behind them": (f"{TWO}\nci:\n  skip: [a]\n", HOOKS),
        "flow": ("repos: [{repo: x, rev: y, hooks: [{id: z}]}]", [("", "", "z")]),
        "other order": ("repos:\n- hooks:\n  - id: a\n  repo: x\n", [("", "", "a")]),
        "no YAML": ("\0[", []),
    },
)
def test_hooks_of_a_configuration(text: str, blocks: list[tuple[str, str, str]]) -> None:
    found = hook_blocks(text)
    assert [(one.repository, one.revision, " ".join(one.ids)) for one in found] == blocks


def test_a_repository_of_hooks_left_out() -> None:
    text = f"{TWO}ci:\n  skip: [a]\n"
    kept = configuration(text, hook_blocks(text)[1:])
    assert kept == f"# one\nfail_fast: false\n{local(system('a', 'x'))}\n# two\nci:\n  skip: [a]\n"


def test_a_store_that_can_not_be_read_has_no_hooks(tmp_path: Path) -> None:
    assert store_folder({"PRE_COMMIT_HOME": f"/{'x' * 300}"}) is None
    assert installed_hooks(tmp_path / "gone", tmp_path / "home") == frozenset()


CHANGED = "- files were modified by this hook"
HEAD = "[WARNING] a word\n" + "a".ljust(73, ".")


@table_of(
    ("code", "output", "run"),
    {
        "passed": (0, f"{HEAD}Passed\n- hook id: a\n- duration: 0.1s\n\nx\n", Ran(True)),
        "failed": (
            1,
            f"{HEAD}Failed\n- hook id: a\n- exit code: 1\n{CHANGED}\n\nx\n\n",
            Ran(False, "x"),
        ),
        "no files": (
            0,
            f"{'a'.ljust(50, '.')}(no files to check)Skipped\n- hook id: a\n",
            Ran(True, has_files=False),
        ),
        "a stage": (1, "No hook with id `a` in stage `pre-commit`\n", Ran(False, has_files=False)),
        "not installed": (
            3,
            "[INFO] Initializing environment for https://example.org.\nAn unexpected error\n",
            Ran(False, lacks="it is not installed; run `pre-commit install-hooks`"),
        ),
        "broken": (1, "\nAn error: x\ny\n", Ran(False, lacks="An error: x")),
        "silent": (1, "", Ran(False, lacks="pre-commit printed nothing")),
    },
)
def test_what_pre_commit_prints(code: int, output: str, run: Ran) -> None:
    assert read_run(code, output) == run


def test_the_hooks_of_a_configuration() -> None:
    assert [one.name for one in planned(TWO, "")] == ["a", "black", "mypy"]
    assert [one.why_not for one in planned("x", "")] == ["no hook was found in it"]


@table_of(
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
    [found] = planned(None, command)
    assert (found.command[2:], found.takes_names) == (words, takes_names)


def test_a_line_is_one_whatever_a_hook_is_called() -> None:
    line = line_of("a\nb\x1b[31m\u202e" + "c" * 99, Verdict.NOT_RUN, "d\n" * 999)
    assert line.startswith("a b<U+001B>[31m<U+202E>c")
    assert line.isprintable()
    assert len(line) < 400
