"""What of its budget the hook has used today."""

from dataclasses import dataclass
from pathlib import Path

from react_agent.hook.policy import Policy
from react_agent.hook.spool import write_synced
from react_agent.parsers.transcript.facts import read_facts, write_facts
from react_agent.tools import disk


@dataclass(frozen=True, slots=True)
class Day:
    name: str
    runs: int = 0
    seconds: float = 0

    def allows(self, policy: Policy, *, begins: bool) -> bool:
        has_runs = not begins or self.runs < policy.runs
        return has_runs and self.seconds < policy.seconds


def last_day(file: Path) -> Day | None:
    """The last one on which anything was used; None where that is not readable."""
    try:
        facts = read_facts(disk.read_text(file).strip())
        return Day(facts["day"], int(facts["runs"]), float(facts["seconds"]))
    except (OSError, ValueError, KeyError):
        return None


def read_day(file: Path, today: str) -> Day:
    day = last_day(file)
    return day if day and day.name == today else Day(today)


def write_day(file: Path, day: Day) -> None:
    facts = {"day": day.name, "runs": str(day.runs), "seconds": f"{day.seconds:.0f}"}
    write_synced(file, write_facts(facts) + "\n")
