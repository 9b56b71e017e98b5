"""The action and the page about CI, read as data: what they say is what there is."""

import re
from configparser import ConfigParser
from typing import Any

import pytest
from check_rows import table_of
from ci_pages import EXPRESSION, ROOT, gitlab, inputs, page, read_yaml, steps, workflow

from react_agent.parsers.forge.ci_event import LABEL, PHRASE

pytestmark = pytest.mark.checkout


def test_nothing_is_written_into_a_script() -> None:
    assert [step["shell"] for step in steps()] == ["bash", "bash"]
    assert all("${{" not in step["run"] and "github.event" not in step["run"] for step in steps())


def test_every_input_reaches_the_script_and_is_used() -> None:
    given = steps()[1]["env"]
    assert sorted(EXPRESSION.findall("".join(given.values()))) == sorted(
        f"inputs.{name}" for name in inputs()
    )
    read_by_us = {"GITHUB_TOKEN"}
    used = set(re.findall(r"\$\{?(\w+)|10#\$(\w+)", steps()[1]["run"]))
    names = {name for pair in used for name in pair if name}
    assert given.keys() - read_by_us <= names


def test_only_the_model_has_to_be_said() -> None:
    assert [name for name, one in inputs().items() if one.get("required") == "true"] == ["model"]
    defaults = {name: one["default"] for name, one in inputs().items() if "default" in one}
    assert defaults == {
        "base-url": "",
        "key": "",
        "token": "${{ github.token }}",
        "label": LABEL,
        "phrase": PHRASE,
        "minutes": "45",
    }


def test_the_page_names_every_input() -> None:
    rows = [line for line in page().split("\n") if line.startswith("| `")]
    named = {name for line in rows for name in re.findall(r"`([\w-]+)`", line.split("|")[1])}
    assert inputs().keys() <= named


def test_the_workflow_of_the_page() -> None:
    told: Any = read_yaml(workflow())
    assert told["on"] == {"issues": {"types": ["labeled"]}, "issue_comment": {"types": ["created"]}}
    assert told["permissions"] == dict.fromkeys(("contents", "issues", "pull-requests"), "write")
    [job] = told["jobs"].values()
    assert job["if"] == (
        f"github.event.label.name == '{LABEL}' || startsWith(github.event.comment.body, '{PHRASE}')"
    )
    assert int(job["timeout-minutes"]) > int(inputs()["minutes"]["default"])
    checkout, ours = job["steps"]
    assert checkout["with"] == {"fetch-depth": "0", "persist-credentials": "false"}
    assert ours["with"].keys() <= inputs().keys()
    assert all(step["uses"].endswith("@COMMIT") for step in (checkout, ours))


@table_of(("issue", "expected"), [("12", True), ("", False), ("0", False), ("12; x", False)])
def test_the_job_of_the_page(issue: str, expected: bool) -> None:
    [job] = read_yaml(gitlab()).values()
    rule = job["rules"][0]["if"]
    assert bool(re.search(str(rule).partition("/")[2].removesuffix("/"), issue)) == expected


def test_what_the_job_installs_there_is() -> None:
    settings = ConfigParser()
    settings.read(ROOT / "setup.cfg", encoding="utf-8")
    assert '"react-agent[gitlab]==VERSION"' in gitlab()
    assert '"$GITHUB_ACTION_PATH[github]"' in steps()[0]["run"]
    assert {"github", "gitlab"} <= set(settings["options.extras_require"])
