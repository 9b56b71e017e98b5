"""react-agent doctor, and solve with a model at an endpoint."""

from pathlib import Path
from typing import Any

import pytest
from check_rows import table_of
from fake_endpoint import FakeEndpoint, Reply

STEP = Reply(" I look.\nAction: list_files\nAction Input: docs\nObservation: invented")
DONE = Reply(" Nothing to do.\nConclusion: all is well")
KEY = "sk-the-key-of-a-test"


def _marks(out: str) -> dict[str, str]:
    rows = (
        line.split(maxsplit=2) for line in out.split("\n") if line[:4] in (" ok ", " -- ", " !! ")
    )
    return {what: f"{mark} {found}" for mark, what, found in rows}


def test_looks_at_the_machine_alone(cli: Any) -> None:
    out = cli("doctor").ends_well()
    marks = _marks(out)
    assert list(marks) == ["python", "git", "sandbox", "cache", "model"]
    assert marks["model"] == "-- none"
    assert "-> find one with `react-agent init`, or name one with --model" in out


@table_of("kind", ["anthropic", "openai", "completions", "responses"])
def test_asks_a_model_for_a_step(cli: Any, kind: str) -> None:
    cli.environment["MY_KEY"] = KEY
    with FakeEndpoint([STEP], key=KEY, models=[{"id": "m", "max_model_len": 8192}]) as server:
        url = server.base_url(kind)
        at = ("--base-url", url, "--key", "MY_KEY")
        out = cli("doctor", "--model", f"{kind}/m", *at).ends_well()
    marks = _marks(out)
    assert marks["key"] == "ok MY_KEY is set"
    assert marks["endpoint"] == f"ok {kind}/m at {url}"
    assert marks["answer"].startswith("ok a step in the right format, in ")
    assert marks["window"] == ("-- unknown" if kind == "anthropic" else "ok 8,192 tokens")
    assert marks["price"] == "-- unknown"
    assert KEY not in out


@table_of(
    ("replies", "found"),
    {
        "conclusion": ([DONE], "-- a conclusion instead of a step, in "),
        "no format": ([Reply("Hello!")], "-- in "),
        "refusal": ([Reply("", reason="refusal")] * 2, "!! refused in "),
    },
)
def test_says_what_is_wrong_with_an_answer(cli: Any, replies: list[Reply], found: str) -> None:
    with FakeEndpoint(replies) as server:
        answer = cli("doctor", "--model", f"anthropic/m@{server.url}")
    assert _marks(answer.out)["answer"].startswith(found)
    assert answer.code == int(found.startswith("!!"))


@table_of(("is_there", "found"), [(True, "status 403"), (False, "no connection")])
def test_an_endpoint_without_an_answer_is_not_ok(cli: Any, is_there: bool, found: str) -> None:
    with FakeEndpoint([Reply(status=403, error="No.")]) as server:
        model = f"anthropic/m@{server.url}"
        answer = cli("doctor", "--model", model) if is_there else None
    answer = answer or cli("doctor", "--model", model)
    marks = _marks(answer.out)
    assert marks["endpoint"].startswith(f"!! {model}: {found}")
    assert "answer" not in marks
    assert answer.code == 1


def test_a_key_that_is_missing_is_said(cli: Any) -> None:
    answer = cli("doctor", "--model", "anthropic/claude-opus-5")
    assert answer.code == 1
    assert _marks(answer.out)["key"] == "!! ANTHROPIC_API_KEY is not set"
    solved = cli("solve", "x", "--repo", str(cli.folder), "--model", "anthropic/claude-opus-5")
    assert solved.code == 2


ELSEWHERE, CLEAR = "https://model.invalid/v1", "http://model.invalid/v1"


@pytest.mark.parametrize(
    ("variable", "url", "why"),
    [
        ("OPENAI_API_KEY", ELSEWHERE, f"{ELSEWHERE}: name the address and the key"),
        ("MY_KEY", CLEAR, f"{CLEAR}, where others could read it on the way"),
    ],
    ids=["the maker's, elsewhere", "in clear"],
)
@pytest.mark.parametrize("command", ["doctor", "solve"])
def test_a_key_goes_nowhere_else(
    cli: Any, repository: Path, command: str, variable: str, url: str, why: str
) -> None:
    """A request to such a host would fail the test."""
    cli.environment[variable] = KEY
    arguments = ("--base-url", url, *(("--key", variable) if variable == "MY_KEY" else ()))
    more = ("Look at it.", "--repo", str(repository)) if command == "solve" else ()
    answer = cli(command, *more, "--model", "openai/m", *arguments)
    assert (answer.code, answer.err.count("\n")) == (2, 1)
    assert answer.err.startswith(f"react-agent: {variable} is not sent to {why}")
    assert KEY not in answer.out + answer.err


def test_a_key_may_lie_in_a_file_that_the_settings_name(cli: Any) -> None:
    """In a process of its own, whose environment it joins. A file of the folder is not read."""
    (cli.folder / ".env").write_text("MY_KEY=sk-of-the-folder\n")
    keys = cli.settings("").with_name("keys")
    keys.write_text(f"MY_KEY={KEY}\nOTHER_KEY={KEY}-2\n")
    refusal = Reply(status=403, error=f"No {KEY} and no {KEY}-2.")
    with FakeEndpoint([refusal, STEP], key=KEY) as server:
        section = (
            f"[react_agent:model m]\nspec = openai/m\nbase_url = {server.url}/v1\nkey = MY_KEY\n"
        )
        cli.settings(f"[react_agent]\nenv_file = keys\n{section}")
        refused = cli.run("doctor", "--model", "m")
        cli.settings(section)
        unset = cli("doctor", "--model", "m")
    assert (refused.code, unset.code) == (1, 1)
    assert "ok   key        MY_KEY is set" in refused.out
    assert "status 403" in refused.out  # with the right key
    assert KEY not in refused.out
    assert "status 401" in unset.out


def test_solves_with_a_model_of_the_settings(cli: Any, repository: Path) -> None:
    with FakeEndpoint([STEP, DONE, DONE], refuses=["stop"]) as server:
        url = f"{server.url}/v1"
        cli.settings(f"[react_agent:model mine]\nspec = openai/m\nbase_url = {url}\n")
        answer = cli("solve", "Look at it.", "--repo", str(repository), "--model", "mine")
    assert (answer.code, answer.err) == (1, "")  # there was nothing to change
    assert "invented" not in answer.out
    assert "Conclusion: all is well" in answer.out


def test_solves_with_the_model_of_the_only_role(cli: Any, repository: Path) -> None:
    """The other one has no key and is not asked."""
    file = cli.folder / "mine.txt"
    role = "  role one:\n    model: mine\n  next: end_state\n"
    file.write_text(f"procedure: alone\nstate: do\n{role}")
    with FakeEndpoint([STEP, DONE, DONE], refuses=["stop"]) as server:
        section = f"[react_agent:model mine]\nspec = openai/m\nbase_url = {server.url}/v1\n"
        cli.settings(f"[react_agent]\nprocedure = {file}\n{section}")
        answer = cli("solve", "Look at it.", "--repo", str(repository), "--model", "openai/other")
    assert (answer.code, answer.err) == (1, "")  # there was nothing to change
    assert "Conclusion: all is well" in answer.out
