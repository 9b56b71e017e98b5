"""From what a repository declares to the commands that are to be run."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from react_agent.checks.pre_commit import CONFIG, HookBlock, hook_blocks
from react_agent.tools.shell import shell

SCRIPTS = (".husky/pre-commit", ".githooks/pre-commit")
FILES = (CONFIG, *SCRIPTS, "lefthook.yml", "lefthook.yaml", ".lefthook.yml", ".overcommit.yml")
_PATH = "{path}"
_EACH = "failed=0; for path; do\n{{ {}\n}} || failed=1\ndone; exit $failed"


@dataclass(frozen=True, slots=True)
class Planned:
    name: str
    command: tuple[str, ...] = ()
    why_not: str = ""  # it can't be run here
    takes_names: bool = True  # of the changed files, behind its arguments
    hook: HookBlock | None = None  # it is one of pre-commit's, which adds the command


def planned(texts: Mapping[str, str], lint: str, changed: Collection[str]) -> Iterator[Planned]:
    """`texts` are what those of FILES hold that are there, at the base."""
    if lint:
        yield _lint(lint)
    for name, text in texts.items():
        if name == CONFIG:
            hooks = [Planned(id, hook=one) for one in hook_blocks(text) for id in one.ids]
            yield from hooks or (Planned(name, why_not="no hook was found in it"),)
        elif name in SCRIPTS:
            yield _script(name, text, is_changed=name in changed)
        else:
            yield Planned(name, why_not="its format is not read")


def _lint(command: str) -> Planned:
    """Of each file, or of all there is."""
    if problem := shell.problem(command):
        return Planned("lint", why_not=problem)
    if _PATH not in command:
        return Planned("lint", tuple(shell.words(command)), takes_names=False)
    each = _EACH.format(command.replace(_PATH, '"$path"'))
    return Planned("lint", (*shell.words(each), "lint"))


def _script(name: str, text: str, *, is_changed: bool) -> Planned:
    if is_changed:
        return Planned(name, why_not="this change changes it")
    first = re.match(r"#!(.*)", text)
    program = first[1].split() if first else ["sh", "-e"]
    return Planned(name, (*program, name), takes_names=False)
