"""A reading in few words, to compare whole values in tables."""

from react_agent.parsers.patch.changes import Hunk, Line, Reading, Role

_LETTERS = {
    Role.HEADER: "H",
    Role.BODY: "b",
    Role.FENCE: "f",
    Role.BLANK: ".",
    Role.PROSE: "p",
    Role.DRAFT: "d",
    Role.IDLE: "i",
}


def marks(*lines: str) -> tuple[Line, ...]:
    """Lines with their marks before them; `?` where there was none."""
    return tuple(Line(line[0].replace("?", ""), line[1:]) for line in lines)


def roles(reading: Reading) -> str:
    return "".join(_LETTERS[role] for role in reading.roles)


def bodies(reading: Reading) -> dict[str, list[list[str]]]:
    """What the hunks of each file say."""
    return {
        change.new or change.old or "": [body(hunk) for hunk in change.hunks]
        for change in reading.changes
    }


def body(hunk: Hunk) -> list[str]:
    return [(line.mark or "?") + line.text for line in hunk.lines]
