"""Asking a forge for something: again where that can help, and in the end one line."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from react_agent.forges.faults import Account, Failed, Fault, told
from react_agent.tools import clock

_Answer = TypeVar("_Answer")
_BETWEEN_LOOKS = 2.0  # seconds


@dataclass(frozen=True, slots=True)
class Patience:
    tries: int = 3
    first: float = 1.0  # seconds before the second try; then twice as long each
    longest: float = 60.0  # seconds that are waited if the forge asks for it
    answer: float = 30.0  # seconds for one answer
    sleep: Callable[[float], None] = clock.sleep
    random: Callable[[], float] = random.random


@dataclass(frozen=True, slots=True)
class Asking:
    account: Account
    patience: Patience

    def ask(
        self,
        what: str,
        call: Callable[[], _Answer],
        again: Callable[[], _Answer] | None = None,
    ) -> _Answer:
        """Where `call` may not be done twice, `again` first looks whether it has been done.

        Raises ForgeError.
        """
        times = 1
        while True:
            try:
                return (again or call)() if times > 1 else call()
            except Fault as fault:
                seconds = self._pause(fault, times)
                if seconds is None:
                    raise told(fault, what, self.account, times) from None
            self.patience.sleep(seconds)
            times += 1

    def wait_for(self, what: str, look: Callable[[], _Answer | None]) -> _Answer:
        """What takes a while at the forge."""
        for _ in range(round(self.patience.longest / _BETWEEN_LOOKS)):
            found = self.ask(what, look)
            if found is not None:
                return found
            self.patience.sleep(_BETWEEN_LOOKS)
        late = f"it is not ready after {self.patience.longest:.0f} s; try again later"
        raise told(Fault(Failed.PLAIN, late), what, self.account)

    def _pause(self, fault: Fault, times: int) -> float | None:
        """None: it is given up."""
        if not fault.may_pass or times >= self.patience.tries:
            return None
        if fault.wait is not None:
            return fault.wait if fault.wait <= self.patience.longest else None
        return self.patience.first * 2.0 ** (times - 1) * (0.75 + self.patience.random() / 2)
