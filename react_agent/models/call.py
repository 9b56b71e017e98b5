"""One call of a model: ask, listen up to the stop, and ask again where that is worth it.

A request is mended when the endpoint says what it does not take; what was learned is kept once the
mended one was answered. All of it ends before the deadline.
"""

import contextlib
import math
from dataclasses import dataclass, field, replace

from react_agent.errors import ModelError
from react_agent.models.connection import Connection
from react_agent.models.contract import Completion, Show, Usage, View, Why
from react_agent.models.heard import Heard
from react_agent.models.manner import Manner
from react_agent.models.patience import Patience
from react_agent.models.remedy import LEAST_ROOM, Again, GiveUp, Mend, Shorter, remedy
from react_agent.models.wire import Ask, Failed, Fault
from react_agent.parsers.labels import DEFAULT, NOTE
from react_agent.parsers.overflow import Overflow
from react_agent.parsers.relabelled import as_notes, from_notes, instructions_for_notes
from react_agent.parsers.stop import StopScanner

_TRIES_OF_SILENCE = 3
_TRIES_WITHOUT_END = 3
_SHORTEST = 0.05  # seconds, of a request
_ROOM_TO_THINK = 16_000  # tokens
_MARGIN = 1.1  # of an estimate
_BAD_REQUEST = 400
_NEARLY_FULL = 0.85  # of the window: what can't be read then says that the prompt is too long
_TRUNCATED = (
    "the endpoint left out about {lost} tokens of the prompt without a word, so its window is "
    "about {window}: give it a longer one (Ollama: OLLAMA_CONTEXT_LENGTH)"
)


@dataclass(slots=True)
class Call:
    line: Connection
    view: View
    stop: tuple[str, ...]
    room: int
    patience: Patience
    show: Show
    lesson: dict[str, str] = field(default_factory=dict)  # not proven yet
    silences: int = 0
    unended: int = 0
    is_stopped_here: bool = False  # by us alone, this once
    begun: Heard | None = None

    def made(self) -> Completion:
        while True:
            heard = Heard(StopScanner(NOTE if self._manner.note else DEFAULT), self.show)
            try:
                heard = self._listen(self.begun or heard)
            except Fault as fault:
                completion = self._after(fault)
            else:
                completion = self._judged(heard)
            if completion:
                return completion

    @property
    def _manner(self) -> Manner:
        return self.line.manner.changed(self.lesson) if self.lesson else self.line.manner

    def _listen(self, heard: Heard) -> Heard:
        clock, deadline = self.line.time.clock, self.patience.deadline
        with self.line.throttle.turn(deadline) as entered:
            left = deadline - clock()
            if not entered or left < _SHORTEST:
                raise ModelError(f"{self.line.name}: the time was up before there was an answer")
            with contextlib.closing(self.line.wire.pieces(self._ask(heard, left))) as pieces:
                for piece in pieces:
                    heard.take(piece)
                    heard.is_late = clock() >= deadline
                    if heard.scanner.stopped or heard.is_late:
                        break
        self.line.throttle.answered()
        return heard

    def _ask(self, heard: Heard, seconds: float) -> Ask:
        manner = self._manner
        room = self.room + (_ROOM_TO_THINK if manner.thinks else 0)
        if manner.window:
            left = manner.window - int(self.line.gauge.expected(self.view) * _MARGIN)
            room = min(room, max(left, LEAST_ROOM))
        return Ask(
            view=_for_notes(self.view) if manner.note else self.view,
            stop=tuple(f"\n{one}" for one in self.stop) if self._sends_stop else (),
            room=min(room, manner.reply or room),
            seconds=seconds,
            manner=manner,
            begun="".join(heard.raw),
        )

    @property
    def _sends_stop(self) -> bool:
        return self._manner.stop and not self.is_stopped_here

    def _judged(self, heard: Heard) -> Completion | None:
        """What to make of what came; nothing, where it is asked again."""
        if heard.scanner.stopped:
            text = heard.finish()
            why = Why.STOP if text.strip() else Why.EMPTY
            return self._completed(heard, text, why, self.stop[0] if self.stop else None)
        if heard.is_late:
            return self._completed(heard, heard.finish(), Why.CUT)
        if heard.end is None:
            return self._without_end(heard)
        if self._is_cut_in_payload(heard):
            return None
        text, end = heard.finish(), heard.end
        if lesson := _other_words(heard, text, self._manner, self._sends_stop):
            self.lesson |= lesson
            return None
        if text.strip() or end.why not in (Why.END, Why.STOP):
            is_stop = end.why is Why.END and self._sends_stop and heard.scanner.has_acted
            return self._completed(heard, text, Why.STOP if is_stop else end.why, end.stop_hit)
        self.silences += 1
        if end.stop_hit or self.silences >= _TRIES_OF_SILENCE:
            return self._completed(heard, text, Why.EMPTY, end.stop_hit)
        return None

    def _is_cut_in_payload(self, heard: Heard) -> bool:
        """By the endpoint, which knows nothing of payloads: it is asked to go on, or once more."""
        was_cut = heard.end is not None and heard.end.why in (Why.END, Why.STOP)
        if not was_cut or not self._sends_stop or not self.stop or not heard.scanner.is_open:
            return False
        self.is_stopped_here = True
        if self.line.wire.goes_on:
            heard.go_on((heard.end and heard.end.stop_hit) or f"\n{self.stop[0]}")
            self.begun = heard
        return True

    def _without_end(self, heard: Heard) -> Completion | None:
        text = heard.finish()
        self.unended += 1
        if not heard.has_come and self._manner.stream:
            self.lesson |= {"stream": "no"}
            return None
        if text.strip() and (not self._manner.ends or self.unended >= _TRIES_WITHOUT_END):
            self.lesson |= {"ends": "no"}
            return self._completed(heard, text, Why.END)
        return self._after(Fault(Failed.ENDED, "the answer stopped without the word that ends it"))

    def _after(self, fault: Fault) -> Completion | None:
        self.begun = None
        match remedy(fault, self._manner):
            case Overflow() as overflow:
                return self._overflown(overflow)
            case Shorter(room) if room < self.room:
                self.room = room
            case Mend(lesson) if "reply" in lesson or not lesson.keys() <= self.lesson.keys():
                self.lesson |= lesson
            case Again() as again:
                self.patience.wait(fault, again)
            case _ if fault.status == _BAD_REQUEST and self._is_nearly_full:
                return self._overflown(Overflow(None, None))
            case GiveUp() as why:
                self.patience.give_up(fault, why)
            case _:
                self.patience.give_up(fault, GiveUp())
        return None

    @property
    def _is_nearly_full(self) -> bool:
        """An endpoint may say that the prompt is too long in words that nobody knows yet."""
        window = self._manner.window or math.inf
        return self.line.gauge.expected(self.view) > window * _NEARLY_FULL

    def _overflown(self, overflow: Overflow) -> Completion:
        """With the numbers that the endpoint gave, if any."""
        if overflow.window:
            self.lesson["window"] = str(overflow.window)
        self.line.learn(self.lesson)
        prompt = overflow.prompt or self.line.gauge.expected(self.view)
        usage = Usage(prompt, 0, is_estimate=overflow.prompt is None)
        return Completion("", Why.CONTEXT, usage=usage, window=self.line.manner.window or None)

    def _completed(
        self, heard: Heard, text: str, why: Why, stop_hit: str | None = None
    ) -> Completion:
        gauge, counted = self.line.gauge, heard.usage
        lost = gauge.lost(self.view, counted)
        usage = gauge.settled(self.view, counted, text)
        notes: tuple[str, ...] = ()
        if lost:
            window = usage.prompt + usage.reply
            notes = (_TRUNCATED.format(lost=lost, window=window),)
            self.lesson["window"] = str(window)
        if self.lesson and why not in (Why.EMPTY, Why.REFUSAL):
            self.line.learn(self.lesson)
        manner = self.line.manner
        return Completion(
            from_notes(text) if self._manner.note else text,
            why,
            stop_hit,
            replace(usage, cost=self.line.price(usage)),
            heard.end.raw if heard.end else "",
            manner.window or None,
            notes,
        )


def _other_words(heard: Heard, text: str, manner: Manner, sent_stop: bool) -> dict[str, str]:
    """A lesson to try, where the answer is none."""
    why = heard.end.why if heard.end else Why.CUT
    if why is Why.REFUSAL and not manner.note:
        return {"note": "yes"}
    if why is Why.LENGTH and heard.reasoned and not text.strip() and not manner.thinks:
        return {"thinks": "yes"}
    is_silent = why in (Why.END, Why.STOP) and not text.strip()
    # Servers that look for the stop in the reasoning, too, end there, and say nothing.
    return {"stop": "no"} if is_silent and sent_stop and not _hit(heard) else {}


def _hit(heard: Heard) -> str | None:
    return heard.end.stop_hit if heard.end else None


def _for_notes(view: View) -> View:
    return View(
        instructions_for_notes(view.system),
        as_notes(view.task),
        tuple(as_notes(turn) for turn in view.turns),
        as_notes(view.tail),
    )
