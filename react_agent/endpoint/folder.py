"""Replies by files: a folder where prompts appear, and whoever answers puts replies beside them.

001.prompt   what the model is shown, all of it
001.new      what of it was not in an earlier prompt
001.reply    yours: it is read when it is no longer empty and has stopped to grow
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from react_agent.endpoint.desk import Question
from react_agent.endpoint.news import Shown
from react_agent.parsers.transcript.quoting import visible
from react_agent.tools import disk

_PROMPT = ".prompt"


@dataclass(slots=True)
class Folder:
    path: Path
    shown: Shown = field(default_factory=Shown)
    waiting: dict[Path, Question] = field(default_factory=dict)
    sizes: dict[Path, int] = field(default_factory=dict)  # of replies, when last looked at

    def take(self, question: Question) -> Path:
        """Where its reply is to be."""
        name = f"{self._last() + 1:03}"
        prompt = question.wanted.prompt
        self._write(f"{name}.new", self.shown.new_in(prompt))
        self._write(f"{name}{_PROMPT}", prompt)  # last: the other one is there when it is seen
        place = self.path / f"{name}.reply"
        self.waiting[place] = question
        return place

    def answered(self) -> list[Path]:
        """The replies that are there now; they are given."""
        done = [place for place in self.waiting if self._is_whole(place)]
        for place in done:
            question = self.waiting.pop(place)
            reply = disk.read_text(place, errors="replace").rstrip("\n")
            self.shown.add(question.wanted.prompt, reply)
            question.replies.put(reply)
        return done

    def _is_whole(self, place: Path) -> bool:
        """It has something in it, and as much as when it was last looked at."""
        size = place.stat().st_size if place.is_file() else 0
        was = self.sizes.get(place)
        self.sizes[place] = size
        return size > 0 and size == was

    def _last(self) -> int:
        """The highest number there is: those of an earlier time are left alone."""
        return max((0, *_numbers(path.name for path in self.path.iterdir())))

    def _write(self, name: str, text: str) -> None:
        lines = map(visible, text.split("\n"))
        disk.write_text(self.path / name, "\n".join(lines) + "\n")


def _numbers(names: Iterable[str]) -> list[int]:
    stems = (name.removesuffix(_PROMPT) for name in names if name.endswith(_PROMPT))
    return [int(stem) for stem in stems if stem.isascii() and stem.isdecimal()]
