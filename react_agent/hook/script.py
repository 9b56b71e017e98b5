"""The scripts that we put where git looks for hooks: they decide, and start us."""

import hashlib
import re
import shlex

from react_agent.tools import package_data

HOOKS = ("post-commit", "pre-push", "post-receive")
_MARK = "# react-agent hook "
_ENDING = ", which `react-agent hook uninstall` takes away"
_MARKED = re.compile(rf"#!/bin/sh\n{_MARK}([0-9a-f]{{16}}){_ENDING}\n")
_HERE = "case $0 in */*) here=${0%/*} ;; *) here=. ;; esac\n"


def script(name: str, python: str, state: str, earlier: str) -> str:
    """`state` and `earlier` are words of the shell, in which $here is the script's own folder."""
    values = f"name={name}\npython={shlex.quote(python)}\nstate={state}\nearlier={earlier}\n"
    body = package_data.text("react_agent.hook", "script.sh")
    return _marked(_HERE + values + body)


def passing_on(earlier: str) -> str:
    """For the hooks that are not ours, where git is told to look into a folder of ours."""
    return _marked(
        f"hook={shlex.quote(earlier)}\n"
        '[ -f "$hook" ] && [ -x "$hook" ] || exit 0\n'
        'exec "$hook" "$@"\n'
    )


def is_ours(text: str) -> bool:
    return _MARKED.match(text) is not None


def is_unchanged(text: str) -> bool:
    """As we wrote it; somebody may have added lines of his own."""
    found = _MARKED.match(text)
    return found is not None and _checksum(text[found.end() :]) == found[1]


def _marked(text: str) -> str:
    return f"#!/bin/sh\n{_MARK}{_checksum(text)}{_ENDING}\n{text}"


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:16]
