"""The commands there are. A command's module is imported when that command is called."""

from collections.abc import Mapping
from typing import NamedTuple


class Command(NamedTuple):
    about: str
    place: str = ""  # `module:name`; else it is `command` in the module that is called like it
    heading: str = "Commands"


_START, _READ, _CONTINUE = "Start", "Read", "Continue"
_DELIVER, _MEASURE, _TOOLS = "Deliver", "Measure", "Tools"
COMMANDS: Mapping[str, Command] = {
    "solve": Command("turn an issue into a branch or a pull request", "run:solve_command", _START),
    "demo": Command("watch it work on a small repository, without a model or a key", "", _START),
    "doctor": Command("check this machine and a model, and say what to do", "", _START),
    "show": Command("read the transcript of a run", "", _READ),
    "page": Command("a run as a page: one file to read, search and pass on", "", _READ),
    "runs": Command("list the runs, or remove old ones", "", _READ),
    "audit": Command("list what a run read, wrote, ran and reached; what was refused", "", _READ),
    "resume": Command("go on with a run from its transcript", "run:resume_command", _CONTINUE),
    "fork": Command("begin a new run after a step of an old one", "run:fork_command", _CONTINUE),
    "replay": Command("do a run again, and report differences", "run:replay_command", _CONTINUE),
    "pr": Command("send the branch of a run as a pull request", "deliver:pr_command", _DELIVER),
    "review": Command("answer the review of a pull request", "deliver:review_command", _DELIVER),
    "ci": Command("act on the event that started a CI job", "", _DELIVER),
    "hook": Command("let commits and pushes ask for runs in the background", "", _DELIVER),
    "eval": Command(
        "run over a set of issues, judge, report, compare",
        "react_agent.eval.cli.group:app",
        _MEASURE,
    ),
    "repair": Command("turn a patch as a model wrote it into one that applies", "", _TOOLS),
    "inspect": Command("show profiles, tools, procedures and wishes", "group:inspect_app", _TOOLS),
    "endpoint": Command("be the model yourself: an endpoint you answer by hand", "", _TOOLS),
    "completion": Command("let a shell complete commands, options and runs", "", _TOOLS),
}
INSPECT: Mapping[str, Command] = {
    "profiles": Command("what a model is told, offered and allowed"),
    "tools": Command("the tools: offered, hidden, and how each answers"),
    "procedures": Command("roles that take turns: list the procedures, or check a file"),
    "wishes": Command("tools that agents asked for and that do not exist"),
}
# Filters: their modules have a `main(arguments)` that needs no typer, which is slow to import.
QUICK = frozenset({"repair", "complete"})
