"""The log of a runner of GitHub Actions, which takes lines for orders, whoever wrote them.

They are stopped by a word that was made up just before and is used once: what is printed until it
is said again was written by somebody who could not know it.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from react_agent.cli.streams import give
from react_agent.parsers.transcript.quoting import visible

_MARKER, _NO_MARKER = "##[", "## ["  # as the log itself tells `::group::` and others


@dataclass(slots=True)
class RunnerLog:
    _word: str = ""

    @contextmanager
    def without_orders(self) -> Iterator[None]:
        self._stop()
        try:
            yield
        finally:
            self._go_on()

    @contextmanager
    def folded(self, title: str) -> Iterator[None]:
        """Within the other one; a title of ours."""
        self._order(f"::group::{title}")
        try:
            yield
        finally:
            self._order("::endgroup::")

    def _order(self, line: str) -> None:
        self._go_on()
        _say(line)
        self._stop()

    def _stop(self) -> None:
        self._word = secrets.token_hex(16)
        _say(f"::stop-commands::{self._word}")

    def _go_on(self) -> None:
        _say(f"::{self._word}::")


def visible_in_log(line: str) -> str:
    """And no marker for its page, which would fold and colour by it."""
    return visible(line).replace(_MARKER, _NO_MARKER)


def _say(line: str) -> None:
    give(f"{line}\n".encode())
