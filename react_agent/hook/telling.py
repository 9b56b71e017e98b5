"""What came of a job: a note on its commit, and a line that the next hook tells."""

from collections.abc import Callable
from pathlib import Path

from react_agent.errors import ReactAgentError
from react_agent.hook.spool import Spool, write_synced
from react_agent.parsers.transcript.hook_files import Job
from react_agent.parsers.transcript.quoting import escape
from react_agent.tools.git.repository import in_repository

REF = "refs/notes/react-agent"
_LONGEST = 500


def tell(spool: Spool, name: str, line: str) -> None:
    """Under a name, so that the same is told once."""
    text = " ".join(escape(line).split())[:_LONGEST]
    write_synced(spool.root / "news" / f"{name}.txt", f"react-agent: {text}\n")


def told(job: Job) -> str:
    again = f"; again: react-agent hook run --again {job.key}" if job.ended == "failed" else ""
    return f"{job.title}: {job.said}{again}"


def remark(job: Job, common: Path, say: Callable[[str], None]) -> None:
    """`git log --notes=react-agent` shows it; where it can't be written, the rest goes on."""
    line = " ".join(escape(f"{job.words}: {job.said} (run {job.run or 'none'})").split())
    try:
        with in_repository(common) as git:
            notes = ("notes", f"--ref={REF}")
            shown = git.ask(*notes, "show", job.commit)
            if line.encode() not in shown.out.split(b"\n"):
                git.run(*notes, "append", "-F", "-", job.commit, stdin=line.encode() + b"\n")
    except ReactAgentError as error:
        say(f"no note on {job.commit[:7]}: {error}")
