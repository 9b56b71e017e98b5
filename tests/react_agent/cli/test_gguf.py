"""--model gguf/FILE: llama.cpp's server in a process of its own; here a stand-in serves."""

import json
import os
import signal
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from check_rows import table_of
from gguf_file import MODEL, gguf
from waiting import is_gone, see

from react_agent.places import settings_file
from react_agent.state.state import fold
from react_agent.state.transcript import read
from react_agent.tools.package_data import install_command

STEP = " I look.\nAction: list_files\nAction Input: .\n"
DONE = " Nothing to do.\nConclusion: I give up because nothing is wrong."


@pytest.fixture
def model(cli: Any) -> Path:
    """A file with nothing behind its header, beside what its server will say."""
    cli.environment["PYTHONPATH"] = str(Path(__file__).parents[2] / "endpoint" / "stand_in")
    path: Path = cli.folder / "my model.gguf"
    path.write_bytes(gguf(MODEL))
    path.with_suffix(".replies").write_text(f"{STEP}\n---\n{DONE}")
    return path


def _served(model: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in model.with_suffix(".served").read_text().splitlines()]


def test_a_run_has_a_server_of_its_own(cli: Any, repository: Path, model: Path) -> None:
    answer = cli("solve", "Mend it.", "--repo", str(repository), "--model", f"gguf/{model.name}")
    transcript = cli.runs[0] / "transcript.txt"
    state = fold(read(transcript).entries)
    (served,) = _served(model)
    assert (answer.code, answer.err) == (1, "")
    assert state.header["model"] == f"gguf/{model}"
    assert "%% reach: endpoint=http://127.0.0.1 commands=" in transcript.read_text()
    assert [step.said.turn.action for step in state.steps] == ["list_files"]
    assert (served["window"], state.window) == (4096, 4096)
    assert served["key"] not in transcript.read_text()
    see(lambda: is_gone(served["pid"]), 10)


def test_a_section_of_the_settings_names_the_file(cli: Any, model: Path) -> None:
    model.rename(cli.folder / "other.gguf")
    (cli.folder / "other.replies").write_text(STEP)
    file = os.path.relpath(cli.folder / "other.gguf", settings_file().parent)
    cli.settings(f"[react_agent:model mine]\ngguf = {file}\nwindow = 2048\n")
    out = cli("doctor", "--model", "mine").ends_well()
    assert "A small model: 0 MB, loaded in " in out
    assert "ok   answer     a step in the right format, in " in out
    assert " prompt tokens a second, " in out
    assert "ok   window     2,048 tokens" in out
    assert "price" not in out


def test_a_file_without_a_name_in_it_is_called_as_it_is(cli: Any, model: Path) -> None:
    model.write_bytes(gguf({**MODEL, "general.name": ""}))
    answer = cli("doctor", "--model", f"gguf/{model}")
    assert "ok   file       my model: 0 MB, loaded in " in answer.out


@table_of(
    ("file", "replies", "said"),
    {
        "another file": (b"PK", "", "{} is not a GGUF file"),
        "cut off": (gguf(MODEL)[:99], "", "{} is cut off in its header"),
        "cut off further down": (
            gguf(MODEL),
            "error: tensor 'a' data is not within the file bounds",
            "{} can't be loaded: tensor 'a' data is not within the file bounds",
        ),
        "killed": (gguf(MODEL), "killed", "{} can't be loaded: out of memory?"),
        "too large": (gguf({**MODEL, "llama.block_count": 1 << 40}), "", "{} needs about "),
        "no file": (None, "", "can't read {}: No such file or directory"),
    },
)
def test_one_line_says_why_a_file_is_no_use(
    cli: Any, model: Path, file: bytes | None, replies: str, said: str
) -> None:
    model.write_bytes(file) if file is not None else model.unlink()
    model.with_suffix(".replies").write_text(replies)
    answer = cli("doctor", "--model", f"gguf/{model}")
    assert answer.code == 3
    assert answer.err.startswith(f"react-agent: {said.format(model)}")
    assert answer.err.count("\n") == 1


def test_without_llama_cpp_one_line_says_what_to_install(
    cli: Any, model: Path, tmp_path: Path
) -> None:
    (tmp_path / "xllamacpp.py").write_text("raise ImportError")
    cli.environment["PYTHONPATH"] = str(tmp_path)
    answer = cli("doctor", "--model", f"gguf/{model}")
    assert answer.code == 3
    assert answer.err.endswith(f"not installed: {install_command('local')}\n")


@table_of("more", [("--base-url", "http://localhost/v1"), ("--key", "A")])
def test_a_file_has_no_address_and_no_key(cli: Any, model: Path, more: tuple[str, ...]) -> None:
    answer = cli("doctor", "--model", f"gguf/{model}", *more)
    assert (answer.code, "it takes no --base-url and no --key" in answer.err) == (2, True)


@pytest.mark.parametrize(
    "how", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
def test_a_killed_run_leaves_nothing_and_shares_nothing_with_another(
    cli: Any, repository: Path, model: Path, how: signal.Signals
) -> None:
    model.with_suffix(".replies").write_text("stall")
    run = cli.start("solve", "Mend it.", "--repo", str(repository), "--model", f"gguf/{model}")
    see(lambda: model.with_suffix(".served").exists() and _served(model))
    model.with_suffix(".replies").write_text(STEP)
    assert cli("doctor", "--model", f"gguf/{model}").code == 0
    first, second = _served(model)
    assert first["url"] != second["url"]
    assert first["key"] != second["key"]
    asked = urllib.request.Request(
        f"{first['url']}/v1/chat/completions", b"{}", {"authorization": f"Bearer {second['key']}"}
    )
    with pytest.raises(urllib.error.HTTPError, match="401"):
        urllib.request.urlopen(asked)
    run.send_signal(how)
    run.communicate(timeout=30)
    see(lambda: is_gone(first["pid"]) and is_gone(second["pid"]), 20)
