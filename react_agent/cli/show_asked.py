"""What of a run a person asks `show` for: either its steps, or one thing by itself."""

from dataclasses import dataclass
from typing import Annotated

import typer

from react_agent.cli.options import whole
from react_agent.errors import UsageError
from react_agent.runs.history import Kind

_KINDS = ", ".join(Kind)
_MOST = 10**6  # steps of a run

Full = Annotated[bool, typer.Option("--full", help="do not fold long observations")]
Only = Annotated[
    str | None,
    typer.Option("--only", metavar="KINDS", help=f"some of {_KINDS}, with commas"),
]
Search = Annotated[
    str | None, typer.Option("--search", metavar="WORDS", help="the lines that hold it, by step")
]
Diff = Annotated[bool, typer.Option("--diff", help="what each step changed in the files")]
Prompt = Annotated[
    str | None, typer.Option("--step", metavar="N", help="what the model saw at it, exactly")
]
Tokens = Annotated[bool, typer.Option("--tokens", help="what each prompt was made of, as a bar")]
Raw = Annotated[bool, typer.Option("--raw", help="the file as it is")]


@dataclass(frozen=True, slots=True)
class Asked:
    full: Full = False
    only: Only = None
    search: Search = None
    diff: Diff = False
    step: Prompt = None
    tokens: Tokens = False
    raw: Raw = False

    @property
    def kinds(self) -> frozenset[Kind]:
        """Raises UsageError."""
        if self.only is None:
            return frozenset()
        words = self.only.replace(",", " ").split()
        for word in words or [self.only]:
            if word not in tuple(Kind):
                raise UsageError(f"--only is some of {_KINDS}, not {word!r}")
        return frozenset(map(Kind, words))

    @property
    def sought(self) -> str:
        """What may not be there, in words."""
        kinds = " or ".join(sorted(self.kinds))
        return f"line with {self.search!r}" if self.search else kinds or "change of a file"

    def check(self, at: str | None) -> None:
        """What shows one thing by itself takes nothing that is about steps. Raises UsageError."""
        alone = {"--raw": self.raw, "--tokens": self.tokens, "--step": self.step is not None}
        chosen = [name for name, given in alone.items() if given]
        if not chosen:
            return
        steps = {"--full": self.full, "--only": self.only is not None, "--diff": self.diff}
        steps |= {"--search": self.search is not None, "STEP": at is not None}
        too_many = [*chosen[:-1], *(name for name, given in steps.items() if given)]
        if too_many:
            raise UsageError(f"{chosen[-1]} stands alone: leave out {' and '.join(too_many)}")


def step_of(option: str, given: str) -> int:
    return whole(option, given, _MOST)
