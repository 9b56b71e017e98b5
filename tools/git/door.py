"""Start git without our variables, the user's settings, or hooks. Only this module starts git."""

import contextlib
import functools
import os
import shlex
import signal
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from react_agent.tools import disk, variables
from react_agent.tools.errors import OF_THE_MACHINE, MachineError, ReactAgentError, writing
from react_agent.tools.shell import process

MISSING = "git is not on PATH; install it (Debian and Ubuntu: apt-get install git)"
AUTHOR = ("react-agent", "react-agent@localhost")

HOST_GIT = "git"  # beside a run's work tree
OF_CHECKPOINTS = "checkpoints"  # below it: another git directory, on the same objects
# Time limits for a look at all files of a run. After the first, pipes that may block git are
# removed; after the second, ignore rules whose patterns may take it too long.
FIRST_S, SECOND_S = 5.0, 60.0

# Every setting through which a repository's own configuration could start a program.
FLAGS = (
    "--no-pager",
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.untrackedCache=false"),
    *("-c", "core.sshCommand=ssh"),
    *("-c", "core.alternateRefsCommand=true"),  # the program `true`: it lists no refs
    *("-c", "core.editor=false"),
    *("-c", "diff.external="),
    *("-c", "credential.helper="),
    *("-c", "commit.gpgSign=false"),
    *("-c", "log.showSignature=false"),
    *("-c", "protocol.ext.allow=never"),
    *("-c", "submodule.recurse=false"),
    *("-c", "gc.auto=0"),
    *("-c", "maintenance.auto=false"),
    *("-c", "fetch.writeCommitGraph=false"),
    *("-c", "fetch.bundleURI="),  # at any address; git asks there first
    *("-c", "fetch.fsckObjects=false"),  # it opens the file that fetch.fsck.skipList names
    *("-c", "protocol.version=2"),
    *("-c", "core.quotePath=false"),
    # git opens the file that these name, even a pipe, which never ends.
    *("-c", "core.attributesFile=/dev/null"),
    *("-c", "core.excludesFile=/dev/null"),
    *("-c", "diff.orderFile=/dev/null"),
    *("-c", "log.mailmap=false"),
    *("-c", "mailmap.file=/dev/null"),
)
VARIABLES = {
    "HOME": "/nonexistent",
    "LC_ALL": "C",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_ALLOW_PROTOCOL": "file",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",  # else a commit is not what its id says
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_AUTHOR_NAME": AUTHOR[0],
    "GIT_AUTHOR_EMAIL": AUTHOR[1],
    "GIT_COMMITTER_NAME": AUTHOR[0],
    "GIT_COMMITTER_EMAIL": AUTHOR[1],
}
# The program that `fetch` starts in the other repository, where our -c options don't apply.
UPLOAD_PACK = "--upload-pack=" + shlex.join(["git", *FLAGS, "upload-pack"])

# If the system does not know a limit of memory, there is none.
_LIMITED = ("/bin/sh", "-c", 'ulimit -v "$0" 2>/dev/null; exec "$@"')

NO_ROOM = (
    # the C library's words
    *("No space left on device", "File too large", "Disk quota exceeded", "Read-only file system"),
    *("Input/output error", "Too many open files", "Cannot allocate memory"),
    *("Out of diskspace", "nable to write new index file"),  # git's own
)


class GitError(ReactAgentError):
    """git failed or took too long. The message is git's own first error line, if any."""

    def __init__(self, line: str, *, is_late: bool = False) -> None:
        super().__init__(line)
        self.is_late = is_late


@dataclass(frozen=True, slots=True)
class Answer:
    code: int
    out: bytes
    err: str


@dataclass(frozen=True, slots=True)
class Git:
    """The git program for one folder."""

    folder: Path
    config: Path = Path(os.devnull)  # read as its global configuration; see `trusting`
    variables: tuple[tuple[str, str], ...] = ()
    most_bytes: int = 256 * 1024 * 1024
    settings: tuple[str, ...] = ()  # NAME=VALUE each, which count more than all others
    inherits: tuple[int, ...] = ()  # descriptors that stay open in what is started
    memory: int = 0  # bytes that it may take, where the system can tell; 0: as many as there are

    def having(self, **variables: str) -> "Git":
        """Return a copy of this object with additional environment variables."""
        return replace(self, variables=(*self.variables, *variables.items()))

    def run(self, *args: str, stdin: bytes = b"", deadline_s: float = 60) -> bytes:
        """Run a command and return its output. Raises GitError if it fails."""
        answer = self.ask(*args, stdin=stdin, deadline_s=deadline_s)
        if answer.code:
            raise refusal(args[0], answer)
        return answer.out

    def line(self, *args: str) -> str:
        """Run a command and return its output, which must be a single line."""
        return os.fsdecode(self.run(*args)).removesuffix("\n")

    def ask(self, *args: str, stdin: bytes = b"", deadline_s: float = 60) -> Answer:
        """Run a command and return how it ended. Use it when a failure is an expected result."""
        with _held(stdin) as given:
            child = self._start(args, given)
        assert child.stdout is not None
        assert child.stderr is not None
        out, err = bytearray(), bytearray()
        with child:
            sinks = {child.stdout: self._limited(out), child.stderr: self._limited(err)}
            if process.attend(child, sinks, deadline_s):
                line = f"git {args[0]} was stopped: it took more than {deadline_s:g} s"
                raise GitError(line, is_late=True)
        return Answer(child.returncode, bytes(out), err.decode(errors="replace"))

    def _limited(self, collected: bytearray) -> process.Sink:
        def add(chunk: bytes) -> None:
            collected.extend(chunk)
            if len(collected) > self.most_bytes:
                raise GitError(f"git was stopped: it printed more than {self.most_bytes} bytes")

        return add

    def _start(self, args: tuple[str, ...], given: IO[bytes]) -> process.Child:
        program = _program(variables.value("PATH", os.defpath))
        # -C instead of a working directory: git itself then reports a folder that can't be entered
        settings = (word for setting in self.settings for word in ("-c", setting))
        limits = (*_LIMITED, f"{self.memory // 1024}") if self.memory else ()
        environment = {
            "PATH": f"{Path(program).parent}:/usr/bin:/bin",
            "GIT_CONFIG_GLOBAL": str(self.config),
            **VARIABLES,
            **dict(self.variables),
        }
        argv = [*limits, program, "-C", str(self.folder), *FLAGS, *settings, *args]
        try:
            return process.begin(argv, environment, given, *self.inherits)
        except (OSError, ValueError) as error:  # too long, or with a NUL in it
            if isinstance(error, OSError) and error.errno in OF_THE_MACHINE:
                raise
            raise GitError(f"git can't be started: {error}") from None


@functools.lru_cache
def _program(path: str) -> str:
    """Return the path of git. It is cached, because a run starts git about a hundred times."""
    program = process.find_program("git", path)
    if program is None:
        raise MachineError(MISSING)
    return program


def _held(data: bytes) -> IO[bytes]:
    """Return the data in an unnamed file. A pipe could block if git does not read all of it."""
    if not data:
        return disk.opened(Path(os.devnull))
    with writing("a temporary file"):
        given = disk.temporary_file()
        given.write(data)
        given.seek(0)
    return given


def host_git(root: Path) -> Path:
    """Return our git directory in a run. It is beside the work tree, where commands can't write."""
    return root.parent / HOST_GIT


def work_tree(root: Path) -> Git:
    """Return a Git object for these files. In a run, it does not use the commands' git directory.

    A folder that is not the workspace of a run uses its own `.git`, never one of a parent folder.
    """
    ours = host_git(root)
    git_dir = ours if (ours / OF_CHECKPOINTS).is_dir() else root / ".git"
    return Git(root).having(GIT_DIR=str(git_dir), GIT_WORK_TREE=str(root))


@contextlib.contextmanager
def trusting(*folders: Path) -> Iterator[Path]:
    """Yield a configuration that lets git read only these repositories, no matter who owns them."""
    with disk.temporary_folder("git") as folder:
        config = folder / "config"
        lines = (f"\tdirectory = {quoted(str(path))}\n" for path in folders)
        disk.write_bytes(config, os.fsencode("[safe]\n" + "".join(lines)))
        yield config


def quoted(value: str) -> str:
    """Return a value quoted as in a git configuration file."""
    for plain, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n")):
        value = value.replace(plain, escaped)
    return f'"{value}"'


def names(output: bytes) -> list[str]:
    """Return the fields of git output that was written with -z."""
    return os.fsdecode(output).split("\0")[:-1]


def joined(paths: Iterable[str]) -> bytes:
    """Return the paths in the format that git reads with -z."""
    return b"".join(os.fsencode(path) + b"\0" for path in paths)


def refusal(command: str, answer: Answer) -> ReactAgentError:
    """Return the error for a failed command: git's own message, or a cause such as a full disk."""
    if answer.code == -signal.SIGXFSZ:
        return MachineError(f"git {command}: a file grew too large")
    no_room = [line for line in answer.err.splitlines() if any(one in line for one in NO_ROOM)]
    words = complaint("\n".join(no_room) or answer.err) or f"it ended with code {answer.code}"
    return (MachineError if no_room else GitError)(f"git {command}: {words}")


def complaint(errors: str) -> str:
    """Return the first error in what git printed, without its label."""
    lines = [line.strip() for line in errors.splitlines() if line.strip()]
    labelled = [line for line in lines if line.startswith(("fatal: ", "error: "))]
    first = next(iter((*labelled, *lines)), "")
    return first.removeprefix("fatal: ").removeprefix("error: ")
