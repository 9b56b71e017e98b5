"""How long to wait for an endpoint that fails, and when to give it up."""

from dataclasses import dataclass
from typing import NoReturn

from react_agent.errors import ModelError, TimeUp
from react_agent.models.connection import Connection
from react_agent.models.remedy import Again, GiveUp
from react_agent.models.wire import Failed, Fault
from react_agent.parsers.servers.asking_again import one_line

_TRIES = 6  # of a request, where the endpoint fails
_TRIES_HERE = 2  # where nobody listens on this machine: somebody has to start it
_TRIES_AT_A_LIMIT = 40  # where it has too much to do
_FIRST, _LONGEST = 0.5, 30.0  # seconds
_LITTLE = 0.1  # seconds
LONGEST_ERROR = 300
_WORDS = {
    Failed.REFUSED: "no connection",
    Failed.CONNECTION: "no connection",
    Failed.TIMEOUT: "no answer in time",
    Failed.BROKEN: "the answer broke off",
    Failed.ENDED: "the answer stopped without the word that ends it",
    Failed.STRANGE: "the answer can't be read",
}


@dataclass(slots=True)
class Patience:
    """Of one call."""

    line: Connection
    deadline: float
    failures: int = 0
    refusals: int = 0

    def wait(self, fault: Fault, again: Again) -> None:
        """Raises ModelError where there is no try or no time left."""
        self.refusals += again.is_limit
        self.failures += not again.is_limit
        is_down = fault.how is Failed.REFUSED and self.line.is_local
        tries = _TRIES_HERE if is_down else _TRIES
        if self.failures >= tries or self.refusals >= _TRIES_AT_A_LIMIT:
            asked = f"asked {self.failures + self.refusals} times"
            self.give_up(fault, GiveUp("is the server running?" if is_down else asked))
        time = self.line.time
        seconds = self._seconds(again, time.random())
        left = self.deadline - time.clock()
        if left < _LITTLE:
            self.end()
        if seconds >= left:
            self.give_up(fault, GiveUp(f"the next try in {seconds:.0f} s would be too late"))
        if again.is_limit:
            self.line.throttle.refused(seconds)  # the next turn comes when it opens, for all runs
        else:
            time.sleep(seconds)

    def _seconds(self, again: Again, chance: float) -> float:
        """Spread, so that those who failed together don't come back together."""
        doubled: float = min(_FIRST * 2 ** (self.failures + self.refusals - 1), _LONGEST)
        if again.seconds is None:
            return doubled * (0.75 + chance / 2)
        seconds = max(again.seconds, doubled / 4)  # some say 0
        return seconds + chance * min(doubled, seconds) / 4

    def end(self) -> NoReturn:
        """No time is left, or the endpoint has announced that it answers nobody until too late."""
        now = self.line.time.clock()
        closed = self.line.throttle.opens - now
        is_closed = closed >= self.deadline - now > _LITTLE
        too_late = f"it takes no more requests for {closed:.0f} s, which is too late"
        up = "the time was up before there was an answer"
        raise TimeUp(f"{self.line.name}: {too_late if is_closed else up}")

    def give_up(self, fault: Fault, why: GiveUp) -> NoReturn:
        what = f"status {fault.status}" if fault.status else _WORDS.get(fault.how, "no answer")
        said = one_line(fault.message or fault.code, self.line.secret, LONGEST_ERROR)
        parts = (what, *filter(None, (said,)))
        advice = f" ({why.advice})" if why.advice else ""
        raise ModelError(f"{self.line.name}: {': '.join(parts)}{advice}") from None
