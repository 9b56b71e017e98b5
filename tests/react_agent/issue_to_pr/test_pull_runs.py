"""Whole runs: what of a change becomes the branch, its message, and the pull request of it."""

import os
from pathlib import Path
from typing import Any

import pytest
from by_hand import save
from check_rows import table_of
from planted_keys import apart, keys
from replies import DONE, call, noted

from react_agent.issue_to_pr.pull_request import Prepared, issue_of, number_of, prepared
from react_agent.issue_to_pr.target import Target, target_event
from react_agent.models.contract import Completion, View, Why
from react_agent.parsers.transcript.facts import write_list
from react_agent.runs.run_folder import RunFolder
from react_agent.state.state import State

KEY = keys(7)["GitHub, classic"][1]
WORDS = """\
Subject: Accept long names of units
Kind: feat
Problem: Long names were not looked up. Thanks @octocat, fixes #99.
Change: `UNITS` has them now. <img src=x>
Uncertain: Plurals of other languages.
"""
HISTORY = (
    "fix(parsing): refuse an empty text",
    "feat(printing): add a sign for days",
    "docs: write about units",
    "fix(parsing): keep the order of units",
    "fix(cli): print errors in one line",
)


def change(desk: Any) -> str:
    """A line at the top of a file of code."""
    first = (desk.repository / "stopwatch/parsing.py").read_text().split("\n")[0]
    return call(
        "apply_patch",
        f"--- a/stopwatch/parsing.py\n+++ b/stopwatch/parsing.py\n@@ -1 +1,2 @@\n+X = 1\n {first}",
    )


def prepared_of(desk: Any, outcome: Any, **more: Any) -> Prepared:
    return prepared(RunFolder(outcome.folder.path), **more)


LITTER = """\
mkdir build && echo x > build/a.o && echo x > tmp_1.py
ln -s /etc/passwd link && ln -s README.md ok
printf 'TOKEN=KEY\\n' > .env; printf 'KEY\\n' > notes.txt
echo 'X = 1' > kept.py; printf '#!/bin/sh\\n' > run.sh; chmod +x run.sh
git add -A"""


def test_litter_and_keys_do_not_get_in(desk: Any) -> None:
    outcome = desk.solve(change(desk), call("run", LITTER.replace("KEY", apart(KEY))), DONE)
    assert outcome.dropped == (
        ".env holds a GitHub token",
        "build/a.o looks like output that a tool left behind",
        "link is a link to a place outside the repository",
        "notes.txt holds a GitHub token",
        "tmp_1.py looks like a scratch file",
    )
    assert outcome.refused == ()
    told = desk.git("diff", "--raw", "--no-renames", "main", outcome.branch).split("\n")
    assert [(line.split()[1], line.partition("\t")[2]) for line in told] == [
        ("100644", "kept.py"),
        ("120000", "ok"),
        ("100755", "run.sh"),
        ("100644", "stopwatch/parsing.py"),
    ]
    assert [event.text for event in desk.entries if getattr(event, "name", "") == "dropped"] == [
        write_list(outcome.dropped)
    ]


def test_a_key_in_code_keeps_a_branch_here(desk: Any) -> None:
    write = call("write_file", 'stopwatch/api.py\nTOKEN = ""\n')
    key_in = f"echo 'TOKEN = \"{apart(KEY)}\"' > stopwatch/api.py"
    use = call("run", f"{key_in}; echo use stopwatch.api >> README.md")
    outcome = desk.solve(write, use, DONE)
    said = "stopwatch/api.py:1 holds a GitHub token"
    assert (outcome.refused, outcome.is_success) == ((said,), True)
    assert f"- {said}" in outcome.folder.report.read_text()
    made = prepared_of(desk, outcome)
    assert made.refused == (said,)
    assert KEY not in repr(made) + outcome.folder.report.read_text()


def test_a_commit_is_as_the_others_are(desk: Any) -> None:
    for message in HISTORY * 4:
        place = desk.repository / (
            "stopwatch/parsing.py" if "(parsing)" in message else "README.md"
        )
        place.write_text(place.read_text() + "# \n")
        desk.git("commit", "-qam", f"{message}\n\nSigned-off-by: Robin Vale <robin@example.org>")
    people = {"author": "Ada Vale <ada@example.org>", "co_author": ("Rob Vale <rob@example.org>",)}
    desk.settings = people
    outcome = desk.solve(change(desk), DONE)
    assert desk.git("log", "-1", "--format=%an <%ae>|%cn|%B", outcome.branch) == (
        "Ada Vale <ada@example.org>|react-agent|fix(parsing): a title\n\nit is done\n\n"
        "Signed-off-by: Ada Vale <ada@example.org>\nCo-authored-by: Rob Vale <rob@example.org>"
    )


THERE_BEFORE = {
    "setup.py": "import setuptools\n",
    ".gitlab-ci.yml": "a: {script: make}\n",
    "package.json": '{"name": "a", "scripts": {"test": "x"}}\n',
    "web/package.json": '{"name": "b", "scripts": {"test": "x"}, "version": "1"}\n',
    "docs/package.json": '{"name": "c"}\n',
    ".github/workflows/old.yml": "on: push\n",
    ".github/workflows/gone.yml": "on: pull_request\n",
    "tests/conftest.py": "x = 1\n",
}
RUNS_BY_ITSELF = """\
mkdir -p .github/workflows .gitea/workflows examples
echo '# more' >> setup.py; cp setup.py examples; echo '# more' >> tests/conftest.py
echo x > .github/workflows/ci.yml; echo x > .gitea/workflows/ci.yaml; echo x > conftest.py
git mv .github/workflows/old.yml .github/workflows/new.yml; git rm -q .github/workflows/gone.yml
echo 'b: {script: make}' >> .gitlab-ci.yml; echo 'repos: []' > .pre-commit-config.yaml
echo '{"name": "d"}' > package.json
echo '{"scripts": {"test": "x"}, "name": "b", "version": "2"}' > web/package.json
echo '{"name": "c", "scripts": ' > docs/package.json
git add -A"""


def test_what_runs_by_itself_is_named(desk: Any) -> None:
    save(desk.repository, THERE_BEFORE)
    outcome = desk.solve(change(desk), call("run", RUNS_BY_ITSELF), DONE)
    forge = "the forge runs it on a push or a pull request"
    scripts = "npm runs some of its scripts automatically, for example during installation"
    named = (
        "**Runs automatically**\n\n"
        f"- `.gitea/workflows/ci.yaml`: {forge}\n"
        f"- `.github/workflows/ci.yml`: {forge}\n"
        f"- `.github/workflows/new.yml`: {forge}\n"
        f"- `.gitlab-ci.yml`: {forge}\n"
        "- `.pre-commit-config.yaml`: pre-commit runs its hooks on each commit\n"
        "- `conftest.py`: pytest runs it before any test\n"
        f"- `docs/package.json`: {scripts}\n"
        f"- `package.json`: {scripts}\n"
        "- `setup.py`: pip runs it during installation\n"
        f"- `web/package.json`: {scripts}\n\n"
    )
    assert named in prepared_of(desk, outcome).body
    assert named.replace("**Runs automatically**", "## Runs automatically") in (
        outcome.folder.report.read_text()
    )


TESTS = call("run", "python3 -m unittest tests.test_printing")


WANTED = (target_event(Target("", "main", "react-agent/12-a-title", "#12", way=("dry",))),)


def test_a_pull_request_of_words_that_were_asked_for(desk: Any) -> None:
    shown = list[View]()
    words = noted(shown, WORDS)

    outcome = desk.solve(TESTS, change(desk), TESTS, DONE, words, also=WANTED)
    assert "X = 1" in shown[0].task
    assert "it is done" in shown[0].task
    assert desk.git("log", "-1", "--format=%B", outcome.branch) == (
        "Accept long names of units\n\n"
        "Long names were not looked up. Thanks `@octocat`, about #99.\n\n"
        "`UNITS` has them now. <img src=x>"
    )
    assert prepared_of(desk, outcome) == Prepared(
        title="Accept long names of units",
        body=(
            "Long names were not looked up. Thanks `@octocat`, about #99.\n\n"
            "`UNITS` has them now. &lt;img src=x>\n\n"
            "**Tested**\n\n"
            "- `tests: passed`\n- run in a fresh checkout: `true`\n\n"
            "**Uncertain**\n\n- Plurals of other languages.\n\n"
            "Fixes #12\n"
        ),
        is_draft=False,
        branch=outcome.branch,
        base=desk.git("rev-parse", "main"),
        repository=desk.repository,
    )


def test_a_repository_that_is_named_from_here_hides_no_word(
    desk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome = desk.solve(change(desk), " done\nConclusion: it is in the repository")
    monkeypatch.chdir(desk.folder)
    made = prepared_of(desk, outcome, moved=Path("repository"))
    assert made.body.startswith("it is in the repository\n\n")


def test_it_is_asked_once_and_the_answer_is_kept(desk: Any) -> None:
    first = desk.solve(change(desk), DONE, WORDS, also=WANTED)
    text = first.folder.transcript.read_text()
    asked = text.index("%% asked")
    first.folder.transcript.write_text(text[: text.index("\n", asked) + 1])
    second = desk.take_up(first.folder, "nobody asks")
    assert second.subject == "Accept long names of units"
    assert second.folder.transcript.read_text().count("%% asked") == 1


@pytest.mark.parametrize(
    ("words", "pull", "asked"),
    [
        pytest.param("never", True, 0, id="switched off", marks=pytest.mark.slow),
        pytest.param("always", False, 1, id="whatever is wanted"),
    ],
)
def test_a_profile_says_when_it_is_asked(desk: Any, words: str, pull: bool, asked: int) -> None:
    profile = desk.folder / "own.cfg"
    profile.write_text(f"[profile]\nbased on = issue\ngate = off\nwords = {words}\n")
    outcome = desk.solve(
        change(desk), DONE, WORDS, also=WANTED if pull else (), profile=str(profile)
    )
    subject = "Accept long names of units" if asked else "A title"
    assert desk.git("log", "-1", "--format=%s", outcome.branch) == subject
    assert outcome.folder.transcript.read_text().count("%% asked: for=pull ") == asked


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param("I have done it.", id="no label"),
        pytest.param(Completion("", Why.REFUSAL), id="refused", marks=pytest.mark.slow),
    ],
)
def test_without_words_the_conclusion_has_to_do(desk: Any, answer: Any) -> None:
    made = prepared_of(desk, desk.solve(change(desk), DONE, answer, also=WANTED))
    assert (made.title, made.refused) == ("A title", ())
    assert made.body.startswith("it is done\n\n**Tested**\n\n- `tests: passed`\n")


def test_what_became_of_the_branch_since_counts(desk: Any) -> None:
    outcome = desk.solve(change(desk), DONE)
    assert prepared_of(desk, outcome).refused == ()
    desk.git("checkout", "-q", outcome.branch)
    save(desk.repository, {"mine.py": f'X = "{KEY}"\n'})
    assert prepared_of(desk, outcome).refused == ("mine.py:1 holds a GitHub token",)
    assert "\n- the branch was changed after the run\n" in prepared_of(desk, outcome).body
    desk.git("checkout", "-q", "main")
    desk.git("branch", "-qD", outcome.branch)
    gone = f"the branch {outcome.branch} does not exist any more, or no longer contains its base"
    assert prepared_of(desk, outcome).refused == (gone,)


@table_of(
    ("said", "ending"),
    [("I give up because it is late", "gave_up"), ("It works as it is.", "no_change")],
)
def test_a_run_without_a_branch_has_no_pull_request(desk: Any, said: str, ending: str) -> None:
    outcome = desk.solve(f" no\nConclusion: {said}")
    assert (outcome.branch, outcome.is_success) == ("", False)
    assert desk.git("branch", "--format=%(refname:short)") == "main"
    made = prepared_of(desk, outcome)
    assert made.refused == (f"the run made no branch: it ended as {ending}",)


def test_a_body_holds_no_key_and_no_place_of_this_machine(desk: Any) -> None:
    said = f" x\nConclusion: {KEY} stopwatch/parsing {desk.repository} '```' '</details>'"
    body = prepared_of(desk, desk.solve(change(desk), said), known=["stopwatch/parsing"]).body
    assert body.startswith("[redacted: GitHub token] [redacted: secret variable] … ")
    assert str(desk.folder) not in body


@table_of(
    "command",
    {
        "whether they pass is not known": "false",
        "they fail with it": "! grep -q 'X = 1' stopwatch/parsing.py",
    },
)
def test_a_draft(desk: Any, command: str) -> None:
    save(desk.repository, {".react-agent.cfg": f"[react_agent]\ntest = {command}\n"})
    assert prepared_of(desk, desk.solve(change(desk), DONE)).is_draft is True


def test_a_page_alone_needs_no_tests(desk: Any) -> None:
    save(desk.repository, {".react-agent.cfg": "[react_agent]\ntest = false\n"})
    made = prepared_of(desk, desk.solve(call("write_file", "docs/more.md\nMore.\n"), DONE))
    assert (made.is_draft, made.refused) == (False, ())
    assert "`tests: not known: exit code 1, with and without the change`\n" in made.body
    assert "- no code was changed\n" in made.body


@pytest.mark.slow
def test_what_the_repository_wants_of_a_commit_is_looked_at(
    desk: Any, programs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    hooks = (
        "repos:\n- repo: local\n  hooks:\n"
        "  - {id: mine, name: mine, language: system, entry: sed -i s/X/Y/, files: parsing}\n"
        "  - {id: lines, name: lines, language: pygrep, entry: '^[XY] = 1', files: parsing}\n"
    )
    save(desk.repository, {".pre-commit-config.yaml": hooks})
    outcome = desk.solve(change(desk), DONE, WORDS, also=WANTED)
    assert outcome.checks == ("mine: fixed: changed stopwatch/parsing.py", "lines: failed")
    assert desk.git("show", f"{outcome.branch}:stopwatch/parsing.py").startswith("Y = 1\n")
    assert b"+Y = 1" in outcome.folder.patch.read_bytes()
    made = prepared_of(desk, outcome)
    assert (made.is_draft, made.refused) == (True, ())
    assert "- mine: fixed: changed stopwatch/parsing.py\n- lines: failed\n" in made.body


ODD = """\
python3 - <<'END'
open('a\\nb.txt', 'w').write('KEY')
open('\\x1b"ü.py', 'w').write('KEY')
END
git add -A"""


@pytest.mark.slow
def test_odd_names_stay_on_one_line(desk: Any) -> None:
    in_two = f"{KEY[:9]}' + '{KEY[9:]}"  # a whole one is taken out of a reply
    outcome = desk.solve(change(desk), call("run", ODD.replace("KEY", in_two)), DONE)
    assert outcome.dropped == ("a\\nb.txt holds a GitHub token",)
    assert outcome.refused == ('<U+001B>"ü.py:1 holds a GitHub token',)
    assert prepared_of(desk, outcome).refused == outcome.refused
    assert desk.git("diff", "--name-only", "-z", "main", outcome.branch).count("\0") == 2


@table_of(
    ("header", "closes", "number"),
    {
        "none": ({}, "", 0),
        "an issue": ({"issue": "#12"}, "#12", 12),
        "a pull request": ({"issue": "!12"}, "", 0),
        "something else": ({"issue": "<b>#12"}, "", 0),
        "as it is written where the change goes": (
            {"issue": "https://h.org/a/b/issues/12", "target": "into=main branch=x issue=#12"},
            "#12",
            12,
        ),
        "of another repository": (
            {"issue": "#12", "target": "into=main branch=x issue=a/b#12"},
            "a/b#12",
            0,
        ),
    },
)
def test_which_issue(header: dict[str, str], closes: str, number: int) -> None:
    state = State(header=header)
    assert (str(issue_of(state) or ""), number_of(state)) == (closes, number)
