"""What endpoints have taught us, kept across runs in one small file of plain text."""

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from react_agent.parsers.servers.endpoints import read_endpoints, write_endpoints
from react_agent.tools import disk
from react_agent.tools.disk import locked

NAME = "endpoints.txt"


@dataclass(frozen=True, slots=True)
class Memory:
    """Where the folder can't be written to, nothing is kept, and nothing fails."""

    folder: Path

    @property
    def path(self) -> Path:
        return self.folder / NAME

    def recall(self, base_url: str, model: str) -> Mapping[str, str]:
        return self._read().get((base_url, model), {})

    def keep(self, base_url: str, model: str, facts: Mapping[str, str]) -> None:
        """Beside what other processes have learned meanwhile."""
        with contextlib.suppress(OSError), self._alone():
            known = self._read()
            known[base_url, model] = {**known.get((base_url, model), {}), **facts}
            disk.write_over(self.path, write_endpoints(known).encode())

    def forget(self, base_url: str, model: str) -> None:
        with contextlib.suppress(OSError), self._alone():
            known = self._read()
            if known.pop((base_url, model), None) is not None:
                disk.write_over(self.path, write_endpoints(known).encode())

    def _read(self) -> dict[tuple[str, str], dict[str, str]]:
        try:
            return read_endpoints(disk.read_text(self.path, errors="replace"))
        except OSError:
            return {}

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        disk.mkdir(self.folder, parents=True, exist_ok=True)
        with locked(self.path.with_suffix(".lock")):
            yield
