"""What can't be done: one line, an exit code, and nothing half-made."""

import os
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from check_rows import table_of

from react_agent.cli.commands import COMMANDS

FORMS = "an issue is a file, a number, an address, or a text of several words"
SOLVE = ("solve", "an issue", "--repo", "repository", "--model", "replay/good.txt")


@table_of(
    ("issue", "line"),
    [
        ("", "the issue is empty"),
        ("...", "there is no file ...: " + FORMS),
        ("... !", "the issue has no words"),
        ("blank.md", "the issue blank.md has no words"),
        ("empty.txt", "the issue empty.txt is empty"),
        ("#99", "{0}/repository has no committed text file issues/99.md"),
        ("-", "the issue on standard input is empty"),
        ("missing.md", f"there is no file missing.md: {FORMS}"),
        ("!3", "#3 is a pull request: `react-agent review` answers its review"),
        ("https://x.org/o/r", "https://x.org/o/r is not the address of an issue"),
        ("plain", "the issue plain is not a file"),
        ("nul.md", "the issue nul.md is a binary file"),
        ("latin.md", "the issue latin.md is not text in UTF-8"),
    ],
)
def test_no_such_issue(cli: Any, place: Path, issue: str, line: str) -> None:
    assert cli.refused("solve", issue, *SOLVE[2:]) == (2, line.format(place))


def test_a_change_for_what_is_no_branch(cli: Any, place: Path) -> None:
    """Found before a model is asked."""
    cli.git("tag", "v1")
    line = "repository has no branch {!r}: name one with --base"
    assert cli.refused(*SOLVE, "--pr", "--base", "v1") == (2, line.format("v1"))
    cli.git("checkout", "--quiet", "--detach")
    assert cli.refused(*SOLVE, "--dry-run") == (2, line.format("HEAD"))


def test_an_issue_of_5_mb(cli: Any, place: Path) -> None:
    big = b"word " * 1_000_000
    line = "{} is larger than 200 kB: shorten it to the important parts"
    (place / "big.md").write_bytes(big)
    expected = (2, line.format("the issue big.md"))
    assert cli.refused("solve", "big.md", *SOLVE[2:]) == expected
    expected = (2, line.format("the issue on standard input"))
    assert cli.refused("solve", "-", *SOLVE[2:], stdin=big) == expected


@table_of(
    ("arguments", "line"),
    [
        (("--repo", "plain"), "plain is not a git repository"),
        (("--repo", "nowhere"), "there is no folder nowhere"),
        (("--base", "nosuch"), "repository has no commit called 'nosuch'"),
        (("--base", "--all"), "repository has no commit called '--all'"),
        (
            ("--model", "gpt"),
            "no model 'gpt'; available: anthropic/NAME, openai/NAME, completions/NAME, "
            "responses/NAME, gguf/FILE, replay/FILE",
        ),
        (("--model", "replay/"), "no model 'replay/'; write replay/FILE"),
        (("--model", "replay/plain"), "can't read plain/transcript.txt: No such file or directory"),
        (("--model", "replay/silent.txt"), "silent.txt has no model reply to replay"),
        (
            ("--model", "replay/\x1b[31mred\nsecond"),
            "can't read <U+001B>[31mred second: No such file or directory",
        ),
        (
            ("--steps=9999999999999999",),
            "--steps must be a whole number from 1 to 999999999999999, not '9999999999999999'",
        ),
        (("--profile=nosuch",), "there is no profile 'nosuch'"),
        (("--profile=isue",), "there is no profile 'isue' (did you mean issue?)"),
    ],
)
def test_no_such_run_can_begin(
    cli: Any, place: Path, arguments: tuple[str, ...], line: str
) -> None:
    assert cli.refused(*SOLVE, *arguments) == (2, line)


def test_no_commits_yet(cli: Any, place: Path) -> None:
    cli.git("init", "--quiet", "../young")
    line = "young has no commits yet; commit something first"
    assert cli.refused(*SOLVE, "--repo", "young") == (2, line)


def test_no_model(cli: Any, place: Path) -> None:
    line = "no model: name one with --model, or find one with `react-agent init`"
    assert cli.refused(*SOLVE[:4]) == (2, line)


@table_of(
    ("variable", "value"),
    [("ALL_PROXY", "socks://127.0.0.1:1"), ("SSL_CERT_FILE", "/nonexistent")],
)
def test_no_way_to_a_model(cli: Any, place: Path, variable: str, value: str) -> None:
    """As some desktops set the first one."""
    cli.environment |= {variable: value, "OPENAI_API_KEY": "sk-key-of-a-test"}
    code, line = cli.refused(*SOLVE[:4], "--model", "openai/m")
    told = "openai/m: HTTPS_PROXY, ALL_PROXY, SSL_CERT_FILE or the like can't be used: "
    assert (code, line.startswith(told)) == (2, True)


AGAIN = "--again is for `react-agent hook run` without a HOOK"


@table_of(
    ("arguments", "line"),
    [
        (("install", "--again", "1f2e"), AGAIN),
        (("run", "pre-push", "--again", "1f2e"), AGAIN),
        (("status", "pre-push"), "hook status takes no HOOK: it tells of all"),
        (("run", "post-commit", "pre-push"), "one hook at a time: name one HOOK"),
        (("statsu",), "hook has no command 'statsu'; choose from install, status, run, uninstall"),
    ],
)
def test_what_the_hook_commands_do_not_take(
    cli: Any, place: Path, arguments: tuple[str, ...], line: str
) -> None:
    assert cli.refused("hook", *arguments) == (2, line)


WHOLE, ANY = "whole number from 1", "number greater than 0"
BUDGETS = {"steps": WHOLE, "tokens": WHOLE, "window": WHOLE, "seconds": ANY, "money": ANY}


@table_of(("option", "value"), product(BUDGETS, ["0", "-1", "nan", "inf", "abc", ""]))
def test_no_such_budget(cli: Any, place: Path, option: str, value: str) -> None:
    line = f"--{option} must be a {BUDGETS[option]}, not {value!r}"
    assert cli.refused(*SOLVE, f"--{option}={value}") == (2, line)


@table_of(
    ("text", "line"),
    [
        (
            "[react_agent]\nmodle = x\n",
            "{0}: [react_agent] has no 'modle' (did you mean model?): there are model, "
            "profile, procedure, keep, offer, withhold, embeddings, sandbox, network, web, "
            "python, facts, "
            "author, co_author, speak, pre_commit_store, prepare, env_file",
        ),
        (
            "[react_agent:budgets]\n",
            "{0}: no section 'react_agent:budgets' (did you mean react_agent:budget?); "
            "choose from react_agent, react_agent:budget, react_agent:hidden, react_agent:hook, "
            "react_agent:model NAME, react_agent:forge HOST, react_agent:mcp NAME",
        ),
        (
            "[react_agent]\nkeep = perhaps\n",
            "{0}: [react_agent] keep must be yes or no, not 'perhaps'",
        ),
        ("[react_agent]\nprofile = nosuch\n", "there is no profile 'nosuch'"),
        (
            "[react_agent:hidden]\nsay = alias nosuch\n",
            "your settings: say is an alias of nosuch, which is not a tool here",
        ),
        (
            "[react_agent:hidden]\nfoo = aliaz grep\n",
            "{0}: [react_agent:hidden] foo: 'aliaz' is not a kind of answer (did you mean alias?)",
        ),
        (
            "[react_agent:hidden]\nfoo = alias\n",
            "{0}: [react_agent:hidden] foo: alias needs a tool or a text behind it",
        ),
        (
            "[react_agent]\noffer = nosuch\n",
            "your settings offer 'nosuch', but there is no such tool",
        ),
        (
            "[react_agent]\nprocedure = nosuch\n",
            "no procedure 'nosuch': it is a file, or one of issue, review",
        ),
        (
            "[react_agent]\nsandbox = chroot\n",
            "{0}: [react_agent] sandbox must be auto, bubblewrap, landlock, docker:IMAGE, "
            "podman:IMAGE or none, not 'chroot'",
        ),
        ("model: x\n", "{0}, line 1: expected a section such as [react_agent]"),
        ("[react_agent]\nkeep = no\nmodel x\n", "{0}, line 3: expected NAME = VALUE"),
        (
            "[react_agent]\nkeep = no\nkeep = no\n",
            "{0}, line 3: option 'keep' in section 'react_agent' already exists",
        ),
        ("\0\ud800", "{0} is not text in UTF-8"),
    ],
)
def test_bad_settings(cli: Any, place: Path, text: str, line: str) -> None:
    file = cli.settings("")
    file.write_bytes(text.encode(errors="surrogatepass"))
    assert cli.refused(*SOLVE) == (2, line.format(file))
    assert cli.refused("doctor") == (2, line.format(file))


def test_settings_that_are_a_named_pipe(cli: Any) -> None:
    file = cli.settings("")
    file.unlink()
    os.mkfifo(file)
    assert cli.refused("doctor") == (2, f"{file} is a named pipe, not a file")


@pytest.mark.parametrize(
    ("variable", "line"),
    [
        pytest.param("XDG_STATE_HOME", "can't make {0}/file/x/react-agent/runs/*: Not a directory"),
        pytest.param(
            "XDG_CACHE_HOME", "{0}/file/x/react-agent/cuts can't be written: Not a directory"
        ),
    ],
)
@pytest.mark.parametrize("arguments", [SOLVE, ("demo", "--dir", "new")], ids=["solve", "demo"])
def test_nowhere_to_write(
    cli: Any, place: Path, variable: str, line: str, arguments: tuple[str, ...]
) -> None:
    cli.environment[variable] = str(place / "file" / "x")
    code, said = cli.refused(*arguments)
    start, _, end = line.format(cli.folder).partition("*")
    assert (code, said.startswith(start), said.endswith(end)) == (3, True, True), said
    assert not (place / "new").exists()


def test_no_git(cli: Any, place: Path) -> None:
    cli.environment["PATH"] = str(place / "plain")
    line = "git is not on PATH; install it (Debian and Ubuntu: apt-get install git)"
    assert cli.refused(*SOLVE) == (3, line)
    assert cli.refused("demo", "--dir", "new") == (3, line)
    patch = b"--- a/x\n+++ b/x\n@@ @@\n-a\n+b\n"
    assert cli.refused("repair", "--repo", "repository", stdin=patch) == (3, line)


def test_no_home(cli: Any) -> None:
    cli.environment |= {"HOME": "not/absolute", "XDG_STATE_HOME": "relative, and so ignored"}
    assert cli.refused("show", "x") == (3, "no home folder is known: set HOME or XDG_STATE_HOME")


def test_no_home_in_the_environment(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    answer = cli("show", "nosuch")
    line = (
        "react-agent: no run 'nosuch': name its folder, its transcript, or the start of its name\n"
    )
    assert (answer.code, answer.err) == (2, line)


NO_BASE = "{0}/good.txt has no line `%% base:` at its beginning"
USAGE = "(see react-agent repair --help)"


@table_of(
    ("words", "line"),
    [
        ("demo --dir repository", "repository already exists: name a new folder"),
        ("doctor --model replay/x", "a replay has no endpoint to check"),
        ("completion bash", "completion is gone: react-agent --install-completion does it"),
        ("endpoint --by-hand --port x", "--port must be a whole number from 0 to 65535, not 'x'"),
        (
            "endpoint --dir x",
            "endpoint --dir is gone: type the replies, or pipe them into standard input",
        ),
        (
            "inspect procedures nosuch",
            "no procedure 'nosuch': it is a file, or one of issue, review",
        ),
        (
            "page good.txt --out other.txt",
            "other.txt is not a folder, and a page has a name that ends in .html",
        ),
        *((f"{command} good.txt", NO_BASE) for command in ("resume", "replay", "pr")),
        ("repair --modle", f"option --modle not recognized {USAGE}"),
        ("repair --repo", f"option --repo requires argument {USAGE}"),
        ("repair --repo nowhere", "there is no folder nowhere"),
        ("repair --repo file", "file is not a folder"),
        ("repair plain", "can't read plain: Is a directory"),
        ("repair nosuch", "can't read nosuch: No such file or directory"),
        ("repair file file", "one patch at a time: name one FILE"),
        ("repair --stats plain", "--stats is gone: call it for each file and count its exit codes"),
    ],
)
def test_what_a_command_can_not_do(cli: Any, place: Path, words: str, line: str) -> None:
    assert cli.refused(*words.split()) == (2, line.format(place))


@table_of(
    ("arguments", "line"),
    [
        (("slove", "x"), "No such command 'slove'. Did you mean 'solve'?"),
        (("solve",), "Missing argument 'ISSUE'"),
        (("show",), "Missing argument 'RUN'"),
        (("replay", "x", "y"), "Got unexpected extra argument"),
        (("solve", "x", "--modle", "y"), "No such option: --modle (did you mean --model?)"),
        (("runs", "--model", "y"), "No such option: --model (see"),
        (("--vesion",), "No such option: --vesion (did you mean --version?)"),
        (
            ("--model", "y", "solve", "x"),
            "--model is an option of a command: write it after `react-agent solve`",
        ),
        (("--modle", "y", "solve", "x"), "No such option: --modle (did you mean --model?)"),
        (
            ("eval", "--only", "a", "run", "bundled"),
            "--only is an option of a command: write it after `react-agent eval run`",
        ),
        (("repair", "--rep", "x", "y", "--rpeo"), "--rpeo not recognized (did you mean --repo?)"),
        (("solve", "x", "--model"), "--model"),
    ],
)
def test_not_a_command_line(cli: Any, arguments: tuple[str, ...], line: str) -> None:
    code, said = cli.refused(*arguments)
    command = f" {arguments[0]}" if arguments[0] in COMMANDS else ""
    assert (code, line in said) == (2, True), said
    assert said.endswith(f"(see react-agent{command} --help)")
