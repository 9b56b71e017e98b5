"""A model that goes its wrong way until the fact that it lacks is in the prompt.

This is all it looks at: whether the fact is there. A script that has come to its end says its last
words again, or begins again if it goes round.
"""

from dataclasses import dataclass, field

from blunder_files import SOUND, Case

from react_agent.models.contract import View

STEP = "Thought:"  # the end of a prompt that asks for one
_FIRST = "Step: 1\nReason: it may be the first one"  # the worst critic there is


@dataclass(slots=True)
class ScriptedWay:
    case: Case
    told_at: int = 0  # the prompt in which the fact was first
    prompts: int = 0
    said: dict[bool, int] = field(default_factory=lambda: {True: 0, False: 0})

    def __call__(self, view: View) -> str:
        if view.tail.endswith(STEP):
            return self._step(view)
        return _FIRST if self.case.kind == SOUND else "I can't tell."

    def _step(self, view: View) -> str:
        self.prompts += 1
        knows = not self.case.wrong or self._knows(view)
        if knows and not self.told_at:
            self.told_at = self.prompts
        script = self.case.right if knows else self.case.wrong
        at = self.said[knows]
        self.said[knows] += 1
        if self.case.goes_round and not knows:
            return script[at % len(script)]
        return script[min(at, len(script) - 1)]

    def _knows(self, view: View) -> bool:
        shown = "\n".join(map(thought_of, view.turns)) if self.case.in_a_thought else view.text
        return any(fact in shown or fact in view.tail for fact in self.case.facts)


def thought_of(turn: str) -> str:
    return turn.partition("\nAction:")[0]
