"""react-agent audit"""

from rich.text import Text

from react_agent.cli.arguments import Audit
from react_agent.cli.screen import console
from react_agent.cli.table import print_table
from react_agent.errors import UsageError
from react_agent.gone import AUDIT
from react_agent.parsers.transcript.quoting import escape
from react_agent.places import runs_folder
from react_agent.runs.audit import SECTIONS, audit, audited, is_whole
from react_agent.runs.run_folder import find

_WORD = 7  # columns of a section's name


def command(given: Audit) -> int:
    only = given.only
    if only is not None and only not in SECTIONS:
        if only in AUDIT:
            raise UsageError(f"the part {only!r} is gone: {AUDIT[only]} RUN tells it")
        raise UsageError(f"there is no part {only!r}; there are {', '.join(SECTIONS)}")
    found = [audited(find(runs_folder(), name).transcript) for name in given.runs]
    screen = console()
    for run in found:
        for line in audit(run, only or ""):
            text = escape(line.text.replace("\n", "<U+000A>"))
            print_table([(Text(f"{line.section:<{_WORD}}", "bold"), Text(text))], screen)
    return int(not all(map(is_whole, found)))
