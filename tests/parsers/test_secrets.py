"""Keys of all kinds, drawn by lot here so that this repository holds none; and what is none."""

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.secrets import KINDS, redacted, secrets_in

LETTERS = string.ascii_letters
MIXED = LETTERS + string.digits
UPPER = string.ascii_uppercase + "234567"
HEX = string.digits + "abcdef"
URL = MIXED + "_-"


def lot(signs: str, count: int, seed: int = 7) -> str:
    """The same each time; its last sign is a letter or a digit."""
    rows = random.Random(f"{seed} {signs} {count}")
    last = rows.choice([one for one in signs if one.isalnum()])
    return "".join(rows.choice(signs) for _ in range(count - 1)) + last


def pem(kind: str) -> str:
    body = "\n".join(lot(MIXED + "+/", 64, seed) for seed in range(5))
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{body}\n-----END {kind}PRIVATE KEY-----"


KEYS = {
    "GitHub, classic": ("GitHub token", "ghp" + "_" + lot(MIXED, 36)),
    "GitHub, of an app": ("GitHub token", "ghs" + "_" + lot(MIXED, 36)),
    "GitHub, fine": ("GitHub token", "github" + f"_pat_{lot(MIXED, 22)}_{lot(MIXED, 59)}"),
    "GitLab": ("GitLab token", "glpat" + "-" + lot(URL, 20)),
    "GitLab, of a runner": ("GitLab token", "glrt" + "-" + lot(URL, 20)),
    "AWS": ("AWS access key", "AKIA" + lot(UPPER, 16)),
    "AWS, secret": ("AWS secret key", lot(MIXED + "/+", 40)),
    "Slack": ("Slack token", "xoxb" + f"-{lot('123456789', 12)}-{lot(MIXED, 24)}"),
    "Slack, webhook": ("Slack webhook", f"T{lot(UPPER, 10)}/B{lot(UPPER, 10)}/{lot(MIXED, 24)}"),
    "Stripe": ("Stripe key", "sk" + "_live_" + lot(MIXED, 24)),
    "OpenAI": ("OpenAI key", "sk" + f"-proj-{lot(URL, 74)}T3Blbk" + f"FJ{lot(URL, 74)}"),
    "Anthropic": ("Anthropic key", "sk" + f"-ant-api03-{lot(URL, 93)}AA"),
    "Google": ("Google API key", "AIza" + lot(URL, 35)),
    "Google, secret": ("Google secret", "GOCS" + "PX-" + lot(URL, 28)),
    "npm": ("npm token", "npm" + "_" + lot(MIXED, 36)),
    "PyPI": ("PyPI token", "pypi" + "-AgE" + lot(URL, 100)),
    "Hugging Face": ("Hugging Face token", "hf" + "_" + lot(LETTERS, 34)),
    "DigitalOcean": ("DigitalOcean token", "dop" + "_v1_" + lot(HEX, 64)),
    "SendGrid": ("SendGrid key", "SG" + f".{lot(URL, 22)}.{lot(URL, 43)}"),
    "Mailgun": ("Mailgun key", "key" + "-" + lot(HEX, 32)),
    "Telegram": ("Telegram token", "912873645" + ":AA" + lot(URL, 33)),
    "Discord": ("Discord token", f"M{lot(MIXED, 23)}.{lot(URL, 6)}.{lot(URL, 38)}"),
    "Shopify": ("Shopify token", "shpat" + "_" + lot(HEX, 32)),
    "Databricks": ("Databricks token", "dapi" + lot(HEX, 32)),
    "Vault": ("Vault token", "hvs" + "." + lot(URL, 90)),
    "Docker": ("Docker token", "dckr" + "_pat_" + lot(URL, 27)),
    "Azure": ("Azure key", lot(MIXED + "+/", 86) + "=="),
    "Linear": ("Linear key", "lin" + "_api_" + lot(MIXED, 40)),
    "age": ("age key", "AGE-SECRET" + "-KEY-1" + lot(UPPER, 58)),
}
AROUND = {
    "AWS secret key": 'aws_secret_access_key = "{}"',
    "Slack webhook": "https://hooks.slack" + ".com/services/{}",
    "Azure key": "AccountName=a;Account" + "Key={};",
}


@pytest.mark.parametrize(("kind", "key"), KEYS.values(), ids=KEYS)
def test_a_key_is_found_and_goes(kind: str, key: str) -> None:
    line = AROUND.get(kind, "token: {}, as it was")
    text = f"first\n  {line.format(key)}\nlast\n"
    [found] = secrets_in(text)
    assert (found.kind, found.is_certain, text[found.start : found.end]) == (kind, True, key)
    assert redacted(text) == f"first\n  {line.format(f'[{kind} removed]')}\nlast\n"


@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
def test_a_private_key_goes_whole(kind: str) -> None:
    key = pem(kind)
    for text in (key, key.replace("\n", "\\n"), f'KEY = """{key}"""'):
        assert [one.kind for one in secrets_in(text)] == ["private key"]
        assert lot(MIXED + "+/", 64, 3) not in redacted(text)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param('API_KEY = "{}"', id="python"),
        pytest.param('"client_secret": "{}"', id="json"),
        pytest.param("DB_PASSWORD={}", id="shell"),
        pytest.param("Authorization: Bearer {}", id="header"),
        pytest.param("postgres://app:{}@db.internal:5432/x", id="address"),
        pytest.param("const token = '{}';", id="js"),
    ],
)
def test_behind_a_name_it_has_to_look_drawn(line: str) -> None:
    key = lot(MIXED, 32)
    [found] = secrets_in(line.format(key))
    assert not found.is_certain
    assert key not in redacted(line.format(key))


@pytest.mark.parametrize(
    "text",
    [
        "AKIA" + "IOSFODNN7EXAMPLE",
        "ghp" + "_" + "x" * 36,
        "ghp" + "_" + "0123456789" * 3 + "abcdef",
        'token = "your-token-goes-here-please"',
        "password = os.environ['PASSWORD']",
        "api_key: ${{ secrets.API_KEY_OF_PRODUCTION }}",
        "secret_key = settings.SECRET_KEY_FOR_SIGNING",
        "key = frozenset_of_all_names",
        "postgres://postgres:postgres@localhost/x",
        "https://user:password@example.org/x",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "commit 077746d87676e7b40af0f4c9eb863ad96ff43e84",
        '"integrity": "sha512-' + lot(MIXED, 86) + '=="',
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
        "-----BEGIN CERTIFICATE-----\n" + lot(MIXED, 64),
        "sk-learn and task-list-of-the-day",
        "Bearer of bad news, as the basic principle",
        "glpat- is how a token begins",
        "tokens=1452 key=value:another",
        'KEY = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"',
        "primary_key=True, foreign_key='accounts.user.id_of_owner'",
    ],
)
def test_what_is_no_key_stays(text: str) -> None:
    assert secrets_in(text) == []
    assert redacted(text) == text


def test_what_only_the_holder_knows_goes_too() -> None:
    assert redacted("the word is hunter2hunter2", ["hunter2hunter2", "", "is"]) == (
        "the word is [secret removed]"
    )


def test_there_are_kinds_enough() -> None:
    assert len({kind for kind, _ in KEYS.values()}) >= 20
    assert {kind for kind, _ in KEYS.values()} <= {kind.name for kind in KINDS}


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    spans = [(one.start, one.end) for one in secrets_in(text)]
    assert spans == sorted(spans)


@pytest.mark.parametrize("part", ["a", "-----BEGIN PRIVATE KEY-----\n", "token=", "eyJ", "A: b\n"])
def test_a_long_text_takes_no_time(part: str) -> None:
    secrets_in(part * (40_000 // len(part)))  # what is slow here runs into the limit of a test


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
