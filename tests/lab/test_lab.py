"""The lab without a model: what it counts, stores and prints."""

import http.client
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import lab_rows
import pytest
from fake_endpoint import FakeEndpoint, Reply
from function_rewrite import functions, ranked, solve
from gguf_file import MODEL, gguf
from lab_rows import Row
from lab_ways import verdict
from recorder import HUNG_UP, recording

from react_agent.eval.task import Instance

ROW = Row(
    *("cc32", "4e1a", 1, 0.0, "small", "ledger-1", "resolved", 7, 2, 1, 9_000, 800, 61.5),
    *("2026-11-27", "x86_64, 2 cores"),
)
WORDS = {"+": "resolved", "-": "unresolved"}
LAB = Path(__file__).with_name("lab.py")
RECORDED = Path(__file__).parents[2] / "examples" / "local_model_run.txt"
STAND_IN = Path(__file__).parents[1] / "endpoint" / "stand_in"


@pytest.fixture(scope="module")
def issues(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Instance]:
    folder = tmp_path_factory.mktemp("issues")
    both = [one for name in ("bundled", "further") for one in lab_rows.issues_of(name, folder)]
    return {one.id: one for one in both}


def test_a_cell_that_was_not_run_is_empty(tmp_path: Path) -> None:
    lab_rows.append(ROW, tmp_path)
    lab_rows.append(replace(ROW, issue="ledger-2", verdict="no_patch", seconds=100.5), tmp_path)
    found = lab_rows.read(tmp_path)
    assert found[0] == ROW
    table = lab_rows.table(found, ("small", "issue"), ("ledger-1", "ledger-2", "ledger-3"))
    assert table[:5] == ["issue     small  issue", "ledger-1    +", "ledger-2    -", "ledger-3", ""]
    assert table[6].split() == ["small", "1/2", "0.09-0.91", "14", "4", "2", "9000", "800", "81"]
    assert table[7:] == ["issue"]


def test_seeds_are_summed_and_ways_compared_by_issue() -> None:
    verdicts = {("small", 1): "+++-", ("small", 2): "++--", ("issue", 1): "+---", ("issue", 2): "-"}
    rows = [
        replace(ROW, way=way, seed=seed, issue=str(number), verdict=WORDS[mark])
        for (way, seed), marks in verdicts.items()
        for number, mark in enumerate(marks)
    ]
    table = lab_rows.table(rows, ("small", "issue", "mini"), tuple("0123"))
    assert [line.split() for line in table[1:5]] == [
        *(["0", "2/2", "1/2"], ["1", "2/2", "-"], ["2", "1/2", "-"], ["3", "0/2", "-"])
    ]
    assert [line.split()[:2] for line in table[7:9]] == [["small", "5/8"], ["issue", "1/5"]]
    [compared] = table[10:]
    # Of issue 0 both seeds, of the others the first alone.
    assert compared.startswith("small against issue: 4 to 1 of 5, difference ")
    assert compared.endswith(", p 0.250")


def _asked(url: str, path: str, body: dict[str, object]) -> str:
    at = urlsplit(url)
    connection = http.client.HTTPConnection(at.hostname or "", at.port)
    headers = {"authorization": "Bearer k", "content-type": "application/json"}
    connection.request("POST", path, json.dumps(body), headers)
    with connection.getresponse() as answer:
        text = answer.read().decode()
    connection.close()
    return text


@pytest.mark.parametrize("stream", [True, False])
def test_the_recorder_hands_on_and_keeps_what_was_said(stream: bool) -> None:
    messages = [{"role": "user", "content": "Fix it.\nThought:"}]
    body = {"model": "m", "messages": messages, "stream": stream, "temperature": 0.8}
    body |= {"stream_options": {"include_usage": True}} if stream else {}
    reply = Reply("Action: grep", usage=(30, 5), reason="length")
    with FakeEndpoint([reply], key="k") as endpoint, recording(endpoint.url) as recorder:
        said = _asked(recorder.url, "/v1/chat/completions", body)
        (call,) = recorder.taken()
    assert "grep" in said
    assert (call.prompt_end, call.temperature) == ("[user]\nFix it.\nThought:", 0.8)
    assert (call.reply, call.finish) == ("Action: grep", "length")
    assert (call.prompt_tokens, call.reply_tokens) == (30, 5)


def test_the_recorder_leaves_the_server_with_whoever_asked() -> None:
    """An answer that nobody waits for would keep the server from the next attempt."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        host, port = listening.getsockname()
        with recording(f"http://{host}:{port}") as recorder:
            connection = http.client.HTTPConnection(urlsplit(recorder.url).netloc)
            connection.request("POST", "/v1/chat/completions", "{}")
            server, _ = listening.accept()
            with server:
                server.settimeout(30)
                assert server.recv(1)
                connection.close()
                while server.recv(1_000):
                    pass
            assert [call.finish for call in recorder.taken()] == [HUNG_UP]


def _checkout(issue: Instance, place: Path) -> Path:
    subprocess.run(["git", "clone", "-q", issue.repo, str(place)], check=True)
    subprocess.run(["git", "-C", str(place), "checkout", "-q", issue.base], check=True)
    return place


@pytest.mark.slow
def test_the_function_that_an_issue_means_is_found_for_most(tmp_path: Path) -> None:
    found = 0
    for issue in lab_rows.issues_of("bundled", tmp_path):
        root = _checkout(issue, tmp_path / issue.id)
        first = ranked(issue.problem, list(functions(root)))[0]
        fixed = {line[6:] for line in issue.patch.splitlines() if line.startswith("+++ b/")}
        found += str(first.path.relative_to(root)) in fixed
    assert found >= 18


@pytest.mark.slow
def test_a_function_is_put_in_by_name_and_asked_for_again(
    issues: dict[str, Instance], tmp_path: Path
) -> None:
    issue = issues["ledger-1"]
    root = _checkout(issue, tmp_path / "ledger")
    path = root / "ledger" / "money.py"
    text = path.read_text()
    start = text.index("def parse_amount")
    function = text[start : text.index("\n\n\n", start)]
    good = function.replace('lstrip("$")', 'lstrip("$").replace(",", "")')
    replies: Iterator[str] = iter(["I can't.", f"```python\n{function}\n```", f"```\n{good}\n```"])
    asked = list[str]()

    def ask(messages: list[dict[str, str]]) -> str:
        asked.append(messages[-1]["content"])
        return next(replies)

    assert solve(root, issue.problem, ask).unreadable == 1
    assert path.read_text() == text.replace(function, good)
    assert [one.split(".")[0] for one in asked[1:]] == [
        "That does not parse",
        "The function is unchanged",
    ]


@pytest.mark.slow
@pytest.mark.checkout
def test_a_cell_is_run_judged_and_not_run_again(tmp_path: Path) -> None:
    model = tmp_path / "m.gguf"
    model.write_bytes(gguf(MODEL))
    gave_up = " Nothing.\nConclusion: I give up because nothing is wrong."
    model.with_suffix(".replies").write_text("\n---\n".join([gave_up] * 9))
    environment = {
        **os.environ,
        "PYTHONPATH": str(STAND_IN),
        "LAB_STORE": str(tmp_path / "store"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }
    words = [sys.executable, str(LAB), "run", "--model", f"gguf/{model}", "--at", "HEAD"]
    words += ["--ways", "small", "--issues", "ledger-1"]
    for _ in range(2):
        done = subprocess.run(words, env=environment, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        assert "\nledger-1    -\n" in done.stdout
    (row,) = lab_rows.read(tmp_path / "store")
    assert (row.verdict, row.way, row.issue) == ("no_patch", "small", "ledger-1")
    assert row.calls > 0
    recorded = [sys.executable, str(LAB), "record"]
    done = subprocess.run(recorded, env=environment, capture_output=True, text=True)
    assert done.stdout.startswith("1 replies added to ")


@pytest.mark.slow
def test_a_run_of_a_real_small_model_is_replayed(
    issues: dict[str, Instance], tmp_path: Path
) -> None:
    """It was recorded with Qwen2.5-Coder-1.5B; all but its replies is done again."""
    issue, root = issues["ledger-2"], tmp_path / "ledger"
    _checkout(issue, root)
    (tmp_path / "issue.md").write_text(issue.problem)
    words = [sys.executable, "-P", "-m", "react_agent", "solve", str(tmp_path / "issue.md")]
    words += ["--repo", str(root), "--model", f"replay/{RECORDED}", "--profile", "small"]
    homes = {f"XDG_{name}_HOME": str(tmp_path / name) for name in ("STATE", "CACHE", "CONFIG")}
    done = subprocess.run(words, env={**os.environ, **homes}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    heads = subprocess.run(
        ["git", "-C", str(root), "branch", "--list", "react-agent/*"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    branch = heads.stdout.split()[-1]
    diff = ["git", "-C", str(root), "diff", issue.base, branch]
    patch = subprocess.run(diff, capture_output=True, text=True, check=True).stdout
    assert verdict(issue, patch) == "resolved"
