"""react-agent init: what it finds, what it asks, and what it adds to the settings."""

import contextlib
import re
import shutil
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from fake_endpoint import FakeEndpoint, Reply
from gguf_file import MODEL, gguf

from react_agent.cli import set_up
from react_agent.models.discovery import PORTS, sources
from react_agent.places import settings_file
from react_agent.profiles.settings import read_settings
from react_agent.tools.package_data import install_command

STEP = Reply(" I look.\nAction: list_files\nAction Input: docs\nObservation: invented")
KEY = "sk-the-key-of-a-test"
LOCAL = f"first: {install_command('local')}"  # without llama.cpp
LISTED = [{"id": "nomic-embed-text"}, {"id": "qwen3:8b"}, {"id": "coder", "max_model_len": 8192}]


@pytest.fixture
def server() -> Iterator[FakeEndpoint]:
    with FakeEndpoint(lambda _: STEP, models=LISTED) as server:
        yield server


@pytest.fixture
def home(cli: Any, tmp_path: Path) -> Path:
    """A home folder with one model, and with files that are none by themselves."""
    folder = tmp_path / "home"
    (folder / "models/deep").mkdir(parents=True)
    for name in ("big-00001-of-00002", "big-00002-of-00002", "mmproj-big", "nomic-embed"):
        (folder / f"models/deep/{name}.gguf").write_bytes(gguf(MODEL))
    (folder / "Downloads").symlink_to("models")
    cli.environment["HOME"] = str(folder)
    return folder


def _added(cli: Any, *arguments: str) -> str:
    assert "a step in the right format" in cli("init", *arguments).ends_well()
    return settings_file().read_text()


def test_takes_the_first_model_of_a_server(cli: Any, server: FakeEndpoint) -> None:
    url = f"{server.url}/v1"
    assert _added(cli, "--base-url", url, "--yes") == (
        "[react_agent]\nmodel = qwen3-8b\n\n"
        f"[react_agent:model qwen3-8b]\nspec = openai/qwen3:8b\nbase_url = {url}\n"
    )
    assert cli("doctor").code == cli("doctor", "--model", "qwen3-8b").code == 0
    before = settings_file().read_text()
    assert _added(cli, "--base-url", url, "--yes") == before
    assert _added(cli, "--model", f"openai/coder@{url}", "--name", "two") == (
        f"{before}\n[react_agent:model two]\nspec = openai/coder\nbase_url = {url}\n"
    )
    other = url.replace("127.0.0.1", "localhost")
    text = _added(cli, "--model", "two", "--base-url", other)
    assert text.endswith(f"\n[react_agent:model coder]\nspec = openai/coder\nbase_url = {other}\n")


def test_a_key_is_named_and_never_written(cli: Any) -> None:
    cli.environment["MY_KEY"] = KEY
    with FakeEndpoint([STEP], key=KEY) as server:
        url = f"{server.url}/v1"
        text = _added(cli, "--model", "responses/m", "--base-url", url, "--key", "MY_KEY")
    section = f"[react_agent:model m]\nspec = responses/m\nbase_url = {url}\nkey = MY_KEY\n"
    assert text == f"[react_agent]\nmodel = m\n\n{section}"


@pytest.mark.parametrize(
    "before",
    [
        pytest.param("", id="empty"),
        pytest.param("# mine\n[react_agent:budget]\nsteps = 7", id="no newline"),
        pytest.param("\ufeff[react_agent]\n# kept\nprofile = small\n", id="byte order mark"),
        pytest.param("[react_agent]", id="a header alone"),
        pytest.param("[react_agent]\r\nkeep = yes\r\n\r\n# the end\r\n", id="carriage returns"),
        pytest.param("[react_agent:hidden]\nx = redirect a\n  [react_agent]\n", id="continued"),
        pytest.param("[react_agent]\nModel = other\n[react_agent:model m]\nspec = openai/a\n",
                     id="a default, and the name taken"),
    ],
)  # fmt: skip
def test_only_adds_to_the_settings(
    cli: Any, server: FakeEndpoint, tmp_path: Path, before: str
) -> None:
    place, kept = settings_file(), tmp_path / "dotfiles.cfg"
    place.parent.mkdir(parents=True)
    kept.write_bytes(before.encode())
    kept.chmod(0o640)
    place.symlink_to(kept)
    old = read_settings(place)
    _added(cli, "--model", f"openai/m@{server.url}/v1")
    text, new = kept.read_bytes().decode(), read_settings(place)
    name = "m-2" if "m" in old.models else "m"
    lines = iter(text.split("\n"))
    assert all(line in lines for line in before.split("\n") if line)  # in this order
    assert text.count("\r\n") == (text.count("\n") if "\r" in before else 0)
    assert new.model == (old.model or name)
    assert new.models == {
        **old.models, name: {"spec": "openai/m", "base_url": f"{server.url}/v1"}
    }  # fmt: skip
    assert (new.profile, new.budget, new.hidden) == (old.profile, old.budget, old.hidden)
    assert (place.is_symlink(), kept.stat().st_mode & 0o777) == (True, 0o640)


def test_replaces_a_default_that_is_empty(cli: Any, server: FakeEndpoint) -> None:
    place = cli.settings("[react_agent]\nkeep = yes\nmodel =\n[react_agent:budget]\nsteps = 7\n")
    _added(cli, "--model", f"openai/m@{server.url}/v1")
    new = read_settings(place)
    assert (new.model, new.keep, new.budget) == ("m", True, {"steps": "7"})


@pytest.mark.parametrize(
    ("arguments", "code", "line"),
    [
        pytest.param(("--model", "anthropic/m"), 1, "!!   key        ANTHROPIC_API_KEY is not set",
                     id="no key"),
        pytest.param(("--model", "openai/m@http://127.0.0.1:1/v1"), 1, "no connection",
                     id="no server"),
        pytest.param(("--model", "opnai/m"), 2, "(did you mean openai/m?)", id="misspelled"),
        pytest.param(("--model", "openai/m", "--key", KEY), 2, "--key takes the name of an environ",
                     id="a key"),
        pytest.param(("--key", "A"), 2, "--key is for a model or an address", id="a key alone"),
        pytest.param(("--model", "openai/m", "--name", "a b"), 2, "a name has letters, digits",
                     id="no name"),
        pytest.param(("--model", "openai/m", "--name", "old"), 2, "there is a model 'old' already",
                     id="a name that is taken"),
        pytest.param(("--model", "replay/x"), 2, "a replay has no endpoint", id="a replay"),
    ],
)  # fmt: skip
def test_writes_nothing_that_does_not_work(
    cli: Any, home: Path, arguments: tuple[str, ...], code: int, line: str
) -> None:
    (home / "models/deep/big-00001-of-00002.gguf").unlink()
    place = cli.settings("[react_agent:model old]\nspec = openai/a\n")
    answer = cli("init", *arguments)
    assert (answer.code, line in answer.out + answer.err) == (code, True), answer
    assert KEY not in answer.out + answer.err
    assert place.read_text() == "[react_agent:model old]\nspec = openai/a\n"


def test_a_list_without_a_choice_writes_nothing(cli: Any, server: FakeEndpoint) -> None:
    answer = cli("init", "--base-url", f"{server.url}/v1")
    assert answer.out == f" 1  server  qwen3:8b and 1 more, at {server.url}/v1\n"
    line = "react-agent: choose a model with --model, or take the first with --yes\n"
    assert (answer.code, answer.err) == (2, line)
    assert not settings_file().exists()


def test_says_why_a_server_that_is_named_is_no_use(cli: Any) -> None:
    answer = cli("init", "--base-url", "http://127.0.0.1:1/v1")
    assert answer.out.startswith(" 1  server  it does not list its models: ")
    assert (answer.code, settings_file().exists()) == (2, False)


def test_finds_servers_on_their_ports_and_files(
    cli: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert PORTS == {"Ollama": 11434, "llama.cpp": 8080, "vLLM": 8000, "LM Studio": 1234}
    here, usual = dict[str, int](), {"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}
    monkeypatch.setattr(set_up, "sources", partial(sources, ports=here))
    cli.environment |= {**usual, "OPENAI_API_KEY": KEY}
    with contextlib.ExitStack() as open:
        for name in PORTS:  # llama.cpp's port has another server, which has no models
            models = None if name == "llama.cpp" else [{"id": f"{name[:2]}/m"}]
            server = open.enter_context(FakeEndpoint(lambda _: STEP, models=models))
            here[name] = int(server.url.rpartition(":")[2])
        listed, taken = cli("init"), cli("init", "--yes")
    rows = [re.split(" {2,}", line.strip()[1:].strip()) for line in listed.out.splitlines()]
    no_list = "it does not list its models: "
    assert [[name, place.partition(no_list)[1] or place] for name, place in rows] == [
        ["Ollama", f"Ol/m, at http://localhost:{here['Ollama']}/v1"],
        ["vLLM", f"vL/m, at http://localhost:{here['vLLM']}/v1"],
        ["LM Studio", f"LM/m, at http://localhost:{here['LM Studio']}/v1"],
        ["OPENAI_API_KEY is set", no_list],
        ["big-00001-of-00002.gguf", str(home / "models/deep") if find_spec("xllamacpp") else LOCAL],
    ]
    assert (listed.code, taken.code, taken.err) == (2, 0, "")
    address = f"http://localhost:{here['Ollama']}/v1"
    section = f"[react_agent:model m]\nspec = openai/Ol/m\nbase_url = {address}\n"
    assert settings_file().read_text() == f"[react_agent]\nmodel = m\n\n{section}"


def test_says_what_to_do_where_nothing_is_found(
    cli: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(home)
    monkeypatch.setattr(set_up, "sources", partial(sources, ports={"Ollama": 1}))
    nothing = cli("init", "--yes")
    line = "react-agent: no model was found: start a server, set a key"
    assert (nothing.code, nothing.out, nothing.err[: len(line)]) == (2, "", line)
    assert not settings_file().exists()


@pytest.mark.parametrize("kind", ["anthropic", "openai"])
def test_asks_the_maker_that_a_key_is_for(kind: str, tmp_path: Path) -> None:
    with FakeEndpoint(key=KEY, models=LISTED) as server:
        url, name = server.base_url(kind), kind.upper()
        variables = {f"{name}_API_KEY": KEY, f"{name}_BASE_URL": url, "HOME": str(tmp_path)}
        found = [one for one in sources(variables, {"nobody": 1}) if "gguf" not in one.name]
        wrong = sources({**variables, f"{name}_API_KEY": "sk-another"}, {"nobody": 1})
    assert (found[0].name, found[0].place) == (f"{name}_API_KEY is set", url)
    assert [one.model for each in found for one in each.endpoints] == ["qwen3:8b", "coder"]
    assert not wrong[0].endpoints
    assert wrong[0].problem.startswith("it does not list its models: status 401: ")


def test_a_person_is_asked_and_may_mistype(cli: Any, server: FakeEndpoint) -> None:
    cli.environment["TTY_COMPATIBLE"] = "1"
    typed = "7\n\ncodr\ncoder\nmy coder\nmine\n"
    out = cli("init", "--base-url", f"{server.url}/v1", typed=typed).ends_well()
    asked = (
        "KIND/NAME@URL [1]: ",
        "there are 1 to choose from\nA number, or a model as ",
        "qwen3:8b, coder\nWhich of them [qwen3:8b]: ",
        "it has no 'codr' (did you mean coder?)\n",
        "Its name [coder]: ",
        "not 'my coder'\nIts name [coder]: ",
        "In a repository: react-agent solve",
    )
    places = [out.find(one) for one in asked]
    assert places[0] > -1 and places == sorted(places), out
    assert read_settings(settings_file()).model == "mine"


def test_a_person_names_a_model_that_is_not_found(
    cli: Any, home: Path, server: FakeEndpoint
) -> None:
    cli.environment |= {"MY_KEY": KEY, "TTY_COMPATIBLE": "1"}
    named = cli("init", typed=f"opnai/m\nopenai/m@{server.url}/v1 key=MY_KEY\n\n")
    assert (named.code, named.err, KEY in named.out) == (0, "", False), named.out
    assert re.search(r"mean openai/m\?\)(?s:.*)Its name \[m\]:", named.out)
    (section,) = read_settings(settings_file()).models.values()
    assert section == {"spec": "openai/m", "base_url": f"{server.url}/v1", "key": "MY_KEY"}


def test_a_person_names_a_model_at_the_address_given(cli: Any, server: FakeEndpoint) -> None:
    cli.environment["TTY_COMPATIBLE"] = "1"
    cli("init", "--base-url", f"{server.url}/v1", typed="openai/other\n\n").ends_well()
    (section,) = read_settings(settings_file()).models.values()
    assert section == {"spec": "openai/other", "base_url": f"{server.url}/v1"}


def test_a_person_may_leave(cli: Any, server: FakeEndpoint) -> None:
    cli.environment["TTY_COMPATIBLE"] = "1"
    left = cli("init", "--base-url", f"{server.url}/v1", typed="")
    assert left.out.endswith("KIND/NAME@URL [1]: \n")
    assert (left.code, left.err) == (2, "react-agent: nothing was written\n")
    assert not settings_file().exists()
