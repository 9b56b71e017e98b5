"""From an issue at a forge to an open pull request whose branch passes the repository's tests."""

from pathlib import Path

import pytest
from at_forge import BRANCH, AtForge

pytestmark = pytest.mark.slow
BODY = """\
`parse_duration` allowed no space before a unit and took every unit it did not know for seconds, \
so "90 min" became 90 seconds. It now reads a space and the long names that units.py already had, \
and raises ValueError for any other unit ("5 days"). I assumed that days should be an error, as \
the issue says, and not a new unit. Tested with `python3 -m unittest`: the failing test passes, \
and two new tests cover the long names and the unreadable units.

**Tested**

- `tests: 8 passed; 2 new tests (test_units_written_out, test_a_unit_that_cannot_be_read): all \
fail without the change, pass with it; test_parsing.TestParsing.test_a_space_before_the_unit \
failed before and passes now`
- run in a fresh checkout: `python3 -m unittest -q`

Fixes #12
"""


def test_an_issue_becomes_a_pull_request(desk: AtForge, tmp_path: Path) -> None:
    before = desk.cli.git("for-each-ref"), desk.cli.git("status", "--porcelain")
    desk.solve("--pr").ends_well()
    request = desk.request
    assert (request.title, request.branch) == ('"90 min" is read as 90 seconds', BRANCH)
    assert (request.base, request.is_draft) == ("trunk", False)
    assert request.body == BODY
    assert str(tmp_path) not in request.body
    assert (desk.tests_there("trunk"), desk.tests_there(BRANCH)) == (1, 0)
    log = desk.site.git("log", "--format=%cn: %an: %s", f"trunk..{BRANCH}")
    assert log == 'react-agent: react-agent: "90 min" is read as 90 seconds'
    made = f"{desk.site.head(BRANCH)} commit\trefs/heads/{BRANCH}"
    after = desk.cli.git("for-each-ref"), desk.cli.git("status", "--porcelain")
    refs = sorted((made, *before[0].split("\n")), key=lambda line: line.partition("\t")[2])
    assert after == ("\n".join(refs), before[1])


def test_a_second_run_takes_the_place_of_the_first(desk: AtForge) -> None:
    """Though the issue has another title by then."""
    desk.solve("--pr")
    first = desk.site.head(BRANCH)
    desk.site.issue(12, "Blanks before units", "They are not read.")
    desk.solve("--pr", model=desk.adds()).ends_well()
    assert (desk.request.title, desk.request.branch) == ("Blanks before units", BRANCH)
    assert desk.request.body.startswith(
        "it is done\n\n**Tested**\n\n- `tests: 1 failed, 5 passed; "
    )
    assert desk.site.head(BRANCH) != first
    assert desk.site.git("log", "--format=%s", f"trunk..{BRANCH}") == "Blanks before units"
    assert desk.cli.git("rev-parse", f"{BRANCH}-2") == desk.site.head(BRANCH)


def test_a_run_goes_on_from_commits_of_somebody_else(desk: AtForge) -> None:
    desk.solve("--pr")
    theirs = desk.site.commit(BRANCH, "theirs.txt")
    out = desk.solve("--pr", model=desk.adds()).ends_well()
    assert f"{BRANCH} has commits of others at {desk.site.url}: the run continues from them" in out
    assert desk.site.git("rev-parse", f"{BRANCH}^") == theirs
    assert desk.site.git("show", f"{BRANCH}:NOTES.md") == "A blank may stand before a unit."
    assert desk.request.branch == BRANCH


def test_commits_that_came_during_the_run_stay(desk: AtForge) -> None:
    desk.solve("--pr", "--dry-run")
    theirs = desk.site.commit(BRANCH, "theirs.txt")
    assert desk.refused("pr", desk.run) == (
        f"{BRANCH} at {desk.site.url} has a commit that is not ours: {theirs[:10]} by A Developer "
        "(Save theirs.txt); it was not changed: delete or rename it there, then try again"
    )
    assert desk.site.head(BRANCH) == theirs
    assert desk.site.requests() == []


def test_by_a_fork(desk: AtForge) -> None:
    """Also a second time, when somebody else has committed to its branch."""
    site = desk.site
    assert desk.solve("--pr", "--fork").code == 0
    assert (site.has(BRANCH), desk.tests_there(BRANCH, site.fork_path)) == (False, 0)
    assert (desk.request.branch, desk.request.base) == (BRANCH, "trunk")
    theirs = desk.site.commit(BRANCH, "theirs.txt", site.fork_path)
    desk.solve("--pr", "--fork", model=desk.adds()).ends_well()
    assert site.git("rev-parse", f"{BRANCH}^", path=site.fork_path) == theirs
    assert desk.request.body.startswith("it is done\n")
    assert not site.has(BRANCH)


def test_where_no_tests_can_run(desk: AtForge, repository: Path) -> None:
    desk.cli.git("rm", "-qr", ".react-agent.cfg", "tests")
    desk.cli.git("commit", "-qm", "Have no tests")
    desk.cli.git("push", "-q", str(desk.site.repositories.place(desk.site.path)), "HEAD:trunk")
    adds = desk.cli.record(("write_file", "stopwatch/more.py\nMORE = 1\n"))
    assert desk.solve("--pr", model=adds).code == 0
    assert "\n- `tests: not known: the tests can't be run: no test command" in desk.request.body
    assert "no test was run" not in desk.request.body
    assert desk.request.is_draft
