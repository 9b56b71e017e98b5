"""The keeper of one command: it stands between us and it, so that nothing of it stays.

    we -> guard -> keeper -> command -> whatever that starts

On Linux guard and keeper are subreapers: what loses its parent, as a daemon does, becomes their
child, and they are done only when they have none. Each ends everything when what is above it dies,
and the guard also when the keeper does, so that killing one of the two frees nothing. How many
there are and what memory they use is counted in /proc: RLIMIT_NPROC does nothing to root.
Elsewhere there is no subreaper: the command's process group is ended, and what left it lives on.

Every command waits for this to start, so it imports only what starts fast: `signal` and `ctypes`
would cost 20 ms together. What it has to say are lines on a pipe, see process.py.
"""

import _ctypes
import _signal as signals  # type: ignore[import-not-found]
import os
import resource
import sys
import time

import census  # type: ignore[import-not-found]  # beside this file

LINUX = sys.platform == "linux"
LOOK_S = 0.05  # between two looks at /proc; more where a look takes long
LOOKING = 10  # times as long as a look is not looked
WATCH_S = 0.25  # between two looks of the guard at who its parent is
LINGER_S = 0.2  # for what the command left behind to print its last words
TERM_S = 0.4  # between SIGTERM and SIGKILL
KILL_S = 2.0  # no longer: what waits for a broken disk can't be killed
GUARD_S = 3.0  # for the keeper to do all that
SUBREAPER, DEATH_SIGNAL = 36, 1  # of prctl
HEARD = (signals.SIGCHLD, signals.SIGTERM, signals.SIGINT)  # SIGINT: end all at once


class Pipes:
    """To those who started us: what is to be said, and whether the command could be started."""

    def __init__(self, words: int, start: int) -> None:
        self.words = words
        self.start = start
        self._go, self._ready = os.pipe()
        os.set_inheritable(words, False)
        os.set_inheritable(start, False)

    def let_go(self) -> None:
        """The end of `start` is to be seen by others even when the command stops us at once."""
        os.close(self.start)
        os.close(self._ready)

    def wait(self) -> None:
        """Until guard and keeper have both let go."""
        os.close(self._ready)
        os.read(self._go, 1)

    def say(self, line: bytes) -> None:
        os.write(self.words, line)


class Family:
    """The children of this process: one that it was started for, and what came to it since."""

    def __init__(self, eldest: int) -> None:
        self.eldest = eldest
        self.status: int | None = None  # the eldest's, once it has ended

    def reap(self) -> bool:
        """Bury the dead; whether any are left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return not LINUX and _sent(-self.eldest, 0)
            if pid == self.eldest:
                self.status = status
            if pid == 0:
                return True

    def end(self) -> bool:
        """Kill until none is left; stopped first, so that none starts another meanwhile."""
        patience = time.monotonic() + KILL_S
        while self.reap():
            if time.monotonic() > patience:
                return False
            targets = self._targets()
            for which in (signals.SIGSTOP, signals.SIGKILL):
                for target in targets:
                    _sent(target, which)
            time.sleep(0.003)
        return True

    def _targets(self) -> list[int]:
        if not LINUX:
            return [-self.eldest]
        found = census.descendants(os.getpid())
        groups = {group for _, group, _, _ in found} - {os.getpgrp()}
        return [-group for group in groups] + [pid for pid, _, _, _ in found]


def keep(argv: list[str], most: dict[str, int], parent: int, pipes: Pipes) -> None:
    _ask_kernel(SUBREAPER, 1)
    family = Family(_started(argv, most, pipes))
    _silence()
    hit = _watched(family, most, parent)
    if not family.end():
        hit = hit or "left"
    code = os.waitstatus_to_exitcode(family.status) if family.status is not None else -9
    pipes.say(b"ended %d %s\n" % (code, (hit or _limit_of(code)).encode()))


def _watched(family: Family, most: dict[str, int], parent: int) -> str:
    """Wait for the end of the command, or for a reason to end it; the limit that it hit."""
    disk, look_at = census.Disk(most), time.monotonic() + LOOK_S
    while family.reap() and family.status is None:
        heard = _heard(look_at - time.monotonic())
        if heard == signals.SIGINT or os.getppid() != parent:
            return ""
        if heard == signals.SIGTERM:
            _sent(-family.eldest, signals.SIGTERM)
            _sent(-family.eldest, signals.SIGCONT)
            _wait(family, TERM_S, until_alone=False)
            return ""
        if LINUX and (began := time.monotonic()) >= look_at:
            hit: str = census.excess(most) or disk.excess()
            if hit:
                return hit
            ended = time.monotonic()
            look_at = ended + max(LOOK_S, LOOKING * (ended - began))
    _wait(family, LINGER_S, until_alone=True)
    return ""


def _wait(family: Family, seconds: float, *, until_alone: bool) -> None:
    deadline = time.monotonic() + seconds
    while family.reap() and (until_alone or family.status is None):
        if (left := deadline - time.monotonic()) <= 0 or _heard(left) == signals.SIGINT:
            return


def _limit_of(code: int) -> str:
    """A shell adds 128 to the number of the signal that ended its child."""
    number = -code if code < 0 else code - 128
    return {signals.SIGXCPU: "cpu", signals.SIGXFSZ: "file"}.get(number, "-")


def _started(argv: list[str], most: dict[str, int], pipes: Pipes) -> int:
    pid = os.fork()
    if pid == 0:
        _become(argv, most, pipes)
    pipes.let_go()
    return pid


def _become(argv: list[str], most: dict[str, int], pipes: Pipes) -> None:
    pipes.wait()
    os.write(pipes.start, b"+")
    try:
        os.setsid()
        for ignored in (signals.SIGPIPE, signals.SIGXFSZ):  # by Python
            signals.signal(ignored, signals.SIG_DFL)
        signals.pthread_sigmask(signals.SIG_UNBLOCK, HEARD)
        _limit(resource.RLIMIT_CORE, 0)
        _limit(resource.RLIMIT_CPU, most["cpu"], spare=5)  # SIGXCPU at first, then SIGKILL
        _limit(resource.RLIMIT_FSIZE, most["file"])
        _limit(resource.RLIMIT_NOFILE, most["files"])
        # Not RLIMIT_AS: node, Java and Go reserve far more addresses than they will ever use.
        # DATA counts what is writable; twice, so that the count of all, which has a name, is first.
        _limit(resource.RLIMIT_DATA, 2 * most["memory"])
        os.execvpe(argv[0], argv, os.environ)
    except OSError as error:
        os.write(pipes.start, b"%d" % (error.errno or 0))
    finally:
        os._exit(127)


def _limit(which: int, most: int, spare: int = 0) -> None:
    soft, hard = (sys.maxsize if now < 0 else now for now in resource.getrlimit(which))
    resource.setrlimit(which, (min(most, soft, hard), min(most + spare, hard)))


def guard(keeper: int, parent: int, pipes: Pipes) -> None:
    """Pass on what the parent asks for; end all when the parent or the keeper dies."""
    pipes.let_go()
    _silence()
    family = Family(keeper)
    patience = float("inf")
    while family.reap() and family.status is None and time.monotonic() < patience:
        heard = _heard(WATCH_S)
        asked = signals.SIGINT if os.getppid() != parent else heard
        if asked in (signals.SIGTERM, signals.SIGINT):
            _sent(keeper, asked)
            _sent(keeper, signals.SIGCONT)
            patience = min(patience, time.monotonic() + GUARD_S)
    family.end()
    if family.status != 0:
        pipes.say(b"ended -9 keeper\n")


def _ask_kernel(which: int, value: int) -> None:
    """What `ctypes.CDLL(None).prctl` does, without the time that importing ctypes takes."""
    if not LINUX:
        return

    class Number(_ctypes._SimpleCData):  # type: ignore[type-arg]
        _type_ = "l"

    class Function(_ctypes.CFuncPtr):
        _flags_ = _ctypes.FUNCFLAG_CDECL
        _restype_ = Number

    prctl = Function(_ctypes.dlsym(_ctypes.dlopen(None, 0), "prctl"))  # type: ignore[arg-type]
    prctl(*map(Number, (which, value, 0, 0, 0)))


def _heard(seconds: float) -> int | None:
    """The next signal for us, or None when the time is up."""
    if hasattr(signals, "sigtimedwait"):
        found = signals.sigtimedwait(HEARD, max(seconds, 0.0))
        return found.si_signo if found else None
    time.sleep(min(max(seconds, 0.0), 0.01))
    waiting = signals.sigpending() & {signals.SIGTERM, signals.SIGINT}
    return signals.sigwait(waiting) if waiting else None


def _sent(target: int, which: int) -> bool:
    try:
        os.kill(target, which)
    except OSError:  # gone, or another user's
        return False
    return True


def _silence() -> None:
    """Hold nothing of the command's: not even its output, whose end is to be seen."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)


def main(arguments: list[str]) -> None:
    words, start, parent_id, limits, *argv = arguments
    pipes, parent = Pipes(int(words), int(start)), int(parent_id)
    most = {name: int(number) for name, number in (pair.split("=") for pair in limits.split(","))}
    if not most.pop("ctype"):
        os.environ.pop("LC_CTYPE", None)  # Python's own doing, in the C locale
    signals.pthread_sigmask(signals.SIG_BLOCK, HEARD)
    _ask_kernel(SUBREAPER, 1)
    above = os.getpid() if LINUX else parent
    try:
        if LINUX and (keeper := os.fork()):
            guard(keeper, parent, pipes)
        else:
            _ask_kernel(DEATH_SIGNAL, signals.SIGINT)  # the guard has one thread
            keep(argv, most, above, pipes)
    finally:
        os._exit(0)
