"""What an issue points to, before anybody has looked whether it is there."""

from dataclasses import dataclass

from react_agent.parsers.issue.commands import commands
from react_agent.parsers.issue.frames import Frame, frames
from react_agent.parsers.issue.lines import MOST, lines_of
from react_agent.parsers.issue.links import CodeLink, code_links
from react_agent.parsers.issue.names import Kind, Named, named
from react_agent.parsers.issue.versions import versions


@dataclass(frozen=True, slots=True)
class Clues:
    names: tuple[Named, ...] = ()
    frames: tuple[Frame, ...] = ()
    links: tuple[CodeLink, ...] = ()
    commands: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()

    def of(self, kind: Kind) -> tuple[Named, ...]:
        return tuple(one for one in self.names if one.kind is kind)


def clues_of(text: str) -> Clues:
    lines = tuple(lines_of(text))
    return Clues(
        names=named(lines),
        frames=frames(line.text for line in lines),
        links=tuple(dict.fromkeys(code_links(text[:MOST]))),
        commands=commands(lines),
        versions=versions(lines),
    )
