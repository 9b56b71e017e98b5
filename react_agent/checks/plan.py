"""From what a repository declares to the checks that are to be run."""

import shlex
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace

from react_agent.checks.known import KNOWN
from react_agent.checks.planned import Choice, Command, Forbidden, How, Not, Own, Planned
from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.settings.file_checks import OWN, File, Found, OwnCheck
from react_agent.parsers.settings.precommit import LOCAL, META, Config, Hook, read_precommit
from react_agent.tools.files.paths import can_be_passed
from react_agent.tools.shell import shell

PRE_COMMIT = (".pre-commit-config.yaml",)
SCRIPTS = (".husky/pre-commit", ".githooks/pre-commit")
FILES = (*PRE_COMMIT, *SCRIPTS, "lefthook.yml", "lefthook.yaml", ".lefthook.yml", ".overcommit.yml")
_PROGRAMS = ("system", "unsupported", "python")
_OF_REPOSITORY = ("script", "unsupported_script")
_IDENTITY = "identity"
_NOTHING = OwnCheck(lambda file, args: Found(), ())
_THE_CONFIGURATION = r"^\.pre-commit-config\.yaml$"
_SHOWN = 60
_PATH = "{path}"
_EACH = "failed=0; for path; do\n{{ {}\n}} || failed=1\ndone; exit $failed"
# As pre-commit's `pygrep` is: Python's own expressions, on the bytes of a file.
_PYGREP = """\
import re, sys
options, pattern, *paths = sys.argv[1:]
flags = re.IGNORECASE if "i" in options else 0
flags |= re.MULTILINE | re.DOTALL if "m" in options else 0
search, failed = re.compile(pattern.encode(), flags).search, False
for path in paths:
    with open(path, "rb") as file:
        lines = [file.read()] if "m" in options else file.readlines()
    found = [number for number, line in enumerate(lines, 1) if search(line)]
    if bool(found) is ("n" in options):
        continue
    failed = True
    for number in found[:20] or [0]:
        text = lines[number - 1].decode(errors="replace").strip() if number else ""
        print(path if "m" in options or not number else f"{path}:{number}: {text}")
sys.exit(failed)
"""
_PYGREP_OPTIONS = {
    "-i": "i",
    "--ignore-case": "i",
    "--multiline": "m",
    "--negate": "n",
}


def planned(texts: Mapping[str, str], lint: str, changed: Collection[str]) -> Iterator[Planned]:
    """`texts` are what those of FILES hold that are there, at the base."""
    if lint:
        yield _lint(lint)
    for name, text in texts.items():
        if name in PRE_COMMIT:
            yield from _of_pre_commit(name, text)
        elif name in SCRIPTS:
            yield _script(name, text, is_changed=name in changed)
        else:
            yield Planned(name, Not("its format is not read"))


def _lint(command: str) -> Planned:
    """Of each file, or of all there is."""
    if problem := shell.problem(command):
        return Planned("lint", Not(problem))
    if _PATH not in command:
        return Planned("lint", Command(tuple(shell.words(command))), takes_names=False)
    each = _EACH.format(command.replace(_PATH, '"$path"'))
    return Planned("lint", Command((*shell.words(each), "lint")))


def _of_pre_commit(name: str, text: str) -> Iterator[Planned]:
    try:
        config = read_precommit(text)
    except ParseError as error:
        yield Planned(name, Not(str(error)))
        return
    yield from (_hook(hook, config) for hook in config.hooks)


def _script(name: str, text: str, *, is_changed: bool) -> Planned:
    if is_changed:
        return Planned(name, Not("this change changes it"))
    first = text.partition("\n")[0]
    program = first.removeprefix("#!").split() if first.startswith("#!") else ["sh", "-e"]
    return Planned(name, Command((*program, name)), takes_names=False)


def _hook(hook: Hook, config: Config) -> Planned:
    merged = _merged(hook)
    how = _how(merged)
    types = (how.check.types if isinstance(how, Own) else ()) + (merged.types or ())
    choice = Choice(
        tuple(filter(None, (config.files, merged.files))),
        tuple(filter(None, (config.exclude, merged.exclude))),
        frozenset(types),
        frozenset(merged.types_or or ()),
        frozenset(merged.exclude_types or ()),
    )
    takes_names = merged.pass_filenames is not False
    return Planned(hook.id, how, choice, takes_names, bool(merged.always_run))


def _merged(hook: Hook) -> Hook:
    """What the configuration says goes before what the hook's own repository says."""
    if hook.repo == META:
        return hook if hook.files else replace(hook, files=_THE_CONFIGURATION)
    known = KNOWN.get(hook.id)
    if hook.repo == LOCAL or known is None:
        return hook
    has_types = hook.types is not None or hook.types_or is not None
    return replace(
        hook,
        entry=hook.entry or known.entry,
        language=hook.language or known.language,
        files=known.files if hook.files is None else hook.files,
        types_or=hook.types_or if has_types else known.types_or,
        args=known.args if hook.args is None else hook.args,
    )


def _how(hook: Hook) -> How:
    if not hook.is_for_commits:
        return Not(f"it is for {', '.join(hook.stages)[:_SHOWN]}")
    if hook.repo == META:
        return Own(_NOTHING) if hook.id == _IDENTITY else Not("it is about the configuration")
    if hook.repo != LOCAL and hook.id in OWN:
        return _own(hook)
    if hook.repo == LOCAL and hook.needs:
        return Not(f"it needs packages of its own ({', '.join(hook.needs)[:_SHOWN]})")
    if hook.language in _HOW:
        return _HOW[hook.language](hook)
    if hook.repo == LOCAL:
        return Not(f"its language is {hook.language[:_SHOWN] or 'not named'}")
    return Not("a hook that is not known here")


def _own(hook: Hook) -> How:
    how = Own(OWN[hook.id], hook.args or ())
    try:
        how.check.look(File("", b""), how.args)
    except ParseError as error:
        return Not(f"its argument {str(error)[:_SHOWN]} is not known here")
    return how


def _command(hook: Hook) -> How:
    try:
        words = (*shlex.split(hook.entry), *(hook.args or ()))
    except ValueError:
        words = ()
    if not words or not words[0] or not all(map(can_be_passed, words)):
        return Not("its entry is no command")
    if hook.language in _OF_REPOSITORY:
        words = (f"./{words[0]}", *words[1:])
    return Command(words)


def _pygrep(hook: Hook) -> How:
    options = [_PYGREP_OPTIONS.get(option, "") for option in hook.args or ()]
    if not all(options) or not can_be_passed(hook.entry):
        return Not("its arguments are not known here")
    return Command(("python3", "-c", _PYGREP, "-" + "".join(options), hook.entry))


def _forbidden(hook: Hook) -> How:
    return Forbidden(hook.entry)


_HOW: Mapping[str, Callable[[Hook], How]] = {
    **dict.fromkeys((*_PROGRAMS, *_OF_REPOSITORY), _command),
    "pygrep": _pygrep,
    "fail": _forbidden,
}
