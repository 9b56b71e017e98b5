"""What surrounds a run: who we are, which git, how much room, and where keys of a person lie."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from shlex import quote

from react_agent.doctor.doctor import Mark, Row
from react_agent.doctor.doctor_trial import outside, tried
from react_agent.errors import ReactAgentError
from react_agent.loop.spent import whole_number
from react_agent.parsers.secrets.redaction import secrets_of
from react_agent.runs.commands import Outer, standing
from react_agent.tools.context import Context
from react_agent.tools.git.door import Git

_FILES = (
    *(".netrc", ".git-credentials", ".config/git/credentials", ".ssh", ".gnupg", ".pgpass"),
    *(".aws/credentials", ".config/gcloud", ".azure", ".kube/config", ".docker/config.json"),
    *(".config/gh/hosts.yml", ".config/glab-cli/config.yml", ".config/tea/config.yml"),
    *(".npmrc", ".pypirc", ".cargo/credentials.toml", ".config/react-agent/config.cfg"),
)
_LITTLE = 2 * 1024**2  # kB, for clones, environments and logs
_ROOT = "commands run as root too: a hole in a wall is a hole in all; use an ordinary user"


def of_surroundings(cache: Path, outer: Outer) -> Iterator[Row]:
    with standing(outer) as (context, _, _places):
        yield _user(context)
        yield _git(cache)
        yield _disk(cache, context)
        yield from _keys(outer, context)


def _user(context: Context) -> Row:
    number, _, name = _said("id -u; id -un", outside(context)).partition("\n")
    if number == "0":
        return Row(Mark.SO_SO, "user", name, _ROOT)
    return Row(Mark.GOOD, "user", name)


def _git(cache: Path) -> Row:
    try:
        return Row(Mark.GOOD, "version", Git(cache).line("version"))
    except ReactAgentError as error:
        return Row(Mark.BAD, "version", str(error), "install git 2.39 or later")


def _disk(cache: Path, context: Context) -> Row:
    line = f"df -Pk {quote(str(cache))} | awk 'END {{print $4}}'"
    free = whole_number(_said(line, outside(context)))
    told = f"{free / 1024**2:.1f} GB are free for clones and caches"
    if free < _LITTLE:
        return Row(Mark.SO_SO, "disk", told, f"make room, or set XDG_CACHE_HOME (now in {cache})")
    return Row(Mark.GOOD, "disk", told)


def _keys(outer: Outer, context: Context) -> Iterator[Row]:
    """Their names only; none of them is read."""
    names = [name for name, value in outer.environment.items() if secrets_of({name: value})]
    shown = _said("env", context)
    seen = [name for name in names if f"\n{name}=" in f"\n{shown}"]
    yield _row("variables", names, seen, "an environment of ours is given to commands")
    home = Path(outer.environment.get("HOME", "/root"))
    looking = _looking([home / name for name in _FILES])
    there, open_ = (_said(looking, one).splitlines() for one in (outside(context), context))
    yield _row("key files", there, open_, "install bubblewrap, and let sandbox be auto")


def _looking(paths: Iterable[Path]) -> str:
    """The names of those that can be read."""
    listed = " ".join(quote(str(path)) for path in paths)
    reading = 'if test -d "$f"; then ls "$f"; else head -c 1 "$f"; fi >/dev/null 2>&1'
    return f"for f in {listed}; do if {reading}; then printf '%s\\n' \"$f\"; fi; done"


def _row(what: str, found: list[str], seen: list[str], advice: str) -> Row:
    if seen:
        return Row(Mark.SO_SO, what, f"commands see {', '.join(seen)}", advice)
    if not found:
        return Row(Mark.GOOD, what, "none that is known by its name")
    return Row(Mark.GOOD, what, f"{', '.join(sorted(found))}: seen by no command")


def _said(line: str, context: Context) -> str:
    return tried(line, context).output.decode(errors="replace").strip()
