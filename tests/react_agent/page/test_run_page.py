"""The page of a run as a file: what is on it, and what could never be."""

import base64
import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from html_of import OF_A_RUN, Elements
from planted_attacks import attacked_run
from small_run import LONG, entries, page_of, small_run, step, within, write

from react_agent.page.run import packed, read_run, run_page
from react_agent.parsers.secrets.redaction import Redaction
from react_agent.parsers.transcript.entries import Event, Said
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.runs.run_folder import RunFolder


@pytest.fixture
def page(tmp_path: Path) -> Elements:
    return Elements(page_of(small_run(tmp_path / "small")))


def test_reads_from_the_issue_to_the_end(page: Elements) -> None:
    assert page.text("objective") == "The sum is wrong\n\nIt says 3." + "mend a.py"
    assert page.text("#step-1", "thought") == "Where is it?"
    assert page.text("#step-1", "tool") == "read_file"
    assert page.text("#step-1", "input") == "a.py"
    assert page.text("#step-1", "observation") == f"\n{LONG}"
    assert page.text("#step-5", "conclusion") == "The sum is right."
    assert page.text("mark") == "concluded"
    assert "react-agent/small" in page.text("facts")


def test_says_what_became_of_a_step(page: Elements) -> None:
    looks = {found["id"]: found["class"] for tag, found in page.tags if tag == "article"}
    assert looks["step-1"] == "step left-out"
    assert looks["step-2"] == "step back retracted"
    assert looks["step-3"] == "step failed"
    assert page.text("#step-1", "meta") == "prompt, 400$0.01left out later"
    assert page.text("#step-2", "meta") == "prompt, 800$0.01taken back later"
    assert page.text("#step-3", "remark") == "a hidden name of cat"


def test_says_what_came_between_steps(page: Elements) -> None:
    assert page.text("of-steps") == (
        "From here on, prompts leave out what step 1 showed"
        "Step 2 taken back: the test says otherwise"
    )
    assert "From the maintainer: look at c.py" in page.text("note")
    assert "Stop: concludedRefused: a key is in it" in page.text("note")


def test_the_run_within_a_step_stands_in_it(page: Elements) -> None:
    assert page.text("#step-4.1", "thought") == "Inside."
    assert page.text("#step-4", "#step-4.2", "conclusion") == "mended"


def test_the_run_within_a_step_that_was_cut_off_stands_in_it(tmp_path: Path) -> None:
    turn = Turn(Kind.ACTION, "Let another do it.", "update_file", "a.py\nmend it")
    run = write(tmp_path / "cut", [*entries()[:5], Said(turn, facts={})])
    write(tmp_path / "cut/sub/001", within())
    page = Elements(page_of(run))
    assert page.text("#step-1", "tool") == "update_fileread_file"
    assert page.text("#step-1", "#step-1.1", "thought") == "Inside."


def test_what_can_be_chosen_counts_the_runs_within_a_step(tmp_path: Path) -> None:
    call = step(1, "Let another do it.", "update_file", "a.py\nmend it", "done", sub="sub/001")
    run = write(tmp_path / "outer", [*entries()[:5], *call])
    failed = step(1, "Inside.", "read_file", "b.py", "There is no b.py", status="failed")
    write(tmp_path / "outer/sub/001", [*within()[:3], *failed])
    page = Elements(page_of(run))
    assert page.text("#only") == "everythingthoughts (2)actions (2)errors (1)"


def test_every_link_leads_somewhere(tmp_path: Path) -> None:
    html = page_of(small_run(tmp_path / "small"))
    page = Elements(html)
    ids = [found["id"] for _, found in page.tags if found.get("id")]
    links = {(found.get("href") or "")[1:] for tag, found in page.tags if tag == "a"}
    data = re.search(r'id="prompts">(.*?)</script>', html)
    assert data
    runs = json.loads(data[1])
    prompts = {f"prompt-{place}{n}" for place, run in runs.items() for n in run["tails"]}
    assert len(ids) == len(set(ids))
    assert links <= {*ids, *prompts}


def test_the_policy_lets_only_its_own_script_run(tmp_path: Path) -> None:
    html = page_of(small_run(tmp_path / "small"))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)
    script, style = html.rpartition("<script>")[2], html.partition("<style>")[2]
    hashes = [
        base64.b64encode(hashlib.sha256(source.partition(end)[0].encode()).digest()).decode()
        for source, end in ((style, "</style>"), (script, "</script>"))
    ]
    assert policy
    assert [f"sha256-{one}" for one in hashes] == re.findall(r"sha256-[^&]+", policy[1])
    assert "default-src &#x27;none&#x27;" in policy[1]


def test_only_what_is_ours_is_markup(tmp_path: Path) -> None:
    page = Elements(page_of(RunFolder(attacked_run(tmp_path / "hostile"))))
    assert {tag for tag, _ in page.tags} <= OF_A_RUN
    assert sum(tag == "script" for tag, _ in page.tags) == 2
    attributes = {name for _, found in page.tags for name in found}
    assert not [name for name in attributes if name.startswith("on") or name in ("style", "src")]
    assert {(found["href"] or "")[:1] for _, found in page.tags if "href" in found} == {"#", "d"}


def test_a_prompt_repeats_no_step_that_the_page_shows(tmp_path: Path) -> None:
    value = read_run(small_run(tmp_path / "small"), Redaction())
    made = json.loads(json.dumps(packed(value.prompts, value.story.state.steps)))
    call = "Thought: Where is it?\nAction: read_file\nAction Input: a.py\n"
    assert made["steps"][:2] == [
        [1, 2, 3, None],
        [1, 3, 6, f"{call}Observation: [left out: line 0 of the file (40 lines)]\n"],
    ]


def test_a_place_that_is_no_unicode_can_be_written(tmp_path: Path) -> None:
    value = read_run(small_run(tmp_path / "small"), Redaction())
    prompts = replace(value.prompts, problem="can't read \udcff")
    assert packed(prompts, value.story.state.steps)["problem"] == "can't read <U+DCFF>"


def test_secrets_are_on_no_page(tmp_path: Path) -> None:
    run = write(tmp_path / "secret", [*entries()[:5], Event("hint", "the key is hunter2hunter2")])
    assert "hunter2" not in run_page(read_run(run, Redaction(("hunter2hunter2",))))
