"""The queue is worked off: nothing is lost, nothing is done twice, and what came of it is said."""

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from by_hand import files_of_at_most, write
from replies import interrupt

from react_agent.errors import MachineError, ModelError, UsageError
from react_agent.hook.queue import LOCK, Spool, again
from react_agent.hook.worker import MOST_TRIES, Worker, work
from react_agent.parsers.transcript.hook_files import Job, Kind, write_job
from react_agent.profiles.settings import HookPolicy
from react_agent.runs.commands import Surroundings
from react_agent.testing import Reply
from react_agent.tools.disk import locked

WRITES = "Thought: do it\nAction: write_file\nAction Input: {name}\nhello\n"
ENDS = "Thought: done\nConclusion: it is done\n"


def refuses(view: object) -> str:
    raise ModelError("no connection: refused")


@dataclass
class Queue:
    """A repository, what its hook asks for, and a worker with a scripted model."""

    desk: Any
    policy: HookPolicy = field(default_factory=HookPolicy)
    said: list[str] = field(default_factory=list)
    day: int = 1

    @property
    def spool(self) -> Spool:
        spool = Spool(self.desk.repository / ".git" / "react-agent")
        spool.make()
        return spool

    def ask(self, message: str, *options: str) -> str:
        """As the script does."""
        who = ("-c", "user.name=A", "-c", "user.email=a@b")
        self.desk.git(*who, "commit", "--quiet", "--allow-empty", "-m", message, *options)
        commit = str(self.desk.git("rev-parse", "HEAD"))
        text = f"hook: post-commit\ncommit: {commit}\ntop: {self.desk.repository}\n"
        (self.spool.root / "asked" / commit).write_text(text)
        return commit

    def work(self, *replies: Reply) -> bool:
        @contextlib.contextmanager
        def opened(log: Path) -> Iterator[Surroundings]:
            around = self.desk.around(*replies)
            yield replace(around, settings=replace(around.settings, model="script"))

        def now() -> datetime:
            return datetime(2026, 5, self.day, 12, tzinfo=UTC)

        return work(Worker(self.spool, self.policy, opened, now, lambda: 0.0, self.said.append))

    def ends(self) -> list[tuple[str, str]]:
        return [(job.words, job.ended) for job in self.spool.jobs("done")]

    @property
    def branches(self) -> list[str]:
        refs = self.desk.git("for-each-ref", "--format=%(refname:short)", "refs/heads/react-agent")
        return list(refs.split())

    @property
    def runs(self) -> list[str]:
        return sorted(path.name for path in (self.desk.folder / "runs").glob("*"))

    @property
    def news(self) -> str:
        return "".join(path.read_text() for path in sorted((self.spool.root / "news").iterdir()))


@pytest.fixture
def queue(desk: Any) -> Queue:
    return Queue(desk)


def test_a_commit_becomes_a_branch(queue: Queue) -> None:
    before = queue.desk.git("status", "--porcelain")
    commit = queue.ask("Add it\n\nAgent: write a greeting")
    assert queue.work(WRITES.format(name="a.txt"), ENDS)
    branch = "react-agent/write-a-greeting-t0"
    [job] = queue.spool.jobs("done")
    assert (job.ended, job.branch, job.said) == ("done", branch, f"branch {branch}")
    assert queue.branches == [branch]
    assert queue.desk.git("log", "-1", "--format=%P", branch) == commit
    assert queue.news == f"react-agent: write a greeting ({commit[:7]}): branch {branch}\n"
    assert queue.desk.git("status", "--porcelain") == before
    assert queue.work()
    assert len(queue.runs) == 1


@pytest.mark.slow
@pytest.mark.parametrize("path", ["issues/9.md", "../../etc/passwd.txt", ":(top)a.md"])
def test_a_file_that_is_not_there_ends_its_job_only(queue: Queue, path: str) -> None:
    commit = queue.ask(f'Two\n\nAgent: fix "{path}"\nAgent: say hello')
    queue.work(WRITES.format(name="a.txt"), ENDS)
    assert queue.ends() == [(path, "failed"), ("say hello", "done")]
    line = f"no branch: the commit {commit[:7]} has no file {path}: add it and amend the commit"
    assert queue.spool.jobs("done")[0].said == line


@pytest.mark.slow
def test_the_same_once_more_is_no_second_run(queue: Queue) -> None:
    """A commit that is amended or rebased keeps its author and his time."""
    queue.ask("Agent: say hello")
    queue.work(WRITES.format(name="a.txt"), ENDS)
    queue.ask("Agent: say hello\n\nAnd more words", "--amend")
    queue.work()
    queue.ask("Agent: say good bye", "--amend")
    queue.work(WRITES.format(name="b.txt"), ENDS)
    assert queue.ends() == [("say hello", "done"), ("say good bye", "done")]


@pytest.mark.slow
def test_a_file_that_was_forgotten_can_be_added(queue: Queue) -> None:
    queue.ask("Agent: fix 1.md")
    queue.work()
    (queue.desk.repository / "1.md").write_text("# One\n")
    queue.desk.git("add", ".")
    queue.ask("Agent: fix 1.md", "--amend")
    queue.work(WRITES.format(name="a.txt"), ENDS)
    assert queue.ends() == [("1.md", "failed"), ("1.md", "done")]


@pytest.mark.slow
def test_a_model_that_is_not_there(queue: Queue) -> None:
    queue.ask("Agent: say hello")
    queue.work(WRITES.format(name="a.txt"), refuses)
    [job] = queue.spool.jobs("done")
    report = queue.desk.folder / "runs" / job.run / "report.md"
    said = f"no branch: model_failed: no connection: refused; {report}"
    assert (job.ended, job.said, report.exists()) == ("failed", said, True)
    assert queue.news.endswith(f"again: react-agent hook run --again {job.key}\n")
    again(queue.spool, job.key[:5], lambda one: False)
    queue.work(ENDS)
    assert (queue.ends(), len(queue.runs)) == ([("say hello", "done")], 1)


@pytest.mark.slow
def test_an_interrupted_run_is_gone_on_with(queue: Queue) -> None:
    queue.ask("Agent: say hello")
    queue.ask("Agent: say more")
    queue.work(WRITES.format(name="a.txt"), interrupt)
    assert (queue.ends(), len(queue.spool.jobs("work")), queue.news) == ([], 1, "")
    queue.work(ENDS)
    assert [end for _, end in queue.ends()] == ["done", "unchanged"]  # the script begins anew
    assert len(queue.runs) == 2


@pytest.mark.slow
def test_a_job_that_has_ended_is_put_away_and_not_done_again(queue: Queue) -> None:
    queue.ask("Agent: say hello")
    queue.work(ENDS)
    [job] = queue.spool.jobs("done")
    queue.spool.move(job, "done", "work")
    queue.work()
    assert (queue.spool.jobs("done"), queue.runs) == ([job], [job.run])


@pytest.mark.slow
def test_a_run_that_the_machine_ended_is_gone_on_with(queue: Queue) -> None:
    queue.ask("Agent: say hello")

    def lacks(view: object) -> str:
        raise MachineError("no space left")

    with pytest.raises(MachineError, match=r"^no space left; nothing is lost: "):
        queue.work(WRITES.format(name="a.txt"), lacks)
    [job] = queue.spool.jobs("work")
    assert (queue.runs, job.tries) == ([job.run], "0")
    queue.work(ENDS)
    assert (queue.ends(), queue.runs) == ([("say hello", "done")], [job.run])


@pytest.mark.slow
def test_what_cuts_its_worker_off_each_time_is_given_up(queue: Queue) -> None:
    queue.ask("Agent: say hello")

    def dies(view: object) -> str:
        raise SystemExit

    for _ in range(3):
        with pytest.raises(SystemExit):
            queue.work(dies)
    queue.work()
    line = "no branch: it was started 3 times, and interrupted each time"
    assert [job.said for job in queue.spool.jobs("done")] == [line]
    assert len(queue.runs) == 1


@pytest.mark.slow
def test_a_day_has_a_budget(queue: Queue) -> None:
    queue.policy = HookPolicy(runs=1)
    for number in range(2):
        queue.ask(f"Agent: say {number}")
    queue.work(WRITES.format(name="a.txt"), ENDS)
    assert queue.ends() == [("say 0", "done")]
    line = "1 job must wait until tomorrow: today's budget has been spent"
    assert f"react-agent: {line}\n" in queue.news
    assert queue.said[-1] == line
    queue.day = 2
    queue.work(WRITES.format(name="a.txt"), ENDS)
    assert queue.ends() == [("say 0", "done"), ("say 1", "done")]


@pytest.mark.slow
def test_one_worker_at_a_time(queue: Queue) -> None:
    queue.ask("Agent: say hello")
    with locked(queue.spool.root / LOCK, wait=False) as is_ours:
        assert (is_ours, queue.work()) == (True, False)
    assert queue.work(WRITES.format(name="a.txt"), ENDS)


@pytest.mark.parametrize("text", ["", "hook: x\n", "hook: post-commit\ncommit: x\ntop: /\n", "\0"])
def test_a_request_that_makes_no_sense_is_dropped_and_said(queue: Queue, text: str) -> None:
    write(queue.spool.root, {"asked/odd": text, "queue/odd": "odd"})
    assert queue.work()
    assert queue.spool.requests() == []
    assert [line.partition(":")[0] for line in queue.said] == ["the request odd is not used"]


def test_a_full_disk_loses_nothing(queue: Queue) -> None:
    queue.ask("Agent: say hello")
    with files_of_at_most(10):
        for _ in range(MOST_TRIES + 1):  # which are none
            with pytest.raises((MachineError, OSError), match="File too large"):
                queue.work(WRITES.format(name="a.txt"), ENDS)
    queue.work(WRITES.format(name="a.txt"), ENDS)
    assert (queue.ends(), len(queue.branches)) == ([("say hello", "done")], 1)


@pytest.mark.slow
def test_a_worker_killed_once_all_is_done_does_nothing_again(queue: Queue) -> None:
    """Between the end of the run and the moment when that was written down."""
    queue.ask("Agent: say hello")
    queue.work(WRITES.format(name="a.txt"), ENDS)
    [job] = queue.spool.jobs("done")
    queue.spool.write("work", replace(job, ended="", said="", branch="react-agent/say-hello-t0"))
    (queue.spool.root / "done" / job.key).unlink()
    queue.work()
    assert queue.spool.jobs("done") == [replace(job, tries="2")]
    assert (len(queue.runs), len(queue.branches)) == (1, 1)


@pytest.mark.parametrize("start", ["", "zz", "k"])
def test_no_such_job(queue: Queue, start: str) -> None:
    for key in ("k1", "k2"):
        queue.spool.write("queue", Job(key, "post-commit", "text", "x", "0" * 40, "/"))
        (queue.spool.root / "queue" / key).rename(queue.spool.root / "done" / key)
    many = "2 jobs begin" if start == "k" else "no finished job begins"
    with pytest.raises(UsageError, match=f"^{many} with '{start}': react-agent hook status$"):
        again(queue.spool, start, lambda job: True)


def test_what_is_no_job_is_left_where_it_is(queue: Queue) -> None:
    """Somebody has edited it, or put something there."""
    root = queue.spool.root
    job = write_job(Job("k", "post-commit", Kind.TEXT, "x", "0" * 40, "/", text="x"))
    places = [root / "queue" / name for name in ("k", "half", "folder", "pipe", "link")]
    places[0].write_text(job.replace("0" * 40, "--all"))
    places[1].write_bytes(job.encode()[:20] + b"\0\xff")
    places[2].mkdir()
    os.mkfifo(places[3])
    places[4].symlink_to("k")
    (root / "asked" / "folder").mkdir()
    os.mkfifo(root / "asked" / "pipe")
    assert queue.work()
    assert (queue.runs, queue.news, queue.said) == ([], "", [])
    assert sorted(queue.spool.root.joinpath("queue").iterdir()) == sorted(places)
