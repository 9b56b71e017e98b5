"""Write and recognise the six labels of a transcript.

A label is placed at the start of a line. It is written in one spelling and recognised in many. The
reader ignores decoration (`**`, `#`, backticks), case, the separator between words, numbers,
invisible characters and special tokens before the label. It also accepts a full-width colon.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from react_agent.parsers.turn.special import (
    JOINERS,
    LONGEST_LINE_START,
    ZERO_WIDTH,
    without_leading_tokens,
)


class Label(StrEnum):
    OBJECTIVE = "Objective"
    THOUGHT = "Thought"
    ACTION = "Action"
    INPUT = "Action Input"
    OBSERVATION = "Observation"
    CONCLUSION = "Conclusion"


# For the reader: looking up a member of the enumeration takes fifteen times as long.
OBJECTIVE, THOUGHT, ACTION, INPUT, OBSERVATION, CONCLUSION = Label

BOOKKEEPING = "%%"

_MARKS = ("***", "**", "__", "`", "*", "_")
_INVISIBLE = ZERO_WIDTH + JOINERS
_NUMBERS = "0123456789"
_BLANKS = " \t\xa0\u202f"
_EMOJI = "🤔💭🧠💡🔧🔨🛠⚙⚡🎬🚀📝📥📋🔍🔎👀👁📊✅🎯🏁📌➡▶\ufe0f"
_BEFORE = "*_`#" + _BLANKS + _INVISIBLE + _EMOJI
_BEHIND = "*_`#.)" + _BLANKS + _NUMBERS + _INVISIBLE  # `Action 2.**`
_BLANK_BEHIND = " \t"
_NO_STARTS = ("-", *_NUMBERS)  # starts of a line in a diff and of a numbered line of a file
_FIRST = "*_`#<[~" + _NUMBERS + _INVISIBLE + _EMOJI
_JOINTS = str.maketrans("", "", "_-\\#" + _BLANKS + _NUMBERS + _INVISIBLE)  # `Action\_Input`
_LONGEST = 40  # of a label with its decoration; a colon further right is text


def _plain(head: str) -> str:
    """Return the words of a label joined into one, which is the form used to compare spellings."""
    bare = _unnumbered(head.lstrip(_BEFORE)).rstrip(_BEHIND)
    return "" if bare[:1] in _NO_STARTS else bare.casefold().translate(_JOINTS)


def _unnumbered(head: str) -> str:
    """Return the head without a list number, as in `2. **Action`. A file's line number is kept."""
    bare = head.lstrip(_NUMBERS)
    return bare[1:].lstrip(_BEFORE) if bare is not head and bare[:1] in (".", ")") else head


@dataclass(frozen=True, slots=True)
class Dialect:
    """The label spellings of one language or model. The standard ones are always read, too."""

    written: Mapping[Label, str]
    read: Mapping[str, Label]
    behind_action: frozenset[str]  # spellings read only after `Action`
    starts: frozenset[str]  # first characters of a line that may be a label
    exactly: Mapping[str, Label]

    def write(self, label: Label) -> str:
        return self.written[label] + ":"


def dialect(
    written: Mapping[Label, str],
    also: Mapping[str, Label] | None = None,
    behind_action: tuple[str, ...] = (),
) -> Dialect:
    exactly = {name: label for label, name in written.items()}
    read = {_plain(name): label for name, label in {**(also or {}), **exactly}.items()}
    behind = frozenset(map(_plain, behind_action))
    letters = {word[0] for word in (*read, *behind)}
    both = {case for letter in letters for case in (letter, letter.upper(), letter.title())}
    return Dialect(written, read, behind, frozenset((*both, *_FIRST)), exactly)


DEFAULT = dialect(
    {label: label.value for label in Label},
    also={
        "Final Answer": Label.CONCLUSION,
        "Final Conclusion": Label.CONCLUSION,
        "Action Inputs": Label.INPUT,
        "Action Arguments": Label.INPUT,
        "Action Args": Label.INPUT,
        "Action Parameters": Label.INPUT,
    },
    behind_action=("Input", "Tool Input", "Arguments", "Args", "Parameters"),
)
# For models that read a request to think aloud as a request to reveal their reasoning.
NOTE = dialect(
    {**DEFAULT.written, Label.THOUGHT: "Note"},
    also={**DEFAULT.read, "Notes": Label.THOUGHT},
    behind_action=tuple(DEFAULT.behind_action),
)
# What a text of the world is quoted for: Chinese, too, which no model is asked to write.
EVERY = dialect(
    DEFAULT.written,
    also={
        "目标": Label.OBJECTIVE,
        **dict.fromkeys(("思考", "想法"), Label.THOUGHT),
        **dict.fromkeys(("操作", "行动", "动作"), Label.ACTION),
        **dict.fromkeys(("操作输入", "行动输入", "动作输入"), Label.INPUT),
        **dict.fromkeys(("观察", "观察结果"), Label.OBSERVATION),
        **dict.fromkeys(("最终答案", "结论"), Label.CONCLUSION),
        **DEFAULT.read,
    },
)


@dataclass(slots=True)  # not frozen, which would double the time, as in the rest of the reader
class Labelled:
    label: Label
    rest: str


def generous(
    line: str, spoken: Dialect = DEFAULT, *, behind_action: bool = False
) -> Labelled | None:
    """Return the label that a model may have intended at the start of this line, or None."""
    if line[:1] not in spoken.starts:
        return None
    head, colon, rest = line.partition(":")
    label = spoken.exactly.get(head) if colon else None
    if label:
        rest = rest.removeprefix("**") if rest[:3] == "** " else rest  # half of a bold label
        return Labelled(label, rest[1:] if rest[:1] in _BLANK_BEHIND else rest)
    if not colon and "：" not in line:
        return None
    return _decorated(line, spoken, behind_action=behind_action)


def _decorated(line: str, spoken: Dialect, *, behind_action: bool) -> Labelled | None:
    if line[0] in "<[":
        line = without_leading_tokens(line)
    end = _first_colon(line)
    if end < 0:
        return None
    head = line[:end]
    plain = _plain(head)
    label = spoken.read.get(plain)
    if label is None and behind_action and plain in spoken.behind_action:
        label = Label.INPUT
    rest = line[end + 1 :]
    # the whole line is in backticks, so that it only mentions a label
    is_code = head.count("`") % 2 > 0 and rest.rstrip().find("`", 1) == len(rest.rstrip()) - 1 > 0
    return Labelled(label, _undecorated(rest, head)) if label and not is_code else None


def head_of(line: str) -> str:
    """Return the words of the label in this line, exactly as written."""
    return line.replace("：", ":").partition(":")[0]


def may_become_one(begun: str, spoken: Dialect, of_these: Callable[[Label], bool]) -> bool:
    """Return whether an unfinished line without a label can still become one of these labels."""
    bare = without_leading_tokens(begun)
    if len(begun) >= LONGEST_LINE_START:
        return False
    if bare.startswith("<"):
        return len(bare) < _LONGEST and not set(bare) & set(" >")
    if len(bare) >= _LONGEST or _first_colon(bare) >= 0 or (bare and bare[0] not in spoken.starts):
        return False
    words = _unnumbered(bare.lstrip(_BEFORE))
    plain = _plain(words)
    return not words.strip(_NUMBERS + ".)") or any(
        word.startswith(plain or "-") and of_these(label) for word, label in spoken.read.items()
    )


def strict(line: str) -> Labelled | None:
    """Return the label in this line of a transcript file, or None."""
    name, colon, rest = line.partition(":")
    label = DEFAULT.exactly.get(name) if colon else None
    return Labelled(label, rest.removeprefix(" ")) if label else None


def _first_colon(line: str) -> int:
    return line[:_LONGEST].replace("：", ":").find(":")


def _undecorated(rest: str, head: str) -> str:
    """Return `grep` for each of `**Action:** grep`, `**Action**: grep` and `**Action: grep**`.

    The first space after the colon is part of the label.
    """
    mark = next((mark for mark in _MARKS if mark in head and head.count(mark) % 2), "")
    if mark and rest.startswith(mark):
        rest = rest.removeprefix(mark)
    elif mark and rest.rstrip().endswith(mark) and rest.count(mark) == 1:
        rest = rest.rstrip().removesuffix(mark)
    return rest[1:] if rest[:1] in _BLANK_BEHIND else rest
