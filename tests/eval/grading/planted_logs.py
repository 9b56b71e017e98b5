"""Logs of real runners, and what they say of an instance whose tests are named so."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from react_agent.eval.task import Instance

HERE = Path(__file__).parent
DJANGO = "parse_log_django"


@dataclass(frozen=True, slots=True)
class Planted:
    """A row of planted_logs.txt, whose head says what each field is."""

    id: str
    log: str
    parser: str
    fixed: str
    kept: str
    code: int
    resolved: bool
    official: str

    @property
    def text(self) -> str:
        return self.log if "\n" in self.log else (HERE / "logs" / self.log).read_text()

    @property
    def instance(self) -> Instance:
        kept = (self.kept,) if self.kept else ()
        return Instance(self.id, "o/r", "b", "p", fail_to_pass=(self.fixed,), pass_to_pass=kept)

    @property
    def is_resolved_officially(self) -> bool:
        return self.resolved is not bool(self.official)


def _rows() -> Iterator[Planted]:
    for line in (HERE / "planted_logs.txt").read_text(encoding="utf-8").split("\n"):
        if line and not line.startswith("#"):
            name, log, parser, fixed, kept, code, resolved, *why = line.split(" | ")
            log = log.replace(r"\n", "\n")
            yield Planted(
                name, log, parser, fixed, kept, int(code), resolved == "yes", "".join(why)
            )


PLANTED = tuple(_rows())
