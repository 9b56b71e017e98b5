"""Names and addresses that forges give."""

import re

_BOT = re.compile(
    r"(?:.*(?:\[bot\]|[-_]bot)|(?:project|group)_\d+_bot(?:_\w+)?|(?:gitea|forgejo)-actions)",
    re.IGNORECASE,
)
_CREDENTIALS = re.compile(r"(?<=//)[^/\s@]*@")


def is_bot(login: str) -> bool:
    """By its name: few forges tell."""
    return _BOT.fullmatch(login) is not None


def without_credentials(url: str) -> str:
    return _CREDENTIALS.sub("", url)
