"""A turn that the model put into a fence: labels that count, since there are no others.

reply = text fence label-lines fence     nothing behind it, and the text does not lead up to a quote
"""

from react_agent.parsers.text.fence import Fence, blocks
from react_agent.parsers.transcript.labels import ACTION, THOUGHT, generous
from react_agent.parsers.turn.automaton import Reading
from react_agent.parsers.turn.special import cleaned

_INFOS = frozenset({"", "text", "txt", "plaintext", "plain", "markdown", "md", "react", "yaml"})
_LEADS_UP = (":", "：")


def fenced_turn(said: Reading, *, was_stopped: bool) -> Reading | None:
    """The reply read without the fence; none where its labels are a quote or an example.

    A fence that is open is taken for one only where a stop of the endpoint's has cut off its end.
    """
    if said.current is not THOUGHT:
        return None
    lines = said.fields[THOUGHT].lines
    within = blocks(lines)
    labelled = [block for block in within if _begins_with_label(lines, block, said)]
    if len(labelled) != 1 or labelled[0] is not within[-1]:
        return None
    fence, begin, end = labelled[0]
    before, behind = "\n".join(lines[:begin]), "\n".join(lines[end + 1 :])
    if fence.info.casefold() not in _INFOS or cleaned(behind).strip():
        return None
    if said.here.fences and not was_stopped:
        return None
    if before.rstrip().endswith(_LEADS_UP):
        return None
    reading = Reading(said.dialect)
    reading.has_begun = True
    reading.here.lines.extend(lines[:begin])
    for line in lines[begin + 1 : end]:
        reading.take(line)
    reading.fiction = reading.fiction or said.fiction
    return reading


def has_labels_in_fence(said: Reading) -> bool:
    lines = said.fields[THOUGHT].lines
    return any(_begins_with_label(lines, block, said) for block in blocks(lines))


def _begins_with_label(lines: list[str], block: tuple[Fence, int, int], said: Reading) -> bool:
    _, begin, end = block
    first = next((line for line in lines[begin + 1 : end] if line.strip()), "")
    found = generous(first, said.dialect)
    return found is not None and found.label in (THOUGHT, ACTION)
