"""Pieces of files replaced by search/replace blocks: all of them or none."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from react_agent.parsers.replacement import Replacement, parse_replacements
from react_agent.parsers.unreadable import Unreadable
from react_agent.tools import matching
from react_agent.tools.clip import clip, counted
from react_agent.tools.context import Context
from react_agent.tools.edit import Change, Edit, FileState, state_of, target
from react_agent.tools.file_list import file_list
from react_agent.tools.keep import keep
from react_agent.tools.matching import Ambiguous, Missing, Replaced
from react_agent.tools.misquoted import Quote, misquoted
from react_agent.tools.near import near_paths
from react_agent.tools.nearest_region import places
from react_agent.tools.observation import Observation, failed
from react_agent.tools.paths import Refused

_NOTHING = "nothing was changed"
_MOST_PLACES = 10
_LOOKED_AT = 8_000  # bytes, as git does to see what is binary
_LONGEST_TO_COMPARE = 20_000  # lines


class _Refusal(Exception):
    """Ends the making of an edit; never leaves this module."""

    def __init__(self, text: str, *paths: str) -> None:
        super().__init__(text)
        self.observation = failed(text, *paths)


@dataclass(frozen=True, slots=True)
class _Block:
    which: str  # how it is named where something is said of it
    name: str
    wanted: Replacement


def replaced(text: str, context: Context) -> Observation:
    found = parse_replacements(text)
    if isinstance(found, Unreadable):
        return failed(f"{found.reason}; {_NOTHING}")
    try:
        edit = _edit(_blocks(found, context), context)
        return keep(edit, context)
    except _Refusal as refusal:
        observation = refusal.observation
        return replace(observation, text=clip(observation.text, context.limits))
    except UnicodeEncodeError:
        return failed(f"the new text holds a character that no file can hold; {_NOTHING}")


def _blocks(found: Sequence[Replacement], context: Context) -> Iterator[_Block]:
    for count, wanted in enumerate(found, 1):
        place = target(context.root, wanted.path)
        if isinstance(place, Refused):
            raise _Refusal(f"{place.reason}; {_NOTHING}")
        which = f"block {count} ({place.name})" if len(found) > 1 else f"the block ({place.name})"
        yield _Block(which, place.name, wanted)


def _edit(blocks: Iterator[_Block], context: Context) -> Edit:
    before, texts, notes = dict[str, FileState | None](), dict[str, str](), list[str]()
    for block in blocks:
        if block.name not in before:
            before[block.name] = _state(block, context)
        state = before[block.name]
        content = texts.get(block.name, state.text if state else "")
        done = _done(content, block, context)
        texts[block.name] = done.text
        left_out = ", ".join(block.wanted.left_out)
        said = (done.mended, f"left out: {left_out}" if left_out else "")
        notes += [f"{block.which}: {one}" for one in said if one]
    after = {name: _after(before[name], text) for name, text in texts.items()}
    changes = tuple(Change(name if before[name] else None, name) for name in texts)
    edit = Edit(changes, before, after, tuple(notes))
    if edit.changes_nothing:
        raise _Refusal(f"the new text is what stands there: {_NOTHING}", *edit.names)
    return edit


def _after(before: FileState | None, text: str) -> FileState:
    return FileState(text.encode(errors="surrogateescape"), before.mode if before else None)


def _state(block: _Block, context: Context) -> FileState | None:
    place = target(context.root, block.name)
    state = state_of(place) if not isinstance(place, Refused) else place
    if isinstance(state, Refused):
        raise _Refusal(f"{state.reason}; {_NOTHING}", block.name)
    if state is None and block.wanted.old.strip():
        near = near_paths(block.name, file_list(context.root))
        hint = f"; near it: {', '.join(near)}" if near else ""
        raise _Refusal(f"{block.name} does not exist{hint}; {_NOTHING}", block.name)
    if state and b"\0" in state.data[:_LOOKED_AT]:
        raise _Refusal(
            f"{block.name} is binary: it has no lines to replace; {_NOTHING}", block.name
        )
    return state


def _done(content: str, block: _Block, context: Context) -> Replaced:
    wanted = block.wanted
    if not (wanted.old.strip("\n") if wanted.whole_lines else wanted.old):
        if content.strip():
            raise _Refusal(_nothing_to_find(content, block), block.name)
        return Replaced(wanted.new)
    if wanted.old == wanted.new:
        raise _Refusal(f"{block.which} replaces a text by itself: {_NOTHING}", block.name)
    match matching.replaced(content, wanted):
        case Replaced() as done:
            return done
        case Ambiguous(lines):
            raise _Refusal(_twice(block, lines), block.name)
        case Missing():
            raise _Refusal("\n".join(_missing(content, block, context)), block.name)


def _nothing_to_find(content: str, block: _Block) -> str:
    lines = len(matching.lines_of(content))
    return (
        f"{block.which} has no old text, and {block.name} is not empty ({counted(lines, 'line')}): "
        "quote the lines beside which the new ones are to stand, and repeat them in the new text; "
        f"{_NOTHING}"
    )


def _twice(block: _Block, lines: Sequence[int]) -> str:
    numbers = list(dict.fromkeys(lines))
    shown = ", ".join(map(str, numbers[:_MOST_PLACES]))
    more = f" and {len(numbers) - _MOST_PLACES:,} more" if len(numbers) > _MOST_PLACES else ""
    return (
        f"the old text of {block.which} stands in {len(lines):,} places, at lines {shown}{more}: "
        "quote more lines around the one that is meant, or write `replace all: yes` above the "
        f"block; {_NOTHING}"
    )


def _missing(content: str, block: _Block, context: Context) -> Iterator[str]:
    lines = [line.removesuffix("\r") for line in matching.lines_of(content)]
    old, new = matching.lines_of(block.wanted.old), matching.lines_of(block.wanted.new)
    standing = places(lines, new) if any(line.strip() for line in new) else []
    if standing:
        yield f"[its new text stands at line {standing[0] + 1} already]"
    quote = Quote("the block", old, standing[0] if standing else 0)
    yield from misquoted(block.which, quote, lines[:_LONGEST_TO_COMPARE], context.limits.line_chars)
