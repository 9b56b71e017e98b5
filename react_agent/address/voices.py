"""Whose words in a review ask for something: those of people who count, and none of our own."""

from dataclasses import dataclass, replace

from react_agent.forges.contract import Remark, Thread
from react_agent.issue_to_pr.conversation import Speak, is_heard
from react_agent.parsers.forge.ci_event import PHRASE, behind

SIGNED = "<!-- react-agent -->"  # the end of all that we write below a pull request


@dataclass(frozen=True, slots=True)
class Voices:
    """Our account may be a person's, too: what it wrote is ours where it is signed."""

    me: str
    author: str  # of the pull request
    speak: Speak
    phrase: str = PHRASE  # that only starts us

    def is_ours(self, remark: Remark) -> bool:
        return remark.author == self.me and remark.body.rstrip().endswith(SIGNED)

    def counts(self, remark: Remark) -> bool:
        if remark.is_bot or not remark.body.strip() or self.is_ours(remark):
            return False
        return remark.author == self.me or is_heard(remark, self.author, self.speak)

    def heard(self, thread: Thread) -> Thread:
        """Without what asks for nothing but that we begin."""
        bare = (
            replace(one, body=behind(self.phrase, one.body) if self.counts(one) else one.body)
            for one in thread.remarks
        )
        return replace(thread, remarks=tuple(one for one in bare if one.body.strip()))

    def waits(self, thread: Thread) -> bool:
        """Not what is settled, or what we had the last word in of those who count."""
        last = [one for one in thread.remarks if self.is_ours(one) or self.counts(one)][-1:]
        return not thread.is_resolved and any(map(self.counts, last))

    def said(self, thread: Thread) -> int:
        """How much was asked for in it so far."""
        return sum(map(self.counts, thread.remarks))
