"""Errors of a forge, a one-line message for each, and retries where they can help."""

import functools
import random
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar, cast

from react_agent.forges.account import Account
from react_agent.forges.contract import ForgeError
from react_agent.parsers.servers.http_answers import backoff, one_line, printable, spread
from react_agent.tools import clock

_Method = TypeVar("_Method", bound=Callable[..., Any])
_Answer = TypeVar("_Answer")
_LONGEST_SAID = 200
_BETWEEN_LOOKS = 2.0  # seconds
OTHER = "it lacks required fields"
# What client libraries raise for JSON of another form: they check nothing.
ODD = (AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)


class Failed(StrEnum):
    ANSWER = "answer"  # with a status that says no
    UNREACHABLE = "unreachable"
    SLOW = "slow"
    CUT = "cut"
    STRANGE = "strange"  # no JSON, or other things in it than should be
    MOVED = "moved"  # to where we don't follow; `said` is the address
    PLAIN = "plain"  # `said` is all there is to say


@dataclass(eq=False, repr=False)
class Fault(Exception):
    """A request that failed."""

    how: Failed
    said: str = ""  # by the forge
    status: int = 0
    wait: float | None = None  # seconds after which to ask again, if the forge says so
    is_limit: bool = False

    def __post_init__(self) -> None:
        super().__init__(self.how, self.status)  # not what was said, which may hold the token

    @property
    def may_pass(self) -> bool:
        """Whether a retry can help."""
        passing = (Failed.UNREACHABLE, Failed.SLOW, Failed.CUT)
        return self.is_limit or self.status >= 500 or self.how in passing


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
    """Access to one repository on a forge with one account. Every failure raises ForgeError."""

    account: Account
    path: str
    patience: Patience
    odd: tuple[type[Exception], ...] = ODD

    def ask(
        self,
        what: str,
        call: Callable[[], _Answer],
        done: Callable[[], _Answer] | None = None,
    ) -> _Answer:
        """Call the function, and retry if it fails. `done` checks whether an earlier call worked.

        `what` is a task, such as "read issue 12 of OWNER/NAME".
        """
        times = 1
        while True:
            try:
                return (done() if done and times > 1 else None) or call()
            except self.odd:
                fault = Fault(Failed.STRANGE, OTHER)
            except Fault as failed:
                fault = failed
            patience, seconds = self.patience, fault.wait
            if seconds is None:
                seconds = spread(backoff(patience.first, times), patience.random())
            is_late = fault.wait is not None and fault.wait > patience.longest
            if not fault.may_pass or times >= patience.tries or is_late:
                asked = f" (asked {times} times)" if times > 1 else ""
                why = f"can't {what}: {_why(fault, self.account)}{asked}"
                raise ForgeError(printable(f"{self.account.host}: {why}")) from None
            self.patience.sleep(seconds)
            times += 1

    def wait_for(self, look: Callable[[], _Answer | None]) -> _Answer:
        """Wait for a result that the forge takes a while to produce. Raises Fault."""
        for _ in range(round(self.patience.longest / _BETWEEN_LOOKS)):
            if (found := look()) is not None:
                return found
            self.patience.sleep(_BETWEEN_LOOKS)
        late = f"it is not ready after {self.patience.longest:.0f} s; try again later"
        raise Fault(Failed.PLAIN, late)


def asked(what: str) -> Callable[[_Method], _Method]:
    """Retry a method as a whole. In `what`, `{0}` is its argument and `{path}` the repository."""

    def decorate(method: _Method) -> _Method:
        @functools.wraps(method)
        def ask(forge: Any, *args: Any) -> Any:
            call = functools.partial(method, forge, *args)
            return forge.asking.ask(what.format(*args, path=forge.asking.path), call)

        return cast(_Method, ask)

    return decorate


def _why(fault: Fault, account: Account) -> str:
    said = one_line(fault.said, account.token, _LONGEST_SAID)
    quoted, behind = (f': "{said}"', f": {said}") if said else ("", "")
    into = f" into {account.variable}" if account.variable else ""
    scope = f"; it needs permission for {account.scope}" if account.scope else ""
    kind = f"; is {account.host} a {account.kind}?" if account.kind else ""
    no_token = "" if account.token else "wants a token" + (into and f"; put one{into}")
    if fault.is_limit:
        return "too many requests" + (f"; try again in {fault.wait:.0f} s" if fault.wait else "")
    words: dict[int | str, str] = {
        401: "the token is not accepted" + (into and f"; put a valid one{into}"),
        403: f"the token may not do that{scope}{quoted}",
        404: f"it was not found, or {no_token or 'the token may not see it'}",
        410: f"it is gone{quoted}",
        423: "it is archived and read-only",
        Failed.UNREACHABLE: f"no connection{behind}",
        Failed.SLOW: "no answer in time",
        Failed.CUT: "the answer was interrupted",
        Failed.STRANGE: f"the answer can't be read{behind}{kind}",
        Failed.MOVED: f"it moved to {said}, and the token is not sent there",
        Failed.PLAIN: said,
    }
    if no_token and fault.status in (401, 403):
        return f"it {no_token}" + (quoted if fault.status == 403 else "")
    what = "the forge failed" if fault.status >= 500 else "it was refused"
    return words.get(fault.status or fault.how, f"{what} (status {fault.status}){quoted}")
