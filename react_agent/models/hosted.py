"""A model at an endpoint."""

from dataclasses import dataclass

from react_agent.models.call import Call
from react_agent.models.connection import Connection
from react_agent.models.contract import Completion, Show, View
from react_agent.models.patience import Patience

_FOREVER = 10.0**9  # seconds


@dataclass(frozen=True, slots=True)
class Hosted:
    line: Connection

    def complete(
        self,
        view: View,
        *,
        stop: tuple[str, ...],
        max_output: int,
        deadline: float | None,
        show: Show,
    ) -> Completion:
        self.line.find_window()
        until = self.line.time.clock() + _FOREVER if deadline is None else deadline
        return Call(self.line, view, stop, max_output, Patience(self.line, until), show).made()
