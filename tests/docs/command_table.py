"""What shells complete, out of the help of the commands: `command_table.py FILE`."""

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from cli_page import Help, helps

from react_agent.cli.complete import Command, Slot, Table, write_table
from react_agent.cli.completion import SHELLS
from react_agent.eval.cli.report import FORMATS
from react_agent.hook.installing import HOOKS
from react_agent.runs.audit import SECTIONS
from react_agent.runs.history import Kind
from react_agent.runs.listing import OUTCOMES

SANDBOXES = ("auto", "bubblewrap", "landlock", "docker:", "podman:", "none")
# By the option or argument, alone or behind the command's words.
WORDS: Mapping[str, tuple[str, ...]] = {
    "--sandbox": SANDBOXES,
    "--outcome": ("failed", *OUTCOMES),
    "audit --only": SECTIONS,
    "show --only": tuple(Kind),
    "completion SHELL": SHELLS,
    "hook DO": ("install", "status", "run", "uninstall"),
    "hook HOOK": tuple(HOOKS),
    "runs DO": ("prune",),
    "inspect tools DO": ("try", "why"),
    "eval export --format": tuple(FORMATS),
}
# What is called otherwise in a help than what it is.
NAMES = {"--profile": "PROFILE", "inspect profiles NAME": "PROFILE"} | {
    "--procedure": "PROCEDURE",
    "inspect procedures NAME": "PROCEDURE",
}


def command_table() -> Table:
    return {tuple(name.split()): _command(name, said) for name, said in helps()}


def _command(name: str, said: Help) -> Command:
    below = name.partition(" ")[2]
    arguments = [row.partition(" ")[0].strip("[]") for row, _ in said.lists.get("Arguments", ())]
    return Command(
        [_slot(below, one.removesuffix("..."), one.removesuffix("...")) for one in arguments],
        dict(_options(below, said)),
    )


def _options(command: str, said: Help) -> Iterator[tuple[str, Slot | None]]:
    for row, _ in said.lists.get("Options", ()):
        names, _, value = re.sub(r", (?=-)", ",", row).partition(" ")
        for name in names.split(","):
            yield name, _slot(command, name, value) if value else None


def _slot(command: str, given: str, name: str) -> Slot:
    keys = (f"{command} {given}", given)
    words = next((WORDS[key] for key in keys if key in WORDS), ())
    return Slot(next((NAMES[key] for key in keys if key in NAMES), name.partition(" ")[0]), words)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(write_table(command_table()), encoding="utf-8")
