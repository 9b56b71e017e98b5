"""What may touch files, processes, the network, keys or the clock, and why: nothing else does.

`tests/test_doors.py` sees to it. A new line elsewhere uses one of these; a new door needs its
reason here.
"""

from collections.abc import Mapping

from touches import CLOCK, CODE, FILES, KEYS, NETWORK, PROCESSES

_ALONE = "it is started by itself, before anything of ours can be imported"

DOORS: Mapping[str, Mapping[str, str]] = {
    FILES: {
        "tools.on_disk": "looks that open nothing and change nothing, at any path",
        "tools.disk": "files and folders that are ours, or that a person has named",
        "tools.durable": "what has to outlast a loss of power",
        "tools.temporary": "what is gone when it is done with",
        "tools.shipped": "data of the package",
        "tools.programs": "where a program is",
        "tools.paths": "files of a workspace are opened, through no link",
        "tools.writing": "files of a workspace are written, through no link, all or none",
        "tools.alone": "locks",
        "react_agent.transcript": "the file that is the run: appended, synced, locked, mended",
        "react_agent.memory.store": "SQLite: what a run can recall",
        "eval.store.database": "SQLite: the tables of an experiment",
        "tools.git": "what git is given on its standard input, and a configuration of ours",
        "tools.process": "the pipes of what it starts",
        "tools.access": "a pipe on which git, and nobody else, is given a login",
        "tools.own_process": "the folder that we are in",
        "tools.keeper": _ALONE,
        "tools.census": "what a command takes, for its keeper",
        "tools.landlock_launcher": _ALONE,
        "tools.path_matcher": _ALONE,
        "react_agent.cli.streams": "where we print to, when nobody reads any more",
        "eval.engine.worker": "the lines to a worker's process",
        "eval.engine.child": "the same lines from the other end",
    },
    PROCESSES: {
        "tools.process": "the one door to processes: deadlines, limits, no group left behind",
        "tools.keeper": "stays beside each command, and ends all that it has started",
        "tools.landlock_launcher": "confines itself and goes on as the command",
        "tools.own_process": "signals to us, memory that others may not read, going on as another",
        "react_agent.uninterrupted": "signals wait while a reply is written down",
        "tools.path_matcher": "ends an expression that takes too long",
        "tools.git": "the signal that git ends by when a disk limit is reached",
        "tools.shared_network": "waits for what the network of several commands says",
        "eval.engine.child": "a worker's process; its end is its owner's",
        "eval.engine.worker": "its owner",
    },
    NETWORK: {
        "tools.web": "pages: public addresses, asked for once, of all that is sent there",
        "tools.loopback": "servers, for this machine alone",
        "react_agent.forges.http": "Gitea and GitLab",
        "react_agent.forges.gitlab_wire": "python-gitlab, over our client",
        "react_agent.forges.github_client": "PyGithub",
        "react_agent.models.anthropic_messages": "the SDK of Anthropic",
        "react_agent.models.openai_request": "the SDK of OpenAI, for all that speak like it",
        "react_agent.models.sdk_faults": "the HTTP client of both",
        "react_agent.models.watch": "ends an answer that does not end",
        "eval.engine.cluster": "Dask",
        "eval.engine.worker": "a socket pair to a worker's process",
    },
    KEYS: {
        "tools.variables": "the environment that we were started with",
        "tools.keeper": "the environment of the command alone, which it is given",
        "tools.landlock_launcher": "the same",
    },
    CLOCK: {
        "tools.clock": "all that waits, limits or dates",
        "tools.process": "deadlines",
        "tools.keeper": _ALONE,
        "tools.web": "deadlines",
    },
    CODE: {
        "react_agent.cli.main": "a command, when it is called",
        "react_agent.cli.group": "the same",
        "eval.cli.run": "the bundled set",
        "eval.cli.going": "the cluster, which is an extra",
        "eval.engine.child": "what its owner names, before there is work",
        "tools.syntax": "YAML, if it is installed; Python is compiled and not run",
    },
}
MOST = 45
# Fields of our own values, asked for by names out of a list: no path is ever asked for one.
FIELDS = frozenset(
    (
        "eval.sets.row",
        "eval.store.rows",
        "parsers.pull_words",
        "react_agent.profile",
        "react_agent.react_agent",
        "react_agent.profile_sections",
        "react_agent.report_files",
        "react_agent.stuck.patience",
        "react_agent.toolbox",
    )
)
# Methods of our own that are called like one of a path.
OURS = {
    "parsers.patch.unified": (".open()",),
    "react_agent.hook.worker": (".open()",),
    "tools.web": (".resolve()",),
}
THE_DOOR = {
    FILES: "tools/disk.py or on_disk.py, and paths.py or writing.py in a workspace",
    PROCESSES: "tools/process.py",
    NETWORK: "tools/web.py for pages, forges/ for forges, models/ for models",
    KEYS: "tools/variables.py",
    CLOCK: "tools/clock.py",
    CODE: "an import",
}
