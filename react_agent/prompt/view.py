"""Build the prompt from the state before every model call. Prompts are never stored.

Everything that changes between prompts is at the end, in the tail. Each part of the tail is in
brackets and quoted so that no line looks like a label. The hint is the last part.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile

from react_agent.errors import ConfigError
from react_agent.models.contract import View
from react_agent.parsers.settings.hidden import with_tools
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import read_facts, read_list, write_facts, write_list
from react_agent.parsers.transcript.labels import DEFAULT, Label
from react_agent.parsers.transcript.quoting import escape
from react_agent.parsers.transcript.writer import objective_text
from react_agent.parsers.turn.turn import Kind as Said
from react_agent.profiles.profile import Budget, Policy, Profile, with_limits
from react_agent.prompt.plan_block import plan_block, status
from react_agent.state.state import PLAN_CHANGES, State
from react_agent.state.steps import Step, whole_number
from react_agent.tools.context import Limits, limits_at
from react_agent.tools.observation import Status
from react_agent.tools.registry import Kind, Registry, named

_SHARE_OF_REPLY = 4  # a reply may take 1 / 4 of a short window
_LESS = 0.8  # share of a prompt that did not fit
_SHARE_OF_SEEN = 6  # one observation may fill 1 / 6 of a prompt
_CHARACTERS = 3  # characters of a token, at least


def prompt_limit(state: State, budget: Budget, policy: Policy) -> int:
    """Return the maximum number of tokens in a prompt, which leaves room for the reply."""
    window = _window(state, budget, policy)
    limit = window - min(budget.reply, window // _SHARE_OF_REPLY)
    return min(limit, round(state.too_long * _LESS)) if state.too_long else limit


def reply_room(state: State, budget: Budget, prompt_tokens: int) -> int:
    """Return the maximum number of tokens in the reply to a prompt of this size."""
    window = min(budget.window, state.window or budget.window)
    return min(budget.reply, max(window - prompt_tokens, window // _SHARE_OF_REPLY))


def limits_now(limits: Limits, profile: Profile, state: State) -> Limits:
    """Return limits for the next observation, so that several observations fit a prompt."""
    shown = limits_at(_window(state, profile.budget, profile.policy), limits)
    limit = prompt_limit(state, profile.budget, profile.policy)
    most = limit * _CHARACTERS // _SHARE_OF_SEEN
    return replace(
        shown,
        output_chars=min(shown.output_chars, most),
        read_chars=min(shown.read_chars, most),
    )


def _window(state: State, budget: Budget, policy: Policy) -> int:
    return min(budget.window, state.window or budget.window, policy.at or budget.window)


def prompt_event(
    system_tokens: int, policy: Policy, shown: Mapping[str, str] | None = None
) -> Event:
    """Return an event that records prompt settings that can't be derived from the transcript."""
    at = {"at": str(policy.at)} if policy.at else {}
    return Event("prompt", write_facts({"instructions": str(system_tokens), **at, **(shown or {})}))


def instructions_told(state: State) -> int:
    """Return the number of tokens in the instructions as recorded in the transcript, or 0."""
    return whole_number(state.shown.get("instructions"))


def limit_told(state: State) -> int | None:
    """Return the limit of the next prompt from the recorded settings, or None if not recorded."""
    budget, policy = budget_told(state), Policy(at=whole_number(state.shown.get("at")))
    return prompt_limit(state, budget, policy) if budget else None


def budget_told(state: State) -> Budget | None:
    return _budget(state.header.get("limits", ""))


@lru_cache(8)
def _budget(written: str) -> Budget | None:
    """Return the recorded budget, or None if it is missing or invalid."""
    try:
        return with_limits(Budget(), read_facts(written)) if written else None
    except ConfigError:
        return None


MANY = 10**9  # steps, if there is no known limit
_FEW_STEPS = 3
_MANY_STEPS = 10  # without a change


def tail_text(state: State, left: int) -> str:
    """Return the part that changes with every prompt. `left` is the number of remaining steps."""
    last = _in_one_line(state.hint) or hint(state)
    parts = (
        *(f"dead end, taken back: {_in_one_line(reason)}" for reason in state.dead_ends),
        *(f"from memory: {_in_one_line(line)}" for line in state.recalled),
        f"running in the background: {_in_one_line('; '.join(state.running))}"
        if state.running
        else "",
        plan_block(state.plan, last) if state.plan and PLAN in state.shown else "",
        state.header.get("last", ""),  # the last line of a role in a procedure
        _ending(state) if ENDING in read_list(state.shown.get(HINTS, "")) else "",
        _few(left, state) if left <= _FEW_STEPS else "",
        last,
    )
    return "".join(f"({part})\n" for part in parts if part)


def _ending(state: State) -> str:
    """Return a hint on how to end the run. It is delayed because weak models stop too early."""
    if state.wrote:
        return "when the change is made and tested, write `Conclusion:` and what you changed"
    if len(state.standing) >= _MANY_STEPS:
        return "if it can't be done, write `Conclusion: I give up because` and why"
    return ""


def next_prompt(state: State, system_tokens: int, steps: int = MANY) -> int:
    """Return the endpoint's last token count plus an estimate of the tokens added since then."""
    volatile = estimate_tokens(tail_text(state, steps - len(state.steps)))
    return state.expected(state.prompt_tokens, system_tokens) + volatile


def _few(left: int, state: State) -> str:
    told = f"{counted(left, 'step')} left: "
    if ANSWER not in state.shown:
        return f"{told}finish, and conclude"
    return told + ("answer with the whole change" if left == 1 else "look, then answer")


def _in_one_line(text: str) -> str:
    """Return the text as one escaped line, since the user may have edited the transcript."""
    return escape(text.replace("\n", " "))


NO_ACTION = "You haven't taken any actions yet."
TAKE_ACTION = "You've been thinking a lot lately. Maybe it's time to take action?"
JUST_STARTED = "You're just getting started! What should you do first?"
COMMAND_FAILED = (
    "Looks like that last command failed. Maybe you need to fix it, or try something else."
)
FAILED = (
    "Whenever an action fails, always think about why it may have happened before acting again."
)
BY_KIND: Mapping[str, str] = {
    Kind.READ: "You should think about the file you just read, what you learned from it, and how "
    "that affects your plan.",
    Kind.SEARCH: "You should think about what you just searched for, what was found, and how that "
    "affects your plan.",
    Kind.WRITE: "You just changed a file. You should think about how it affects your plan.",
    Kind.RUN: "You should think about the command you just ran, what output it gave, and how that "
    "affects your plan.",
    Kind.TEST: "You should think about the tests you just ran, what they showed, and how that "
    "affects your plan.",
    Kind.THINK: "Look at your last thought in the history above. What does it suggest? Don't think "
    "anymore--take action.",
    Kind.PLAN: "You should think about the next action to take.",
}
BY_TOOL: Mapping[str, str] = {
    "browse": "You should think about the page you just visited, and what you learned from it.",
    "recall": "You should think about the information you just recalled, and how it should affect "
    "your plan.",
}
FINISHING = frozenset(
    {"finish", "submit", "done", "complete", "task_complete", "attempt_completion", "final_answer"}
)
_COMMANDS = (Kind.RUN, Kind.TEST)
_FIRST_THOUGHT = "ok so my task is"
_A_LOT = 3  # steps in a row without an action


def hint(state: State) -> str:
    wanted = read_list(state.shown.get(HINTS, ""))
    said = (rule(state) for kind, rule in RULES if kind in wanted)
    return next(filter(None, said), "")


def _thinking(state: State) -> str:
    steps = state.standing
    if sum(1 for _ in takewhile(_is_idle, reversed(steps))) >= _A_LOT:
        return TAKE_ACTION
    return JUST_STARTED if steps and _is_thought(steps[-1]) and _begins(steps[-1]) else ""


def _planning(state: State) -> str:
    if state.plan is None or state.plan.current or PLAN not in state.shown:
        return ""
    return status(state.plan)


def _failing(state: State) -> str:
    last = _last_action(state)
    if last is None or last.status is not Status.FAILED:
        return ""
    return COMMAND_FAILED if last.kind in _COMMANDS else FAILED


def _acting(state: State) -> str:
    last = _last_action(state)
    if last is None:
        return NO_ACTION
    if last.kind == Kind.THINK and not _is_thought(last):
        return ""  # it tried to finish and was told how
    return BY_TOOL.get(last.tool) or BY_KIND.get(last.kind, "")


def _last_action(state: State) -> Step | None:
    """Return the last step whose reply could be parsed, or None."""
    read = (one for one in reversed(state.standing) if one.said.turn.kind is not Said.MALFORMED)
    return next(read, None)


def _is_idle(step: Step) -> bool:
    return step.said.turn.kind is Said.MALFORMED or _is_thought(step)


def _is_thought(step: Step) -> bool:
    return step.kind == Kind.THINK and step.said.turn.action not in FINISHING


def _begins(step: Step) -> bool:
    """Return whether a step starts the run by restating the task in the model's own words."""
    texts = (step.said.turn.input, step.said.turn.thought)
    folded = (" ".join(text.casefold().replace(",", " ").split()) for text in texts)
    return any(text.startswith(_FIRST_THOUGHT) for text in folded)


PLAN, HINTS, ANSWER = "plan", "hints", "answer"  # what the transcript tells of a prompt
ENDING = "ending"  # a hint that is shown beside another
RULES: tuple[tuple[str, Callable[[State], str]], ...] = (
    ("thinking", _thinking),
    (PLAN, _planning),
    ("failures", _failing),
    ("actions", _acting),
)


_OF_WINDOW = 10  # a monologue that takes more than a tenth of the window is left out


def instructions(
    profile: Profile, registry: Registry, limits: Limits, about: Sequence[str] = ()
) -> str:
    """Return the instructions, which are the same in every prompt of a run."""
    limits = limits_now(limits, profile, State())
    offered = "\n".join(
        f"{named(tool.name)}: {tool.usage_at(limits)}" for tool in registry.visible.values()
    )
    fits = estimate_tokens(profile.monologue) * _OF_WINDOW <= profile.budget.window
    monologue = profile.monologue if fits else ""
    texts = (profile.role, profile.opening, profile.format, profile.notes, monologue)
    role, opening, form, notes, monologue = (_filled(text, registry, limits) for text in texts)
    known = "\n".join(("About this repository:", *about)) if about else ""
    parts = (role, opening, offered, form, notes, known, monologue, "Begin!")
    return "".join(f"{part}\n\n" for part in parts if part)


def _filled(text: str, registry: Registry, limits: Limits) -> str:
    """Fill in the placeholders, and remove sentences about tools that are not offered."""
    text = text.replace("{tools}", f"[{', '.join(registry.visible)}]")
    text = text.replace("{command_seconds}", f"{limits.command_seconds:g}")
    return with_tools(text, {name: named(name) for name in registry.visible})


def shows(profile: Profile, registry: Registry) -> dict[str, str]:
    """Return the optional prompt features in use, which the transcript records."""
    has_tools = registry.visible.keys() >= PLAN_CHANGES.keys()
    plan = {PLAN: "yes"} if profile.plan and has_tools else {}
    answer = {ANSWER: "yes"} if ANSWER in profile.guards else {}
    return plan | answer | ({HINTS: write_list(profile.hints)} if profile.hints else {})


def view(state: State, system: str, steps: int) -> View:
    """Return the prompt for the next model call. `steps` is the maximum number of steps."""
    return View(
        system,
        objective_text(state.objective or "") + state.told + state.before,
        tuple(step.text for step in state.steps if step.text),
        tail(state, steps - len(state.steps)),
    )


def tail(state: State, left: int) -> str:
    """Return the end of the prompt. It comes last because it changes with every prompt."""
    return tail_text(state, left) + DEFAULT.write(Label.THOUGHT)
