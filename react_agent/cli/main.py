"""The entry point of the command line."""

import importlib
import sys
from collections.abc import Sequence

from react_agent.cli.terminal import streams
from react_agent.cli.terminal.streams import redacted_streams
from react_agent.tools.errors import MachineError, ReactAgentError, reason

INTERRUPTED = 130
_QUICK = "repair"  # a filter; to import typer would take longer than its work
_OF_A_COMMIT = ["hook", "settings"]  # whoever commits waits for it


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and exit. An expected error is printed on one line and sets the exit code."""
    streams.show_what_they_cannot_encode()
    given = sys.argv[1:] if arguments is None else list(arguments)
    with redacted_streams(given):
        code = _exit_code(given)
    sys.exit(code)


def _exit_code(arguments: list[str]) -> int:
    code = 0
    try:
        words = arguments[1:] if arguments[:1] == ["--"] else arguments
        if words[:1] == [_QUICK] and not {"-h", "--help"} & {*words}:
            code = importlib.import_module("react_agent.cli.repair").main(words[1:])
        elif words == _OF_A_COMMIT:
            code = importlib.import_module("react_agent.hook.settings_check").main()
        else:  # imported by name, too, since it imports typer
            code = importlib.import_module("react_agent.cli.commands").called(arguments)
        streams.flush()
    except ReactAgentError as error:
        return streams.complain(str(error), error.exit_code)
    except (BrokenPipeError, SystemExit):  # typer's answer if `| head` has closed the pipe
        return streams.leave(_told(code))
    except OSError as error:
        return streams.leave(streams.complain(reason(error), MachineError.exit_code))
    except (MemoryError, SystemError):  # the interpreter raises SystemError for some MemoryErrors
        return streams.leave(streams.complain("out of memory", MachineError.exit_code))
    except ImportError as error:  # too little memory to load a library
        return streams.leave(streams.complain(str(error), MachineError.exit_code))
    except KeyboardInterrupt:
        return _told(INTERRUPTED)
    return _told(code)


def _told(code: int) -> int:
    return streams.complain("interrupted", code) if code == INTERRUPTED else code
