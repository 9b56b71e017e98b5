"""What makes a repository's environment is the repository's own command: it is confined, too."""

from dataclasses import replace
from pathlib import Path

import pytest
from robbed import laid_out

from react_agent.tools.context import Context
from react_agent.tools.sandbox.sandbox import Places
from react_agent.tools.sandbox.sandboxes import choose
from react_agent.tools.shell import process
from react_agent.tools.testing.probe import Prefix, folder_for, modules_in, preparing

pytestmark = pytest.mark.slow

ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
MAKE = 'mkdir -p "$VENV/bin"; ln -s /bin/true "$VENV/bin/python"'


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "user").mkdir()
    (tmp_path / "user" / "kept").touch()
    made = folder_for(tmp_path / "cache", "base", "command")
    made.mkdir(parents=True)
    return laid_out(tmp_path / "run", also=made)


TRICKS = {
    "a link in the place of a file of ours": (
        f'{MAKE}; ln -s {{user}}/x "$VENV/../made"; ln -s {{user}}/x "$VENV/../lock"',
        Prefix,
    ),
    "say that it is done": ('touch "$(dirname "$VENV")/made"; exit 1', str),
    "a link as folder": ('rm -rf "$VENV"; ln -s {user} "$VENV"; false', str),
}
WRITE = "write elsewhere"


@pytest.mark.needs("bwrap", "bubblewrap")
@pytest.mark.parametrize(
    ("sandbox", "left"),
    [
        pytest.param("bubblewrap", ["kept"], id="bubblewrap"),
        pytest.param("none", ["kept", "written"], id="none"),
    ],
)
@pytest.mark.attack(
    f"a prepare command: {WRITE}", by="repository", wall="sandbox", unconfined="gets through"
)
@pytest.mark.attack(
    *(f"a prepare command: {trick}" for trick in TRICKS), by="repository", wall="paths"
)
def test_what_it_leaves_leads_nowhere(
    places: Places, tmp_path: Path, sandbox: str, left: list[str]
) -> None:
    user, made = tmp_path / "user", places.also
    assert made is not None
    chosen = choose(sandbox, places, ENVIRONMENT, {})
    context = Context(places.root, environment=ENVIRONMENT, sandbox=chosen.sandbox)
    for number, (command, kind) in enumerate(TRICKS.values()):
        own = made / str(number)
        own.mkdir()
        prepare = preparing(command.format(user=user), own, chosen.sandbox)
        assert [type(prepare(context)) for _ in "12"] == [kind, kind], command
    preparing(f"touch {user}/written", made, chosen.sandbox)(context)
    assert sorted(path.name for path in user.iterdir()) == left


@pytest.mark.needs("bwrap", "bubblewrap")
@pytest.mark.attack(
    "a prepare command: a link to your files in place of packages", by="repository", wall="sandbox"
)
@pytest.mark.parametrize("sandbox", ["bubblewrap", "landlock"])
def test_packages_that_are_a_link(places: Places, tmp_path: Path, sandbox: str) -> None:
    made, link = places.also, places.root.with_name("node_modules")
    assert made is not None
    packages = modules_in(made)
    packages.parent.mkdir()
    link.symlink_to(packages)
    seen = replace(places, also=None, toolchains=(made,), modules=link)
    chosen = choose(sandbox, seen, ENVIRONMENT, {})

    def listed() -> tuple[int, bytes]:
        argv = chosen.sandbox(["ls", f"{link}/"], seen.root)
        done = process.run(argv, cwd=seen.root, env=ENVIRONMENT, timeout_s=20)
        return done.code, done.output

    packages.symlink_to(tmp_path / "user")
    code, said = listed()
    assert (code > 0, b"kept" in said) == (True, False)
    packages.unlink()
    (packages / "needed").mkdir(parents=True)
    assert listed() == (0, b"needed\n")
