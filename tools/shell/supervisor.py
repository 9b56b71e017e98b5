"""A separate program that starts commands, limits them, and kills all processes that they leave.

    our process -> server -> supervisor -> command -> its descendants

Each of our processes that runs commands has one server, which forks a supervisor for each command.
A supervisor whose command has left nothing waits for another one with the same limits and
namespaces, because a process can't leave these again, and a fork takes longer than many commands.
On Linux, both are subreapers: an orphan, such as a daemon, becomes their child, and they exit only
when they have no children. Each kills its descendants when its parent dies. The server also does so
when a supervisor dies, so that a command can't escape by killing one of the two. The number of
processes and their memory are counted in /proc, because RLIMIT_NPROC does not limit root. On macOS,
only the command's process group is killed, and processes that left the group keep running.

A run waits for the server to start, so it imports only modules that load fast: `signal`, `socket`
and `ctypes` would take 20 ms together. The messages on each socket are described in process.py.
"""

import _ctypes
import _signal as signals  # type: ignore[import-not-found]
import _socket
import errno
import gc
import os
import resource
import select
import sys
import time

TYPE_CHECKING = False  # `typing` is slow to import
if TYPE_CHECKING:
    from collections.abc import Iterator

LINUX = sys.platform == "linux"
LOOK_S = 0.05  # between two looks at /proc; more where a look takes long
SIZE_S = 0.5  # to add up the temporary files
PAUSE = 10  # at least so many times as long as the look before it
WATCH_S = 0.25  # between two looks of the server at who its parent is
LINGER_S = 0.2  # for what the command left behind to print its last words
TERM_S = 0.4  # between SIGTERM and SIGKILL
KILL_S = 2.0  # no longer: what waits for a broken disk can't be killed
END_S = 3.0  # for a supervisor to do all that
YOUNG_S = 0.5  # of processor time, after which a supervisor takes no more commands
SUBREAPER, DEATH_SIGNAL, DUMPABLE = 36, 1, 4  # of prctl
SIGNALS = (signals.SIGCHLD, signals.SIGTERM, signals.SIGINT)  # SIGINT: end all at once
ASKED = {b"t": signals.SIGTERM, b"i": signals.SIGINT, b"": signals.SIGINT}  # b"": they are gone
PAGE = os.sysconf("SC_PAGE_SIZE")
NUMBER = 4  # bytes of a descriptor, as sockets pass them on
KIND = 16  # bytes that say which supervisors can take a command
UNKNOWN = 1 << 62
IDLE = -1
NEVER = float("inf")
UNLIMITED = 1 << 61  # nobody looks at /proc then
FILTER = 9  # the descriptor that bubblewrap reads one from


class Number(_ctypes._SimpleCData):  # type: ignore[type-arg]
    _type_ = "l"


class Call(_ctypes.CFuncPtr):
    _flags_ = _ctypes.FUNCFLAG_CDECL
    _restype_ = Number


# The same as `ctypes.CDLL(None)`, without the slow import of ctypes.
LIBC = _ctypes.dlopen(None, 0) if LINUX else 0  # type: ignore[arg-type]
PRCTL, SETNS = (Call(_ctypes.dlsym(LIBC, name)) if LINUX else None for name in ("prctl", "setns"))


def ask_kernel(which: int, value: int) -> None:
    if PRCTL:
        PRCTL(*map(Number, (which, value, 0, 0, 0)))


def enter(process: int) -> None:
    """Enter the user and network namespaces of a process. This is faster than with nsenter."""
    names = [f"/proc/{process}/ns/{kind}" for kind in ("user", "net")]
    if os.readlink(names[0]) == os.readlink("/proc/self/ns/user"):  # noqa: PTH115
        return  # an earlier command did
    opened = [os.open(name, os.O_RDONLY) for name in names]
    for namespace in opened:
        if not SETNS or SETNS(Number(namespace), Number(0)):
            raise OSError(errno.EPERM, "a namespace can't be entered")
        os.close(namespace)
    ask_kernel(DEATH_SIGNAL, signals.SIGINT)  # the kernel may have reset it


class Running:
    """A supervisor as the server sees it."""

    def __init__(self, pid: int, kind: bytes, life: _socket.socket) -> None:
        self.pid = pid
        self.kind = kind
        self.life = life  # takes commands to it; closes when it ends
        self.control = IDLE  # a socket: we say how its command ended, they ask us to end it
        self.deadline = NEVER
        self.is_connected = False  # until they are gone

    def is_idle(self) -> bool:
        return self.control == IDLE and self.deadline == NEVER

    def take(self, handed: "list[int]") -> bool:
        """Let it run a command. Return False if it has ended."""
        packed = b"".join(one.to_bytes(NUMBER, sys.byteorder) for one in handed)
        try:
            self.life.sendmsg([b"."], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, packed)])
        except OSError:
            return False
        self.control, self.is_connected = handed[0], True
        return True

    def is_done(self) -> bool:
        """Return whether it has said that nothing is left of its command."""
        try:
            return bool(self.life.recv(1))
        except OSError:
            return False

    def obey(self) -> None:
        try:
            asked = os.read(self.control, 1)
        except OSError:
            asked = b""
        self.is_connected = bool(asked)
        self.end(ASKED[asked])

    def end(self, which: int) -> None:
        for number in (which, signals.SIGCONT):
            _send(self.pid, number)
        self.deadline = min(self.deadline, time.monotonic() + END_S)

    def rest(self, ending: bytes = b"") -> None:
        """Forget its command, and report how it ended if the supervisor could not."""
        if self.control != IDLE:
            _write(self.control, ending)
            os.close(self.control)  # last: whoever waits for the command waits for this
        self.control, self.is_connected, self.deadline = IDLE, False, NEVER


class Server:
    def __init__(self, requests: int, parent: int) -> None:
        self._requests = _socket.socket(fileno=requests)
        self._parent = parent
        self._running: dict[int, Running] = {}

    def serve(self) -> None:
        """Serve requests until our parent has ended, and then kill everything that was started."""
        while os.getppid() == self._parent:
            ready = self._ready()
            if self._requests.fileno() in ready and not self._start():
                break
            self._attend(ready)
        self._requests.close()
        for running in self._running.values():
            running.end(signals.SIGINT)
        while self._running:
            self._attend(set())
            time.sleep(0.003)

    def _ready(self) -> set[int]:
        pipes = select.poll()
        pipes.register(self._requests.fileno(), select.POLLIN)
        for running in self._running.values():
            if running.is_connected:
                pipes.register(running.control, select.POLLIN)
            pipes.register(running.life.fileno(), select.POLLIN)
        is_idle = all(map(Running.is_idle, self._running.values()))
        return {ready for ready, _ in pipes.poll(None if is_idle else WATCH_S * 1000)}

    def _attend(self, ready: set[int]) -> None:
        for running in self._running.values():
            if running.control in ready:
                running.obey()
            if running.life.fileno() in ready and running.is_done():
                for other in filter(Running.is_idle, self._running.values()):
                    other.end(signals.SIGKILL)  # one is enough
                running.rest()
            if time.monotonic() > running.deadline:
                _send(running.pid, signals.SIGKILL)
        for pid, status in _reaped():
            if pid in self._running:
                running = self._running.pop(pid)
                if status:
                    self._end_orphans()
                running.life.close()
                running.rest(b"ended -9 supervisor\n" if status else b"")

    def _end_orphans(self) -> None:
        """Kill the orphans of a killed supervisor: our child processes that are not supervisors."""
        patience = time.monotonic() + KILL_S
        while LINUX and time.monotonic() < patience:
            orphans = descendants(os.getpid(), besides=self._running)
            if not any(state != b"Z" for _, _, state, _ in orphans):
                return
            _kill(orphans)
            time.sleep(0.003)

    def _start(self) -> bool:
        """Give a command to a supervisor. Return False if there can be no more requests."""
        kind, handed = _handed(self._requests, KIND)
        if not kind:
            return False
        idle = filter(Running.is_idle, self._running.values())
        running = next((one for one in idle if one.kind == kind), None)
        is_taken = running is not None and running.take(handed)
        if not is_taken and (running := self._forked(kind)):
            is_taken = running.take(handed)
        # if none takes it, those who asked see that nothing was started
        for done in handed[1 if is_taken else 0 :]:
            os.close(done)
        return True

    def _forked(self, kind: bytes) -> "Running | None":
        ours, theirs = _socket.socketpair()
        try:
            pid = os.fork()
        except OSError:
            pid = -1
        if pid == 0:
            _supervise(theirs)
        theirs.close()
        if pid < 0:
            ours.close()
            return None
        self._running[pid] = Running(pid, kind, ours)
        return self._running[pid]


def _handed(way: _socket.socket, length: int) -> "tuple[bytes, list[int]]":
    """Receive a message with the descriptors for a command's end, for its start and its output."""
    said, passed, *_ = way.recvmsg(length, _socket.CMSG_SPACE(3 * NUMBER))
    packed = b"".join(data for *_, data in passed)
    places = range(0, len(packed), NUMBER)
    handed = [int.from_bytes(packed[at : at + NUMBER], sys.byteorder) for at in places]
    for descriptor in handed:
        os.set_inheritable(descriptor, False)
    return said, handed


class Children:
    """The children of a supervisor: its command, and the orphans that it adopted."""

    def __init__(self, command: int) -> None:
        self.command = command
        self.status: int | None = None  # the command's, once it has ended

    def reap(self) -> bool:
        """Reap the children that have ended. Return whether any children are left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return not LINUX and _send(-self.command, 0)
            if pid == self.command:
                self.status = status
            if pid == 0:
                return True

    def end(self) -> bool:
        """Kill the children until none is left. Return False if that takes too long."""
        patience = time.monotonic() + KILL_S
        while self.reap():
            if time.monotonic() > patience:
                return False
            if LINUX:
                _kill(descendants(os.getpid()))
            else:
                _send(-self.command, signals.SIGKILL)
            time.sleep(0.003)
        return True


def _supervise(life: _socket.socket) -> None:
    """Run the supervisor that the server forks, until something is left of a command."""
    code = 1
    try:
        above = os.getppid()
        ask_kernel(SUBREAPER, 1)
        ask_kernel(DEATH_SIGNAL, signals.SIGINT)  # the server has one thread
        # close the server's other descriptors: else the ends of other commands are not seen
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        os.closerange(3, life.fileno())
        os.closerange(life.fileno() + 1, most if most > 0 else 1 << 16)
        while True:
            said, handed = _handed(life, 1)
            if not said:
                break
            while _next_signal(0.0):  # they were for the command before
                pass
            if not _run_command(above, *handed) or time.process_time() > YOUNG_S:
                break
            life.send(b".")
        code = 0
    finally:
        os._exit(code)


def _run_command(above: int, control: int, request: int, output: int) -> bool:
    """Run a command. Return whether nothing is left of it."""
    # its length, limits, filter, holder, folder, program, number of words, words, environment
    data = bytearray()
    while chunk := os.read(request, 1 << 16):
        data += chunk
    length, _, asked = bytes(data).partition(b"\0")
    if length != b"%d" % len(asked):
        raise EOFError
    limits, calls, holder, folder, program, number, *words = asked.split(b"\0")
    most = {name.decode(): int(most) for name, most in (p.split(b"=") for p in limits.split(b","))}
    argv = words[: int(number)]
    environment = dict(variable.split(b"=", 1) for variable in words[int(number) :])
    os.write(request, b"+")
    try:
        os.chdir(folder)
        if holder:
            enter(int(holder))
        children = Children(_begin(program, argv, environment, most, output, calls))
    except OSError as error:
        os.write(request, b"%d" % (error.errno or 0))
        return False
    for descriptor in (request, output):
        os.close(descriptor)
    hit = _watch(children, most, environment.get(b"TMPDIR", b""), above)
    is_alone = children.end()
    code = os.waitstatus_to_exitcode(children.status) if children.status is not None else -9
    sent = -code if code < 0 else code - 128  # a shell adds that to the signal of its child
    by_signal = {signals.SIGXCPU: "cpu", signals.SIGXFSZ: "file"}.get(sent, "-")
    hit = hit or (by_signal if is_alone else "left")
    _write(control, b"ended %d %s\n" % (code, hit.encode()))
    os.close(control)
    os.chdir("/")
    return is_alone


def _watch(children: Children, most: dict[str, int], place: bytes, above: int) -> str:
    """Wait until the command ends or hits a limit. Return the limit, or an empty string."""
    is_limited = LINUX and most["memory"] < UNLIMITED
    limits = (_crowd(most), _disk(most, *_left()), _temporary(place, most)) if is_limited else ()
    due = dict.fromkeys(limits, time.monotonic() + LOOK_S)
    while children.reap() and children.status is None:
        now = time.monotonic()
        heard = _next_signal(min(due.values(), default=now + LOOK_S) - now)
        if os.getppid() != above:
            return "supervisor"
        if heard == signals.SIGINT:
            return ""
        if heard == signals.SIGTERM:
            _send(-children.command, signals.SIGTERM)
            _send(-children.command, signals.SIGCONT)
            _wait(children, TERM_S, until_alone=False)
            return ""
        for hits in limits:
            began = time.monotonic()
            if began < due[hits]:
                continue
            if hit := next(hits):
                return hit
            ended = time.monotonic()
            due[hits] = ended + max(LOOK_S, PAUSE * (ended - began))
    _wait(children, LINGER_S, until_alone=True)
    return ""


def _wait(children: Children, seconds: float, *, until_alone: bool) -> None:
    deadline = time.monotonic() + seconds
    while children.reap() and (until_alone or children.status is None):
        if (left := deadline - time.monotonic()) <= 0 or _next_signal(left) == signals.SIGINT:
            return


def _begin(
    program: bytes,
    argv: list[bytes],
    environment: dict[bytes, bytes],
    most: dict[str, int],
    output: int,
    calls: bytes,
) -> int:
    """Start the command and return its process id. Its limits also apply to this process."""
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_CPU, most["cpu_seconds"], spare=5)  # SIGXCPU at first, then SIGKILL
    _limit(resource.RLIMIT_FSIZE, most["file_bytes"])
    _limit(resource.RLIMIT_NOFILE, most["open_files"])
    # Not RLIMIT_AS: node, Java and Go reserve far more addresses than they will ever use.
    # RLIMIT_DATA limits writable memory. It is doubled so that our own count, which names the
    # limit, is reached first.
    _limit(resource.RLIMIT_DATA, 2 * most["memory"])
    done: list[tuple[int | bytes, ...]] = [
        (os.POSIX_SPAWN_DUP2, output, number) for number in (1, 2)
    ]
    if calls:
        done.append((os.POSIX_SPAWN_OPEN, FILTER, calls, os.O_RDONLY, 0))
    return os.posix_spawn(
        program,
        argv,
        environment,
        file_actions=done,
        setsid=True,
        setsigmask=(),
        setsigdef=(signals.SIGPIPE, signals.SIGXFSZ),  # ignored by Python
    )


def _limit(which: int, most: int, spare: int = 0) -> None:
    soft, hard = (sys.maxsize if now < 0 else now for now in resource.getrlimit(which))
    resource.setrlimit(which, (min(most, soft, hard), min(most + spare, hard)))


def _crowd(most: dict[str, int]) -> "Iterator[str]":
    """Check the number and the total memory of all descendants."""
    while True:
        living = [row for row in descendants(os.getpid()) if row[2] != b"Z"]
        if len(living) > most["processes"]:
            yield "processes"
        # shared pages were counted several times; an exact count is slow
        at_most = sum(pages for *_, pages in living) * PAGE
        is_over = at_most > most["memory"] and sum(map(_memory, living)) > most["memory"]
        yield "memory" if is_over else ""


def _temporary(place: bytes, most: dict[str, int]) -> "Iterator[str]":
    """Check that temporary files are not both too large and growing."""
    before = UNKNOWN
    while True:
        size = _size(place) if place else 0
        yield "temporary" if size > most["temporary"] and size > before else ""
        before = size


def _size(folder: bytes) -> int:
    """Return the disk usage of all files below a folder, except links and unreadable files.

    Files that can't be reached in time are not counted, because the other limits are not checked
    meanwhile. A command may replace the folder with a link to all files of the machine.
    """
    size, folders, until = 0, [folder], time.monotonic() + SIZE_S
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    if time.monotonic() > until:
                        return size
                    size += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
        except OSError:  # removed meanwhile
            continue
    return size


def _disk(most: dict[str, int], room: int, files: int) -> "Iterator[str]":
    """Check the free space on the command's disk. If little was free, half of it may be used."""
    room, files = min(most["room"], room // 2), min(most["inodes"], files // 2)
    while True:
        room_left, files_left = _left()
        yield "disk" if room_left < room or files_left < files else ""


def _left() -> tuple[int, int]:
    """Return the number of free bytes and files on the disk. File counts may be unknown."""
    try:
        found = os.statvfs(".")
    except OSError:  # the folder is closed to us, or its disk is gone
        return UNKNOWN, UNKNOWN
    return found.f_bavail * found.f_frsize, found.f_favail


def descendants(
    ancestor: int, besides: "dict[int, Running] | None" = None
) -> list[tuple[int, int, bytes, int]]:
    """Return the id, group, state and memory pages of each descendant not in `besides`."""
    children: dict[int, list[tuple[int, int, bytes, int]]] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208 - pathlib costs 20 ms
        if name.isdigit() and (fields := _read(f"/proc/{name}/stat").rpartition(b")")[2].split()):
            row = (int(name), int(fields[2]), fields[0], int(fields[21]))
            children.setdefault(int(fields[1]), []).append(row)
    found = [row for row in children.get(ancestor, ()) if row[0] not in (besides or ())]
    for pid, *_ in found:
        found += children.get(pid, ())
    return found


def _memory(row: tuple[int, int, bytes, int]) -> int:
    for line in _read(f"/proc/{row[0]}/smaps_rollup").splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) * 1024
    return row[3] * PAGE


def _read(path: str) -> bytes:
    try:
        opened = os.open(path, os.O_RDONLY)
        try:
            return os.read(opened, 4096)
        finally:
            os.close(opened)
    except OSError:  # it has ended
        return b""


def _next_signal(seconds: float) -> int | None:
    """Return the next signal that arrives, or None if time runs out."""
    if hasattr(signals, "sigtimedwait"):
        found = signals.sigtimedwait(SIGNALS, max(seconds, 0.0))
        return found.si_signo if found else None
    time.sleep(min(max(seconds, 0.0), 0.01))
    waiting = signals.sigpending() & {signals.SIGTERM, signals.SIGINT}
    return signals.sigwait(waiting) if waiting else None


def _reaped() -> "Iterator[tuple[int, int]]":
    """Yield the id and the status of each child that has ended."""
    try:
        while (dead := os.waitpid(-1, os.WNOHANG))[0]:
            yield dead
    except ChildProcessError:
        return


def _kill(found: list[tuple[int, int, bytes, int]]) -> None:
    """Kill processes. All of them are stopped first, so that none can start another one."""
    groups = {group for _, group, _, _ in found} - {os.getpgrp()}
    targets = [-group for group in groups] + [pid for pid, _, _, _ in found]
    for which in (signals.SIGSTOP, signals.SIGKILL):
        for target in targets:
            _send(target, which)


def _send(target: int, which: int) -> bool:
    try:
        os.kill(target, which)
    except OSError:  # gone, or another user's
        return False
    return True


def _write(where: int, line: bytes) -> None:
    try:
        os.write(where, line)
    except OSError:  # nobody listens any more
        return


def main(requests: int, parent: int) -> None:
    signals.pthread_sigmask(signals.SIG_BLOCK, SIGNALS)
    gc.disable()  # it would write to what forks share
    gc.freeze()
    ask_kernel(SUBREAPER, 1)
    ask_kernel(DUMPABLE, 0)  # another's sockets and requests are not to be had from our memory
    Server(requests, parent).serve()
    os._exit(0)
