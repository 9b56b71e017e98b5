"""A reply without labels that is nothing but one edit of one file.

    reply = prose? edit prose?
    edit  = fence (a diff | search/replace blocks | whole Python definitions) fence
          | a diff or blocks without a fence

The prose must not quote, advise against or take back; there is no second fence, and the file is
there. Definitions become the diff that they make.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from react_agent.parsers.edits.python_edit import defined_in, with_definitions
from react_agent.parsers.patch import Refused
from react_agent.parsers.patch.changes import Refusal
from react_agent.parsers.patch.reading.files import named
from react_agent.parsers.patch.reading.reader import read_changes
from react_agent.parsers.patch.repair import rewritten
from react_agent.parsers.text.fence import blocks
from react_agent.parsers.transcript.labels import ACTION, DEFAULT, INPUT, THOUGHT, generous
from react_agent.parsers.turn.turn import Kind, Turn

_TOOLS = ("apply_patch", "replace")
_BEGINS = re.compile(r"diff --git |--- \S|<{5,9} ?SEARCH")  # without a fence
_MOST_FILES = 2_000  # Python files that are looked through for a name
# Words that quote, advise against, offer a choice or take back: anywhere behind an edit, or in the
# last paragraph before it.
_TAKEN_BACK = (
    "do not", "don['’]t", "never", "avoid", "wrong", "incorrect", "mistake", "alternative(?:ly)?",
    "another way", "or you can", "instead", "wait", "actually", "already correct",
    "should(?: not|n['’]t)", "not (?:apply|use|correct)",
    "no change (?:is|was) (?:needed|necessary|required)",
)  # fmt: skip
_QUOTED = (
    "example", r"e\.g\.", "such as", "could", "might", "maybe", "perhaps", "would", "option",
    "either", "suggest(?:s|ed|ion)?", "the issue (?:says|shows|has|contains)", "reported",
    "output", "printed", "returned", "currently", "existing", "original", "old", "before",
    "as it (?:is|was)", "tried", "attempt(?:ed)?", "previous(?:ly)?", "rather than",
)  # fmt: skip
_BEHIND = re.compile(rf"\b(?:{'|'.join(_TAKEN_BACK)})\b", re.IGNORECASE)
_BEFORE = re.compile(rf"\b(?:{'|'.join((*_TAKEN_BACK, *_QUOTED))})\b", re.IGNORECASE)


def as_edit(
    turn: Turn, reply: str, files: Mapping[str, str], offered: Collection[str], *, acts: bool
) -> Turn:
    """The call of a reply that could not be read; or, unless it `acts`, how to write that call."""
    tools = [tool for tool in _TOOLS if tool in offered]
    found = unlabelled_edit(reply, files) if tools else None
    if found is None:
        return turn
    tool = tools[0] if found.what == "a diff" else tools[-1]
    if not acts:
        write = DEFAULT.write
        lines = f"`{write(ACTION)} {tool}` and `{write(INPUT)}`"
        holds = f"it holds {found.what} for {found.path} and no label"
        return turn._replace(problem=f"{holds}: write two lines above it, {lines}")
    repair = f"{found.what} for {found.path} without a label was read as the input of {tool}"
    return Turn(Kind.ACTION, found.thought, tool, found.input, repairs=(repair,))


class UnlabelledEdit(NamedTuple):
    what: str  # "a diff", "search/replace blocks" or "code"
    path: str
    thought: str
    input: str  # of a tool that edits


def unlabelled_edit(reply: str, files: Mapping[str, str]) -> UnlabelledEdit | None:
    lines = reply.replace("\r\n", "\n").split("\n")
    parts = _parts(lines)
    if parts is None or _has_labels(lines):
        return None
    before, inner, behind = parts
    lead = before.rstrip().rpartition("\n\n")[2]
    if _BEFORE.search(lead) or _BEHIND.search(behind):
        return None
    thought = before.strip().removeprefix("Thought:").strip()
    return _patch(inner, thought, files) or _code(inner, thought, files)


def _parts(lines: list[str]) -> tuple[str, str, str] | None:
    """What stands before, in and behind the only fence; or in and behind the prose."""
    found = blocks(lines)
    if len(found) > 1:
        return None
    if not found:
        begins = next((at for at, line in enumerate(lines) if _BEGINS.match(line)), None)
        return None if begins is None else (_joined(lines[:begins]), _joined(lines[begins:]), "")
    fence, begin, end = found[0]
    if fence.indent or end == len(lines):
        return None
    inner = lines[begin + 1 : end]
    if inner and inner[0].strip() in _TOOLS:
        inner = inner[1:]
    return _joined(lines[:begin]), _joined(inner), _joined(lines[end + 1 :])


def _joined(lines: list[str]) -> str:
    return "\n".join(lines)


def _has_labels(lines: list[str]) -> bool:
    found = (generous(line) for line in lines)
    return any(one and one.label is not THOUGHT for one in found)


def _patch(text: str, thought: str, files: Mapping[str, str]) -> UnlabelledEdit | None:
    reading = read_changes(text)
    if reading.problem or len(reading.changes) != 1:
        return None
    meant = named(reading.changes, files.keys())
    if isinstance(meant, Refusal) or not meant[0].old:
        return None
    are_blocks = all(hunk.is_block for hunk in reading.changes[0].hunks)
    what = "search/replace blocks" if are_blocks else "a diff"
    return UnlabelledEdit(what, meant[0].old, thought, text)


def _code(text: str, thought: str, files: Mapping[str, str]) -> UnlabelledEdit | None:
    names = defined_in(text)
    if not names:
        return None
    made = {
        path: with_definitions(text, files[path]) for path in _candidates(names, thought, files)
    }
    fitting = [(path, new) for path, new in made.items() if new is not None]
    if len(fitting) != 1:
        return None
    [(path, new)] = fitting
    diff = rewritten({path: new}, files)
    if isinstance(diff, Refused):  # it changes nothing
        block = "\n".join((path, "<<<<<<< SEARCH", text, "=======", text, ">>>>>>> REPLACE"))
        return UnlabelledEdit("code", path, thought, block)
    return UnlabelledEdit("code", path, thought, diff.patch.rstrip("\n"))


def _candidates(names: frozenset[str], thought: str, files: Mapping[str, str]) -> Iterator[str]:
    paths = [path for path in files if path.endswith(".py")]
    told = [path for path in paths if path in thought]
    for path in told or paths[:_MOST_FILES]:
        text = files[path]
        if any(f"def {name}" in text or f"class {name}" in text for name in names):
            yield path
