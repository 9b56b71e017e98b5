"""Serve a model in a GGUF file to this process only, with llama.cpp in a separate process.

The server gets a free local port and a key of its own. A supervisor stops it when this process ends
for any reason. Requests use OpenAI's APIs, as for any server: chat, or completions if the file has
no chat template.
"""

import os
import re
import secrets
import sys
import threading
from dataclasses import dataclass, field, replace
from pathlib import Path

from react_agent.errors import MachineError, ModelError
from react_agent.models import gguf_server
from react_agent.models.endpoint import COMPLETIONS, OPENAI, Endpoint
from react_agent.models.wire import Ask, Fault, Pieces, Wire
from react_agent.parsers.servers.gguf import Gguf, NotGguf, read_gguf
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.tools import clock, disk, variables
from react_agent.tools.errors import reason
from react_agent.tools.package_data import install_command
from react_agent.tools.shell import process

_HEADER = 64 << 20  # bytes: the largest vocabularies take a tenth of it
_WINDOW = 32_768  # tokens, of a model that could have more: they cost memory
_WORKING = 512 << 20  # bytes, beside the weights and the window
_AVAILABLE = re.compile(r"^MemAvailable: +(\d+) kB$", re.MULTILINE)
_PASSED_ON = ("PATH", "HOME", "PYTHONPATH", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES")
_KEPT = 20_000  # bytes, of what it prints
_FEW_CORES = 4
_WHY = re.compile(r"error loading model: (.+)")
_ERROR = re.compile(r"^\S+ E (.+)$", re.MULTILINE)
_GB = 1e9


@dataclass(slots=True)
class GgufServer:
    path: str
    window: int
    size: int  # bytes of the file
    kept: process.Supervised
    endpoint: Endpoint  # where it is asked
    seconds: float  # to load it
    printed: process.HeadAndTail = field(default_factory=lambda: process.HeadAndTail(_KEPT))
    reader: threading.Thread = field(init=False)

    def __post_init__(self) -> None:
        self.reader = threading.Thread(target=self._drain, daemon=True)
        self.reader.start()

    @property
    def is_alive(self) -> bool:
        return self.kept.poll() is None

    def close(self) -> None:
        self.kept.kill()
        self.reader.join()
        self.kept.output.close()

    def _drain(self) -> None:
        """Read the server's output, because a full pipe would block the server."""
        while chunk := self.kept.output.read(process.CHUNK):
            self.printed.add(chunk)


@dataclass(slots=True)
class Pace:
    """The speed of the last call."""

    prompt_seconds: float = 0.0
    prompt_tokens: int = 0  # not found in the cache
    reply_seconds: float = 0.0  # behind the first token
    reply_tokens: int = 0


@dataclass(slots=True)
class ServedWire:
    server: GgufServer
    wire: Wire
    pace: Pace = field(default_factory=Pace)

    @property
    def goes_on(self) -> bool:
        return self.wire.goes_on

    def window(self) -> int | None:
        return self.server.window

    def pieces(self, ask: Ask) -> Pieces:
        began = clock.monotonic()
        first, tokens, usage = 0.0, 0, None
        try:
            for piece in self.wire.pieces(ask):
                if piece.text and not first:
                    first = clock.monotonic()
                tokens += bool(piece.text)  # one a piece
                usage = piece.usage or usage
                yield piece
        except Fault:
            if self.server.is_alive:
                raise
            told = _why(self.server.printed.kept().whole.decode(errors="replace"))
            text = f"the server of {self.server.path} has ended{told or ': out of memory?'}"
            raise ModelError(text) from None
        finally:
            prompt = usage.prompt - usage.cached if usage else estimate_tokens(ask.view.text)
            first = first or clock.monotonic()
            self.pace = Pace(first - began, prompt, clock.monotonic() - first, max(tokens - 1, 0))


def serve(endpoint: Endpoint) -> GgufServer:
    """Start the server and wait until it accepts requests. Raises MachineError."""
    path = Path(endpoint.model)
    found, size = _looked_at(path)
    wanted = endpoint.manner.get("window", "")
    window = min(found.window, int(wanted) if wanted else _WINDOW)
    _check_memory(path, size + found.bytes_per_token * window + _WORKING)
    name = found.name or path.stem
    key, began = secrets.token_hex(16), clock.monotonic()
    cores = os.cpu_count() or 1
    # Half of many cores, since the rest are mostly second threads.
    threads = str(cores if cores <= _FEW_CORES else cores // 2)
    passed_on = {one: value for one in _PASSED_ON if (value := variables.value(one))}
    kept = process.start(
        [sys.executable, "-P", "-m", gguf_server.__name__, str(path), name, str(window), threads],
        cwd=Path("/"),
        env={gguf_server.KEY: key, **passed_on},
        limits=process.UNLIMITED,
    )
    try:
        address = _listening(path, kept)
    except BaseException:
        kept.discard()
        raise
    kind = OPENAI if found.is_chat else COMPLETIONS
    own = replace(endpoint, kind=kind, model=name, base_url=f"{address}/v1", key=key)
    seconds = clock.monotonic() - began
    return GgufServer(str(path), window, size, kept, own, seconds)


def _looked_at(path: Path) -> tuple[Gguf, int]:
    try:
        return read_gguf(disk.start_of(path, _HEADER)), path.stat().st_size
    except NotGguf as error:
        raise MachineError(f"{path} {error}") from None
    except OSError as error:
        raise MachineError(f"can't read {reason(error)}") from None


def _check_memory(path: Path, needed: int) -> None:
    """Check that the server has enough memory not to be killed or swap. Raises MachineError."""
    try:
        found = _AVAILABLE.search(disk.read_text(Path("/proc/meminfo")))
    except OSError:  # not on Linux
        return
    free = int(found[1]) * 1024 if found else needed
    if needed > free:
        raise MachineError(
            f"{path} needs about {needed / _GB:.1f} GB of memory, but {free / _GB:.1f} GB are free:"
            " use a smaller file, or a smaller window in the settings of this model"
        )


def _listening(path: Path, kept: process.Supervised) -> str:
    """Return the server's address once it accepts connections. Raises MachineError."""
    printed = bytearray()
    while chunk := kept.output.read(process.CHUNK):
        printed += chunk
        for line in printed.decode(errors="replace").splitlines(keepends=True):
            word, _, address = line.rstrip().partition(" ")
            if word == gguf_server.LISTENING and line.endswith("\n"):
                return address
            if word == gguf_server.MISSING:
                raise MachineError(
                    "a GGUF file needs llama.cpp, which is not installed: "
                    f"{install_command('local')}"
                )
    kept.wait()
    told = _why(printed.decode(errors="replace"))
    raise MachineError(f"{path} can't be loaded{told or ': out of memory?'}")


def _why(printed: str) -> str:
    """Return the reason that llama.cpp printed, or an empty string."""
    found = _WHY.search(printed) or _ERROR.search(printed)
    return f": {found[1].strip()}" if found else ""
