"""The steps of a run as they read, the events between them, and their prompts."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from react_agent.page.markup import (
    Markup,
    code,
    diff,
    fold,
    gist,
    is_long,
    join,
    plain,
    size,
    tag,
    text,
    written,
)
from react_agent.page.plot import dollars, percent, short, time
from react_agent.page.run_data import RESULTS, RunData
from react_agent.parsers.repo.git_diff import read_git_diff
from react_agent.parsers.transcript.entries import Event, Said
from react_agent.parsers.transcript.facts import write_numbers
from react_agent.parsers.transcript.quoting import quote_own, quote_world, visible
from react_agent.parsers.transcript.writer import observation_text, turn_text
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.runs.history import Call, Piece, Prompts, Scene, how_answered, kinds_of
from react_agent.state.events import COMMIT, REACH, SPENT, WROTE, Sentence, sentence, steps_word
from react_agent.state.steps import Shown, Step
from react_agent.tools.observation import Status

_HEADER = ("profile", "repository", "model", "limits", "amended", "sandbox", "prompt", "about")
_FOOTER = (REACH, WROTE, COMMIT, SPENT)
_QUIET = frozenset((*_HEADER, *_FOOTER, "state"))  # they are in the head of the page


def notes(events: Iterable[Event], place: str) -> Markup:
    """Return notes on events. `place` comes before the number of a step in its address."""
    said = (sentence(event) for event in events if event.name not in _QUIET)
    told = [_note(one, place) for one in said if one]
    return tag("div", *told, class_="notes") if told else Markup("")


def _note(said: Sentence, place: str) -> Markup:
    spans = (_span(one.split("-"), place) for one in write_numbers(said.steps).split(",") if one)
    begins = f"{said.before}{steps_word(said.steps)}"
    inner = (
        text(f"{begins[:1].upper()}{begins[1:]}"),
        join(*spans, between=", "),
        said.behind,
        tag("q", written(said.quote)) if said.quote else "",
    )
    return tag("p", join(*inner), class_="note of-steps" if said.steps else "note")


def _span(ends: Iterable[str], place: str) -> Markup:
    return join(*(tag("a", end, href=f"#step-{place}{end}") for end in ends), between="–")


_LONG_WAIT = 1.0  # seconds of a tool that are told of
_NAMES = 3  # of files that a step has changed
_SHOWN = {  # in few words, and in more
    Shown.CUT: ("in part from", "the middle of its result is left out of prompts"),
    Shown.LEFT_OUT: ("result out from", "its result is left out of prompts"),
    Shown.CONDENSED: ("summed up from", "prompts have a summary of it and earlier steps"),
    Shown.MERGED: ("summed up from", "prompts have it only in the summary of a later step"),
    Shown.SHELVED: ("out from", "it is no longer in any prompt"),
}
Within = Callable[[RunData], Markup]


@dataclass(frozen=True, slots=True)
class Scenes:
    """The steps of one run. `within` shows a run within it."""

    told: RunData
    within: Within

    def all(self) -> Markup:
        """Return all steps, with the events between them."""
        since, plan, parts = self._since(), "", list[Markup]()
        for scene in self.told.story.scenes:
            parts.append(notes(scene.before, self.told.place))
            news = scene.plan if scene.plan != plan else ""
            parts.append(self._scene(scene, since.get(scene.step.number, 0), news))
            plan = scene.plan
        end = (event for event in self.told.story.end if event.name not in RESULTS)
        return join(*parts, self._last(), notes(end, self.told.place))

    def _last(self) -> Markup:
        """Return the Conclusion, or the reply at which the run was cut off."""
        story = self.told.story
        if story.pending is None:
            return Markup("")
        at = f"{self.told.place}{len(story.scenes) + 1}"
        last = tag(
            "article",
            _number(at),
            tag("div", *said(story.pending.turn), class_="said"),
            tag("p", *_meta(story.call, at), class_="meta"),
            tag("div", _raw(story.pending), class_="more"),
            id=f"step-{at}",
            class_="step end",
            data_kinds=" ".join(sorted(kinds_of(story.pending.turn))),
        )
        return join(notes(story.before, self.told.place), last)

    def _since(self) -> Mapping[int, int]:
        """Return for each step the first prompt that shows it as it is in the end."""
        found: dict[int, int] = {}
        for piece in self.told.prompts.pieces:
            stands = self.told.story.scenes[piece.step - 1].step.text == piece.text
            found[piece.step] = piece.since if stands else piece.until
        return found

    def _scene(self, scene: Scene, since: int, plan: str) -> Markup:
        step, at = scene.step, f"{self.told.place}{scene.step.number}"
        more = tag(
            "div",
            *(tag("p", one, class_=f"remark {looks}") for looks, one in _remarks(step)),
            fold("The plan after it", "", plain(plan)) if plan else "",
            _raw(step.said),
            _change(self.told.changes.get(step.number, "")),
            self._sub(step.number),
            class_="more",
        )
        looks = ["step", *(["back"] if not step.stands else []), *_looks(step)]
        kinds = sorted({kind.value for kind in scene.kinds} | self._kinds_within(step.number))
        return tag(
            "article",
            _number(at),
            tag("div", *said(step.said.turn), _seen(step), class_="said"),
            tag("p", *_meta(scene.call, at), *self._shown(step, since), class_="meta"),
            more,
            id=f"step-{at}",
            class_=" ".join(looks),
            data_kinds=" ".join(kinds),
        )

    def _shown(self, step: Step, since: int) -> Iterator[Markup]:
        """Yield how later prompts show the step."""
        if step.shown is Shown.RETRACTED:
            yield tag("span", "taken back", title="it is no longer in any prompt")
        if step.shown in _SHOWN and since:
            words, more = _SHOWN[step.shown]
            prompt = tag("a", str(since), href=f"#prompt-{self.told.place}{since}")
            yield tag("span", f"{words} ", prompt, title=f"from step {since} on {more}")

    def _sub(self, number: int) -> Markup:
        within = self.told.subs.get(number)
        return self.within(within) if within else Markup("")

    def _kinds_within(self, number: int) -> set[str]:
        within = self.told.subs.get(number)
        scenes = within.story.scenes if within else ()
        return {kind.value for scene in scenes for kind in scene.kinds}


def _remarks(step: Step) -> Iterator[tuple[str, Markup]]:
    """Yield each remark on a step, with its look."""
    facts, turn = step.seen.facts, step.said.turn
    if how := how_answered(facts):
        yield "hidden", text(how)
    yield from (("repair", join("repaired: ", written(repair))) for repair in turn.repairs)
    if turn.problem:
        yield "bad", join("not readable: ", written(turn.problem))
    if turn.fabricated:
        yield "repair", text("text that the model invented after its call was cut off")


def _looks(step: Step) -> Iterator[str]:
    if step.status is Status.FAILED:
        yield "failed"
    if step.shown is not Shown.WHOLE:
        yield step.shown.name.lower().replace("_", "-")


def _number(at: str) -> Markup:
    words = join(tag("span", "Step ", class_="unseen"), at)
    return tag("h3", tag("a", words, class_="n", href=f"#step-{at}"))


def said(turn: Turn) -> Iterator[Markup]:
    """Yield the parts of a turn. The script finds these texts by class, to make prompts of them."""
    yield tag("p", written(quote_own(turn.thought)), class_="prose thought")
    if turn.kind is Kind.ACTION:
        tool = tag("b", written(quote_own(turn.action)), class_="tool")
        yield tag("div", tool, " ", code(quote_own(turn.input), "input"), class_="call")
    if turn.kind is Kind.CONCLUSION:
        yield tag("p", written(quote_own(turn.conclusion)), class_="prose conclusion")


def _seen(step: Step) -> Markup:
    quoted, is_bad = quote_world(step.seen.text), step.status is Status.FAILED
    looks = "seen failed" if is_bad else "seen"
    if not is_long(quoted):
        return tag("p", tag("span", written(quoted), class_="observation"), class_=looks)
    seconds = step.seen.facts.get("seconds", "")
    facts = ["failed" if is_bad else "", size(quoted), _waited(seconds)]
    shown = plain(quoted, "observation")
    return fold(gist(quoted), ", ".join(filter(None, facts)), shown, class_=looks)


def _waited(seconds: str) -> str:
    number = float(seconds) if seconds.replace(".", "", 1).isdecimal() else 0.0
    return time(number) if number >= _LONG_WAIT else ""


def _raw(said: Said) -> Markup:
    if said.raw is None:
        return Markup("")
    return fold("The raw reply", size(said.raw), plain(said.raw))


def _change(change: str) -> Markup:
    files = read_git_diff(change)
    if not files:  # the text says why the change is not known
        return tag("p", change, class_="remark") if change else Markup("")
    names = ", ".join(file.path for file in files[:_NAMES])
    more = f" and {len(files) - _NAMES} more" if len(files) > _NAMES else ""
    added = sum(1 for file in files for _ in file.added)
    removed = sum(1 for file in files for _ in file.removed)
    return fold(f"Diff of {names}{more}", f"+{added} −{removed}", diff(change), class_="change")


def _meta(call: Call | None, at: str) -> Iterator[Markup]:
    """Yield the size and cost of the step's prompt; nothing if no model was asked."""
    if call is None:
        return
    spent, tokens = call.spent, f"{'' if call.is_counted else '~'}{short(call.tokens)}"
    cached = percent(spent.cached / call.tokens) if spent.cached and call.tokens else ""
    title = f"what the model saw{f'; {cached} of it cached' if cached else ''}"
    yield tag("a", f"prompt, {tokens}", href=f"#prompt-{at}", title=title)
    if spent.money is not None:
        yield tag("span", dollars(spent.money))
    if spent.seconds >= _LONG_WAIT:
        yield tag("span", time(spent.seconds))


Packed = Mapping[str, object]


def packed(prompts: Prompts, steps: Sequence[Step]) -> Packed:
    lines: dict[str, int] = {}
    return {
        "systems": _fixed(prompts.systems),
        "tasks": _fixed(prompts.tasks),
        "steps": [_of_step(piece, whole(steps[piece.step - 1])) for piece in prompts.pieces],
        "tails": {
            number: [lines.setdefault(line, len(lines)) for line in visible(text).split("\n")]
            for number, text in prompts.tails.items()
        },
        "lines": list(lines),
        "exact": {number: prompts.is_exact(number) for number in prompts.numbers},
        "problem": prompts.problem,
    }


def whole(step: Step) -> str:
    """Return the whole text of a step, with nothing left out."""
    return turn_text(step.said.turn) + observation_text(step.seen.text)


def _fixed(pieces: Iterable[Piece]) -> list[object]:
    return [[visible(piece.text), piece.since, piece.until] for piece in pieces]


def _of_step(piece: Piece, text: str) -> list[object]:
    """Return a piece, as its difference from the step's text. Lengths are those of a browser."""
    head = _common(piece.text, text)
    tail = _common(piece.text[head:][::-1], text[head:][::-1])
    middle = piece.text[head : len(piece.text) - tail]
    ends = _units(text[:head]), _units(text[len(text) - tail :])
    return [piece.step, piece.since, piece.until, ends[0], middle, ends[1]]


def _common(one: str, other: str) -> int:
    """Return the length of the common beginning."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        if one[:middle] == other[:middle]:
            least = middle
        else:
            most = middle - 1
    return least


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
