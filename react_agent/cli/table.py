"""The commands there are. A command's module is imported when that command is called."""

from collections.abc import Mapping

COMMANDS: Mapping[str, str] = {
    "solve": "turn an issue into a branch or a pull request",
    "demo": "watch it work on a small repository, with no model and no key",
    "show": "read the transcript of a run",
    "page": "a run as a page: one file to read, search and pass on",
    "runs": "list the runs there are, or remove old ones",
    "audit": "what a run read, wrote, ran, reached and spent; what was refused",
    "resume": "take up a run from whatever its transcript now says",
    "pr": "send the branch that a run made, as a pull request",
    "address": "answer the review of a pull request",
    "ci": "what a CI job does with the event that started it",
    "fork": "begin a new run as an old one was after one of its steps",
    "eval": "run over a set of issues, judge, report and compare",
    "replay": "do a run again and say where it differs",
    "repair": "a patch as a model wrote it, made into one that applies",
    "profiles": "what a model is told, offered and allowed",
    "tools": "the tools: offered, hidden, and how each answers",
    "procedures": "roles that take turns: list the procedures, or check a file",
    "hook": "let commits and pushes ask for runs, in the background",
    "wishes": "what agents asked for that there is not",
    "endpoint": "a model whose words are yours, for who has none",
    "completion": "let a shell complete commands, options and names of runs",
    "doctor": "what this machine and a model can do, and what to do about it",
}
# Filters: their modules have a `main(arguments)` that needs no typer, which is slow to import.
QUICK = frozenset({"repair", "complete"})
# Where a command's module is not one of these: nothing here imports the floor above.
ABOVE: Mapping[str, str] = {"eval": "react_agent.eval.cli.group"}
