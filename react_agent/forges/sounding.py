"""Which forge answers at a host: it is asked for its version, without a token."""

from react_agent.forges.contract import ForgeError
from react_agent.forges.faults import Account, Failed, Fault, told
from react_agent.forges.http import Http, json_of

_LONGEST = 10.0  # seconds
# What is asked, what an answer has, and what those say who want a token for it.
_QUESTIONS = (
    ("gitlab", "/api/v4/version", "version", "401 Unauthorized"),
    ("gitea", "/api/v1/version", "version", "Only signed in user is allowed to call APIs."),
    ("github", "/api/v3/meta", "installed_version", "Must authenticate to access this API."),
)


def sound(host: str, web: str) -> str:
    """`web` is the address of its pages. Raises ForgeError where it is none that we know."""
    http = Http(web, {}, _LONGEST)
    try:
        for kind, path, has, said in _QUESTIONS:
            if _is_it(http, f"{web}{path}", has, said):
                return kind
    except Fault as fault:
        raise told(fault, "ask which forge it is", Account(host, web)) from None
    section = f"[react_agent:forge {host}]"
    raise ForgeError(
        f"{host} doesn't tell which forge it is; put `kind = gitlab` (or github, "
        f"gitea) below {section} in your settings"
    )


def _is_it(http: Http, url: str, has: str, said: str) -> bool:
    try:
        answer = json_of(http.ask("GET", url))
    except Fault as fault:
        if fault.how in (Failed.UNREACHABLE, Failed.SLOW):
            raise
        return fault.said == said
    return isinstance(answer, dict) and has in answer
