"""The tree that tests run on: the base, a patch, and finally the set's own tests."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath

from react_agent.eval.environment import Fresh
from react_agent.eval.task import Fault, Instance, Kind, Verdict
from react_agent.parsers.repo.git_diff import binary_bytes, read_git_diff
from react_agent.parsers.testing.report import Status, Statuses, worse
from react_agent.parsers.testing.repository import told_to_pytest
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.tools import disk
from react_agent.tools.git.change import MOST_S, DoesNotApply, applied, propose
from react_agent.tools.git.checkpoint import restore
from react_agent.tools.git.door import Git, complaint
from react_agent.tools.git.objects import Objects
from react_agent.tools.git.workspace import CHECKOUT_S
from react_agent.tools.shell import process, shell
from react_agent.tools.testing.tests_command import files_of_tests

OF_UNITTEST = LatePattern(r"(?P<name>\w+) \((?P<of>[\w.]+)\)")
_PARAMETERS = LatePattern(r"(?P<test>.*?)\[(?P<value>/[^/*][^*]*)\]")


class Names:
    """The tests in a log. A name is first looked up exactly, and then in other spellings."""

    def __init__(self, statuses: Statuses) -> None:
        self._exact = statuses
        self._other = dict[str, Status]()
        for name, status in statuses.items():
            for other in _spellings(name):
                self._other[other] = worse(status, self._other.get(other))

    def status(self, name: str) -> Status | None:
        """Return the status of a test, or None if the log does not contain its name."""
        exact, other = self._exact.get(name), self._other.get(_without_method(name))
        if exact and (not other or "::" in name):
            return exact
        if other:  # two spellings of one test in a log: one of them is forged
            return worse(other, exact)
        return self._status_of_cut(name) if name.count("[") > name.count("]") else None

    def _status_of_cut(self, name: str) -> Status | None:
        """Return the status of the tests whose names start with `name`, if all or none pass."""
        found = [status for one, status in self._exact.items() if one.startswith(name)]
        return found[0] if len({status.is_pass for status in found}) == 1 else None


def _spellings(name: str) -> Iterator[str]:
    if "::" in name:
        yield name.split(maxsplit=1)[0]
        if found := _PARAMETERS.fullmatch(name):
            yield f"{found['test']}[/{found['value'].rpartition('/')[2]}]"
    else:
        yield _without_method(name)


def _without_method(name: str) -> str:
    """Remove the method name that unittest repeats after the class since Python 3.11."""
    found = OF_UNITTEST.fullmatch(name)
    return f"{found['name']} ({found['of'].removesuffix('.' + found['name'])})" if found else name


def _named(instance: Instance) -> Iterator[str]:
    """Yield the test files, and the unittest modules without class and method names."""
    for name in (*instance.fail_to_pass, *instance.pass_to_pass):
        if "::" in name:
            yield name.partition("::")[0]
        elif found := OF_UNITTEST.fullmatch(name):
            parts = found["of"].split(".")
            yield from (".".join(parts[:end]) for end in (-1, -2) if parts[:end])


def _is_named(path: str, named: frozenset[str]) -> bool:
    """Return whether `named` contains the path or a module name that the path could have."""
    parts = path.removesuffix(".py").split("/")
    return path in named or any(".".join(parts[at:]) in named for at in range(len(parts)))


_OF_RUNNERS = frozenset(
    (
        *("conftest.py", "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml"),
        *("manage.py", "runtests.py"),
    )
)
_IN_PART = frozenset(("setup.cfg", "tox.ini", "pyproject.toml"))
_IMPORTED = frozenset(("pytest", "_pytest", "pluggy", "unittest", "sitecustomize", "usercustomize"))
_WORD = re.compile(r"[^\s'\"=;&|<>()]+")


def judges(objects: Objects, base: str, tree: str, instance: Instance) -> list[str]:
    """Return the changed files that determine how the tests run or what they report."""
    fixed = {path for file in read_git_diff(instance.patch) for path in (file.old, file.new)}
    changed = [one.path for one in objects.differences(base, tree) if one.path not in fixed]
    # If the fix is not known, the command may name the files to be fixed.
    words = frozenset(_WORD.findall(instance.test_command)) if instance.patch else frozenset()
    named = frozenset(_named(instance))  # of code files with doctests, too
    own = {path for path in files_of_tests(changed) if _is_named(path, named)}
    return [
        path
        for path in changed
        if path.rpartition("/")[2] in _OF_RUNNERS
        or path in own
        or not words.isdisjoint((path, f"./{path}"))
        or _hides_a_runner(objects, base, path)
        or (path.rpartition("/")[2] in _IN_PART and _tells_other(objects, base, tree, path))
    ]


def _hides_a_runner(objects: Objects, base: str, path: str) -> bool:
    """Return whether the path shadows a module of a test runner, and is not a file of the base."""
    top = PurePosixPath(path).parts[0]
    name = top.removesuffix(".py")
    return name in _IMPORTED and not objects.at(base, [name, f"{name}.py"])


def _tells_other(objects: Objects, base: str, tree: str, path: str) -> bool:
    texts = ((objects.file(one, path) or b"").decode(errors="replace") for one in (base, tree))
    before, after = (told_to_pytest(path, text) for text in texts)
    return before != after


_FUZZY = ("patch", "--batch", "--forward", "--fuzz=5", "-p1", "-i")
_PATCH_S = 60.0
MOST_BINARY = 256_000_000  # bytes: a patch of 1 MB can expand a thousandfold
# File names as `patch` reads them. An octal escape of an ASCII character tries to hide a name.
_OF_GIT = re.compile(
    rb"^(?:---|\+\+\+|\*\*\*|\w).*(?:\.git[/\\\s\"]|\\[01][0-7][0-7])", re.MULTILINE | re.IGNORECASE
)


def apply(fresh: Fresh, instance: Instance, patch: str) -> Fault | list[str]:
    """Check out the patched tree, and return the files of the patch that are ignored.

    A Fault tells whether the model's patch or the set's test patch is invalid.
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
    """Return the tree of the base with the patch, which is applied as the official harness does.

    `git apply --reject` is not tried, because it succeeds only if plain `git apply` does.
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


def _fuzzy(fresh: Fresh, patch: bytes) -> str:
    """Apply the patch with the program `patch`, which does not protect git's own files."""
    context, workspace = fresh.context, fresh.workspace
    if _OF_GIT.search(patch):
        raise DoesNotApply("it changes git's own files")
    if not process.find_program(_FUZZY[0], path=context.environment.get("PATH", os.defpath)):
        raise DoesNotApply("the program `patch` was not found")
    with disk.shared_file("patch-", context.environment.get("TMPDIR")) as (_, file):
        disk.write_bytes(file, patch)
        done = shell.run_sandboxed((*_FUZZY, str(file)), context, timeout_s=_PATCH_S)
    if done.code or done.timed_out:
        back = ("apply", "--check", "--reverse", "--whitespace=nowarn")
        # it may fail although the whole patch is applied
        if workspace.git.ask(*back, stdin=patch, deadline_s=MOST_S).code:
            raise DoesNotApply("`patch` refuses it")
    tree = propose(workspace, _paths(patch)).tree
    restore(workspace, workspace.base.commit)  # git would leave new files that are not in the tree
    return tree


_WAYS: Sequence[Callable[[Fresh, bytes], str]] = (
    lambda fresh, patch: _applied(fresh.workspace.objects, patch),
    lambda fresh, patch: _applied(fresh.workspace.objects, patch, "--3way"),
    _fuzzy,
)


def _with_tests(fresh: Fresh, tree: str, test_patch: bytes, also: Sequence[str] = ()) -> str:
    """Return the tree with the test patch, whose files are first reset to the base."""
    git, objects = fresh.workspace.objects, fresh.workspace.store
    paths = sorted({*_paths(test_patch), *also})
    git.run("read-tree", "--reset", tree)
    if paths:
        gone = git.ask("rm", "-r", "-q", "--cached", "--force", "--ignore-unmatch", "--", *paths)
        if gone.code:  # a path outside the repository
            raise DoesNotApply(complaint(gone.err))
        before = objects.at(fresh.workspace.base.commit, paths)
        tree = objects.with_files(git.line("write-tree"), before)
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
    return applied(git, patch, *how)


def _whose_fault(fresh: Fresh, test_patch: bytes, error: DoesNotApply) -> Fault:
    try:
        _with_tests(fresh, fresh.workspace.base.commit, test_patch)
    except DoesNotApply:
        text = f"the set's test patch does not apply to its base: {error}"
        return Fault(Verdict.ENV_FAILED, Kind.ENVIRONMENT, text)
    text = f"it conflicts with the set's tests: {error}"
    return Fault(Verdict.PATCH_FAILED, Kind.PATCH_REFUSED, text)


def _bytes(patch: str) -> bytes:
    """Encode the patch and add a missing final newline, because git rejects a patch without it."""
    data = patch.encode(errors="surrogateescape")
    return data if data.endswith(b"\n") or not data else data + b"\n"
