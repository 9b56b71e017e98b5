"""What came of an experiment, for other programs: predictions, a table, a report of tests."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element, SubElement, tostring

from react_agent.eval.predictions import INSTANCE, MODEL, PATCH
from react_agent.eval.task import PLAIN, Arm, Key, Record, Verdict
from react_agent.loop.transcript import NAME
from react_agent.parsers.transcript.quoting import escape

_NO_XML = re.compile("[^\t\n -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FORMULA = ("=", "+", "-", "@")  # what a spreadsheet would work out
_COLUMNS = (
    *("instance", "repo", "arm", "try", "verdict", "kind", "step", "reason", "infrastructure"),
    *("stop", "steps", "prompt_tokens", "reply_tokens", "cached", "cost", "seconds", "calls"),
    *("failed_calls", "hidden", "wishes", "repairs", "unreadable", "compressions", "backtracks"),
    *("retracted", "stuck", "fixed", "not_fixed", "kept", "broken", "patch_lines", "folder"),
)


@dataclass(frozen=True, slots=True)
class Exported:
    """The records that are wanted, and what is told beside them."""

    name: str
    records: Sequence[Record]
    arms: Mapping[str, Arm] = field(default_factory=dict)
    waiting: Sequence[Key] = ()  # attempts that have come to nothing yet


def predictions(exported: Exported) -> bytes:
    """By their instances, as `preds.json` of SWE-agent and the official harness have them."""
    rows = {row[INSTANCE]: row for row in _predictions(exported)}
    return f"{json.dumps(rows, indent=2)}\n".encode()


def prediction_lines(exported: Exported) -> bytes:
    return "".join(f"{json.dumps(row)}\n" for row in _predictions(exported)).encode()


def left_out(record: Record) -> bool:
    """Of predictions: an empty one would be held against the model."""
    return record.is_infrastructure


def _predictions(exported: Exported) -> list[dict[str, str]]:
    return [
        {
            INSTANCE: record.key.instance,
            MODEL: _model(exported.arms.get(record.key.arm), record.key.arm),
            PATCH: record.patch.encode(errors="surrogateescape").decode(errors="replace"),
        }
        for record in exported.records
        if not left_out(record)
    ]


def _model(arm: Arm | None, name: str) -> str:
    if arm is None:
        return name
    return arm.model if name == PLAIN else f"{arm.model} {name}"


def table(exported: Exported) -> bytes:
    """CSV: a line an attempt."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for record in exported.records:
        writer.writerow([_cell(value) for value in _row(record)])
    return text.getvalue().encode()


def _row(record: Record) -> Iterable[object]:
    key, used, tests = record.key, record.used, record.tests
    yield from (key.instance, record.repo, key.arm, key.number, record.verdict.value)
    yield from (record.kind, record.step, record.reason, int(record.is_infrastructure))
    yield from (record.stop, used.steps, used.prompt_tokens, used.reply_tokens, used.cached)
    yield from (used.cost, round(used.seconds, 3))
    yield from (sum(one.values()) for one in (used.calls, used.failed, used.hidden, used.wishes))
    yield from (used.repairs, used.unreadable, used.compressions, used.backtracks)
    yield from (used.retracted, used.stuck)
    yield from map(len, (tests.fixed, tests.not_fixed, tests.kept, tests.broken))
    yield from (record.patch.count("\n"), record.folder or "")


def _cell(value: object) -> object:
    """Text of others is no formula, and hides nothing."""
    if value is None or isinstance(value, int | float):
        return value
    text = escape(str(value))
    return f"'{text}" if text.startswith(_FORMULA) else text


def tests_report(exported: Exported) -> bytes:
    """JUnit XML, as CI systems read it: a suite an arm, a case an attempt."""
    cases: dict[str, list[Element]] = {name: [] for name in exported.arms}
    for record in exported.records:
        cases.setdefault(record.key.arm, []).append(_case(record))
    for key in exported.waiting:
        cases.setdefault(key.arm, []).append(_not_done(key))
    root = Element("testsuites", {"name": _text(exported.name)})
    for arm, found in cases.items():
        suite = SubElement(root, "testsuite", {"name": _text(arm)} | _counts(found))
        suite.extend(found)
    of_all = _counts([case for found in cases.values() for case in found])
    root.attrib |= {name: number for name, number in of_all.items() if name != "skipped"}
    data: bytes = tostring(root, encoding="UTF-8", xml_declaration=True)
    return data + b"\n"


def _case(record: Record) -> Element:
    case = _named(record.key, record.used.seconds)
    told = f"{record.kind}: {record.reason}" if record.kind else record.verdict.value
    at = f" (step {record.step})" if record.step else ""
    if record.verdict is Verdict.UNGRADED:
        SubElement(case, "skipped", {"message": "there are no tests to judge it by"})
    elif not record.is_resolved:
        what = "error" if record.is_infrastructure else "failure"
        found = {"type": _text(record.kind or record.verdict), "message": _text(told + at)}
        SubElement(case, what, found).text = _text("\n".join(_tests(record)))
    if record.folder:
        SubElement(case, "system-out").text = _text(str(record.folder / NAME))
    return case


def _not_done(key: Key) -> Element:
    case = _named(key, 0.0)
    SubElement(case, "skipped", {"message": "it is not done yet"})
    return case


def _named(key: Key, seconds: float) -> Element:
    name = key.instance if key.number == 1 else f"{key.instance} #{key.number}"
    named = {"name": _text(name), "classname": _text(key.arm), "time": f"{seconds:.3f}"}
    return Element("testcase", named)


def _tests(record: Record) -> Iterable[str]:
    yield record.verdict.value
    yield from (f"still fails: {name}" for name in record.tests.not_fixed)
    yield from (f"broken: {name}" for name in record.tests.broken)


def _counts(cases: Sequence[Element]) -> dict[str, str]:
    seconds = sum(float(case.attrib["time"]) for case in cases)
    failed = {what: sum(case.find(tag) is not None for case in cases) for what, tag in _ENDS}
    return {"tests": str(len(cases)), "time": f"{seconds:.3f}"} | {
        what: str(number) for what, number in failed.items()
    }


_ENDS = (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))


def _text(text: str) -> str:
    """What XML can't hold is shown."""
    lines = (escape(line) for line in text.split("\n"))
    return _NO_XML.sub(lambda found: f"<U+{ord(found[0]):04X}>", "\n".join(lines))


FORMATS: Mapping[str, Callable[[Exported], bytes]] = {
    "preds": predictions,
    "jsonl": prediction_lines,
    "csv": table,
    "junit": tests_report,
}
ONE_EACH = ("preds", "jsonl")  # formats with room for one attempt of an instance
