"""The help of each command, with its arguments and options."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from react_agent.cli.options import (
    AnyRuns,
    Attempts,
    BaseUrl,
    CommentOnPull,
    Draft,
    DryRun,
    Fork,
    Into,
    Issue,
    Key,
    ModelName,
    Moved,
    Plain,
    Profile,
    ProfileNamed,
    RemoteName,
    Repository,
    Run,
    Runs,
    Sandbox,
    argument,
    flag,
    option,
)


@dataclass(frozen=True, slots=True)
class Solve:
    """Turn an issue into a branch, or with --pr into a pull request.

    The agent works in a private clone of the base commit. Your checkout, index, stash and
    uncommitted changes are neither used nor touched; a new branch is all that is added.

    \b
    Example:
      react-agent solve issue.md --model openai/gpt-6
      react-agent solve "#12" --pr --model anthropic/NAME
      react-agent solve "x is wrong" --model openai/qwen --base-url http://host/v1
    """

    issue: Issue
    repo: Repository = Path()
    profile: Profile = None
    attempts: Attempts = None


@dataclass(frozen=True, slots=True)
class Resume:
    """Continue a run from whatever its transcript now says.

    The transcript may have been cut or edited; files are put back as its last step left them.

    \b
    Example:
      react-agent resume 2026-11-20-fix --steps 60
    """

    run: Run
    repo: Moved = None


At = Annotated[
    str,
    option("--at", "N", "the last step that is kept, numbered as `react-agent show` does; 0: none"),
]
Say = Annotated[
    str | None,
    option("--say", "WORDS", "what you tell the model at that place"),
]


@dataclass(frozen=True, slots=True)
class ForkRun:
    """Start a new run as an old one was after step N, and continue from there.

    The old run stays as it is. Files are as that step left them, but for those that git ignores.

    \b
    Example:
      react-agent fork 2026-11-20-fix --at 7 --say "look in units.py"
    """

    run: Run
    at: At
    say: Say = None
    profile: Profile = None
    repo: Moved = None


@dataclass(frozen=True, slots=True)
class Replay:
    """Do a run again: its recorded turns, with tools that really run.

    Says at which step a prompt differs from the recorded one. No branch is made.

    \b
    Example:
      react-agent replay 2026-11-20-fix
    """

    run: Run
    repo: Moved = None
    sandbox: Sandbox = None
    plain: Plain = False


@dataclass(frozen=True, slots=True)
class Demo:
    """Watch an agent turn an issue into a branch, in a small repository made for it.

    Only the model's words are recorded; the repository, the tools and the tests are real.

    \b
    Example:
      react-agent demo --dir /tmp/stopwatch
    """

    folder: Annotated[
        Path | None,
        option("--dir", "DIR", "make the repository here: a new folder"),
    ] = None
    sandbox: Sandbox = None
    plain: Plain = False


@dataclass(frozen=True, slots=True)
class Doctor:
    """Check this machine and a model: what is there, what it takes, what to do about the rest.

    The model is asked for one small step, which costs a few hundred tokens. What was learned of
    it is kept for all runs, in endpoints.txt of the cache folder.

    \b
    Example:
      react-agent doctor --model openai/gpt-6
    """

    model: ModelName = None
    base_url: BaseUrl = None
    key: Key = None
    relearn: Annotated[
        bool, flag("--relearn", "forget what was learned of this model, and ask again")
    ] = False
    sandbox: Sandbox = None


def _kinds() -> tuple[str, ...]:
    from react_agent.runs.history import Kind

    return tuple(Kind)


def _outcomes() -> tuple[str, ...]:
    from react_agent.runs.run_folder import OUTCOMES

    return ("failed", *OUTCOMES)


def _sections() -> tuple[str, ...]:
    from react_agent.runs.audit import SECTIONS

    return tuple(SECTIONS)


@dataclass(frozen=True, slots=True)
class Show:
    """Read the transcript of a run, page by page on a terminal.

    \b
    Example:
      react-agent show 2026-11-20-fix
      react-agent show 2026-11-20-fix 7 --diff
      react-agent show 2026-11-20-fix --only errors,repairs
      react-agent show 2026-11-20-fix --step 7
    """

    run: Run
    at: Annotated[str | None, argument("STEP", "the step to begin at")] = None
    full: Annotated[bool, flag("--full", "do not fold long observations")] = False
    only: Annotated[
        str | None,
        option(
            "--only",
            "KINDS",
            "some of thoughts, actions, errors, hidden, repairs, with commas",
            complete=_kinds,
        ),
    ] = None
    search: Annotated[
        str | None,
        option("--search", "WORDS", "the lines that hold it, by step"),
    ] = None
    diff: Annotated[bool, flag("--diff", "what each step changed in the files")] = False
    step: Annotated[
        str | None,
        option("--step", "N", "what the model saw at it, exactly"),
    ] = None
    raw: Annotated[bool, flag("--raw", "the file as it is")] = False
    plain: Plain = False


@dataclass(frozen=True, slots=True)
class Page:
    """Write a run as a page: one file, which needs no network and no program but a browser.

    It holds the transcript, every prompt to the letter, what each step changed, and what it cost.
    Of several runs there is a page each, and an index. What is printed is the one to open.
    With --serve nothing is written: pages are made when this machine asks for them, of all runs
    if none is named, and what a run does appears as it comes.

    \b
    Example:
      react-agent page 2026-11-20-fix --out fix.html
    """

    runs: AnyRuns = None
    out: Annotated[
        Path | None,
        option("--out", "DIR|FILE", "where to; a file's name ends in .html"),
    ] = None
    serve: Annotated[
        bool, flag("--serve", "serve it to a browser here, live while a run goes on")
    ] = False
    port: Annotated[str | None, option("--port", "N", "where to serve it")] = None


SHOWN_RUNS = 20  # where not all are asked for


@dataclass(frozen=True, slots=True)
class ListRuns:
    """List the runs there are, the newest first; or remove those that are not needed.

    A run that goes on is never removed. With the runs go cuts of repositories, below
    the cache folder, that no other run needs.

    \b
    Example:
      react-agent runs --outcome stuck
      react-agent runs prune --older-than 30d --keep 50
    """

    do: Annotated[
        str | None,
        argument("DO", "prune: remove those that the options name", complete=lambda: ("prune",)),
    ] = None
    outcome: Annotated[
        list[str] | None,
        option("--outcome", "WORD", "concluded, failed, running, stuck, ...", complete=_outcomes),
    ] = None
    repo: Annotated[
        Path | None,
        option("--repo", "DIR", "of this repository, or a folder in it"),
    ] = None
    search: Annotated[str, option("--search", "WORDS", "in name, issue, repository or model")] = ""
    older_than: Annotated[
        str | None,
        option("--older-than", "AGE", "nothing was added for 30d, 12h, 2w, ..."),
    ] = None
    every: Annotated[bool, flag("--all", f"every run, and not the newest {SHOWN_RUNS} only")] = (
        False
    )
    keep: Annotated[str | None, option("--keep", "N", "prune: never the newest N")] = None
    yes: Annotated[bool, flag("--yes", "prune: do it, and not only tell what would go")] = False


@dataclass(frozen=True, slots=True)
class Audit:
    """List what a run read, wrote, ran and reached, and what was refused.

    From its transcript alone: a copy of the file will do. Each line begins with the part that it
    belongs to, so that grep finds it. The exit code is 1 where the transcript does not tell all:
    what is not told stands under `missing`.

    \b
    Example:
      react-agent audit 2026-11-20-fix --only ran
    """

    runs: Runs
    only: Annotated[
        str | None,
        option(
            "--only",
            "PART",
            "one of run, read, wrote, ran, reached, refused, missing",
            complete=_sections,
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class SendRun:
    """Send the branch that a run made: push it, and open a pull request or update the one it has.

    Of a run that answers a review: push its commit, and give the answers that are not given yet.

    \b
    Example:
      react-agent pr 2026-11-20-fix --dry-run
    """

    run: Run
    repo: Moved = None
    base: Into = None
    draft: Draft = False
    dry_run: DryRun = False
    fork: Fork = False
    remote: RemoteName = None


@dataclass(frozen=True, slots=True)
class Review:
    """Answer the review of a pull request: change what it asks for, or say why not.

    Works on the branch of the pull request, pushes one commit to it, and answers each thread that
    somebody whose word counts has written to and that is not settled.

    \b
    Example:
      react-agent review 7 --model anthropic/NAME
    """

    pull_request: Annotated[str, argument("PR", "its number, OWNER/REPO#7, or its address")]
    repo: Repository = Path()
    dry_run: DryRun = False
    comment: CommentOnPull = False
    remote: RemoteName = None


@dataclass(frozen=True, slots=True)
class Ci:
    """Do what the event that started a job of GitHub Actions asks for.

    A label on an issue or a comment that begins with the phrase starts work, if whoever set or
    wrote it may push to the repository; whatever else happens starts nothing.

    \b
    Example:
      react-agent ci --model anthropic/NAME
    """

    repo: Repository = Path()
    label: Annotated[str, option("--label", "NAME", "that starts work on an issue")] = "react-agent"
    phrase: Annotated[
        str,
        option("--phrase", "WORD", "that a comment begins with, to start work"),
    ] = "/react-agent"


HOOK_WORDS = ("install", "status", "run", "uninstall")


@dataclass(frozen=True, slots=True)
class Hook:
    """Let commits and pushes ask for runs, in the background.

    A commit whose message says `Agent: fix issues/12.md` queues a run; a branch comes of it.
    `run` works through the queue now, `run HOOK` does what that hook does.

    \b
    Example:
      react-agent hook install post-commit
      react-agent hook status
      react-agent hook run --again 1f2e3d
    """

    do: Annotated[
        str,
        argument("DO", "install, status, run or uninstall", complete=lambda: HOOK_WORDS),
    ]
    hooks: Annotated[
        list[str] | None,
        argument(
            "HOOK...",
            "post-commit, pre-push, post-receive",
            complete=lambda: ("post-commit", "pre-push", "post-receive"),
        ),
    ] = None
    repo: Repository = Path()
    again: Annotated[str | None, option("--again", "JOB", "queue a job that failed once more")] = (
        None
    )
    sandbox: Sandbox = None
    background: Annotated[bool, typer.Option("--background", hidden=True)] = False
    state: Annotated[Path | None, typer.Option("--state", hidden=True)] = None
    top: Annotated[Path | None, typer.Option("--top", hidden=True)] = None


@dataclass(frozen=True, slots=True)
class Repair:
    """Make a patch that a model wrote into one that applies.

    Reads a reply, a diff, or search and replace blocks, from FILE or from standard input. Writes
    the patch as git does; what was mended goes to standard error, a line each. What can't be told
    for certain is refused, and then nothing is written. No file is changed, and no model is asked.

    \b
    Example:
      react-agent repair reply.txt > fixed.patch
      pbpaste | react-agent repair | git apply

    \b
    Exit codes:
      0    the patch is on standard output
      1    refused, for the reasons on standard error
      2    what was asked for can't be done
      3    this machine lacks something
    """

    files: Annotated[
        list[str] | None,
        argument("FILE", "a text with a patch in it; - or nothing: standard input"),
    ] = None
    repo: Annotated[
        Path,
        option("--repo", "DIR", "the repository, or a folder in it, or any folder"),
    ] = Path()


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Serve a model endpoint that you answer by hand: to try an agent, or to see what a model sees.

    It speaks OpenAI's chat and completions, for this machine alone, and says how to run an agent
    with it. Of each prompt it shows what is new. A reply ends with an empty line that is in no
    fence, or with Ctrl-D; what a model may not say, such as the Observation, is cut off. With --dir
    it waits for the file 001.reply beside 001.prompt.

    \b
    Example:
      react-agent endpoint --by-hand
    """

    by_hand: Annotated[bool, flag("--by-hand", "you write the replies")] = False
    port: Annotated[str, option("--port", "N", "where it listens; 0: wherever is free")] = "8765"
    folder: Annotated[
        Path | None,
        option("--dir", "DIR", "prompts and replies are files in here"),
    ] = None


@dataclass(frozen=True, slots=True)
class Profiles:
    """List the profiles; or show one: the whole prompt, and where each setting comes from.

    \b
    Example:
      react-agent inspect profiles
      react-agent inspect profiles small --model openai/qwen3
    """

    name: ProfileNamed = None
    model: ModelName = None


@dataclass(frozen=True, slots=True)
class Tools:
    """List the tools: the ones a model is offered, and the hidden ones that answer all the same.

    `try NAME` reads an input and shows the observation; it works on a copy of the repository that
    is thrown away. `why NAME` says how a name, or a command, is answered and where that is set.

    \b
    Example:
      react-agent inspect tools
      echo README.md:1-10 | react-agent inspect tools try read_file
      react-agent inspect tools why "git push"
    """

    do: Annotated[
        str | None,
        argument("DO", "try, why, or nothing: list them", complete=lambda: ("try", "why")),
    ] = None
    name: Annotated[str | None, argument("NAME", "of a tool")] = None
    profile: Profile = None
    repo: Repository = Path()
    sandbox: Sandbox = None


@dataclass(frozen=True, slots=True)
class Procedures:
    """List the procedures; or check one, and show its states and the ways between them.

    What is wrong in a file is said as FILE:LINE: what was expected, what was found. The setting
    `procedure` makes runs follow one.

    \b
    Example:
      react-agent inspect procedures
      react-agent inspect procedures mine.txt
    """

    name: Annotated[str | None, argument("NAME", "a shipped one or a FILE; none: list them")] = None


@dataclass(frozen=True, slots=True)
class Wishes:
    """List the tools that agents asked for and that do not exist, and what they did then.

    Ends with lines for your settings file that would answer them.

    \b
    Example:
      react-agent inspect wishes
    """

    runs: AnyRuns = None
