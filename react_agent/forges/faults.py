"""What goes wrong at a forge, whichever it is, and the one line that a person can act on."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from react_agent.forges.contract import ForgeError
from react_agent.forges.names import without_credentials

_LONGEST_SAID = 200


class Failed(StrEnum):
    ANSWER = "answer"  # with a status that says no
    UNREACHABLE = "unreachable"
    SLOW = "slow"
    CUT = "cut"
    STRANGE = "strange"  # no JSON, or other things in it than should be
    MOVED = "moved"  # to where we don't follow; `said` is the address
    PLAIN = "plain"  # `said` is all there is to say


class Fault(Exception):
    """One request that failed."""

    def __init__(
        self,
        how: Failed,
        said: str = "",  # by the forge
        status: int = 0,
        wait: float | None = None,  # seconds, if it says after which to ask again
        is_limit: bool = False,
    ) -> None:
        super().__init__(how, status)
        self.how = how
        self.said = said
        self.status = status
        self.wait = wait
        self.is_limit = is_limit or status == 429

    @property
    def is_missing(self) -> bool:
        return self.status == 404

    @property
    def may_lack_a_branch(self) -> bool:
        """By one release or another of a forge, where a branch is missing."""
        return self.status in (400, 404, 409, 422, 500)

    @property
    def may_pass(self) -> bool:
        """Whether it can help to ask again."""
        passing = (Failed.UNREACHABLE, Failed.SLOW, Failed.CUT)
        return self.is_limit or self.status >= 500 or self.how in passing


@dataclass(frozen=True, slots=True)
class Account:
    """Where a forge is, and as whom it is asked."""

    host: str  # as a person writes it, with its port
    api: str  # the address of its API
    token: str = field(default="", repr=False)
    variable: str = ""  # of the environment, where a token is looked for
    kind: str = ""  # GitHub, GitLab, Gitea
    scope: str = ""  # what a token has to allow

    def __post_init__(self) -> None:
        if not (self.token.isascii() and self.token.isprintable()) or " " in self.token:
            what = f"what {self.variable} holds" if self.variable else "what was given"
            raise ForgeError(f"{self.host}: {what} can't be a token")


def told(fault: Fault, what: str, account: Account, times: int = 1) -> ForgeError:
    """`what` is what was to be done, as in "read issue 12 of OWNER/NAME"."""
    why = _limited(fault) if fault.is_limit else _WORDS.get(fault.status or fault.how, _other)
    line = why if isinstance(why, str) else why(fault, account)
    asked = f" (asked {times} times)" if times > 1 else ""
    return ForgeError(_printable(f"{account.host}: can't {what}: {line}{asked}"))


def no_branch(branch: str, path: str, default: str = "") -> Fault:
    """`default` is what the default branch is now: the one that is missing may have been it."""
    now = f"; the default branch is {default}" if default else ""
    return Fault(Failed.PLAIN, f"there is no branch {branch} in {path}{now}")


def _not_known(fault: Fault, account: Account) -> str:
    if not account.token:
        return f"it wants a token{_set(account)}"
    return f"the token is not accepted{_set(account, 'a valid one')}"


def _not_allowed(fault: Fault, account: Account) -> str:
    if not account.token:
        return f"it wants a token{_set(account)}{_said(fault, account)}"
    scope = f"; it has to allow {account.scope}" if account.scope else ""
    return f"the token may not do that{scope}{_said(fault, account)}"


def _not_there(fault: Fault, account: Account) -> str:
    if not account.token:
        return f"it is not there, or wants a token{_set(account)}"
    return "it is not there, or the token may not see it"


def _refused(fault: Fault, account: Account) -> str:
    return f"it was refused (status {fault.status}){_said(fault, account)}"


def _failing(fault: Fault, account: Account) -> str:
    return f"the forge fails (status {fault.status}){_said(fault, account)}"


def _other(fault: Fault, account: Account) -> str:
    return (_failing if fault.status >= 500 else _refused)(fault, account)


def _unreachable(fault: Fault, account: Account) -> str:
    return f"no connection: {_clean(fault.said, account)}" if fault.said else "no connection"


def _strange(fault: Fault, account: Account) -> str:
    kind = f"; is {account.host} a {account.kind}?" if account.kind else ""
    said = f": {_clean(fault.said, account)}" if fault.said else ""
    return f"the answer can't be read{said}{kind}"


def _moved(fault: Fault, account: Account) -> str:
    return f"it moved to {_clean(fault.said, account)}, where no token is sent"


def _limited(fault: Fault) -> str:
    again = f"; it takes more in {fault.wait:.0f} s" if fault.wait else ""
    return f"too many requests{again}"


_WORDS: dict[int | str, str | Callable[[Fault, Account], str]] = {
    401: _not_known,
    403: _not_allowed,
    404: _not_there,
    410: "it was deleted",
    423: "it is archived, and takes nothing new",
    Failed.UNREACHABLE: _unreachable,
    Failed.SLOW: "no answer in time",
    Failed.CUT: "the answer broke off",
    Failed.STRANGE: _strange,
    Failed.MOVED: _moved,
    Failed.PLAIN: lambda fault, account: _clean(fault.said, account),
}


def _set(account: Account, what: str = "one") -> str:
    return f"; put {what} into {account.variable}" if account.variable else ""


def _said(fault: Fault, account: Account) -> str:
    said = _clean(fault.said, account)
    return f': "{said}"' if said else ""


def _clean(text: str, account: Account) -> str:
    """What a forge wrote: on one line, short, and with no token in it."""
    line = without_credentials(" ".join(text.split()))
    if account.token:
        line = line.replace(account.token, "(token)")
    shown = _printable(line)
    return shown if len(shown) <= _LONGEST_SAID else f"{shown[:_LONGEST_SAID]}..."


def _printable(line: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in line)
