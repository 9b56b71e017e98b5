"""The commands init and doctor, which choose a model and check it and this machine."""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.text import Text

from react_agent.cli.arguments import Doctor, Init
from react_agent.cli.terminal.screen import console
from react_agent.cli.terminal.table import print_table
from react_agent.doctor import Mark, Row, of_key, of_machine, of_model
from react_agent.edge import own_endpoints, own_settings
from react_agent.errors import ReactAgentError, UsageError
from react_agent.models.discovery import Source, server, sources
from react_agent.models.endpoint import GGUF, OPENAI, REPLAY, Endpoint, find_endpoint, spelled
from react_agent.parsers.settings.errors import did_you_mean
from react_agent.places import cache_folder, settings_file
from react_agent.procedure.roles import find_procedure
from react_agent.profiles.profile_file import Wanted
from react_agent.profiles.settings import Settings
from react_agent.profiles.toolbox import profile_for, registry_for
from react_agent.runs.commands import chosen_here
from react_agent.tools import disk, variables

_STYLES = {Mark.GOOD: "green", Mark.SO_SO: "yellow", Mark.BAD: "bold red"}
_NAME = 9  # columns of it


def doctor(given: Doctor) -> int:
    screen = console()
    own = own_settings()
    settings = replace(own, sandbox=given.sandbox or own.sandbox)
    endpoint = _endpoint(given, settings)
    wanted = Wanted(settings.profile, endpoint.model if endpoint else "")
    registry_for(profile_for(wanted, settings))
    if settings.procedure:
        find_procedure(settings.procedure)
    machine = variables.all_of_them(), Path(sys.prefix), settings
    is_well = _print_rows(of_machine(cache_folder(), lambda: chosen_here(*machine)), screen)
    if endpoint is None:
        advice = "find one with `react-agent init`, or name one with --model"
        _print_rows([Row(Mark.SO_SO, "model", "none", advice)], screen)
        return int(not is_well)
    return int(not (_print_rows(_rows(endpoint), screen) and is_well))


def _endpoint(given: Doctor | Init, settings: Settings) -> Endpoint | None:
    spec = given.model or settings.model or ""
    if spec.startswith(REPLAY):
        raise UsageError("a replay has no endpoint to check")
    full = spelled(spec, given.base_url, given.key)
    return find_endpoint(full, settings.models, variables.all_of_them()) if spec else None


def _print_rows(rows: Iterable[Row], screen: Console) -> bool:
    """Print the findings, and return True if none of them is bad."""
    is_well = True
    for row in rows:
        is_well &= row.mark is not Mark.BAD
        mark = Text(f" {row.mark:2} ", _STYLES[row.mark])
        lines: list[tuple[str | Text, ...]] = [
            (mark, Text(f"{row.what:<{_NAME}}", "bold"), row.found)
        ]
        lines += [("", "", f"-> {row.advice}")] if row.advice else []
        print_table(lines, screen)
    return is_well


def _rows(endpoint: Endpoint) -> Iterator[Row]:
    row = of_key(endpoint)
    yield row
    if row.mark is Mark.BAD:
        return
    with closing(own_endpoints()) as endpoints:
        yield from of_model(endpoint, endpoints.line(endpoint))


_LISTED = 12  # models of a source that a terminal is shown
_ODD = re.compile(r"[^A-Za-z0-9_.-]+")
_HEADER = re.compile(r"\A(?:\ufeff)?\[react_agent\].*$|^\[react_agent\].*$", re.MULTILINE)
_EMPTY = re.compile(r"^model[ \t]*[=:][ \t]*(?:\r?\n|\Z)", re.MULTILINE | re.IGNORECASE)
_NOTHING = (
    "no model was found: start a server, set a key (export ANTHROPIC_API_KEY=...), download a "
    "GGUF file, or name a model with --model"
)
Read = TypeVar("Read")


def init(given: Init) -> int:
    if given.key and not (given.model or given.base_url):
        raise UsageError("--key is for a model or an address: add --model or --base-url")
    screen, settings = console(), own_settings()
    asks = screen.is_terminal and not given.yes and sys.stdin is not None and sys.stdin.isatty()
    endpoint = _endpoint(given, replace(settings, model=None)) or _chosen(given, screen, asks)
    section = _section(endpoint, given.key)
    same = (name for name, own in settings.models.items() if section.items() <= own.items())
    elsewhere = given.base_url or given.key  # it is not the endpoint of that name then
    name = given.model if given.model in settings.models and not elsewhere else next(same, "")
    if not name:
        name = _checked(given.name, settings) if given.name else _new_name(endpoint, settings)
        if asks and not (given.model or given.name):
            name = _asked(screen, "Its name", name, lambda text: _checked(text, settings))
    if not _print_rows(_rows(endpoint), screen):
        screen.print("Nothing was written.")
        return 1
    path, is_default = settings_file(), settings.model is None
    if name in settings.models:
        screen.print(f"{path} has this model already: --model {name}")
        return 0
    lines = [f"[react_agent:model {name}]", *(f"{one} = {text}" for one, text in section.items())]
    _add(path, lines, name if is_default else "")
    lines[:0] = ["[react_agent]", f"model = {name}", ""] if is_default else []
    screen.print("\n".join([f"Added to {path}:", *(f"    {line}".rstrip() for line in lines)]))
    option = "" if is_default else f" --model {name}"
    screen.print(f"In a repository: react-agent solve 'WHAT IS WRONG'{option}")
    return 0


def _asked(screen: Console, question: str, default: str, read: Callable[[str], Read]) -> Read:
    """Repeat a question until the answer is valid. Raises UsageError at the end of input."""
    while True:
        try:
            prompt = f"{question}{f' [{default}]' if default else ''}: "
            text = screen.input(prompt, markup=False)
            return read(text.strip() or default)
        except EOFError:
            screen.print()  # the terminal is still in the line of the question
            raise UsageError("nothing was written") from None
        except ReactAgentError as error:
            screen.print(str(error))


def _chosen(given: Init, screen: Console, asks: bool) -> Endpoint:
    """Let the user choose one of the models found. Raises UsageError if nobody can be asked."""
    environment = variables.all_of_them()
    if given.base_url:
        at = server("server", environment, OPENAI, given.base_url, given.key or "")
        found = [at] if at else []
    else:
        found = sources(environment)
    ready = [one for one in found if not one.problem]
    if given.yes and ready:
        return ready[0].endpoints[0]
    rows = [(f"{number:2}", one.name, _about(one)) for number, one in enumerate(found, 1)]
    print_table(rows, screen)
    if not asks:
        choose = "choose a model with --model, or take the first with --yes"
        raise UsageError(choose if ready else _NOTHING)
    if not found:
        screen.print(_NOTHING)
    default = str(found.index(ready[0]) + 1) if ready else ""
    question = "A number, or a model as KIND/NAME or KIND/NAME@URL"
    return _asked(screen, question, default, lambda text: _meant(text, given, found, screen))


def _about(one: Source) -> str:
    models = [endpoint.model for endpoint in one.endpoints]
    if one.problem or models[0].startswith(one.place):  # a file
        return one.problem or one.place
    return f"{models[0]}{f' and {len(models) - 1} more' if models[1:] else ''}, at {one.place}"


def _meant(text: str, given: Init, found: Sequence[Source], screen: Console) -> Endpoint:
    """Return the model that an answer names. If its source has several models, ask which one."""
    if not text.isdecimal():
        at = [given.base_url, given.key] if text and "://" not in text else []
        return find_endpoint(spelled(text, *at), {}, variables.all_of_them())
    if not 0 < int(text) <= len(found):
        raise UsageError(f"there are {len(found)} to choose from")
    source = found[int(text) - 1]
    if source.problem:
        raise UsageError(source.problem)
    models = {one.model: one for one in source.endpoints}
    first, *others = models
    if not others:
        return models[first]
    screen.print(", ".join([*models][:_LISTED]) + (", ..." if len(models) > _LISTED else ""))

    def named(name: str) -> Endpoint:
        if name not in models:
            raise UsageError(f"it has no {name!r}{did_you_mean(name, models)}")
        return models[name]

    return _asked(screen, "Which of them", first, named)


def _section(endpoint: Endpoint, key: str | None) -> dict[str, str]:
    """Return the settings section for a model, without its key."""
    if endpoint.kind == GGUF:
        return {"gguf": endpoint.model, **endpoint.manner}
    section = {"spec": f"{endpoint.kind}/{endpoint.model}"}
    section |= {} if endpoint.is_ours else {"base_url": endpoint.base_url}
    section |= {"key": endpoint.key_variable} if key or endpoint.key or endpoint.is_ours else {}
    return {**section, **endpoint.manner}


def _new_name(endpoint: Endpoint, settings: Settings) -> str:
    last = Path(endpoint.model).stem if endpoint.kind == GGUF else endpoint.model.split("/")[-1]
    name = _ODD.sub("-", last).strip("-") or "model"
    taken = (f"{name}-{number}" for number in range(2, len(settings.models) + 3))
    return next(one for one in (name, *taken) if one not in settings.models)


def _checked(name: str, settings: Settings) -> str:
    if not name or _ODD.search(name):
        raise UsageError(f"a name has letters, digits, '.', '_' and '-': not {name!r}")
    if name in settings.models:
        raise UsageError(f"there is a model {name!r} already: choose another name")
    return name


def _add(path: Path, lines: Sequence[str], default: str) -> None:
    """Add lines and the default model to the settings file. The rest of it is unchanged."""
    place = path.resolve()  # it may be a link to a file that is kept elsewhere
    disk.mkdir(place.parent, parents=True, exist_ok=True)
    there = place.is_file()
    text = disk.read_bytes(place).decode() if there else ""
    end = "\r\n" if "\r\n" in text else "\n"
    text += "" if not text or text.endswith("\n") else end
    if default:
        head = _HEADER.search(text)
        at = text.index("\n", head.end()) + 1 if head else len(text)
        title = "" if head else f"{end if text else ''}[react_agent]{end}"
        section, bracket, rest = text[at:].partition("\n[")
        section = _EMPTY.sub("", section)
        text = f"{text[:at]}{title}model = {default}{end}{section}{bracket}{rest}"
    text += "".join(f"{line}{end}" for line in ("", *lines) if line or text)
    disk.write_over(place, text.encode(), place.stat().st_mode & 0o777 if there else None)
