"""The commands there are. A command's module is imported when that command is called."""

from collections.abc import Mapping
from typing import NamedTuple


class Command(NamedTuple):
    about: str
    place: str = ""  # `module:name`; else it is `command` in the module that is called like it


COMMANDS: Mapping[str, Command] = {
    "solve": Command("turn an issue into a branch or a pull request", "run:solve_command"),
    "demo": Command("watch it work on a small repository, with no model and no key"),
    "show": Command("read the transcript of a run"),
    "page": Command("a run as a page: one file to read, search and pass on"),
    "runs": Command("list the runs there are, or remove old ones"),
    "audit": Command("what a run read, wrote, ran, reached and spent; what was refused"),
    "resume": Command("take up a run from whatever its transcript now says", "run:resume_command"),
    "pr": Command("send the branch that a run made, as a pull request", "deliver:pr_command"),
    "address": Command("answer the review of a pull request", "deliver:address_command"),
    "ci": Command("what a CI job does with the event that started it"),
    "fork": Command("begin a new run as an old one was after one of its steps", "run:fork_command"),
    "eval": Command(
        "run over a set of issues, judge, report and compare", "react_agent.eval.cli.group:app"
    ),
    "replay": Command("do a run again and say where it differs", "run:replay_command"),
    "repair": Command("a patch as a model wrote it, made into one that applies"),
    "profiles": Command("what a model is told, offered and allowed"),
    "tools": Command("the tools: offered, hidden, and how each answers"),
    "procedures": Command("roles that take turns: list the procedures, or check a file"),
    "hook": Command("let commits and pushes ask for runs, in the background"),
    "wishes": Command("what agents asked for that there is not"),
    "endpoint": Command("a model whose words are yours, for who has none"),
    "completion": Command("let a shell complete commands, options and names of runs"),
    "doctor": Command("what this machine and a model can do, and what to do about it"),
}
# Filters: their modules have a `main(arguments)` that needs no typer, which is slow to import.
QUICK = frozenset({"repair", "complete"})
