"""What a run did, in lines, each below one of a few headings; from its transcript alone."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from react_agent.report.audit_files import read, wrote
from react_agent.report.audit_ran import ran, reached
from react_agent.report.audit_run import Audited
from react_agent.report.audit_said import guards, mended, refused
from react_agent.report.audit_whole import about, missing, spent

NOTHING = "nothing"
SECTIONS: Mapping[str, Callable[[Audited], Iterator[str]]] = {
    "run": about,
    "read": read,
    "wrote": wrote,
    "ran": ran,
    "reached": reached,
    "spent": spent,
    "refused": refused,
    "mended": mended,
    "guards": guards,
    "missing": missing,
}


@dataclass(frozen=True, slots=True)
class Line:
    section: str
    text: str


def audit(run: Audited, only: str = "") -> Iterator[Line]:
    """Every section has a line: where there is nothing to tell, that is said."""
    yield Line("run", run.name)
    for section, lines in SECTIONS.items():
        if only in ("", section):
            told = list(lines(run)) or [NOTHING]
            yield from (Line(section, text) for text in told)


def is_whole(run: Audited) -> bool:
    """Whether the transcript tells all that an audit asks."""
    return not any(missing(run))
