"""What other programs read of an experiment."""

import csv
import io
import json
import re
from pathlib import Path
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from react_agent.eval import task
from react_agent.eval.exports import (
    FORMATS,
    Exported,
    prediction_lines,
    predictions,
    table,
)
from react_agent.eval.exports import (
    tests_report as report_of_tests,
)
from react_agent.eval.task import Arm, Key, Kind, Record, Used, Verdict

PLAIN = Arm("replay/{id}")
BARE = Arm("m", "bare")
RESOLVED = Record(
    *(Key("a__b-1", "plain", 1), "a/b", Verdict.RESOLVED),
    used=Used(3, 100, 20, 40, 0.5, 1.25, {"grep": 2}, wishes={"make": 1}),
    tests=task.Tests(("t::x",), (), ("t::y",), ()),
    patch="--- a/f\n+caf\udce9\n",
    folder=Path("/e/attempts/a__b-1/plain-1"),
)
FAILED = Record(
    *(
        Key("a__b-2", "plain", 1),
        "a/b",
        Verdict.UNRESOLVED,
        Kind.TESTS_FAIL,
        4,
        "=t::x still fails",
    ),
    tests=task.Tests((), ("t::x",), (), ("t::\x1b[1m]]>",)),
    patch="+x\n",
)
AWAY = Record(
    *(Key("a__b-3", "plain", 2), "a/b", Verdict.CRASHED, Kind.ENDPOINT, 0, "no <answer> & more"),
    is_infrastructure=True,
)
UNGRADED = Record(Key("a__b-4", "bare", 1), "a/b", Verdict.UNGRADED)
ALL = Exported(
    "trial",
    [RESOLVED, FAILED, AWAY, UNGRADED],
    {"plain": PLAIN, "bare": BARE},
    [Key("a__b-5", "bare", 1)],
)


def test_predictions_are_by_instance() -> None:
    """What the surroundings failed is not the model's: it is no empty patch."""
    found = json.loads(predictions(ALL))
    assert found == {
        "a__b-1": {
            "instance_id": "a__b-1",
            "model_name_or_path": "replay/{id}",
            "model_patch": "--- a/f\n+caf\ufffd\n",
        },
        "a__b-2": {
            "instance_id": "a__b-2",
            "model_name_or_path": "replay/{id}",
            "model_patch": "+x\n",
        },
        "a__b-4": {"instance_id": "a__b-4", "model_name_or_path": "m bare", "model_patch": ""},
    }
    lines = prediction_lines(ALL).decode().splitlines()
    assert [json.loads(line) for line in lines] == list(found.values())


def test_an_arm_that_nothing_is_told_of_is_the_model() -> None:
    row = json.loads(prediction_lines(Exported("x", [UNGRADED])))
    assert row == {"instance_id": "a__b-4", "model_name_or_path": "bare", "model_patch": ""}


def test_predictions_of_nothing() -> None:
    assert (predictions(Exported("x", [])), prediction_lines(Exported("x", []))) == (b"{}\n", b"")


def test_a_table_has_a_line_for_each_attempt() -> None:
    rows = list(csv.DictReader(io.StringIO(table(ALL).decode())))
    assert len(rows) == 4
    assert {name: value for name, value in rows[0].items() if value not in ("", "0")} == {
        "instance": "a__b-1",
        "repo": "a/b",
        "arm": "plain",
        "try": "1",
        "verdict": "resolved",
        "steps": "3",
        "prompt_tokens": "100",
        "reply_tokens": "20",
        "cached": "40",
        "cost": "0.5",
        "seconds": "1.25",
        "calls": "2",
        "wishes": "1",
        "fixed": "1",
        "kept": "1",
        "patch_lines": "2",
        "folder": "/e/attempts/a__b-1/plain-1",
    }
    assert rows[0]["kind"] == ""
    assert (rows[1]["reason"], rows[1]["step"]) == ("'=t::x still fails", "4")
    assert (rows[1]["cost"], rows[2]["infrastructure"]) == ("", "1")


def test_a_report_of_tests() -> None:
    assert report_of_tests(ALL).decode() == (
        "<?xml version='1.0' encoding='UTF-8'?>\n"
        '<testsuites name="trial" tests="5" time="1.250" failures="1" errors="1">'
        '<testsuite name="plain" tests="3" time="1.250" failures="1" errors="1" skipped="0">'
        '<testcase name="a__b-1" classname="plain" time="1.250">'
        "<system-out>/e/attempts/a__b-1/plain-1/transcript.txt</system-out></testcase>"
        '<testcase name="a__b-2" classname="plain" time="0.000">'
        '<failure type="edited, the tests fail" '
        'message="edited, the tests fail: =t::x still fails (step 4)">'
        "unresolved\nstill fails: t::x\nbroken: t::&lt;U+001B&gt;[1m]]&gt;</failure></testcase>"
        '<testcase name="a__b-3 #2" classname="plain" time="0.000">'
        '<error type="the endpoint failed" '
        'message="the endpoint failed: no &lt;answer&gt; &amp; more">crashed</error></testcase>'
        "</testsuite>"
        '<testsuite name="bare" tests="2" time="0.000" failures="0" errors="0" skipped="2">'
        '<testcase name="a__b-4" classname="bare" time="0.000">'
        '<skipped message="there are no tests to judge it by" /></testcase>'
        '<testcase name="a__b-5" classname="bare" time="0.000">'
        '<skipped message="it is not done yet" /></testcase>'
        "</testsuite></testsuites>\n"
    )


SCHEMA = {  # of Jenkins' xunit plugin: attributes, then the children in their order
    "testsuites": ({"name", "time", "tests", "failures", "errors"}, "(testsuite )*"),
    "testsuite": (
        {"name", "tests", "failures", "errors", "skipped", "time"},
        "(testcase )*",
    ),
    "testcase": ({"name", "time", "classname"}, "(skipped |error |failure )?(system-out )?"),
    "failure": ({"type", "message"}, ""),
    "error": ({"type", "message"}, ""),
    "skipped": ({"message"}, ""),
    "system-out": (set[str](), ""),
}


WORDS = st.text(max_size=30)


@given(WORDS, WORDS)
def test_whatever_stands_in_it_every_export_can_be_read(name: str, text: str) -> None:
    key = Key(name, "plain", 1)
    record = Record(
        *(key, text, Verdict.UNRESOLVED, Kind.TESTS_FAIL, 1, text),
        tests=task.Tests((), (name, text)),
        patch=text,
        folder=Path("x"),
    )
    exported = Exported(text, [record], {"plain": Arm(text)}, [key])
    data = {name: form(exported).decode() for name, form in FORMATS.items()}
    assert set(json.loads(data["preds"])) == {name}
    assert json.loads(data["jsonl"])["instance_id"] == name
    assert len(list(csv.reader(io.StringIO(data["csv"])))) == 2
    for element in ElementTree.fromstring(data["junit"]).iter():
        attributes, children = SCHEMA[element.tag]
        assert attributes >= set(element.attrib)
        assert re.fullmatch(children, "".join(f"{child.tag} " for child in element))
