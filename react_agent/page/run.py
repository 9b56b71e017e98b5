"""The page of a run: its outcome, every step, and every prompt that the model received."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from react_agent.errors import TranscriptError, UsageError
from react_agent.page.markup import (
    Looks,
    Markup,
    code,
    data,
    diff,
    document,
    fold,
    gist,
    is_long,
    join,
    plain,
    search_box,
    select,
    tag,
    text,
    written,
)
from react_agent.page.plot import chart, dollars, percent, time
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.repo.git_diff import read_git_diff
from react_agent.parsers.text.counted import counted, first_few, short, size_of
from react_agent.parsers.transcript.entries import HEADER, Event, Reading, Said
from react_agent.parsers.transcript.facts import write_numbers
from react_agent.parsers.transcript.quoting import quote_own, quote_world, visible
from react_agent.parsers.transcript.writer import observation_text, turn_text
from react_agent.parsers.turn.turn import Kind as TurnKind
from react_agent.parsers.turn.turn import Turn
from react_agent.profiles.settings import Settings
from react_agent.runs.history import (
    LATER,
    Call,
    Kind,
    Piece,
    Prompts,
    Scene,
    Story,
    how_answered,
    kinds_of,
    prompts,
    story,
)
from react_agent.runs.run_folder import RunFolder, write_whole
from react_agent.runs.work_tree import changes
from react_agent.state.events import COMMIT, REACH, SPENT, WROTE, Sentence, sentence, steps_word
from react_agent.state.state import OUTCOME, Stop
from react_agent.state.steps import Shown, Step, real_number
from react_agent.state.transcript import Redact, next_sub, read_begun, without_secrets
from react_agent.tools import disk
from react_agent.tools.errors import machine_error
from react_agent.tools.observation import Status

RESULTS = ("branch", "diff", "tests")  # events at the end of a run
_DEEPEST = 2  # runs within runs
_PATCH = 2_000_000  # bytes of a change that are shown


@dataclass(frozen=True, slots=True)
class RunData:
    story: Story
    prompts: Prompts
    changes: Mapping[int, str]  # git's diff of what each step wrote
    patch: str = ""  # the whole change
    subs: Mapping[int, "RunData"] = field(default_factory=dict)
    place: str = ""  # stands before the numbers of its steps: `7.` in the run within step 7


def read_run(
    folder: RunFolder,
    redact: Redact,
    settings: Settings | None = None,
    place: str = "",
    deeper: int = _DEEPEST,
) -> RunData:
    """Read a run. `settings` are those that the run may have used. Raises TranscriptError."""
    found = read_begun(folder.transcript, "show")
    reading = Reading(tuple(without_secrets(one, redact) for one in found.entries), found.torn)
    run = story(reading)
    subs = {}
    for number, name in _inner(run) if deeper else ():
        within = RunFolder(folder.path / name)
        if within.transcript.is_file():
            with suppress(TranscriptError):  # the step itself tells the result
                at = f"{place}{number}."
                subs[number] = read_run(within, redact, settings, at, deeper - 1)
    patch = ""
    with suppress(OSError):  # none was made
        patch = disk.start_of_regular(folder.patch, _PATCH).decode(errors="replace")
    return RunData(
        run,
        prompts(folder.path, reading, settings),
        changes(folder, run.state, redact),
        redact(patch),
        subs,
        place,
    )


def _inner(run: Story) -> Iterator[tuple[int, str]]:
    """Yield the number and the folder of each step that may be a run, even if it has not ended."""
    yield from ((step.number, step.sub) for step in run.state.steps if step.sub)
    if run.pending and not run.state.conclusion:
        yield len(run.state.steps) + 1, next_sub(run.state)


_HEADER = ("profile", "repository", "model", "limits", "amended", "sandbox", "prompt", "about")
_FOOTER = (REACH, WROTE, COMMIT, SPENT)
_QUIET = frozenset((*_HEADER, *_FOOTER, "state"))  # they are in the head of the page


def notes(events: Iterable[Event], place: str) -> Markup:
    """Return notes on events. `place` is the prefix of step numbers in links to steps."""
    said = (sentence(event) for event in events if event.name not in _QUIET)
    told = [_note(one, place) for one in said if one]
    return tag("div", *told, class_="notes") if told else Markup("")


def _note(said: Sentence, place: str) -> Markup:
    spans = (
        join(*(tag("a", end, href=f"#step-{place}{end}") for end in one.split("-")), between="–")
        for one in write_numbers(said.steps).split(",")
        if one
    )
    begins = f"{said.before}{steps_word(said.steps)}"
    inner = (
        text(f"{begins[:1].upper()}{begins[1:]}"),
        join(*spans, between=", "),
        said.behind,
        tag("q", written(said.quote)) if said.quote else "",
    )
    return tag("p", join(*inner), class_="note of-steps" if said.steps else "note")


_LONG_WAIT = 1.0  # seconds of a tool that are told of
_NAMES = 3  # of files that a step has changed


def _steps(told: RunData) -> Markup:
    """Return all steps, with the events between them."""
    plan, parts = "", list[Markup]()
    for scene in told.story.scenes:
        parts.append(notes(scene.before, told.place))
        news = scene.plan if scene.plan != plan else ""
        parts.append(_scene(told, scene, news))
        plan = scene.plan
    end = (event for event in told.story.end if event.name not in RESULTS)
    return join(*parts, _last(told), notes(end, told.place))


def _last(told: RunData) -> Markup:
    """Return the Conclusion, or the reply at which the run was interrupted."""
    story = told.story
    if story.pending is None:
        return Markup("")
    number, turn = len(story.scenes) + 1, story.pending.turn
    at, within = f"{told.place}{number}", told.subs.get(number)
    kinds = (*kinds_of(turn), *(_kinds(within) if within else ()))
    shown = (
        tag("div", *said(turn), class_="said"),
        tag("p", *_meta(story.call, at), class_="meta"),
    )
    more = (_raw(story.pending), _within(within) if within else "")
    last = _article(at, "step end", kinds, *shown, tag("div", *more, class_="more"))
    return join(notes(story.before, told.place), last)


def _scene(told: RunData, scene: Scene, plan: str) -> Markup:
    step, at = scene.step, f"{told.place}{scene.step.number}"
    within = told.subs.get(step.number)
    later = [tag("span", LATER[step.shown])] if step.shown in LATER else []
    more = tag(
        "div",
        *(tag("p", one, class_=f"remark {looks}") for looks, one in _remarks(step)),
        fold("The plan after it", "", plain(plan)) if plan else "",
        _raw(step.said),
        _change(told.changes.get(step.number, "")),
        _within(within) if within else "",
        class_="more",
    )
    looks = {
        "step": True,
        "back": not step.stands,
        "failed": step.status is Status.FAILED,
        step.shown.name.lower().replace("_", "-"): step.shown is not Shown.WHOLE,
    }
    return _article(
        at,
        " ".join(look for look, is_given in looks.items() if is_given),
        (*scene.kinds, *(_kinds(within) if within else ())),
        tag("div", *said(step.said.turn), _seen(step), class_="said"),
        tag("p", *_meta(scene.call, at), *later, class_="meta"),
        more,
    )


def _kinds(told: RunData) -> Iterator[Kind]:
    """Yield the kinds of each step, also of those in the runs within the run."""
    for scene in told.story.scenes:
        yield from scene.kinds
    if told.story.pending:
        yield from kinds_of(told.story.pending.turn)
    for within in told.subs.values():
        yield from _kinds(within)


def _remarks(step: Step) -> Iterator[tuple[str, Markup]]:
    """Yield each remark on a step, with its CSS class."""
    facts, turn = step.seen.facts, step.said.turn
    if how := how_answered(facts):
        yield "hidden", text(how)
    yield from (("repair", join("repaired: ", written(repair))) for repair in turn.repairs)
    if turn.problem:
        yield "bad", join("not readable: ", written(turn.problem))
    if turn.fabricated:
        yield "repair", text("text that the model invented after its call was cut off")


def _article(at: str, looks: str, kinds: Iterable[Kind], *parts: Markup) -> Markup:
    """Return a step as an `article` element with its number and the kinds of its parts."""
    words = join(tag("span", "Step ", class_="unseen"), at)
    number = tag("h3", tag("a", words, class_="n", href=f"#step-{at}"))
    known = " ".join(sorted({kind.value for kind in kinds}))
    return tag("article", number, *parts, id=f"step-{at}", class_=looks, data_kinds=known)


def said(turn: Turn) -> Iterator[Markup]:
    """Yield the parts of a turn. The script finds them by class to rebuild the prompts."""
    yield tag("p", written(quote_own(turn.thought)), class_="prose thought")
    if turn.kind is TurnKind.ACTION:
        tool = tag("b", written(quote_own(turn.action)), class_="tool")
        yield tag("div", tool, " ", code(quote_own(turn.input), "input"), class_="call")
    if turn.kind is TurnKind.CONCLUSION:
        yield tag("p", written(quote_own(turn.conclusion)), class_="prose conclusion")


def _seen(step: Step) -> Markup:
    quoted, is_bad = quote_world(step.seen.text), step.status is Status.FAILED
    looks = "seen failed" if is_bad else "seen"
    if not is_long(quoted):
        return tag("p", tag("span", written(quoted), class_="observation"), class_=looks)
    waited = real_number(step.seen.facts.get("seconds")) or 0.0
    took = time(waited) if waited >= _LONG_WAIT else ""
    facts = ["failed" if is_bad else "", size_of(quoted), took]
    shown = plain(quoted, "observation")
    return fold(gist(quoted), ", ".join(filter(None, facts)), shown, class_=looks)


def _raw(said: Said) -> Markup:
    if said.raw is None:
        return Markup("")
    return fold("The raw reply", size_of(said.raw), plain(said.raw))


def _change(change: str) -> Markup:
    files = read_git_diff(change)
    if not files:  # the text says why the change is not known
        return tag("p", change, class_="remark") if change else Markup("")
    names = first_few([file.path for file in files], _NAMES)
    added = sum(1 for file in files for _ in file.added)
    removed = sum(1 for file in files for _ in file.removed)
    return fold(f"Diff of {names}", f"+{added} −{removed}", diff(change), class_="change")


def _meta(call: Call | None, at: str) -> Iterator[Markup]:
    """Yield the size and cost of the step's prompt, or nothing if no model was called."""
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
        "steps": [_of_step(piece, steps[piece.step - 1]) for piece in prompts.pieces],
        "tails": {
            number: [lines.setdefault(line, len(lines)) for line in visible(text).split("\n")]
            for number, text in prompts.tails.items()
        },
        "lines": list(lines),
        "exact": {
            number: "guided" if number in prompts.guided else prompts.is_exact(number)
            for number in prompts.numbers
        },
        "problem": visible(prompts.problem),
    }


def _fixed(pieces: Iterable[Piece]) -> list[object]:
    return [[visible(piece.text), piece.since, piece.until] for piece in pieces]


def _of_step(piece: Piece, step: Step) -> list[object]:
    """Return a part of prompts, with None for the full text of a step, which the page has."""
    full = turn_text(step.said.turn) + observation_text(step.seen.text)
    text = None if piece.text == full else visible(piece.text)
    return [piece.step, piece.since, piece.until, text]


_NOT_TOLD = (HEADER, "prompt")


def title(story: Story) -> str:
    return title_of(story.objective) or "a run"


def how_it_ended(story: Story) -> tuple[str, str]:
    """Return the outcome as a word, and its CSS class."""
    stop = story.state.stop
    if stop is None:
        return "not at its end", "open"
    ending = story.state.result.get(OUTCOME, stop)
    return ending.replace("_", " "), "resolved" if ending == Stop.CONCLUDED else "failed"


def _facts(story: Story) -> Markup:
    """Return the key figures of a run, and the header of its transcript in a folded section."""
    spent, result = story.state.spent, story.state.result
    rows = {
        "Steps": f"{len(story.scenes):,}",
        "Tokens": short(spent.prompt_tokens + spent.reply_tokens),
        "Cost": dollars(spent.money),
        "Time": time(spent.seconds),
        "Model": story.header.get("model", ""),
        "Began": story.began[:16].replace("T", " "),
        **{name.capitalize(): result.get(name, "") for name in RESULTS},
    }
    shown = (tag("div", tag("dt", name), tag("dd", rows[name])) for name in rows if rows[name])
    told = {name: value for name, value in story.header.items() if name not in _NOT_TOLD}
    lines = (join(tag("dt", name), tag("dd", value)) for name, value in told.items())
    how = tag("details", tag("summary", "How it was run"), tag("dl", *lines), class_="about")
    return join(tag("dl", *shown, class_="facts"), how if told else "")


_KEYS = (
    ("j k", "next step, previous step"),
    ("/", "search, also in folded text"),
    ("n N", "next match, previous match"),
    ("f F", "fold or unfold a step; all of them"),
    ("p", "the prompt of a step, as the model saw it"),
    ("g G", "the beginning, the end"),
    ("?", "these keys"),
    ("Esc", "close; leave the search"),
)
_LOOKS = Looks("run.css", ("steps.js", "search.js", "prompts.js", "plot.js", "run.js"))
_LONG = 40  # lines of an issue that is folded


def run_page(told: RunData) -> str:
    story, heading = told.story, written(title(told.story))
    word, looks = how_it_ended(story)
    reason = story.state.stop_reason if story.state.stop is not Stop.CONCLUDED else ""
    mark = tag("span", word, class_=f"mark {looks}")
    ended = tag("p", mark, " " if reason else "", text(reason))
    parts = (chart(story), _tools(told), *run_parts(told))
    return document(
        heading,
        _LOOKS,
        tag("header", tag("h1", heading), ended, _facts(story)),
        tag("main", *parts, class_="folds", id="run"),
        _help(),
        _prompt(),
        tag("noscript", tag("p", "Prompts need JavaScript.", class_="note")),
        data("prompts", dict(_prompts(told))),
    )


def _prompts(told: RunData) -> Iterator[tuple[str, Packed]]:
    """Yield the prompts of each run, with the prefix of its step numbers."""
    yield told.place, packed(told.prompts, told.story.state.steps)
    for within in told.subs.values():
        yield from _prompts(within)


def run_parts(told: RunData) -> Iterator[Markup]:
    story = told.story
    yield tag("h2", "What was asked", class_="unseen")
    quoted = quote_world(story.objective)
    if quoted.count("\n") <= _LONG:
        yield tag("p", written(quoted), class_="prose objective")
    else:
        yield fold(gist(quoted), size_of(quoted), plain(quoted, "objective"), class_="asked")
    if story.state.about:
        about = "\n".join(story.state.about)
        yield fold("What the prompt says about the repository", "", plain(about), class_="note")
    yield tag("h2", "Steps", class_="unseen")
    yield tag("div", _steps(told), class_="steps")
    if story.is_torn:
        yield tag("p", "The last entry is incomplete and is not shown.", class_="note")
    if told.patch:
        lines = counted(told.patch.count("\n"), "line")
        yield fold("The whole change", lines, diff(told.patch), class_="patch")


def _within(told: RunData) -> Markup:
    """Return a folded section with the run that a step started."""
    steps = counted(len(told.story.scenes), "step")
    head = join("A separate run: ", written(title(told.story)))
    size = f"{steps}, {how_it_ended(told.story)[0]}"
    return fold(head, size, tag("div", *run_parts(told)), class_="sub")


def _tools(told: RunData) -> Markup:
    """Return the search and filter controls, which are hidden until the script enables them."""
    found = Counter(_kinds(told))
    kinds = [(kind.value, f"{kind.value} ({found[kind]})") for kind in Kind if found[kind]]
    return tag(
        "div",
        search_box("Search the run"),
        tag("output", id="count", aria_live="polite"),
        select("only", [("", "everything"), *kinds], "Show only"),
        tag("button", "Unfold all", type="button", id="fold"),
        tag("button", "?", type="button", id="keys", aria_label="Keys"),
        class_="tools",
        role="search",
        hidden="",
    )


def _help() -> Markup:
    rows = (
        join(tag("dt", *(tag("kbd", key) for key in keys.split())), tag("dd", does))
        for keys, does in _KEYS
    )
    close = tag("button", "Close", type="button", class_="close")
    words = tag("p", "Folded parts stay folded in print.", class_="note")
    return tag(
        "dialog", tag("h2", "Keys", id="help-title"), tag("dl", *rows), words, close,
        id="help", aria_labelledby="help-title",
    )  # fmt: skip


def _prompt() -> Markup:
    """Return an empty dialog that the script fills with a prompt."""
    return tag(
        "dialog",
        tag(
            "div",
            tag("h2", "", id="prompt-title"),
            tag("p", "", id="prompt-exact"),
            tag("button", "‹", type="button", id="prompt-before", aria_label="Previous prompt"),
            tag("button", "›", type="button", id="prompt-after", aria_label="Next prompt"),
            tag("button", "Close", type="button", class_="close"),
            class_="head",
        ),
        tag(
            "div", "", id="prompt-text", tabindex="0", role="region", aria_labelledby="prompt-title"
        ),
        id="prompt",
        aria_labelledby="prompt-title",
    )


_ENDINGS = (".html", ".htm")
_BEGINS = b"<!doctype html>"
_ODD = re.compile(r"[^A-Za-z0-9_.-]+")


def write_page(run: RunFolder, out: Path, redact: Redact, settings: Settings | None = None) -> Path:
    """Write the page and return its path. `out` is a file if it has an HTML suffix."""
    path = out
    if out.suffix not in _ENDINGS:
        if out.exists() and not out.is_dir():
            raise UsageError(f"{out} is not a folder, and a page has a name that ends in .html")
        with machine_error(f"can't make {out}"):
            disk.mkdir(out, parents=True, exist_ok=True)
        path = out / f"{_ODD.sub('-', run.path.name).strip('.-') or 'run'}.html"
    write_over_page(path, run_page(read_run(run, redact, settings)))
    return path


def write_over_page(path: Path, page: str) -> None:
    """Write a page, but not over another kind of file, which may be named by mistake."""
    with machine_error(f"can't write {path}"):
        begins = disk.start_of_regular(path, len(_BEGINS)) if os.path.lexists(path) else _BEGINS
    if begins != _BEGINS:
        raise UsageError(f"{path} exists and is not a page: it was not overwritten")
    write_whole(path, page.encode())
