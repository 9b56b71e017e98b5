"""Write the shape of a turn as a grammar in llama.cpp's notation (GBNF).

shape = Thought: line (Action: tool, Action Input: text | Conclusion: text)

Where the prompt already ends with `Thought:`, the shape begins behind it.
"""

from collections.abc import Iterable

from react_agent.parsers.transcript.labels import DEFAULT, Label

_RULES = r"""
root ::= {thought}line (action | conclusion)
line ::= " "? [^ \n] [^\n]* "\n"
action ::= {action} " " ({tools}) "\n" {input} text
conclusion ::= {conclusion} text
text ::= ([^\n] | "\n")*
"""


def shape_of_a_turn(tools: Iterable[str], *, is_begun: bool) -> str:
    written = {label: f'"{DEFAULT.write(label)}"' for label in Label}
    return _RULES.strip().format(
        thought="" if is_begun else f"{written[Label.THOUGHT]} ",
        action=written[Label.ACTION],
        tools=" | ".join(f'"{name}"' for name in tools),
        input=written[Label.INPUT],
        conclusion=written[Label.CONCLUSION],
    )
