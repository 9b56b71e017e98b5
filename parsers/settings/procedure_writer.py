"""A procedure as a file: what procedure_reader.py reads."""

from collections.abc import Iterable, Iterator

from react_agent.parsers.settings.procedure import END, Controller, Phase, Procedure, Role

_DEEPER = "  "


def write_procedure(procedure: Procedure) -> str:
    return "\n".join(_lines(procedure)) + "\n"


def _lines(procedure: Procedure) -> Iterator[str]:
    plain = Procedure("", ())
    yield f"procedure: {procedure.name}"
    if procedure.profile != plain.profile:
        yield f"  profile: {procedure.profile}"
    yield f"  environment type: {procedure.sharing}"
    yield f"  summary every: {procedure.summary_every}"
    yield f"  relevant history: {procedure.relevant_history}"
    if procedure.shows_demonstrations:
        yield "  show demonstrations: yes"
    for phase in procedure.phases:
        yield ""
        yield from _phase(phase)
    yield ""
    yield f"state: {END}"


def _phase(phase: Phase) -> Iterator[str]:
    yield f"state: {phase.name}"
    yield from _indented(_text("environment", phase.environment))
    for role in phase.roles:
        yield f"{_DEEPER}role {role.key}:"
        yield from _indented(_indented(_role(role)))
    yield from _indented(_walk(phase))


def _walk(phase: Phase) -> Iterator[str]:
    yield from _text("begin role", phase.begin_role)
    yield from _text("begin query", phase.begin_query)
    if phase.controller is not Controller.ORDER:
        yield f"controller: {phase.controller}"
    yield from _text("choose", phase.choose)
    yield f"maximum turns: {phase.maximum_turns}"
    yield from _text("judge", phase.judge)
    yield from _text("summary prompt", phase.summary_prompt)
    yield f"next: {', '.join(f'{number} {name}' for number, name in enumerate(phase.next))}"


def _role(role: Role) -> Iterator[str]:
    yield from _text("name", role.name if role.name != role.key else "")
    yield from _text("task", role.task)
    for rule in role.rules:
        yield from _text("rule", rule)
    yield from _text("style", role.style)
    for demonstration in role.demonstrations:
        yield from _text("demonstration", demonstration)
    yield from _text("last", role.last)
    yield from _text("tools", " ".join(role.tools))
    yield from _text("maximum steps", "" if role.steps is None else str(role.steps))
    yield from _text("model", role.model)


def _text(key: str, text: str) -> Iterator[str]:
    """Several lines stand below their key, so that each keeps its own indent."""
    if "\n" in text:
        yield f"{key}:"
        yield from _indented(text.split("\n"))
    elif text:
        yield f"{key}: {text}"


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"{_DEEPER}{line}" if line else "" for line in lines)
