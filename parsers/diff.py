"""What a diff says, apart from how it is written."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hunk:
    at: int  # its line in the text it was read from
    old_start: int
    new_start: int
    body: tuple[str, ...]
    missing: int = 0  # lines announced, on both sides, that did not come
    cut_off: bool = False  # it ends in a change, and more was announced

    @property
    def old(self) -> tuple[str, ...]:
        return tuple(line[1:] for line in self.body if line[:1] in ("", " ", "-"))

    @property
    def new(self) -> tuple[str, ...]:
        return tuple(line[1:] for line in self.body if line[:1] in ("", " ", "+"))


@dataclass(frozen=True, slots=True)
class FilePatch:
    old: str | None  # none: the file is created
    new: str | None  # none: the file is deleted
    hunks: tuple[Hunk, ...] = ()
    attributes: tuple[str, ...] = ()  # `new file mode 100755`, `rename from x.py`, ...

    @property
    def name(self) -> str:
        return self.new or self.old or ""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for name in (self.old, self.new) if name))


@dataclass(frozen=True, slots=True)
class Diff:
    files: tuple[FilePatch, ...]
