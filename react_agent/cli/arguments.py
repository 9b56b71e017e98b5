"""The help text, the arguments and the options of each command."""

from dataclasses import dataclass
from pathlib import Path
from typing import dataclass_transform


@dataclass_transform()
class _Options:
    def __init_subclass__(cls) -> None:
        """Make a dataclass without `__eq__` and `__repr__`, which would slow down every start."""
        dataclass(eq=False, repr=False)(cls)


class Solve(_Options):
    """Turn an issue into a branch, or with --pr into a pull request.

    The agent works in a private clone of the base commit. It does not use or change your
    checkout, index, stash or uncommitted changes. It only adds a new branch.

    \b
    Example:
      react-agent solve issue.md --model openai/gpt-6
      react-agent solve "#12" --pr --model anthropic/NAME
      react-agent solve "x is wrong" --model openai/qwen --base-url http://host/v1
    """

    issue: str
    repo: Path = Path()
    profile: str | None = None
    attempts: str = "1"


class Chat(_Options):
    """Talk with a model about a repository, and let it make changes.

    The conversation is one run, in a private clone of the last commit, as with `solve`. RUN
    keeps its own repository and profile. Without a terminal, lines come from standard input.

    \b
    Example:
      react-agent chat --model openai/gpt-6
      react-agent chat last
    """

    run: str | None = None
    repo: Path = Path()
    profile: str | None = None


class Resume(_Options):
    """Continue a run from the current state of its transcript.

    You may have cut or edited the transcript. The files are restored to the state after its
    last step.

    \b
    Example:
      react-agent resume 2026-11-20-fix --steps 60
    """

    run: str
    moved: Path | None = None


class ForkRun(_Options):
    """Start a new run from an earlier run, after its step N.

    The earlier run does not change. Files are restored to their state after that
    step, except those that git ignores.

    \b
    Example:
      react-agent fork 2026-11-20-fix --at 7 --say "look in units.py"
    """

    run: str
    at: str
    say: str | None = None
    moved: Path | None = None


class Replay(_Options):
    """Repeat a run with its recorded replies, and report differences.

    The tools run again. Reports each step whose prompt differs from the recorded one. Makes no
    branch.

    \b
    Example:
      react-agent replay 2026-11-20-fix
    """

    run: str
    moved: Path | None = None
    sandbox: str | None = None
    plain: bool = False


class Demo(_Options):
    """Watch an agent solve an issue in a small example repository.

    Only the model's replies are recorded. The repository, the tools and the tests are real.

    \b
    Example:
      react-agent demo --dir /tmp/stopwatch
    """

    folder: Path | None = None
    sandbox: str | None = None
    plain: bool = False


class Init(_Options):
    """Find a model, try it, and save it in your settings.

    Looks for Ollama, llama.cpp, vLLM and LM Studio on their ports, for keys in the environment,
    and for GGUF files. On a terminal you are asked to choose. Your settings file is only added to;
    it never gets a key, only the name of the variable that holds one.

    \b
    Example:
      react-agent init
      react-agent init --yes
      react-agent init --model openai/NAME --base-url http://host/v1 --key MY_KEY
    """

    model: str | None = None
    base_url: str | None = None
    key: str | None = None
    name: str | None = None
    yes: bool = False


class Doctor(_Options):
    """Check this machine and a model, and suggest fixes.

    The model is asked for one small step, which costs a few hundred tokens. What doctor learns
    about the model is kept for all runs, in endpoints.txt in the cache folder.

    \b
    Example:
      react-agent doctor --model openai/gpt-6
    """

    model: str | None = None
    base_url: str | None = None
    key: str | None = None
    sandbox: str | None = None


class Show(_Options):
    """Show the transcript of a run, page by page on a terminal.

    \b
    Example:
      react-agent show 2026-11-20-fix
      react-agent show 2026-11-20-fix 7 --diff
      react-agent show 2026-11-20-fix --only errors,repairs
      react-agent show 2026-11-20-fix --step 7
    """

    run: str
    at: str | None = None
    full: bool = False
    only: str | None = None
    diff: bool = False
    step: str | None = None
    raw: bool = False
    plain: bool = False


class Page(_Options):
    """Write a run as one HTML page that works offline in any browser.

    The page has the transcript, every exact prompt, and the changes and the cost of each step.
    The command prints the path of the file to open.

    \b
    Example:
      react-agent page 2026-11-20-fix --out fix.html
    """

    run: str
    out: Path | None = None


class ListRuns(_Options):
    """List the runs, newest first, or remove old ones.

    A run that is still going on is never removed. `prune` also removes the copies of
    repositories in the cache folder that no other run needs.

    \b
    Example:
      react-agent runs --outcome stuck
      react-agent runs prune --older-than 30d --keep 50
    """

    do: str | None = None
    outcome: list[str] | None = None
    repo: Path | None = None
    search: str = ""
    older_than: str | None = None
    every: bool = False
    keep: str | None = None
    yes: bool = False


class Audit(_Options):
    """List what a run read, wrote, ran and reached, and was refused.

    Only the transcript is read, so a copy of the file is enough. Each line starts with the
    name of its part, so you can filter the lines with grep. If the transcript does not record
    everything, the exit code is 1, and the part `missing` says what is not recorded.

    \b
    Example:
      react-agent audit 2026-11-20-fix --only ran
    """

    runs: list[str]
    only: str | None = None


class SendRun(_Options):
    """Push the branch of a run, and open or update its pull request.

    For a run that answers a review, push its commit, and send the answers that have not been sent.

    \b
    Example:
      react-agent pr 2026-11-20-fix --dry-run
    """

    run: str
    moved: Path | None = None
    base: str | None = None
    draft: bool = False
    dry_run: bool = False
    fork: bool = False
    remote: str | None = None


class Review(_Options):
    """Answer the review of a pull request.

    Changes what the review asks for, or says why not. Works on the branch of the pull request and
    pushes one commit to it. Answers each unresolved thread that has a comment by someone who may
    request changes.

    \b
    Example:
      react-agent review 7 --model anthropic/NAME
    """

    pull_request: str
    repo: Path = Path()
    dry_run: bool = False
    comment: bool = False
    remote: str | None = None


class Ci(_Options):
    """Act on the event that started a GitHub Actions job.

    Work starts if someone who may push to the repository sets the label on an issue, or writes a
    comment that begins with the phrase. Any other event starts nothing.

    \b
    Example:
      react-agent ci --model anthropic/NAME
    """

    repo: Path = Path()
    label: str = "react-agent"
    phrase: str = "/react-agent"


class Hook(_Options):
    """Let commits and pushes start runs in the background.

    A commit whose message says `Agent: fix issues/12.md` queues a run, which makes a branch.
    `run` processes the queue now; `run HOOK` does what that hook does.

    \b
    Example:
      react-agent hook install post-commit
      react-agent hook status
      react-agent hook run --again 1f2e3d
    """

    do: str
    hooks: list[str] | None = None
    repo: Path = Path()
    again: str | None = None
    sandbox: str | None = None
    background: bool = False
    state: Path | None = None
    top: Path | None = None


class Repair(_Options):
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
      2    the request is wrong or can't be carried out
      3    something is missing on this machine
    """

    files: list[str] | None = None
    repo: Path = Path()


class Endpoint(_Options):
    """Serve a model endpoint that you answer by hand.

    Use it to try an agent, or to see what a model sees. The endpoint offers OpenAI's chat and
    completions APIs, and only this machine can reach it. The command prints how to run an agent
    with it, and the new part of each prompt. End a reply with an empty line outside a fence, or
    with Ctrl-D. Text that a model may not write, such as the Observation, is cut off.

    \b
    Example:
      react-agent endpoint --by-hand
    """

    by_hand: bool = False
    port: str = "8765"


class Profiles(_Options):
    """List the profiles, or show the whole prompt of one.

    \b
    Example:
      react-agent inspect profiles
      react-agent inspect profiles small --model openai/qwen3
    """

    name: str | None = None
    model: str | None = None


class Tools(_Options):
    """List the tools: those offered to a model, and the hidden ones.

    `try NAME` reads an input from standard input and shows the observation. It works on a
    temporary copy of the repository. `why NAME` says how a name or a command is answered, and
    where that is set.

    \b
    Example:
      react-agent inspect tools
      echo README.md:1-10 | react-agent inspect tools try read_file
      react-agent inspect tools why "git push"
    """

    do: str | None = None
    name: str | None = None
    profile: str | None = None
    repo: Path = Path()
    sandbox: str | None = None


class Procedures(_Options):
    """List the procedures, or check one and show it.

    An error in a file is reported as FILE:LINE, with what was expected and what was found. The
    setting `procedure` makes `solve` and `ci` follow one.

    \b
    Example:
      react-agent inspect procedures
      react-agent inspect procedures mine.txt
    """

    name: str | None = None


class Wishes(_Options):
    """List the missing tools that agents asked for.

    Looks at all runs, or only at those named, and says what the agents did next. The last lines
    can be added to your settings file to handle these names.

    \b
    Example:
      react-agent inspect wishes
    """

    runs: list[str] | None = None
