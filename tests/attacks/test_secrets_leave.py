"""Keys of every kind, planted wherever a run reads: none of them is anywhere afterwards.

One run at a forge, by the installed command: with a model behind an endpoint, tools that read and
print the keys, an edit beside one, tests that print them, and a pull request. What is looked at
is every byte of what it left, printed and sent.
"""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from fake_endpoint import FakeEndpoint, Reply
from hosting import hosting
from planted_keys import planted, text
from replies import call

from react_agent.demo.repository import make_repository
from react_agent.parsers.secrets.redaction import Redaction

pytestmark = pytest.mark.slow
SCRIPT = str(Path(sys.executable).with_name("react-agent"))
ATTACK = "a key of each of 33 kinds, {id}"
PRINTS = "print(open({name!r}).read()[::-1])\n"  # what stands there backwards is no key
OWN = "x9-Only.the_holder:knows"
MODEL_KEY = "waterfall"  # a word, as others are: that it is a key is known by --key alone
_PLACES = "file name command issue comment tests error thought input conclusion refused"
SEEDS = {place: 100 + 10 * at for at, place in enumerate(_PLACES.split())}
BESIDE = "LIMIT = 5\n"


@dataclass
class Left:
    """By where it was: every byte of it."""

    texts: dict[str, bytes] = field(default_factory=dict)
    branch: str = ""
    codes: list[int] = field(default_factory=list)
    prompts: int = 0

    def holding(self, secret: str) -> list[str]:
        return [place for place, data in self.texts.items() if secret.encode() in data]


def name_of(seed: int) -> str:
    """A file that is called as its owner's key is."""
    return f"notes-{next(iter(planted(seed)))}.txt"


def repository(place: Path) -> None:
    make_repository(place)
    (place / "conf.py").write_text(f'TEXT = """\n{text(SEEDS["file"])}"""\n{BESIDE}')
    (place / name_of(SEEDS["name"])).write_text("a file\n")
    (place / "own.txt").write_text(f"{OWN}\n{MODEL_KEY}\n")
    for what in ("command", "tests"):
        (place / f"{what}.rev").write_text(text(SEEDS[what])[::-1])
        (place / f"{what}_.py").write_text(PRINTS.format(name=f"{what}.rev"))
    (place / ".react-agent.cfg").write_text("[react_agent]\ntest = python3 tests_.py\n")
    run = ("git", "-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run([*run, "add", "-A"], cwd=place, check=True)
    subprocess.run([*run, "commit", "-qm", "Plant"], cwd=place, check=True)


def replies() -> Iterator[Reply | str]:
    shown = Redaction()(next(iter(planted(SEEDS["file"]).values())))
    yield Reply(status=500, error=text(SEEDS["error"]))
    yield call("read_file", "conf.py", text(SEEDS["thought"]))
    yield call("run", "cat conf.py own.txt; ls; python3 command_.py")
    yield call("grep", "it is")
    yield call("read_file", f"no-{name_of(SEEDS['name'])}")
    yield call("write_file", f"more.py\nX = '''\n{text(SEEDS['input'])}'''\n")
    yield call("run", f"cat > more.py <<'END'\n{text(SEEDS['input'])}END")
    yield call(
        "replace",
        f"conf.py\n<<<<<<< SEARCH\n{BESIDE}=======\n{BESIDE.replace('5', '6')}>>>>>>> REPLACE",
    )
    yield call(
        "replace",
        f'conf.py\n<<<<<<< SEARCH\nTEXT = """\n{shown}\n=======\n'
        f'# keys\nTEXT = """\n{shown}\n>>>>>>> REPLACE',
    )
    yield call("run_tests", "")
    while True:
        yield f" I am done\nConclusion: It is done. {text(SEEDS['conclusion'])}"


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Left:
    root = tmp_path_factory.mktemp("leave")
    source, found = root / "repository", Left()
    repository(source)
    with hosting("github", root / "served", source) as site, FakeEndpoint(replies()) as model:
        subprocess.run(["git", "remote", "add", "origin", site.url], cwd=source, check=True)
        site.issue(12, f"It fails at the {MODEL_KEY}", f"As here:\n\n{text(SEEDS['issue'])}")
        hosted = next(iter(site.fake.repositories.values()))
        hosted.comment(12, "me", text(SEEDS["comment"]), author_association="OWNER")
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("XDG_")},
            **{f"XDG_{kind}_HOME": str(root / kind) for kind in ("STATE", "CACHE", "CONFIG")},
            **site.environment,
            "ACME_API_KEY": OWN,
            "GATEWAY": MODEL_KEY,
        }
        settings = root / "CONFIG/react-agent/config.cfg"
        settings.parent.mkdir(parents=True)
        settings.write_text(site.settings)
        spec = ("--model", "openai/m", "--base-url", f"{model.url}/v1", "--key", "GATEWAY")
        _call(found, source, environment, "solve", "#12", "--sandbox", "none", "--pr", *spec)
        run = next((root / "STATE/react-agent/runs").iterdir())
        for words in (("show",), ("show", "--raw"), ("pr", "--dry-run"), ("replay",)):
            _call(found, source, environment, words[0], run.name, *words[1:])
        with FakeEndpoint([Reply(status=401, error=text(SEEDS["refused"]))] * 9) as refuses:
            spec = (*spec[:3], f"{refuses.url}/v1", *spec[4:])
            _call(found, source, environment, "solve", "#12", "--sandbox", "none", *spec)
        for at, asked in enumerate(site.server.asked):
            found.texts[f"forge {at} {asked.line}"] = asked.raw
        for at, request in enumerate(model.requests):
            found.texts[f"prompt {at}"] = request.raw
        found.prompts = len(model.requests)
        branches = site.git("for-each-ref", "--format=%(refname)", "refs/heads/react-agent")
        found.branch = site.git("show", f"{branches.split()[0]}:conf.py")
    for folder in ("STATE", "CACHE", "CONFIG"):
        for path in (root / folder).rglob("*"):
            if {"workspace", "git"} & set(path.parts) or path.name == "patch.diff":
                continue  # the repository itself, and lines of it around a change, to the letter
            found.texts[f"name of {path}"] = os.fsencode(path.name)
            if path.is_file():
                found.texts[str(path)] = path.read_bytes()
    return found


def _call(found: Left, place: Path, environment: Mapping[str, str], *words: str) -> None:
    done = subprocess.run(
        [SCRIPT, *words], cwd=place, env=environment, capture_output=True, timeout=100, check=False
    )
    found.codes.append(done.returncode)
    found.texts[f"out of {' '.join(words)}"] = done.stdout
    found.texts[f"err of {' '.join(words)}"] = done.stderr


def _by(who: str) -> pytest.MarkDecorator:
    return pytest.mark.attack(ATTACK, by=who, wall="redaction")


@pytest.mark.parametrize(
    "what",
    [
        pytest.param("file", id="in a file", marks=_by("repository")),
        pytest.param("command", id="printed by a command", marks=_by("command")),
        pytest.param("issue", id="in an issue", marks=_by("issue")),
        pytest.param("comment", id="in a comment", marks=_by("comment")),
        pytest.param("tests", id="printed by tests", marks=_by("command")),
        pytest.param("error", id="in an error of an endpoint", marks=_by("model")),
        pytest.param("refused", id="in the error that ends a run", marks=_by("model")),
        pytest.param("thought", id="in a thought", marks=_by("model")),
        pytest.param("input", id="in what a model writes", marks=_by("model")),
        pytest.param("conclusion", id="in a conclusion", marks=_by("model")),
    ],
)
def test_no_key_is_anywhere(left: Left, what: str) -> None:
    secrets = planted(SEEDS[what])
    assert len(secrets) > 33
    assert {one: left.holding(one) for one in secrets if left.holding(one)} == {}


@pytest.mark.attack("a key as the name of a file", by="repository", wall="redaction")
def test_no_key_in_a_name(left: Left) -> None:
    assert left.holding(next(iter(planted(SEEDS["name"])))) == []


@pytest.mark.attack("a password of a variable, {id}", by="environment", wall="redaction")
@pytest.mark.parametrize(
    "secret",
    [pytest.param(OWN, id="by its name"), pytest.param(MODEL_KEY, id="which is the model's")],
)
def test_no_value_of_a_variable(left: Left, secret: str) -> None:
    """But in the header by which the endpoint knows us, and that is no part of a prompt."""
    assert left.holding(secret) == []


def test_the_run_did_what_it_would_without_keys(left: Left) -> None:
    """The keys are where they were, beside a change; what was shown says what was taken out."""
    assert left.codes[:3] == [0, 0, 0]
    keys = f'TEXT = """\n{text(SEEDS["file"])}"""\n'
    assert left.branch == f"# keys\n{keys}LIMIT = 6"
    [transcript] = [
        data
        for place, data in left.texts.items()
        if place.endswith("transcript.txt") and not place.startswith("name") and b"grep" in data
    ]
    for kind in ("GitHub token", "private key", "secret variable", "password in an address"):
        assert f"[redacted: {kind}]".encode() in transcript
    assert left.prompts > 9
