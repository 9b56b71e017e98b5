"""One call of a model: send a request, read the reply up to the stop, and retry if that helps.

If the endpoint rejects a part of the request, the request is corrected and sent again. A
correction is remembered once it has worked. A call always ends before its deadline.
"""

import contextlib
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from react_agent.errors import ModelError, TimeUp
from react_agent.models.connection import Connection
from react_agent.models.contract import Begun, Completion, Show, Usage, View, Why
from react_agent.models.endpoint import Manner
from react_agent.models.remedy import LEAST_ROOM, Again, Mend, Patience, Shorter, remedy
from react_agent.models.wire import Ask, End, Failed, Fault, Piece
from react_agent.parsers.servers.overflow import Overflow
from react_agent.parsers.servers.rewriting import (
    as_notes,
    from_notes,
    inert,
    instructions_for_notes,
    live,
)
from react_agent.parsers.transcript.labels import DEFAULT, NOTE, Label
from react_agent.parsers.turn.repetition import Repetition
from react_agent.parsers.turn.stop import StopScanner

_TRIES_OF_SILENCE = 3
_TRIES_WITHOUT_END = 3
_TRIES_OF_STRANGE = 2
_SHORTEST = 0.05  # seconds, of a request
_ROOM_TO_THINK = 16_000  # tokens
_MARGIN = 1.1  # of an estimate
_SHORTEST_WINDOW = 2000  # tokens: what seems to be less is a mistake in counting
_BAD_REQUEST = 400
_FOREVER = 10.0**9  # seconds
_STOP_OR_END = "stop"  # OpenAI's word for both
_NEARLY_FULL = 0.85  # of the window; above it, an unclear error means that the prompt is too long
_TRUNCATED = (
    "the endpoint silently dropped about {lost} tokens of the prompt, so its window is "
    "about {window}: give it a longer one (Ollama: OLLAMA_CONTEXT_LENGTH)"
)
Rewrite = Callable[[str], str]
_REPEATED = "the reply repeated itself, so it was cut off"
_WENT_ON = "the reply ended after its thought, so the model was asked to continue from `Action:`"


@dataclass(slots=True)
class Heard:
    """The reply to one request so far: the visible text up to the stop, and why it ended."""

    scanner: StopScanner
    show: Show
    repetition: Repetition = field(default_factory=Repetition)
    shown: list[str] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)  # all that came, with what is not shown yet
    usage: Usage | None = None
    end: End | None = None
    is_late: bool = False

    def take(self, piece: Piece) -> None:
        self.usage = piece.usage or self.usage
        if self.end is None or self.end.why is not Why.REFUSAL:  # a refusal is final
            self.end = piece.end or self.end
        if piece.text:
            self.raw.append(piece.text)
            self._add(self.scanner.feed(piece.text))

    @property
    def repeats(self) -> bool:
        return self.repetition.kept is not None

    @property
    def text(self) -> str:
        return "".join(self.raw)

    def go_on(self, between: str) -> None:
        """Append text, such as the stop that ended the reply."""
        self.end = None
        self.take(Piece(between))

    def finish(self) -> str:
        if not self.scanner.stopped:
            self._add(self.scanner.finish())
        return "".join(self.shown)

    def _add(self, text: str) -> None:
        if text:
            self.shown.append(text)
            self.show(text)
            self.repetition.feed(text)


@dataclass(frozen=True, slots=True)
class Hosted:
    """A model behind an API endpoint."""

    line: Connection

    @property
    def is_drawn(self) -> bool:
        """Whether requests to the model are sent with a temperature."""
        return self.line.manner.heat is not None

    def complete(
        self,
        view: View,
        *,
        stop: tuple[str, ...],
        max_output: int,
        deadline: float | None,
        show: Show,
    ) -> Completion:
        self.line.find_window()
        view = view.instead or view
        until = self.line.time.clock() + _FOREVER if deadline is None else deadline
        return Call(self.line, view, stop, max_output, Patience(self.line, until), show).made()


@dataclass(slots=True)
class Call:
    line: Connection
    view: View
    stop: tuple[str, ...]
    room: int
    patience: Patience
    show: Show
    # Changes to the request: those that the endpoint named, and our guesses.
    said: dict[str, str] = field(default_factory=dict)
    guessed: dict[str, str] = field(default_factory=dict)
    most: float = math.inf  # tokens of the reply, that the endpoint has room for beside the prompt
    silences: int = 0
    unended: int = 0
    is_stopped_here: bool = False  # this call cuts at the stop itself
    begun: Heard | None = None
    notes: tuple[str, ...] = ()
    repeated: list[Usage] = field(default_factory=list)  # of requests whose answers were not used

    def made(self) -> Completion:
        try:
            completion = self._heard()
        except (ModelError, TimeUp) as error:
            error.repeated = tuple(self.repeated)
            raise
        return replace(completion, repeated=tuple(self.repeated))

    def _heard(self) -> Completion:
        while True:
            dialect = NOTE if self._manner.note else DEFAULT
            heard = self.begun or Heard(StopScanner(dialect), self.show)
            if self._given and not self.begun:
                heard.go_on(self._given.text)
            failed: Fault | None = None
            try:
                self._listen(heard)
            except Fault as fault:
                failed = fault  # kept, so that a later error has no traceback with its texts
                heard.is_late = self.line.time.clock() >= self.patience.deadline
            # A fault after the end of an answer does not matter.
            is_lost = failed and not heard.end and not (heard.is_late and heard.raw)
            completion: Completion | None = None
            try:
                completion = self._after(failed) if failed and is_lost else self._judged(heard)
            finally:
                if heard.usage and not completion:
                    self.repeated.append(replace(heard.usage, cost=self.line.price(heard.usage)))
                    heard.usage = None
            if completion:
                return completion

    @property
    def _manner(self) -> Manner:
        manner = self.line.manner.changed(self.said | self.guessed)
        manner = manner.drawn_again(self.view.draw)
        return manner if self.stop else replace(manner, cache=False)  # no later prompt extends it

    @property
    def _given(self) -> Begun | None:
        """The beginning of the reply, if the endpoint can continue a text."""
        manner = self._manner
        goes_on = (self.line.wire.goes_on or manner.prefill) and not manner.note
        return self.view.begun if goes_on else None

    def _listen(self, heard: Heard) -> None:
        clock, deadline = self.line.time.clock, self.patience.deadline
        with self.line.throttle.turn(deadline) as entered:
            left = deadline - clock()
            if not entered or left < _SHORTEST:
                self.patience.end()
            ask, given = self._ask(heard, left), self._given
            start = ask.start
            with contextlib.closing(self.line.wire.pieces(ask)) as pieces:
                for piece in pieces:
                    # Some servers return the beginning, too, in an answer that is not streamed.
                    if start and piece.text.startswith(start):
                        piece = replace(piece, text=piece.text.removeprefix(start))
                    heard.take(piece)
                    heard.is_late = clock() >= deadline
                    is_whole = given is not None and given.whole(heard.text) is not None
                    if heard.scanner.stopped or heard.repeats or heard.is_late or is_whole:
                        break
        self.line.throttle.answered()

    def _ask(self, heard: Heard, seconds: float) -> Ask:
        manner = self._manner
        given = self._given
        stop = (*self.stop, given.fence) if given else self.stop
        room = min(self.room, given.room) if given else self.room
        room += _ROOM_TO_THINK if manner.thinks else 0
        if manner.window:
            left = manner.window - int(self.line.gauge.expected(self.view) * _MARGIN)
            room = min(room, max(left, LEAST_ROOM))
        is_shaped = not heard.text and _is_shaped(self.view, manner)
        view = self.view if is_shaped else replace(self.view, tools=())
        if manner.note:
            view = _rewritten(view, as_notes, instructions_for_notes)
        return Ask(
            # With all special tokens of model servers escaped, whoever wrote them.
            view=_rewritten(view, inert, inert),
            stop=tuple(f"\n{one}" for one in stop) if self._sends_stop else (),
            room=int(min(room, manner.reply or room, self.most)),
            seconds=seconds,
            manner=manner,
            begun=inert(live(heard.text)),
        )

    @property
    def _sends_stop(self) -> bool:
        return bool(self.stop) and self._manner.stop and not self.is_stopped_here

    def _judged(self, heard: Heard) -> Completion | None:
        """Return the completion for a reply, or None if the request must be sent again."""
        if heard.repeats:
            self.notes = (*self.notes, _REPEATED)
            kept = heard.finish()[: heard.repetition.kept]
            return self._completed(heard, kept, Why.REPEATS)
        if self._given and heard.text != self._given.text and (heard.end or not heard.is_late):
            text = self._given.whole(heard.text) or self._given.closed(heard.text)
            return self._completed(heard, text, Why.STOP)
        if heard.scanner.stopped:
            text = heard.finish().removesuffix("\n")  # it belongs to the stop
            why = Why.STOP if text.strip() else Why.EMPTY
            return self._completed(heard, text, why)
        if heard.is_late and not heard.raw:
            self.patience.end()
        if heard.is_late and (heard.end is None or heard.scanner.is_open):
            return self._completed(heard, heard.finish(), Why.CUT)
        if heard.end is None:
            return self._without_end(heard)
        if self._is_cut_in_payload(heard) or self._goes_on_from_thought(heard):
            return None
        text, end = heard.finish(), heard.end
        if guess := _guess(heard, text, self._manner, self.view, sent_stop=self._sends_stop):
            self.guessed |= guess
            return None
        if text.strip() or end.why not in (Why.END, Why.STOP):
            may_be_stop = end.raw == _STOP_OR_END and self._sends_stop
            is_stop = end.why is Why.END and may_be_stop and heard.scanner.has_acted
            return self._completed(heard, text, Why.STOP if is_stop else end.why)
        self.silences += 1
        if end.stop_hit or self.silences >= _TRIES_OF_SILENCE:
            return self._completed(heard, text, Why.EMPTY)
        return None

    def _is_cut_in_payload(self, heard: Heard) -> bool:
        """Return whether the endpoint stopped inside a payload. If so, prepare another request."""
        was_cut = heard.end is not None and heard.end.why in (Why.END, Why.STOP)
        if not was_cut or not self._sends_stop or self._given or not heard.scanner.is_open:
            return False
        self.is_stopped_here = True
        if self.line.wire.goes_on:
            heard.go_on((heard.end and heard.end.stop_hit) or f"\n{self.stop[0]}")
            self.begun = heard
        return True

    def _goes_on_from_thought(self, heard: Heard) -> bool:
        """Return whether the reply ended after the thought. If so, continue it from `Action:`.

        Small models often end a reply there. After a new request they would repeat the thought.
        """
        can_go_on = self.stop and self.line.wire.goes_on and not heard.is_late
        is_asked = not can_go_on or self._manner.note or self.notes
        ended = heard.end is not None and heard.end.why is Why.END
        if is_asked or not ended or not heard.scanner.is_thought:
            return False
        text = heard.text
        self.notes = (_WENT_ON,)
        heard.go_on("" if text.endswith("\n") else "\n")
        heard.go_on(DEFAULT.write(Label.ACTION))
        self.begun = heard
        return True

    def _without_end(self, heard: Heard) -> Completion | None:
        text = heard.finish()
        self.unended += 1
        if text.strip() and (not self._manner.ends or self.unended >= _TRIES_WITHOUT_END):
            self.guessed |= {"ends": "no"}
            return self._completed(heard, text, Why.END)
        return self._after(Fault(Failed.ENDED, "the answer ended without its end marker"))

    def _after(self, fault: Fault) -> Completion | None:
        self.begun, self.notes = None, ()
        match remedy(fault, self._manner):
            case Overflow() as overflow:
                return self._overflown(overflow)
            case Shorter(room) if room < self.most:
                self.most = room
            # Each change is tried once, but a limit may be lowered again.
            case Mend(lesson) if "reply" in lesson or not lesson.keys() <= self.said.keys():
                self.said |= lesson
            case Again() as again:
                self.patience.wait(fault, again)
                if fault.how is Failed.STRANGE and self.patience.failures >= _TRIES_OF_STRANGE:
                    self.guessed |= {"stream": "no"}
            case _ if fault.status == _BAD_REQUEST and self._is_nearly_full:
                return self._overflown(Overflow(None, None))
            case advice:
                self.patience.give_up(fault, advice if isinstance(advice, str) else "")
        return None

    @property
    def _is_nearly_full(self) -> bool:
        """Whether the prompt nearly fills the window. An unclear error then means "too long"."""
        window = self._manner.window or math.inf
        return self.line.gauge.expected(self.view) > window * _NEARLY_FULL

    def _overflown(self, overflow: Overflow) -> Completion:
        """Return a completion for a prompt that is too long, with token counts if available."""
        if overflow.window:
            self.line.learn({"window": str(overflow.window)})
        prompt = overflow.prompt or self.line.gauge.expected(self.view)
        usage = Usage(prompt, 0, is_estimate=overflow.prompt is None)
        return Completion("", Why.CONTEXT, usage=usage, window=self.line.manner.window or None)

    def _completed(self, heard: Heard, text: str, why: Why) -> Completion:
        gauge, counted = self.line.gauge, heard.usage
        lost = gauge.lost(self.view, counted)
        usage = gauge.settled(self.view, counted, text)
        notes = self.notes
        if lost:
            window = usage.prompt + usage.reply
            notes = (*notes, _TRUNCATED.format(lost=lost, window=window))
            if window >= _SHORTEST_WINDOW:
                self.line.learn_for_now({"window": str(window)})
        has_helped = bool(text.strip()) and why is not Why.REFUSAL
        self.line.learn(self.said)
        self.line.learn_for_now(self.guessed if has_helped else {})
        said = from_notes(text) if self._manner.note else text
        return Completion(
            said if self.stop else live(said),  # the reader of turns does it for a step
            why,
            replace(usage, cost=self.line.price(usage)),
            heard.end.raw if heard.end else "",
            self.line.manner.window or None,
            notes,
        )


def _is_shaped(view: View, manner: Manner) -> bool:
    """Return whether a new reply is forced into the shape of a turn, if the API can do that."""
    return bool(view.tools) and manner.grammar and not manner.note


def _guess(
    heard: Heard, text: str, manner: Manner, view: View, *, sent_stop: bool
) -> dict[str, str]:
    """Return changes to try after a refusal or an empty answer, if there are any."""
    end = heard.end
    if end and end.why is Why.REFUSAL:
        return {} if manner.note else {"note": "yes"}
    if text.strip() or end is None:
        return {}
    if _is_shaped(view, manner):  # llama.cpp also forces the shape on reasoning
        return {"grammar": "no"}
    if end.why is Why.LENGTH:
        return {} if manner.thinks else {"thinks": "yes"}  # even if the reply shows no reasoning
    # Some servers also stop at a stop in the reasoning, and so return no text.
    is_silent = end.why in (Why.END, Why.STOP) and not end.stop_hit
    return {"stop": "no"} if is_silent and sent_stop else {}


def _rewritten(view: View, text: Rewrite, system: Rewrite) -> View:
    return replace(
        view,
        system=system(view.system),
        task=text(view.task),
        turns=tuple(map(text, view.turns)),
        tail=text(view.tail),
    )
