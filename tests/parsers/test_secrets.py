"""Keys of all kinds, and what is none."""

import html
from urllib.parse import quote

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st
from planted_keys import AROUND, MIXED, keys, lot

from react_agent.parsers.secrets.finder import KINDS, Sure, secrets_in
from react_agent.parsers.secrets.redaction import Redaction, named_keys, redacted, secrets_of

KEYS = keys(7)


@table_of(("kind", "key"), KEYS.values())
def test_a_key_is_found_and_goes(kind: str, key: str) -> None:
    line = AROUND.get(kind, "token: {}, as it was")
    text = f"first\n  {line.format(key)}\nlast\n"
    [found] = secrets_in(text)
    assert (found.kind, found.sure, text[found.start : found.end]) == (kind, Sure.CERTAIN, key)
    assert redacted(text) == f"first\n  {line.format(f'[redacted: {kind}]')}\nlast\n"


@table_of("key", ["hunter2", "postgres", "aaaaaaaa", "12345678", "of our own, 7", "a<b>cdef"])
def test_a_key_that_is_named_goes_whatever_it_looks_like(key: str) -> None:
    environment = {"GATEWAY": f" {key}\n", "OTHER": "something", "SHORT": "none"}
    assert secrets_of(environment) == ()
    redact = Redaction(secrets_of(environment), named_keys(environment, ["GATEWAY", "SHORT", "X"]))
    text = f"key={key!r}, none\n{html.escape(key)} something {quote(key, safe='')}."
    mark = "[redacted: secret variable]"
    expected = f"key='{mark}', none\n{mark} something {mark}."
    assert (redact(text), redact.for_all(text)) == (expected, expected)


@table_of(
    "line",
    [
        pytest.param('API_KEY = "{}"', id="python"),
        pytest.param("Authorization: Bearer {}", id="header"),
        pytest.param("postgres://app:{}@db.internal:5432/x", id="address"),
    ],
)
def test_behind_a_name_it_has_to_look_drawn(line: str) -> None:
    key = lot(MIXED, 32)
    [found] = secrets_in(line.format(key))
    assert found.sure is not Sure.CERTAIN
    assert key not in redacted(line.format(key))


@table_of(
    "text",
    [
        "AKIA" + "IOSFODNN7EXAMPLE",
        "ghp" + "_" + "x" * 36,
        "ghp" + "_" + "0123456789" * 3 + "abcdef",
        'token = "your-token-goes-here-please"',
        "password = os.environ['PASSWORD']",
        "api_key: ${{ secrets.API_KEY_OF_PRODUCTION }}",
        "secret_key = settings.SECRET_KEY_FOR_SIGNING",
        "postgres://postgres:postgres@localhost/x",
        "https://user:password@example.org/x",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        '"integrity": "sha512-' + lot(MIXED, 86) + '=="',
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
        "-----BEGIN CERTIFICATE-----\n" + lot(MIXED, 64),
        "sk-learn and task-list-of-the-day",
        "Bearer of bad news, as the basic principle",
        "tokens=1452 key=value:another",
    ],
)
def test_what_is_no_key_stays(text: str) -> None:
    assert secrets_in(text) == []
    assert redacted(text) == text


def test_what_only_the_holder_knows_goes_too() -> None:
    assert redacted("the word is hunter2hunter2", ["hunter2hunter2", "", "is"]) == (
        "the word is [redacted: secret variable]"
    )


def test_there_are_kinds_enough() -> None:
    assert len({kind for kind, _ in KEYS.values()}) >= 20
    assert {kind for kind, _ in KEYS.values()} <= {kind.name for kind in KINDS}


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    spans = [(one.start, one.end) for one in secrets_in(text)]
    assert spans == sorted(spans)


@pytest.mark.checkout
@pytest.mark.slow
def test_this_repository_holds_none() -> None:
    """And what it holds looks enough like keys: hashes, logs, diffs, recorded runs."""
    from pathlib import Path

    root, found, count = Path(__file__).parents[2], [], 0
    for path in root.rglob("*"):
        inner = path.relative_to(root).parts
        if inner[0].startswith(".") or "__pycache__" in inner or not path.is_file():
            continue
        text = path.read_text(errors="replace")
        found += [(str(path), one.kind) for one in secrets_in(text)]
        count += 1
    assert count > 1000
    assert found == []
