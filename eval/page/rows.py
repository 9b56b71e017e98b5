"""A line for each attempt, which opens; and what they are searched and sorted by."""

import re
from collections.abc import Sequence

from react_agent.eval.page.outcome import UNRESOLVED, Outcome, outcome
from react_agent.eval.record import Record
from react_agent.page.markup import Markup, join, tag, void
from react_agent.page.numbers import dollars, short, time

_ODD = re.compile(r"[^A-Za-z0-9_.-]+")
_ORDERS = ("issue", "steps", "tokens", "cost", "time")


def named(records: Sequence[Record]) -> dict[int, str]:
    """What each is called in addresses, by its `id`."""
    taken: set[str] = set()
    found = {}
    for record in records:
        key = record.key
        name = slug = "a-" + _ODD.sub("-", f"{key.instance}.{key.arm}.{key.number}")
        again = 1
        while slug in taken:
            again += 1
            slug = f"{name}~{again}"
        taken.add(slug)
        found[id(record)] = slug
    return found


def attempts(records: Sequence[Record], ids: dict[int, str]) -> Markup:
    tries = max(record.key.number for record in records)
    several = len({record.key.arm for record in records}) > 1
    before = [None, *(record.key.instance for record in records)]
    rows = (
        _row(
            record, ids[id(record)], _which(record, several, tries > 1), record.key.instance == last
        )
        for record, last in zip(records, before, strict=False)
    )
    words = ("", "issue", "", "steps", "tokens", "cost", "time")
    head = tag("p", *(tag("span", word) for word in words), class_="head", aria_hidden="true")
    return tag(
        "section",
        tag("h2", "Attempts"),
        _tools(records),
        head,
        tag("div", *rows, class_="rows"),
        tag("p", "No attempt is like that.", class_="nothing", hidden=""),
        id="attempts",
    )


def _which(record: Record, has_arms: bool, has_tries: bool) -> Markup:
    arm = record.key.arm if has_arms else ""
    return join(arm, f"try {record.key.number}" if has_tries else "", between=" · ")


def _row(record: Record, name: str, which: Markup, is_again: bool) -> Markup:
    used, of = record.used, outcome(record)
    summary = tag(
        "summary",
        tag("span", of.value, class_=f"mark {of.word}"),
        tag("span", tag("b", record.key.instance), tag("small", which), class_="issue"),
        tag("span", record.why if of is not Outcome.RESOLVED else "", class_="why"),
        _number(str(used.steps), "steps"),
        _number(short(used.tokens), "tokens"),
        _number(dollars(used.cost), "cost"),
        _number(time(used.seconds), "time"),
    )
    return tag(
        "details",
        summary,
        tag("div", _reason(record, name), class_="body folds"),
        class_="attempt again" if is_again else "attempt",  # of the issue above
        id=name,
        data_outcome=of.word,
        data_arm=record.key.arm,
        data_kind=record.why if of in UNRESOLVED else None,
        data_steps=used.steps,
        data_tokens=used.tokens,
        data_cost=-1 if used.cost is None else f"{used.cost:.6f}",
        data_time=f"{used.seconds:.1f}",
    )


def _number(written: str, of: str) -> Markup:
    return tag("span", written, class_=f"number {of}", title=of)


def _reason(record: Record, name: str) -> Markup:
    """What can be told without the transcript; it names the files for those without a script."""
    words = [record.reason] if record.reason else []
    link = tag("a", f"step {record.step}", href=f"#{name}:{record.step}") if record.step else ""
    place = "/".join(record.folder.parts[-2:]) if record.folder else ""
    facts = [record.repo, f"stopped: {record.stop.replace('_', ' ')}" if record.stop else "", place]
    return join(
        tag("p", join(*words, link, between=" · "), class_="reason") if words or link else "",
        tag("p", join(*facts, between=" · "), class_="facts"),
    )


def _tools(records: Sequence[Record]) -> Markup:
    """Hidden until there is a script that makes them work."""
    arms = dict.fromkeys(record.key.arm for record in records)
    kinds = sorted({record.why for record in records if outcome(record) in UNRESOLVED})
    outcomes = [one for one in Outcome if any(outcome(record) is one for record in records)]
    search = void(
        "input",
        type="search",
        id="search",
        autocomplete="off",
        spellcheck="false",
        placeholder="Search issues and transcripts",
        aria_label="Search",
        aria_keyshortcuts="/",
    )
    return tag(
        "div",
        search,
        _select("outcome", "every outcome", [(one.word, one.value) for one in outcomes]),
        _select("kind", "every reason", [(kind, kind) for kind in kinds]),
        _select("arm", "every arm", [(arm, arm) for arm in arms]),
        _select("order", "", [(order, f"by {order}") for order in _ORDERS]),
        tag("output", id="count", aria_live="polite"),
        class_="tools",
        hidden="",
    )


def _select(name: str, every: str, options: Sequence[tuple[str, str]]) -> Markup:
    if len(options) < 2:
        return Markup("")
    first = [tag("option", every, value="")] if every else []
    written = (tag("option", words, value=value) for value, words in options)
    return tag("select", *first, *written, id=name, aria_label=name)
