"""A real git repository that a test makes."""

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

Files = Mapping[str, str | bytes | None]  # None: it is removed


@dataclass
class Repository:
    root: Path

    def make(self) -> None:
        self.root.mkdir()
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *words: str) -> str:
        done = subprocess.run(["git", *words], cwd=self.root, check=True, capture_output=True)
        return done.stdout.decode()

    @property
    def head(self) -> str:
        return self.git("rev-parse", "HEAD").strip()

    def write(self, files: Files) -> None:
        for name, content in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if content is None:
                path.unlink()
            else:
                path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def save(self, files: Files, message: str = "Sell") -> str:
        """Commit these files, and return the commit."""
        self.write(files)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", f"--message={message}")
        return self.head

    def patch(self, files: Files) -> str:
        """Return what git makes of these files and of all that was changed before."""
        self.write(files)
        self.git("add", "--all")
        text = self.git("diff", "--cached", "--binary")
        self.git("reset", "--quiet", "--hard")
        return text
