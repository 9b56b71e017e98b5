"""The page of a run: its outcome, every step, and everything that a model saw of it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from react_agent.page.markup import (
    Looks,
    Markup,
    data,
    diff,
    document,
    fold,
    gist,
    join,
    plain,
    search_box,
    select,
    tag,
    text,
    written,
)
from react_agent.page.plot import chart, dollars, short, time
from react_agent.page.run_data import RESULTS, RunData
from react_agent.page.steps import Packed, Scenes, packed
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.text.counted import counted, size_of
from react_agent.parsers.transcript.entries import HEADER
from react_agent.parsers.transcript.quoting import quote_world
from react_agent.runs.history import Kind, Story
from react_agent.state.state import OUTCOME
from react_agent.state.stop import Stop

_NOT_TOLD = (HEADER, "prompt")


def title(story: Story) -> str:
    return title_of(story.objective) or "a run"


def _outcome(story: Story) -> Markup:
    """Return the outcome: a word that looks good or bad, and the reason."""
    word, looks = how_it_ended(story)
    reason = story.state.stop_reason if story.state.stop is not Stop.CONCLUDED else ""
    return tag("p", tag("span", word, class_=f"mark {looks}"), " " if reason else "", text(reason))


def how_it_ended(story: Story) -> tuple[str, str]:
    """Return the outcome as a word, and the class of its look."""
    stop = story.state.stop
    if stop is None:
        return "not at its end", "open"
    ending = story.state.result.get(OUTCOME, stop)
    return ending.replace("_", " "), "resolved" if ending == Stop.CONCLUDED else "failed"


def _facts(story: Story) -> Markup:
    """Return the numbers and names of a run, and, folded, the lines before its objective."""
    spent, result = story.state.spent, story.state.result
    rows = {
        "Steps": f"{len(story.scenes):,}",
        "Tokens": short(spent.prompt_tokens + spent.reply_tokens),
        "Cost": dollars(spent.money),
        "Time": time(spent.seconds),
        "Model": story.header.get("model", ""),
        "Began": date(story.began),
        **{name.capitalize(): result.get(name, "") for name in RESULTS},
    }
    shown = (tag("div", tag("dt", name), tag("dd", rows[name])) for name in rows if rows[name])
    told = {name: value for name, value in story.header.items() if name not in _NOT_TOLD}
    lines = (join(tag("dt", name), tag("dd", value)) for name, value in told.items())
    how = tag("details", tag("summary", "How it was run"), tag("dl", *lines), class_="about")
    return join(tag("dl", *shown, class_="facts"), how if told else "")


def date(began: str) -> str:
    return began[:16].replace("T", " ")


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
_LIVE = replace(_LOOKS, scripts=(*_LOOKS.scripts, "live.js"), is_live=True)
_LONG = 40  # lines of an issue that is folded


def run_page(told: RunData, *, is_live: bool = False) -> str:
    """Return the page of a run. A live page is served, and shows news while the run goes on."""
    story, heading = told.story, written(title(told.story))
    parts = (chart(story), _tools(told, is_live), *run_parts(told))
    return document(
        heading,
        _LIVE if is_live else _LOOKS,
        tag("header", tag("h1", heading), _outcome(story), _facts(story)),
        tag("main", *parts, class_="folds", id="run"),
        _help(),
        _prompt(),
        tag("noscript", tag("p", "Prompts need JavaScript.", class_="note")),
        data("prompts", dict(_prompts(told))),
    )


def _prompts(told: RunData) -> Iterator[tuple[str, Packed]]:
    """Yield the prompts of each run, with the text before the numbers of its steps."""
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
    yield tag("div", Scenes(told, _within).all(), class_="steps")
    if story.is_torn:
        yield tag("p", "The last entry is incomplete and is not shown.", class_="note")
    if told.patch:
        lines = counted(told.patch.count("\n"), "line")
        yield fold("The whole change", lines, diff(told.patch), class_="patch")


def _within(told: RunData) -> Markup:
    """Return a run within a step, folded."""
    steps = counted(len(told.story.scenes), "step")
    head = join("A separate run: ", written(title(told.story)))
    size = f"{steps}, {how_it_ended(told.story)[0]}"
    return fold(head, size, tag("div", *run_parts(told)), class_="sub")


def _tools(told: RunData, is_live: bool) -> Markup:
    """Return the tools, hidden until a script makes them work."""
    found = Counter(kind for scene in told.story.scenes for kind in scene.kinds)
    kinds = [(kind.value, f"{kind.value} ({found[kind]})") for kind in Kind if found[kind]]
    return tag(
        "div",
        search_box("Search the run", "Search the run"),
        tag("output", id="count", aria_live="polite"),
        tag("output", "live", id="live", aria_live="polite") if is_live else "",
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
    """Return an empty dialog for a prompt, which the script fills."""
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
