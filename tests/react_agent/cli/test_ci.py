"""A job of CI: started by an event, done by the action's own script, at a forge of ours."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from ci_pages import EXPRESSION, gitlab, inputs, read_yaml, review, steps
from demo_recording import BUNDLED
from hosting import GITHUB_TOKEN, Site, hosting
from job_log import orders_followed
from loopback import Fault
from reviewed import reviewed

pytestmark = pytest.mark.checkout

SCRIPT = Path(sys.executable).with_name("react-agent")
ISSUE = "It is read as seconds."
PULL = "react-agent/12-90-min-is-read-as-90-seconds"


@dataclass
class Job:
    """A runner of GitHub Actions."""

    cli: Any
    site: Site
    folder: Path

    def event(self, **changes: Any) -> None:
        event = {"action": "labeled", "label": {"name": "react-agent"}, "issue": {"number": 12}}
        here = {"sender": {"login": "me"}, "repository": {"full_name": self.site.path}}
        self.write(json.dumps({**event, **here, **changes}).encode())

    def comment(self, words: str, number: int, *, is_pull: bool, by: str = "me") -> None:
        issue = {"number": number, **({"pull_request": {}} if is_pull else {})}
        self.event(
            action="created",
            comment={"body": words, "user": {"login": by}},
            issue=issue,
            sender={"login": by},
        )

    def write(self, event: bytes) -> None:
        (self.folder / "event.json").write_bytes(event)

    def environment(self, kind: str) -> dict[str, str]:
        """As the runner makes it; the files are its way to be told something."""
        return {
            "GITHUB_EVENT_NAME": kind,
            "GITHUB_EVENT_PATH": str(self.folder / "event.json"),
            "GITHUB_REPOSITORY": self.site.path,
            "GITHUB_SERVER_URL": self.site.server.url,
            "GITHUB_OUTPUT": str(self.folder / "output"),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
            "RUNNER_TEMP": str(self.folder),
            "REACT_AGENT_SANDBOX": "none",
        }

    def run(self, kind: str, **changed: str) -> "subprocess.CompletedProcess[str]":
        """The action's own script, as a runner starts it."""
        given = {name: one.get("default", "") for name, one in inputs().items()}
        given |= {"token": GITHUB_TOKEN, "model": f"replay/{BUNDLED}", **changed}
        variables = {
            name: EXPRESSION.sub(lambda found: given[found[1].removeprefix("inputs.")], value)
            for name, value in steps()[1]["env"].items()
        }
        environment = {**self.environment(kind), **variables}
        return bash(steps()[1]["run"], self.cli.folder / "repository", environment)

    def __call__(self, kind: str = "issues", *options: str) -> Any:
        """The command, in this process."""
        self.cli.environment = {**self.environment(kind), "GITHUB_TOKEN": GITHUB_TOKEN}
        return self.cli("ci", "--repo", "repository", "--model", "x/y", *options)

    def told(self, name: str) -> str:
        place = self.folder / name
        return place.read_text(encoding="utf-8") if place.exists() else ""


def bash(
    script: str, folder: Path, variables: Mapping[str, str]
) -> "subprocess.CompletedProcess[str]":
    place = folder.parent / "script"
    place.write_text(script, encoding="utf-8")
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(place)],
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
    )


@pytest.fixture
def job(cli: Any, repository: Path, tmp_path: Path) -> Iterator[Job]:
    folder = tmp_path / "runner"
    (folder / "react-agent/bin").mkdir(parents=True)
    (folder / "react-agent/bin/react-agent").symlink_to(SCRIPT)
    with hosting("github", tmp_path / "served", repository) as site:
        cli.git("remote", "add", "origin", site.url)
        site.issue(12, '"90 min" is read as 90 seconds', ISSUE)
        yield Job(cli, site, folder)


@pytest.mark.slow
def test_a_label_makes_a_pull_request(job: Job) -> None:
    job.event()
    done = job.run("issues")
    assert (done.returncode, done.stderr) == (0, "")
    [request] = job.site.requests()
    assert (request.branch, request.base) == (PULL, "trunk")
    assert job.told("output") == f"pull-request={job.site.server.url}/{job.site.path}/pull/13\n"
    assert job.told("summary").startswith("# ")
    assert GITHUB_TOKEN not in done.stdout + job.told("summary") + job.told("output")


@pytest.mark.slow
@pytest.mark.parametrize("phrase", ["/react-agent", "!bot"])
def test_a_comment_has_a_review_answered(job: Job, phrase: str) -> None:
    pull = reviewed(job.site)
    talk = pull.on_line("Why?", "stopwatch/parsing.py", 7)
    pull.reply(talk, phrase)  # which is no event that starts anything
    pull.below(phrase)
    job.comment(phrase, pull.number, is_pull=True)
    model = job.cli.record(("list_files", ""))
    done = job.run("issue_comment", model=f"replay/{model}", minutes="08", phrase=phrase)
    assert (done.returncode, done.stderr) == (0, "")
    assert pull.answers() == ["it is done\n\nreact-agent\n\n<!-- react-agent -->"]
    address = f"{job.site.server.url}/{job.site.path}/pull/{pull.number}"
    assert job.told("output") == f"pull-request={address}\n"
    again = job.run("issue_comment", model=f"replay/{model}", phrase=phrase)
    assert (again.returncode, len(pull.answers())) == (0, 1)


@pytest.mark.slow
def test_a_run_that_fails_says_so_below_the_issue(job: Job) -> None:
    job.event()
    model = job.cli.record(("list_files", ""))  # concludes without a change
    assert job.run("issues", model=f"replay/{model}").returncode == 1
    [comment] = job.site.fake.repositories[job.site.path].comments[12]
    assert comment["body"].startswith("The agent did not solve this:")
    assert (job.site.requests(), job.told("output")) == ([], "")
    assert job.told("summary")


@pytest.mark.slow
def test_a_result_that_the_forge_refuses_is_in_the_summary(job: Job) -> None:
    job.event()
    job.site.server.plant("POST */pulls", Fault(403, {"message": "no"}))
    done = job.run("issues")
    assert (done.returncode, job.told("output")) == (1, "")
    assert job.told("summary").startswith("# ")


@pytest.mark.slow
@pytest.mark.attack("orders to the runner of a job, in its log", by="issue", wall="publishing")
@pytest.mark.attack("a picture and HTML on the page of a job", by="issue", wall="escaping")
def test_nothing_printed_is_an_order_to_the_runner(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders = "::set-output name=pull-request::https://evil.example/1\n::add-mask::a\n</code>"
    job.site.issue(13, "<b>Orders</b> ![x](https://evil.example)", orders)
    job.event(issue={"number": 13})
    model = job.cli.record(("list_files", ""))
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    out = job.run("issues", model=f"replay/{model}").stdout
    assert "::set-output name=pull-request::https://evil.example/1" in out.splitlines()
    assert list(orders_followed(out)) == []
    page = job.told("summary")
    assert page.startswith("# &lt;b>Orders&lt;/b> [x](https://evil.example)\n\n```text\n")
    assert (page.endswith("\n```\n"), job.told("output")) == (True, "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        ({"minutes": "a[$(touch here)]"}, 2, "minutes: a whole number, not a[$(touch here)]\n"),
        ({"minutes": ""}, 2, "minutes: a whole number, not \n"),
        (
            {"phrase": " "},
            2,
            "react-agent: --label and --phrase must not be empty: every event would start work\n",
        ),
        (
            {"label": "$(touch here)`touch here`"},
            0,
            "nothing to do: no label '$(touch here)`touch here`' was set on issue 12\n",
        ),
    ],
    ids=["minutes that are a script", "no minutes", "no phrase", "a label that is a script"],
)
def test_inputs_of_the_script(job: Job, given: dict[str, str], code: int, said: str) -> None:
    job.event()
    done = job.run("issues", **given)
    assert (done.returncode, done.stderr) == (code, said)
    assert not (job.cli.folder / "repository/here").exists()
    assert job.cli.runs == []


@pytest.mark.parametrize(
    ("by", "path"),
    [("eve", "ann/stopwatch"), ("github-actions[bot]", "ann/stopwatch")],
    ids=["a template sets it for a stranger", "an app"],
)
def test_whoever_may_not_push_starts_nothing(job: Job, by: str, path: str) -> None:
    job.event(sender={"login": by}, author_association="OWNER")
    answer = job()
    said = f"nothing is started: {by} may not push to {path}\n"
    assert (answer.code, answer.out, answer.err) == (0, "", said)
    assert (job.cli.runs, job.told("output"), job.told("summary")) == ([], "", "")


@pytest.mark.slow
def test_an_event_that_is_none(job: Job) -> None:
    place = job.folder / "event.json"
    missing = job()
    job.write(b"\xff\0{")
    assert [(one.code, one.err) for one in (missing, job())] == [
        (2, f"react-agent: can't read the event {place}: No such file or directory\n"),
        (0, "nothing to do: the event is not JSON\n"),
    ]


def test_no_job(cli: Any, repository: Path) -> None:
    cli.environment["GITHUB_EVENT_NAME"] = "issues"
    names = "GITHUB_EVENT_PATH, GITHUB_REPOSITORY, GITHUB_SERVER_URL"
    line = f"this is not a GitHub Actions job: such a job sets {names}"
    assert cli.refused("ci", "--repo", "repository", "--model", "x/y") == (2, line)


@pytest.mark.slow
def test_who_may_is_not_guessed_where_the_forge_does_not_say(job: Job) -> None:
    job.event()
    job.site.server.plant("GET */permission", Fault(403, {"message": "no"}))
    answer = job()
    assert answer.code == 2
    assert answer.err.startswith(
        f"react-agent: {job.site.server.host}: can't read the rights of me of ann/stopwatch: "
    )


@pytest.mark.slow
def test_the_jobs_of_gitlab(cli: Any, repository: Path, tmp_path: Path) -> None:
    [job] = read_yaml(gitlab()).values()
    solve = str(job["script"][-1])
    with hosting("gitlab", tmp_path / "served", repository) as site:
        site.issue(12, '"90 min" is read as 90 seconds', ISSUE)
        pull = reviewed(site)
        pull.on_line("Why?", "stopwatch/parsing.py", 7)
        cli.git("remote", "add", "origin", site.url.replace("://", "://gitlab-ci-token:x@"))
        variables = {
            "CI_SERVER_URL": site.server.url,
            "GITLAB_TOKEN": site.token,
            "MODEL_KEY": "a-key",
            "REACT_AGENT_SANDBOX": "none",
        }
        model = {"MODEL": _with_key(BUNDLED, tmp_path), "ISSUE": "12"}
        done = bash(_here(solve), repository, {**variables, **model})
        assert (done.returncode, done.stderr) == (0, "")
        assert [request.branch for request in site.requests()] == ["faster", PULL]
        recorded = cli.record(("list_files", ""))
        other = {"MODEL": _with_key(recorded, tmp_path), "MERGE_REQUEST": "4"}
        done = bash(_here(review()), repository, {**variables, **other})
        assert (done.returncode, done.stderr) == (0, "")
        assert pull.answers() == ["it is done\n\nreact-agent\n\n<!-- react-agent -->"]


def _with_key(transcript: Path, folder: Path) -> str:
    """A replay has no key: it is a part of the name of its file."""
    place = folder / transcript.name
    Path(f"{place} key=MODEL_KEY").write_bytes(transcript.read_bytes())
    return f"replay/{place}"


def _here(line: str) -> str:
    """The same, of what is installed here."""
    assert line.startswith("/tmp/react-agent/bin/react-agent ")
    return line.replace("/tmp/react-agent/bin/react-agent", str(SCRIPT), 1)
