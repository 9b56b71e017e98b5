"""What of a prompt has not been shown before: it begins as an earlier one did, and grows."""

from collections.abc import Iterable
from dataclasses import dataclass, field

_LEAST = 400  # characters in common, before they are left out
_MOST = 50  # prompts that are remembered: sub-agents and attempts take turns
_LABEL = 40  # characters before one's own reply: its label, the role it has in a conversation


@dataclass(slots=True)
class Shown:
    """The prompts so far, each with what was replied to it."""

    exchanges: list[tuple[str, str]] = field(default_factory=list)

    def add(self, prompt: str, reply: str) -> None:
        self.exchanges = [*self.exchanges, (prompt, reply)][-_MOST:]

    def new_in(self, prompt: str) -> str:
        """From the line on that is new; without the reply, which whoever gave it knows."""
        before, reply = self._nearest(prompt)
        same = common(before, prompt)
        if same < _LEAST:
            return prompt
        begun = same if prompt.startswith("\n", same) else prompt.rfind("\n", 0, same) + 1
        rest = prompt[begun:]
        label, found, behind = rest.partition(reply.strip())
        is_reply = bool(reply.strip() and found) and len(label.strip()) <= _LABEL
        return (behind if is_reply else rest).lstrip("\n")

    def _nearest(self, prompt: str) -> tuple[str, str]:
        """The last of those that have most in common with it."""
        newest: Iterable[tuple[str, str]] = reversed(self.exchanges)
        return max(newest, key=lambda one: common(one[0], prompt), default=("", ""))


def common(one: str, other: str) -> int:
    """How many characters they begin with alike."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if other.startswith(one[:middle]):
            low = middle
        else:
            high = middle - 1
    return low
