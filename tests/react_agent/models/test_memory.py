"""What was learned, in a file that several processes write and a person may edit."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from fake_endpoint import Reply

from react_agent.models.endpoints import Memory

AT = ("http://h/v1", "org/m")
HEADING = "# What react-agent learned of model endpoints. You may edit this file, or delete it.\n"


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "deep" / "cache")


def test_keeps_one_beside_another(memory: Memory) -> None:
    memory.keep(*AT, {"stop": "no"})
    memory.keep("http://h/v1", "other", {"window": "4096"})
    memory.keep(*AT, {"stream": "no"})
    memory.keep(*AT, {"stop": "yes"})
    assert memory.recall(*AT) == {"stop": "yes", "stream": "no"}
    lines = "http://h/v1 org/m: stop=yes stream=no\nhttp://h/v1 other: window=4096\n"
    assert memory.path.read_text() == HEADING + lines
    assert sorted(path.name for path in memory.folder.iterdir()) == [
        "endpoints.lock",
        "endpoints.txt",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(b"", {}, id="empty"),
        pytest.param(b"\xff\xfe\x00", {}, id="no text"),
        pytest.param(b"http://h/v1 org/m: and then some", {}, id="prose"),
        pytest.param(b"http://h/v1 org/m: stop=maybe\n", {"stop": "maybe"}, id="an odd value"),
    ],
)
def test_reads_what_somebody_wrote(memory: Memory, text: bytes, expected: dict[str, str]) -> None:
    memory.folder.mkdir(parents=True)
    memory.path.write_bytes(text)
    assert memory.recall(*AT) == expected
    memory.keep(*AT, {"cache": "no"})
    assert memory.recall(*AT) == {**expected, "cache": "no"}


def test_nothing_fails_where_nothing_can_be_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    memory = Memory(tmp_path / "file" / "cache")
    memory.keep(*AT, {"stop": "no"})
    assert memory.recall(*AT) == {}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
@pytest.mark.may_skip("the checks run as root in a container")
def test_nothing_fails_in_a_folder_of_somebody_else(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    Memory(tmp_path).keep(*AT, {"stop": "no"})


def test_many_write_at_once(memory: Memory) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: memory.keep("http://h", f"m{n}", {"window": str(n)}), range(64)))
    assert [memory.recall("http://h", f"m{n}") for n in range(64)] == [
        {"window": str(n)} for n in range(64)
    ]


def test_odd_values_in_the_file_do_no_harm(trial: Any) -> None:
    """A file may be edited."""
    endpoint = trial.serve(Reply(" a\nConclusion: b"))
    odd = {"stop": "maybe", "window": "-1", "tokens": "many", "reply": "x", "no such": "1"}
    trial.memory.keep(f"{endpoint.url}/v1", "m", odd)
    assert trial.ask(trial.model("openai", endpoint)).why == "end"
