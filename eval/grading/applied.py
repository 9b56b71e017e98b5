"""The tree that the tests run on: the base with a patch, and the tests of the set over it."""

import os
import re
from collections.abc import Callable, Sequence

from react_agent.eval.grading.put_back import judges
from react_agent.eval.ground import Fresh
from react_agent.eval.instance import Instance
from react_agent.eval.task import Fault
from react_agent.eval.verdict import Kind, Verdict
from react_agent.parsers.repo.git_diff import binary_bytes, read_git_diff
from react_agent.tools import disk
from react_agent.tools.errors import ReactAgentError
from react_agent.tools.git.change import MOST_S, propose
from react_agent.tools.git.door import Git
from react_agent.tools.git.workspace import CHECKOUT_S
from react_agent.tools.shell import process, shell

_APPLY = ("apply", "--cached", "--whitespace=nowarn")
_FUZZY = ("patch", "--batch", "--forward", "--fuzz=5", "-p1", "-i")
_PATCH_S = 60.0
MOST_BINARY = 256_000_000  # bytes: a patch of 1 MB can make a thousand times as much
# Names as `patch` reads them: an ASCII character that is written as a number hides something.
_OF_GIT = re.compile(
    rb"^(?:---|\+\+\+|\*\*\*|\w).*(?:\.git[/\\\s\"]|\\[01][0-7][0-7])", re.MULTILINE | re.IGNORECASE
)

Way = Callable[[Fresh, bytes], str]


class DoesNotApply(ReactAgentError):
    """One line of why."""


def apply(fresh: Fresh, instance: Instance, patch: str) -> Fault | list[str]:
    """Change the work tree; the files of the patch that do not count.

    What fails is told apart: the patch's fault, or the set's.
    """
    base, test_patch = fresh.workspace.base.commit, _bytes(instance.test_patch)
    try:
        tree = patched(fresh, patch)
    except DoesNotApply as error:
        return Fault(Verdict.PATCH_FAILED, Kind.PATCH_REFUSED, f"it does not apply: {error}")
    without = judges(fresh.workspace.store, base, tree, instance)
    try:
        tree = _with_tests(fresh, tree, test_patch, without)
    except DoesNotApply as error:
        return _whose_fault(fresh, test_patch, error)
    fresh.workspace.git.run("read-tree", "--reset", "-u", tree, deadline_s=CHECKOUT_S)
    return without


def patched(fresh: Fresh, patch: str) -> str:
    """The base with it, tried in the ways of the official harness, in its order.

    Its `git apply --reject` is none of them: that succeeds only where the first way does.
    """
    if not patch.strip():
        return fresh.workspace.base.commit
    refused = list[str]()
    for way in _WAYS:
        fresh.workspace.objects.run("read-tree", "--reset", fresh.workspace.base.commit)
        try:
            return way(fresh, _bytes(patch))
        except DoesNotApply as error:
            refused.append(str(error))
    raise DoesNotApply(refused[0])


def _plain(fresh: Fresh, patch: bytes) -> str:
    return _applied(fresh.workspace.objects, patch)


def _three_way(fresh: Fresh, patch: bytes) -> str:
    return _applied(fresh.workspace.objects, patch, "--3way")


def _fuzzy(fresh: Fresh, patch: bytes) -> str:
    """By another program, on the files; it is not everywhere, and no file is sacred to it."""
    context, workspace = fresh.context, fresh.workspace
    if _OF_GIT.search(patch):
        raise DoesNotApply("it changes what is git's own")
    if not process.find_program(_FUZZY[0], path=context.environment.get("PATH", os.defpath)):
        raise DoesNotApply("there is no program `patch`")
    with disk.named_file(patch, context.environment.get("TMPDIR")) as file:
        done = shell.run_sandboxed((*_FUZZY, str(file)), context, timeout_s=_PATCH_S)
    if done.code or done.timed_out:
        back = ("apply", "--check", "--reverse", "--whitespace=nowarn")
        # it can fail, and all of the patch be there
        if workspace.git.ask(*back, stdin=patch, deadline_s=MOST_S).code:
            raise DoesNotApply("`patch` refuses it")
    return propose(workspace, _paths(patch)).tree


_WAYS: Sequence[Way] = (_plain, _three_way, _fuzzy)


def _with_tests(fresh: Fresh, tree: str, test_patch: bytes, also: Sequence[str] = ()) -> str:
    """The files of the test patch are the base's before it is applied, whatever became of them."""
    git, base = fresh.workspace.objects, fresh.workspace.base.commit
    paths = sorted({*_paths(test_patch), *also})
    git.run("read-tree", "--reset", tree)
    if not paths and not test_patch.strip():
        return tree
    gone = git.ask("rm", "-r", "-q", "--cached", "--force", "--ignore-unmatch", "--", *paths)
    if gone.code:  # a path that leads outside, or none
        raise DoesNotApply(_complaint(gone.err))
    objects = fresh.workspace.store
    tree = objects.with_files(git.line("write-tree"), objects.at(base, paths))
    if not test_patch.strip():
        return tree
    git.run("read-tree", "--reset", tree)
    return _applied(git, test_patch)


def _paths(patch: bytes) -> set[str]:
    files = read_git_diff(patch.decode(errors="surrogateescape"))
    return {path for file in files for path in (file.old, file.new) if path}


def _applied(git: Git, patch: bytes, *how: str) -> str:
    if (size := binary_bytes(patch)) > MOST_BINARY:
        raise DoesNotApply(
            f"its binary files are of {size:,} bytes, and {MOST_BINARY:,} are allowed"
        )
    answer = git.ask(*_APPLY, *how, stdin=patch, deadline_s=MOST_S)
    if answer.code:
        raise DoesNotApply(_complaint(answer.err))
    return git.line("write-tree")


def _complaint(said: str) -> str:
    lines = [line for line in said.split("\n") if line.startswith(("error: ", "fatal: "))]
    return lines[0].partition(": ")[2] if lines else "git refuses it"


def _whose_fault(fresh: Fresh, test_patch: bytes, error: DoesNotApply) -> Fault:
    try:
        _with_tests(fresh, fresh.workspace.base.commit, test_patch)
    except DoesNotApply:
        text = f"the set's test patch does not apply to its base: {error}"
        return Fault(Verdict.ENV_FAILED, Kind.ENVIRONMENT, text)
    text = f"it stands in the way of the set's tests: {error}"
    return Fault(Verdict.PATCH_FAILED, Kind.PATCH_REFUSED, text)


def _bytes(patch: str) -> bytes:
    """With an end of its last line: git takes a patch without one for a damaged one."""
    data = patch.encode(errors="surrogateescape")
    return data if data.endswith(b"\n") or not data else data + b"\n"
