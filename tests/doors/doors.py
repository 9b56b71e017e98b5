"""What may open or change files, or touch processes, the network, keys or the clock, and why.

`tests/test_doors.py` sees to it. A new line elsewhere uses one of these; a new door needs its
reason here.
"""

from collections.abc import Mapping

from touches import CLOCK, CODE, FILES, KEYS, LOOKS, NETWORK, PROCESSES

_ALONE = "it is started by itself, before anything of ours can be imported"

DOORS: Mapping[str, Mapping[str, str]] = {
    FILES: {
        "tools.disk": "files and folders that are ours, or that a person has named; locks",
        "tools.package_data": "data of the package",
        "tools.files.paths": "files of a workspace are opened, through no link",
        "react_agent.state.transcript": "the file of a run: appended, synced, locked, mended",
        "react_agent.issue_to_pr.declared_checks": "SQLite: which hooks pre-commit has installed",
        "eval.store.database": "SQLite: the tables of an experiment",
        "tools.git.objects": "git's objects in repositories of ours, read and written",
        "tools.shell.process": "the pipes of what it starts; where a program is",
        "tools.git.access": "a pipe on which git, and nobody else, is given a login",
        "tools.shell.this_process": "the folder that we are in",
        "tools.shell.supervisor": _ALONE,
        "tools.sandbox.landlock_launcher": _ALONE,
        "react_agent.cli.terminal.streams": "where we print to, when nobody reads any more",
        "eval.engine.worker": "the lines to a worker's process",
        "react_agent.cli.terminal.screen": "what is typed on the terminal while a run goes on",
    },
    PROCESSES: {
        "tools.shell.process": "the one door to processes: deadlines, limits, no group left behind",
        "tools.shell.supervisor": "stays beside each command, and ends all that it has started",
        "tools.sandbox.landlock_launcher": "confines itself and goes on as the command",
        "tools.shell.this_process": "signals to us, memory that is hidden, going on as another",
        "react_agent.state.transcript": "signals wait while a reply is written down",
        "tools.git.past": "GitPython, which is told to start nothing",
        "tools.git.door": "the signal that git ends by when a disk limit is reached",
        "tools.sandbox.bubblewrap": "waits for what the network of several commands says",
        "eval.engine.worker": "its owner",
        "react_agent.cli.terminal.screen": "Ctrl-C, and whether the terminal is ours",
        "react_agent.cli.terminal.chat": "signals that end a conversation",
    },
    NETWORK: {
        "tools.mcp": "the SDK of the Model Context Protocol",
        "tools.web": "pages: public addresses, asked for once, of all that is sent there",
        "tools.deadline": "shuts a connection down at its deadline",
        "react_agent.by_hand": "servers, for this machine alone",
        "react_agent.forges.http": "forges",
        "react_agent.forges.gitlab": "python-gitlab, over our client",
        "react_agent.forges.github": "PyGithub, over our client",
        "react_agent.models.anthropic_messages": "the SDK of Anthropic",
        "react_agent.models.openai_apis": "the SDK of OpenAI, for all that speak like it",
        "react_agent.models.gguf_server": "llama.cpp's server, for this machine alone",
        "react_agent.models.sdk": "the HTTP client of both, ended in time",
        "eval.engine.cluster": "Dask",
        "eval.engine.worker": "a socket pair to a worker's process",
        "tools.shell.process": "socket pairs to the supervisors of commands",
        "tools.shell.supervisor": "the other ends",
    },
    KEYS: {
        "tools.variables": "the environment that we were started with",
        "tools.sandbox.landlock_launcher": "the command's environment, which it is given",
    },
    CLOCK: {
        "tools.clock": "all that waits, limits or dates",
        "tools.shell.process": "deadlines",
        "tools.shell.supervisor": _ALONE,
        "tools.web": "deadlines",
    },
    CODE: {
        "react_agent.cli.main": "a command, when it is called",
        "react_agent.cli.group": "the same",
        "eval.cli.options": "the cluster, which is an extra",
        "tools.package_data": "whether pip is installed",
        "tools.mcp": "whether the SDK is installed, which is an extra",
        "react_agent.models.discovery": "whether llama.cpp is installed, which is an extra",
        "tools.edits.accept_edit": "Python is compiled and not run",
    },
}
MOST = 45
# Methods of our own that are called like one of a path.
OURS = {"react_agent.hook.worker": (".open()",), "tools.web": (".resolve()",)}
THE_DOOR = {
    LOOKS: "nothing in a parser: hand in what is to be known",
    FILES: "tools/disk.py, and tools/files/paths.py in a workspace",
    PROCESSES: "tools/shell/process.py",
    NETWORK: "tools/web.py for pages, forges/ for forges, models/ for models",
    KEYS: "tools/variables.py",
    CLOCK: "tools/clock.py",
    CODE: "an import",
}
