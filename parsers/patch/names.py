"""The files that a patch means by its names."""

from collections.abc import Collection, Sequence

from react_agent.parsers.patch.changes import FileChange, Named, Refusal


def named(changes: Sequence[FileChange], paths: Collection[str]) -> list[Named] | Refusal:
    raise NotImplementedError
