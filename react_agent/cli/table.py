"""The commands there are. A command's module is imported when that command is called."""

from collections.abc import Mapping

COMMANDS: Mapping[str, str] = {
    "solve": "turn an issue into a branch",
    "demo": "watch it work on a small repository, with no model and no key",
    "show": "read the transcript of a run",
    "resume": "take up a run from whatever its transcript now says",
    "replay": "do a run again and say where it differs",
    "repair": "a patch as a model wrote it, made into one that applies",
    "tools": "the tools: offered, hidden, and how each answers",
    "wishes": "what agents asked for that there is not",
    "doctor": "what this machine and a model can do, and what to do about the rest",
}
# Filters: their modules have a `main(arguments)` that needs no typer, which is slow to import.
QUICK = frozenset({"repair"})
