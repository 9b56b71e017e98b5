"""The page of an experiment: charts, a row for each attempt, and what the script shows of it."""

from collections.abc import Mapping, Sequence
from operator import attrgetter
from pathlib import Path

from react_agent.eval.page import charts, rows, shares
from react_agent.eval.page.arms import arms_of, table
from react_agent.eval.page.told import told
from react_agent.eval.record import Record
from react_agent.eval.report.intervals import EmptyScore
from react_agent.page.document import Looks, document
from react_agent.page.markup import Markup, data, join, tag
from react_agent.parsers.secrets.redaction import Redaction
from react_agent.parsers.text.counted import counted
from react_agent.runs.run_folder import write_whole

_LOOKS = Looks("page.css", ("page.js",), "react_agent.eval.page")
_ROOM = 40_000_000  # characters of all transcripts
_MOST = 400_000  # of an attempt
_KEYS = (
    ("/", "search"),
    ("Enter", "next place"),
    ("j k", "next and previous attempt"),
    ("Esc", "close"),
)


def write_page(out: Path, title: str, records: Sequence[Record], about: Mapping[str, str]) -> None:
    """Whole or not at all."""
    write_whole(out, Redaction()(page(title, records, about)).encode())


def page(title: str, records: Sequence[Record], about: Mapping[str, str]) -> str:
    """Attempts of the same arm are counted together. Raises EmptyScore."""
    if not records:
        raise EmptyScore("there are no attempts to show")
    return document(title, _LOOKS, *_body(title, records, about))


def _body(title: str, records: Sequence[Record], about: Mapping[str, str]) -> Sequence[Markup]:
    arms = arms_of(records, attrgetter("key.arm"))
    places = {arm.name: place for place, arm in enumerate(arms)}
    ordered = sorted(
        records, key=lambda one: (one.key.instance, places[one.key.arm], one.key.number)
    )
    ids = rows.named(ordered)
    room = min(_MOST, _ROOM // len(records))
    return (
        tag("header", tag("h1", title), tag("p", _extent(records)), _about(about)),
        tag(
            "main",
            charts.resolved(arms),
            tag("div", table(arms), class_="wide scroll"),
            charts.issues(arms, ids),
            charts.cost(arms),
            shares.parts(arms),
            shares.kinds(arms),
            shares.steps(arms),
            rows.attempts(ordered, ids),
        ),
        tag("footer", *(join(tag("kbd", key), f" {does}") for key, does in _KEYS)),
        *(data(f"told-{ids[id(one)]}", told(one, room)) for one in ordered),
    )


def _extent(records: Sequence[Record]) -> str:
    """`24 issues of 3 repositories, 2 arms, 96 attempts`."""
    issues = len({record.key.instance for record in records})
    repositories = len({record.repo for record in records})
    arms = len({record.key.arm for record in records})
    return ", ".join(
        (
            f"{counted(issues, 'issue')} of {counted(repositories, 'repository')}",
            counted(arms, "arm"),
            counted(len(records), "attempt"),
        )
    )


def _about(about: Mapping[str, str]) -> Markup:
    if not about:
        return Markup("")
    facts = (join(tag("dt", name), tag("dd", value)) for name, value in about.items())
    return tag("details", tag("summary", "How it was run"), tag("dl", *facts), class_="about")
