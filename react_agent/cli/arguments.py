"""The help of each command, with its arguments and options.

The classes have no `__eq__` and no `__repr__`: nothing uses them, and every start would make them.
"""

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
    OneRun,
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


@dataclass(eq=False, repr=False)
class Solve:
    """Turn an issue into a branch, or with --pr into a pull request.

    The agent works in a private clone of the base commit. It does not use or change your
    checkout, index, stash or uncommitted changes. It only adds a new branch.

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


@dataclass(eq=False, repr=False)
class Chat:
    """Talk with a model about a repository: ask questions, request changes, undo them.

    The conversation is one run. It works in a private clone of the last commit, as `solve`
    does. Without a terminal, it sends each line of standard input and prints the answers.

    \b
    Example:
      react-agent chat --model openai/gpt-6
      react-agent chat last
    """

    run: OneRun = None
    repo: Repository = Path()
    profile: Profile = None


@dataclass(eq=False, repr=False)
class Resume:
    """Continue a run from the current contents of its transcript.

    You may have cut or edited the transcript. The files are restored to the state after its
    last step.

    \b
    Example:
      react-agent resume 2026-11-20-fix --steps 60
    """

    run: Run
    repo: Moved = None


At = Annotated[
    str,
    option("--at", "N", "the last step to keep, numbered as in `react-agent show`; 0 for none"),
]
Say = Annotated[
    str | None,
    option("--say", "WORDS", "what to tell the model after that step"),
]


@dataclass(eq=False, repr=False)
class ForkRun:
    """Start a new run from an earlier run, after its step N.

    The earlier run does not change. Files are restored to their state after that
    step, except those that git ignores.

    \b
    Example:
      react-agent fork 2026-11-20-fix --at 7 --say "look in units.py"
    """

    run: Run
    at: At
    say: Say = None
    profile: Profile = None
    repo: Moved = None


@dataclass(eq=False, repr=False)
class Replay:
    """Repeat a run with the recorded replies of its model, and run the tools again.

    Reports each step whose prompt differs from the recorded one. Makes no branch.

    \b
    Example:
      react-agent replay 2026-11-20-fix
    """

    run: Run
    repo: Moved = None
    sandbox: Sandbox = None
    plain: Plain = False


@dataclass(eq=False, repr=False)
class Demo:
    """Watch an agent turn an issue into a branch, in a small repository made for the demo.

    Only the model's replies are recorded. The repository, the tools and the tests are real.

    \b
    Example:
      react-agent demo --dir /tmp/stopwatch
    """

    folder: Annotated[
        Path | None,
        option("--dir", "DIR", "make the repository in this new folder"),
    ] = None
    sandbox: Sandbox = None
    plain: Plain = False


@dataclass(eq=False, repr=False)
class Init:
    """Find a model, save it in your settings, and ask it for one small step.

    Looks for Ollama, llama.cpp, vLLM and LM Studio on their ports, for keys in the environment,
    and for GGUF files. On a terminal you are asked to choose. Your settings file is only added to;
    it never gets a key, only the name of the variable that holds one.

    \b
    Example:
      react-agent init
      react-agent init --yes
      react-agent init --model openai/NAME --base-url http://host/v1 --key KEY
    """

    model: ModelName = None
    base_url: BaseUrl = None
    key: Key = None
    name: Annotated[
        str | None,
        option(
            "--name", "NAME", "a short name for the model; by default derived from its full name"
        ),
    ] = None
    yes: Annotated[bool, flag("--yes", "use the first model that is found, without asking")] = False


@dataclass(eq=False, repr=False)
class Doctor:
    """Check this machine and a model, and say how to fix what is missing.

    The model is asked for one small step, which costs a few hundred tokens. What it learns about
    the model is kept for all runs, in endpoints.txt in the cache folder.

    \b
    Example:
      react-agent doctor --model openai/gpt-6
    """

    model: ModelName = None
    base_url: BaseUrl = None
    key: Key = None
    relearn: Annotated[
        bool, flag("--relearn", "forget what was learned about this model, and ask again")
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


@dataclass(eq=False, repr=False)
class Show:
    """Show the transcript of a run, page by page on a terminal.

    \b
    Example:
      react-agent show 2026-11-20-fix
      react-agent show 2026-11-20-fix 7 --diff
      react-agent show 2026-11-20-fix --only errors,repairs
      react-agent show 2026-11-20-fix --step 7
    """

    run: Run
    at: Annotated[str | None, argument("STEP", "the first step to show")] = None
    full: Annotated[bool, flag("--full", "do not fold long observations")] = False
    only: Annotated[
        str | None,
        option(
            "--only",
            "KINDS",
            "only thoughts, actions, errors, hidden or repairs; separate several with commas",
            complete=_kinds,
        ),
    ] = None
    search: Annotated[
        str | None,
        option("--search", "WORDS", "show only lines that contain these words, with their steps"),
    ] = None
    diff: Annotated[bool, flag("--diff", "show what each step changed in the files")] = False
    step: Annotated[
        str | None,
        option("--step", "N", "show exactly what the model saw at this step"),
    ] = None
    raw: Annotated[bool, flag("--raw", "print the file as it is")] = False
    plain: Plain = False


@dataclass(eq=False, repr=False)
class Page:
    """Write a run as one HTML page that needs only a browser, and no network.

    The page has the transcript, every exact prompt, and the changes and the cost of each step.
    Several runs get one page each, and an index. The command prints the path of the file to open.
    With --serve, no file is written: a server on
    this machine shows the given runs, or all runs if none is given, and adds new
    steps as they are made.

    \b
    Example:
      react-agent page 2026-11-20-fix --out fix.html
    """

    runs: AnyRuns = None
    out: Annotated[
        Path | None,
        option("--out", "DIR|FILE", "the folder to write to, or a file name that ends in .html"),
    ] = None
    serve: Annotated[
        bool, flag("--serve", "serve it to a browser on this machine, and update it during a run")
    ] = False
    port: Annotated[str | None, option("--port", "N", "the port for --serve")] = None


SHOWN_RUNS = 20  # without --all


@dataclass(eq=False, repr=False)
class ListRuns:
    """List the runs, newest first, or remove old ones.

    A run that is still going on is never removed. `prune` also removes the copies of
    repositories in the cache folder that no other run needs.

    \b
    Example:
      react-agent runs --outcome stuck
      react-agent runs prune --older-than 30d --keep 50
    """

    do: Annotated[
        str | None,
        argument(
            "DO", "prune: remove the runs that the options select", complete=lambda: ("prune",)
        ),
    ] = None
    outcome: Annotated[
        list[str] | None,
        option(
            "--outcome",
            "WORD",
            "only runs with this outcome: concluded, failed, running, stuck, ...",
            complete=_outcomes,
        ),
    ] = None
    repo: Annotated[
        Path | None,
        option("--repo", "DIR", "only runs in this repository, or a folder in it"),
    ] = None
    search: Annotated[
        str, option("--search", "WORDS", "search in names, issues, repositories and models")
    ] = ""
    older_than: Annotated[
        str | None,
        option("--older-than", "AGE", "only runs unchanged for this long: 30d, 12h, 2w, ..."),
    ] = None
    every: Annotated[bool, flag("--all", f"list all runs, not only the newest {SHOWN_RUNS}")] = (
        False
    )
    keep: Annotated[str | None, option("--keep", "N", "prune: keep the newest N")] = None
    yes: Annotated[
        bool, flag("--yes", "prune: really remove the runs; without it, only list them")
    ] = False


@dataclass(eq=False, repr=False)
class Audit:
    """List what a run read, wrote, executed and accessed, and what was refused.

    Only the transcript is read, so a copy of the file is enough. Each line starts with the
    name of its part, so you can filter the lines with grep. If the transcript does not record
    everything, the exit code is 1, and the part `missing` says what is not recorded.

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
            "only one of run, read, wrote, ran, reached, refused, missing",
            complete=_sections,
        ),
    ] = None


@dataclass(eq=False, repr=False)
class SendRun:
    """Send the branch of a run: push it, and open a pull request or update the open one.

    For a run that answers a review, push its commit, and send the answers that have not been sent.

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


@dataclass(eq=False, repr=False)
class Review:
    """Answer the review of a pull request: change what it asks for, or say why not.

    Works on the branch of the pull request and pushes one commit to it. Answers each unresolved
    thread that has a comment by someone who may request changes.

    \b
    Example:
      react-agent review 7 --model anthropic/NAME
    """

    pull_request: Annotated[str, argument("PR", "its number, OWNER/REPO#7, or its address")]
    repo: Repository = Path()
    dry_run: DryRun = False
    comment: CommentOnPull = False
    remote: RemoteName = None


@dataclass(eq=False, repr=False)
class Ci:
    """Act on the event that started a GitHub Actions job.

    Work starts if someone who may push to the repository sets the label on an issue, or writes a
    comment that begins with the phrase. Any other event starts nothing.

    \b
    Example:
      react-agent ci --model anthropic/NAME
    """

    repo: Repository = Path()
    label: Annotated[str, option("--label", "NAME", "the label that starts work on an issue")] = (
        "react-agent"
    )
    phrase: Annotated[
        str,
        option("--phrase", "WORD", "the word that starts work, at the beginning of a comment"),
    ] = "/react-agent"


HOOK_WORDS = ("install", "status", "run", "uninstall")


@dataclass(eq=False, repr=False)
class Hook:
    """Let commits and pushes start runs in the background.

    A commit whose message says `Agent: fix issues/12.md` queues a run, which makes a branch.
    `run` works on the queue now, `run HOOK` does what that hook does.

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
    again: Annotated[str | None, option("--again", "JOB", "queue a failed job again")] = None
    sandbox: Sandbox = None
    background: Annotated[bool, typer.Option("--background", hidden=True)] = False
    state: Annotated[Path | None, typer.Option("--state", hidden=True)] = None
    top: Annotated[Path | None, typer.Option("--top", hidden=True)] = None


@dataclass(eq=False, repr=False)
class Repair:
    """Turn a patch that a model wrote into a patch that applies.

    Reads a reply, a diff, or search and replace blocks, from FILE or from standard input. Writes
    the patch in git's format, and one line per repair to standard error. If the intended
    change is not certain, it refuses and writes no patch. It changes no file and asks no model.

    \b
    Example:
      react-agent repair reply.txt > fixed.patch
      pbpaste | react-agent repair | git apply

    \b
    Exit codes:
      0    the patch is on standard output
      1    refused, for the reasons on standard error
      2    wrong usage, or something required is missing
      3    this machine lacks something required
    """

    files: Annotated[
        list[str] | None,
        argument("FILE", "a text that contains a patch; default: standard input"),
    ] = None
    repo: Annotated[
        Path,
        option("--repo", "DIR", "the folder with the files, a repository or not"),
    ] = Path()


@dataclass(eq=False, repr=False)
class Endpoint:
    """Serve a model endpoint that you answer by hand: to try an agent, or to see what a model sees.

    The endpoint offers OpenAI's chat and completions APIs, and only this machine can reach it. The
    command prints how to run an agent with it, and the new part of each prompt. End a reply with an
    empty line outside a fence, or with Ctrl-D. Text that a model may not write, such as the
    Observation, is cut off. With --dir, it waits for the file 001.reply beside 001.prompt.

    \b
    Example:
      react-agent endpoint --by-hand
    """

    by_hand: Annotated[bool, flag("--by-hand", "you write the replies")] = False
    port: Annotated[str, option("--port", "N", "the port to listen on; 0: any free port")] = "8765"
    folder: Annotated[
        Path | None,
        option("--dir", "DIR", "exchange prompts and replies as files in this folder"),
    ] = None


@dataclass(eq=False, repr=False)
class Profiles:
    """List the profiles, or show one: its whole prompt, and where each setting comes from.

    \b
    Example:
      react-agent inspect profiles
      react-agent inspect profiles small --model openai/qwen3
    """

    name: ProfileNamed = None
    model: ModelName = None


@dataclass(eq=False, repr=False)
class Tools:
    """List the tools: those offered to a model, and the hidden ones, which also answer.

    `try NAME` reads an input from standard input and shows the observation. It works on a
    temporary copy of the repository. `why NAME` says how a name or a command is answered, and
    where that is set.

    \b
    Example:
      react-agent inspect tools
      echo README.md:1-10 | react-agent inspect tools try read_file
      react-agent inspect tools why "git push"
    """

    do: Annotated[
        str | None,
        argument("DO", "try or why; without it, list the tools", complete=lambda: ("try", "why")),
    ] = None
    name: Annotated[str | None, argument("NAME", "the name of a tool")] = None
    profile: Profile = None
    repo: Repository = Path()
    sandbox: Sandbox = None


@dataclass(eq=False, repr=False)
class Procedures:
    """List the procedures, or check one and show its states and the transitions between them.

    An error in a file is reported as FILE:LINE, with what was expected and what was found. The
    setting `procedure` makes runs follow a procedure.

    \b
    Example:
      react-agent inspect procedures
      react-agent inspect procedures mine.txt
    """

    name: Annotated[
        str | None, argument("NAME", "a built-in procedure or a file; default: list them")
    ] = None


@dataclass(eq=False, repr=False)
class Wishes:
    """List the missing tools that agents asked for, and what the agents did next.

    The last lines can be added to your settings file to handle these names.

    \b
    Example:
      react-agent inspect wishes
    """

    runs: AnyRuns = None
