"""From what a person writes to an address, a model and a key."""

import subprocess
import sys
from typing import Any

import pytest
from check_rows import table_of
from refusals import refusal

from react_agent.errors import ConfigError, UsageError
from react_agent.models.endpoint import Endpoint, check_named, find_endpoint, spelled

HOSTED = "https://api.openai.com/v1"
NAMED = {
    "mine": {"spec": "completions/q", "base_url": "http://localhost:8000/v1/", "key": "MY_KEY"},
    "busy": {"spec": "openai/a/b", "in_flight": "4", "stop": "no", "window": "4096"},
}
KEYS = {"OPENAI_API_KEY": "ok", "ANTHROPIC_API_KEY": " ak\n", "MY_KEY": "mk"}
ELSEWHERE = {"OPENAI_BASE_URL": "https://o/v1/", "ANTHROPIC_BASE_URL": "http://a"}


@table_of(
    ("spec", "environment", "expected"),
    [
        (
            "anthropic/c",
            KEYS,
            ("anthropic", "c", "https://api.anthropic.com", "ANTHROPIC_API_KEY", "ak"),
        ),
        ("openai/org/g:free", {}, ("openai", "org/g:free", HOSTED, "OPENAI_API_KEY", "")),
        (
            "completions/g@https://h:1/v1/ key=MY_KEY temperature=0.4 seed=2",
            KEYS,
            (
                *("completions", "g", "https://h:1/v1", "MY_KEY", "mk"),
                {"temperature": "0.4", "seed": "2"},
            ),
        ),
        (
            "busy seed=3",
            {"OPENAI_API_KEY": "k"},
            (
                *("openai", "a/b", HOSTED, "OPENAI_API_KEY", "k"),
                *({"stop": "no", "window": "4096", "seed": "3"}, 4),
            ),
        ),
        (
            "openai/g",
            ELSEWHERE,
            ("openai", "g", "https://o/v1", "OPENAI_API_KEY", "", {}, None, True),
        ),
        ("mine@https://h/v1 key=OTHER", KEYS, ("completions", "q", "https://h/v1", "OTHER", "")),
    ],
)
def test_finds(spec: str, environment: dict[str, str], expected: tuple[Any, ...]) -> None:
    assert find_endpoint(spec, NAMED, environment) == Endpoint(spec, *expected)


WHAT = "anthropic/NAME, openai/NAME, completions/NAME, responses/NAME, gguf/FILE, replay/FILE, "
WHAT += "mine, busy"
URL = "the base URL must be http://... or https://..., not "


@table_of(
    ("spec", "environment", "expected"),
    {
        "no kind": ("gpt", {}, f"no model 'gpt'; available: {WHAT}"),
        "case": (
            "Openai/g",
            {},
            f"no model 'Openai/g' (did you mean openai/g?); available: {WHAT}",
        ),
        "one of the settings": (
            "bsy",
            {},
            f"no model 'bsy' (did you mean busy?); available: {WHAT}",
        ),
        "scheme": ("openai/g", {"OPENAI_BASE_URL": "ftp://h"}, f"{URL}'ftp://h'"),
        "no host": ("openai/g", {"OPENAI_BASE_URL": "http://"}, f"{URL}'http://'"),
        "password": (
            "openai/g@https://me:secret@h/v1",
            {},
            "the base URL contains a space, a user or a query: put the key into a variable",
        ),
    },
)
def test_says_what_is_wrong(spec: str, environment: dict[str, str], expected: str) -> None:
    assert refusal(UsageError, find_endpoint, spec, NAMED, environment) == expected


OWN = "spec, gguf, base_url, key, in_flight, stop, stream, ends, usage, cache, system, parts, "
OWN += (
    "sampling, grammar, prefill, note, thinks, tokens, temperature, seed, thinking, window, reply"
)
SPEC = "spec must be KIND/MODEL, KIND one of anthropic, openai, completions, responses"
SPEC += ", or gguf must name a file"


@table_of(
    ("section", "expected"),
    {
        "unknown": (
            {"spec": "openai/g", "stops": "no"},
            f"no setting 'stops' (did you mean stop?); choose from {OWN}",
        ),
        "no spec": ({}, SPEC),
        "another kind": ({"spec": "replay/x"}, SPEC),
        "no model": ({"spec": "openai"}, SPEC),
        "window": ({"spec": "openai/m", "window": "32k"}, "window can't be '32k'"),
        "stop": ({"spec": "openai/m", "stop": "off"}, "stop can't be 'off'"),
        "thinking": ({"spec": "openai/m", "thinking": "hgh"}, "thinking can't be 'hgh'"),
        "tokens": ({"spec": "openai/m", "tokens": "x"}, "tokens can't be 'x'"),
    },
)
def test_checks_a_named_one(section: dict[str, str], expected: str) -> None:
    assert refusal(ConfigError, check_named, {"x": section}) == f"model x: {expected}"


@table_of("text", ["0", "-1", "many", "10000", "²", "", "1" * 5_000])
def test_checks_how_many(text: str) -> None:
    with pytest.raises(ConfigError, match="in_flight must be a whole number of requests"):
        check_named({"x": {"spec": "openai/g", "in_flight": text}})


def test_spells_what_it_reads() -> None:
    spec = spelled("openai/g", "https://h/v1/", "MY_KEY")
    assert spec == "openai/g@https://h/v1 key=MY_KEY"
    assert find_endpoint(spec, {}, KEYS).key == "mk"
    assert spelled("mine", None, None) == "mine"


@table_of(
    ("url", "is_local", "is_ours"),
    [
        (HOSTED, False, True),
        ("http://127.0.0.1:1/v1", True, False),
        ("http://[::1]:1/v1", True, False),
        ("http://localhost/v1", True, False),
        ("http://10.0.0.1/v1", False, False),
    ],
)
def test_knows_where_it_is(url: str, is_local: bool, is_ours: bool) -> None:
    endpoint = find_endpoint(f"openai/g@{url}", {}, {})
    assert (endpoint.is_local, endpoint.is_ours) == (is_local, is_ours)


IMPORTS = """
import sys, time
from pathlib import Path
from react_agent.models.connection import Time
from react_agent.models.endpoint import find_endpoint
from react_agent.models.endpoints import Endpoints, Memory
ends = Endpoints(Memory(Path("/nowhere")), Time(time.monotonic, time.sleep), "s")
ends.model(find_endpoint(sys.argv[1] + "/m@http://127.0.0.1:9", {}, {}))
print(*sorted({'anthropic', 'openai', 'genai_prices'} & set(sys.modules)))
"""


@pytest.mark.parametrize("sdk", ["openai", pytest.param("anthropic", marks=pytest.mark.slow)])
def test_imports_the_sdk_that_is_used(sdk: str) -> None:
    command = [sys.executable, "-P", "-c", IMPORTS, sdk]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == f"{sdk}\n"


def test_no_other_model_wants_a_key(trial: Any) -> None:
    ends = trial.endpoints()
    with pytest.raises(UsageError, match=r"^openai/g needs a key: set OPENAI_API_KEY$"):
        ends.model(find_endpoint("openai/g", {}, {}))
    ends.model(find_endpoint("openai/g@http://127.0.0.1:9", {}, {}))
    assert len(ends.clients) == 1
    ends.model(find_endpoint("completions/x@http://127.0.0.1:9", {}, {}))
    assert len(ends.clients) == 1, "one client an address"


@table_of("key", ["MY-KEY", "sk-abc-123", "sk_abc123", "", " "])
def test_a_key_in_place_of_its_variable_is_not_repeated(key: str) -> None:
    if not key:
        assert spelled("openai/m", None, key) == "openai/m"
        return
    line = "--key takes the name of an environment variable, not a key"
    assert refusal(UsageError, spelled, "openai/m", None, key) == line


@table_of(
    "spec", ["openai/m@localhost:8000/v1", "openai/m key=MY-KEY", "openai/a b", "openai/m@ftp://x"]
)
def test_what_does_not_fit_goes_nowhere(spec: str) -> None:
    with pytest.raises(UsageError, match=r"^no model "):
        find_endpoint(spec, {}, {"OPENAI_API_KEY": "x"})


OURS = {"OPENAI_API_KEY": "x", "ANTHROPIC_API_KEY": "y", "MINE": "z"}
PAIRS = {
    "here": {"spec": "openai/m", "base_url": "http://localhost:1/v1", "key": "MINE"},
    "there": {"spec": "openai/m", "base_url": "https://there/v1/", "key": "MINE"},
    "bare": {"spec": "openai/m", "base_url": "https://there/v1"},
    "keyed": {"spec": "openai/m", "key": "MINE"},
    "clear": {"spec": "openai/m", "base_url": "http://there/v1", "key": "MINE"},
}
LOCAL = "http://127.0.0.1:1/v1"
OTHER = "https://other/v1"
PLAIN = "http://other/v1"


@table_of(
    ("spec", "set_url", "key"),
    {
        "to its maker": ("openai/m", "", "x"),
        "a named one to the maker": ("openai/m key=MINE", "", "z"),
        "named together": (f"openai/m@{OTHER} key=MINE", "", "z"),
        "named in one section": ("there", OTHER, "z"),
        "the maker's pair": ("openai/m", OTHER, "x"),
        "the maker's pair, here": ("openai/m", LOCAL, "x"),
        "nobody's to a server here": (f"openai/m@{LOCAL}", "", ""),
        "nor one of a section": (f"there@{LOCAL}", "", ""),
        "a named one to a server here": (f"openai/m@{LOCAL} key=MINE", "", "z"),
        "a section's to a server here": ("here", "", "z"),
        "none, by name": ("openai/m@http://other/v1 key=none", "", ""),
    },
)
def test_sends_a_key(spec: str, set_url: str, key: str) -> None:
    environment = OURS | ({"OPENAI_BASE_URL": set_url} if set_url else {})
    assert find_endpoint(spec, PAIRS, environment).key == key


APART = (
    ": name the address and the key together, by --base-url and --key, or by base_url and key in"
    " one section of the settings; --key none sends no key"
)
CLEAR = ", where others could read it on the way: use https://; --key none sends no key"
EVIL = "http://127.evil/v1"


@table_of(
    ("spec", "set_url", "name", "url", "why"),
    {
        "the maker's to another": (f"openai/m@{OTHER}", "", "OPENAI_API_KEY", OTHER, APART),
        "a longer one": (
            *(f"openai/m@{HOSTED}.evil", ""),
            *("OPENAI_API_KEY", f"{HOSTED}.evil", APART),
        ),
        "another's pair": (f"anthropic/m@{OTHER}", OTHER, "ANTHROPIC_API_KEY", OTHER, APART),
        "a section's to another": (f"there@{OTHER}", "", "MINE", OTHER, APART),
        "a named one to the variable's": ("openai/m key=MINE", OTHER, "MINE", OTHER, APART),
        "named together": (f"openai/m@{PLAIN} key=MINE", "", "MINE", PLAIN, CLEAR),
        "a pair": ("openai/m", PLAIN, "OPENAI_API_KEY", PLAIN, CLEAR),
        "like this machine": (f"openai/m@{EVIL} key=MINE", "", "MINE", EVIL, CLEAR),
    },
)
def test_refuses_to_send_a_key(spec: str, set_url: str, name: str, url: str, why: str) -> None:
    environment = OURS | ({"OPENAI_BASE_URL": set_url} if set_url else {})
    line = f"{name} is not sent to {url}{why}"
    assert refusal(UsageError, find_endpoint, spec, PAIRS, environment) == line


def test_without_a_key_any_server_will_do() -> None:
    for spec in ("openai/m@http://10.0.0.1/v1", f"openai/m@{OTHER}", "clear", "there", "bare"):
        assert find_endpoint(spec, PAIRS, {}).key == ""


@table_of("key", ["a\nb", "a\0b", "schlüssel"])
def test_no_key_has_such_a_character(key: str) -> None:
    line = "OPENAI_API_KEY contains a character that a key can't have"
    assert refusal(UsageError, find_endpoint, "openai/m", {}, {"OPENAI_API_KEY": key}) == line
