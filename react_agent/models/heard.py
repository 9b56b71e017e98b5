"""What has come of one request: the visible text up to the stop, and the word it ended with."""

from dataclasses import dataclass, field

from react_agent.models.contract import Show, Usage, Why
from react_agent.models.wire import End, Piece
from react_agent.parsers.turn.stop import StopScanner


@dataclass(slots=True)
class Heard:
    scanner: StopScanner
    show: Show
    shown: list[str] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)  # what came, with what is held back
    usage: Usage | None = None
    end: End | None = None
    reasoned: bool = False
    is_late: bool = False

    @property
    def has_come(self) -> bool:
        return bool(self.raw or self.usage or self.end or self.reasoned)

    def take(self, piece: Piece) -> None:
        self.usage = piece.usage or self.usage
        self.reasoned = self.reasoned or piece.reasoned
        if self.end is None or self.end.why is not Why.REFUSAL:  # which may be said twice
            self.end = piece.end or self.end
        if piece.text:
            self.raw.append(piece.text)
            self._add(self.scanner.feed(piece.text))

    def go_on(self, between: str) -> str:
        """What the model had written, with the stop that it was cut at."""
        self.end = None
        self.take(Piece(between))
        return "".join(self.raw)

    def finish(self) -> str:
        if not self.scanner.stopped:
            self._add(self.scanner.finish())
        return "".join(self.shown)

    def _add(self, text: str) -> None:
        if text:
            self.shown.append(text)
            self.show(text)
