"""The tests of an instance, run on its base with a patch."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from react_agent.eval.grading.applied import apply
from react_agent.eval.grading.command import Command, command_for
from react_agent.eval.ground import Fresh
from react_agent.eval.instance import Instance
from react_agent.eval.task import Fault
from react_agent.eval.verdict import Kind, Verdict
from react_agent.parsers.testing.log import read_statuses
from react_agent.parsers.testing.report import Statuses
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.gist import headline
from react_agent.parsers.text.terminal import plain
from react_agent.parsers.transcript.quoting import escape
from react_agent.tools.context import Context
from react_agent.tools.shell import shell
from react_agent.tools.shell.process import CannotStart, CommandResult, HeadAndTail
from react_agent.tools.shell.shell import ended, sentence
from react_agent.tools.testing.tests_command import NoCommand

# The name of each test, and what those print that fail; what a command says itself counts more.
_PYTEST = "-rpsxXEf --verbosity=1 --color=no"
_READ = 8_000_000  # bytes of a log in which names are looked for
_KEPT = 1_000_000  # of these, what is stored
_SHOWN = 20
_LINE = 200
_NOT_FOUND = (126, 127)  # exit codes of a shell
_NO_RUNNER = re.compile(r"\S*python\S*: No module named \S+")
_ID = re.compile(r"\S.*?::.*|\w+ \([\w.]+\)")


@dataclass(frozen=True, slots=True)
class Trial:
    """What the log told, or why there is none to read."""

    statuses: Statuses = field(default_factory=dict)
    code: int = 0
    log: bytes = b""
    seconds: float = 0.0
    fault: Fault | None = None

    @property
    def passing(self) -> frozenset[str]:
        """The tests that pass, by their ids alone, without unittest's descriptions."""
        return frozenset(
            name for name, status in self.statuses.items() if status.is_pass and _ID.fullmatch(name)
        )


def tried(fresh: Fresh, instance: Instance, patch: str, seconds: float) -> Trial:
    """Raises ReactAgentError where git or the machine fails."""
    without = apply(fresh, instance, patch)
    if isinstance(without, Fault):
        return Trial(fault=without, log=f"{without.text}\n".encode(errors="replace"))
    command = command_for(instance, fresh.context)
    if isinstance(command, NoCommand):
        return Trial(fault=_environment(command.reason))
    try:
        done = _run(command, fresh.context, seconds)
    except CannotStart as error:
        return Trial(fault=_environment(str(error)))
    text = plain(done.output.decode(errors="replace")).text
    statuses = read_statuses(text, (*instance.fail_to_pass, *instance.pass_to_pass))
    fault = _broken_off(done, fresh.context, seconds) or _no_runner(done, statuses)
    log = _of(without) + _log(command, done, fresh.context)
    return Trial(statuses, done.code, log, done.seconds, fault)


def _run(command: Command, context: Context, seconds: float) -> CommandResult:
    asking = replace(context, environment={**context.environment, "PYTEST_ADDOPTS": _PYTEST})
    return shell.run_sandboxed(command.argv, asking, timeout_s=seconds, keep_bytes=_READ)


def _broken_off(done: CommandResult, context: Context, seconds: float) -> Fault | None:
    if done.timed_out and not done.hit:
        text = f"the tests did not end within {seconds:g} s"
        return Fault(Verdict.TIMED_OUT, Kind.TESTS_HANG, text)
    why = sentence(done.hit, context.resource_limits) if done.code else ""
    return Fault(Verdict.UNRESOLVED, Kind.TESTS_FAIL, f"the tests: {why}") if why else None


def _no_runner(done: CommandResult, statuses: Statuses) -> Fault | None:
    if statuses or not done.code:
        return None
    said = done.output.decode(errors="replace").strip().rpartition("\n")[2]
    has_no_runner = done.code in _NOT_FOUND or _NO_RUNNER.fullmatch(said)
    line = escape(headline(said, _LINE)) or f"exit code {done.code}"
    return _environment(line) if has_no_runner else None


def _environment(reason: str) -> Fault:
    return Fault(Verdict.ENV_FAILED, Kind.ENVIRONMENT, f"the tests can't be run: {reason}")


def _of(without: Sequence[str]) -> bytes:
    """What a patch changes and was put back, for who reads the log."""
    lines = [f"[as it is at the base: {escape(path)}]\n" for path in without[:_SHOWN]]
    if len(without) > _SHOWN:
        lines.append(f"[and {counted(len(without) - _SHOWN, 'other file')}]\n")
    return "".join(lines).encode(errors="replace")


def _log(command: Command, done: CommandResult, context: Context) -> bytes:
    """What was run, what it printed, how it ended."""
    kept = HeadAndTail(_KEPT)
    kept.add(done.output[: done.cut_at])
    kept.left_out += done.left_out
    kept.add(done.output[done.cut_at :])
    lost = f"\n[... {counted(kept.left_out, 'byte')} left out ...]\n" if kept.left_out else ""
    how = "ended by the time limit" if done.timed_out and not done.hit else ""
    how = how or ended(done.code, done.hit, context.resource_limits)
    first, last = f"$ {command.shown}\n", f"\n[{how}, {done.seconds:.1f} s]\n"
    middle = lost.encode()
    return first.encode(errors="replace") + kept.head + middle + kept.tail + last.encode()
