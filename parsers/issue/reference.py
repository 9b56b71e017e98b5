"""Read references to an issue or a pull request, and write them in the shortest form.

reference = [path] ("#" | "!") number | [scheme "://"] host "/" path kind number rest
path      = name ("/" name)+
kind      = ["/-"] "/" ("issues" | "work_items" | "pull" | "pulls" | "merge_requests") "/"
rest      = whatever follows a "/", "?" or "#"
"""

import re
from dataclasses import dataclass

from react_agent.parsers.text.late_pattern import LatePattern

_NAME = r"(?!\.{1,2}(?:/|#|!|$))[A-Za-z0-9_.][A-Za-z0-9_.-]*"
_PATH = rf"{_NAME}(?:/{_NAME})+"
_NUMBER = r"[1-9][0-9]{0,9}"
_HOST = r"(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?"
_PULLS = ("pull", "pulls", "merge_requests")
_SHORT = LatePattern(rf"(?P<path>{_PATH})?(?P<mark>[#!])(?P<number>{_NUMBER})")
_ADDRESS = LatePattern(
    rf"(?:(?P<scheme>https?)://(?:[^/@\s]*@)?)?(?P<host>{_HOST})/"
    rf"(?:(?:api/v3/)?repos/(?=[^/]+/[^/]+/(?:issues|pulls)/))?(?P<path>{_PATH}?)"
    rf"(?:/-)?/(?P<kind>issues|work_items|{'|'.join(_PULLS)})/(?:incident/)?"
    rf"(?P<number>{_NUMBER})(?:[/?#]\S*)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Reference:
    number: int
    path: str = ""  # OWNER/NAME, GROUP/SUBGROUP/NAME; empty: the current repository
    host: str = ""  # with its port; empty: the host of the current repository
    is_pull: bool = False
    scheme: str = "https"

    def __str__(self) -> str:
        if self.host:
            kind = "pull" if self.is_pull else "issues"
            return f"{self.scheme}://{self.host}/{self.path}/{kind}/{self.number}"
        return f"{self.path}{'!' if self.is_pull else '#'}{self.number}"


def read_reference(text: str) -> Reference | None:
    """Return the reference, or None if the text is something else, such as a title."""
    words = text.strip()
    if short := _SHORT.fullmatch(words):
        return Reference(int(short["number"]), short["path"] or "", is_pull=short["mark"] == "!")
    address = _ADDRESS.fullmatch(words)
    host = address["host"].lower() if address else ""
    if address is None or (address["scheme"] is None and "." not in host):
        return None  # such as a path in some folder
    return Reference(
        int(address["number"]),
        address["path"],
        "github.com" if host == "api.github.com" else host,
        address["kind"].lower() in _PULLS,
        (address["scheme"] or "https").lower(),
    )
