"""Runs one command in a sandbox on a small disk: `small_disk.py FOLDER SANDBOX COMMAND`.

To be started in namespaces of its own, where it may mount one. Prints the limit that was hit, and
whether there is room again for a file of ours.
"""

import subprocess
import sys
from pathlib import Path

from react_agent.tools.sandbox.sandbox import Places
from react_agent.tools.sandbox.sandboxes import choose
from react_agent.tools.shell import process
from react_agent.tools.shell.process import ResourceLimits

ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
SIZE, ROOM, INODES = 24 << 20, 8 << 20, 400


def main(disk: Path, sandbox: str, command: str) -> None:
    options = f"size={SIZE},nr_inodes=1000"
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "small", disk], check=True)
    for folder in ("workspace/.git", "home/tmp", "cut"):
        (disk / folder).mkdir(parents=True)
    places = Places(disk / "workspace", disk / "home", disk / "cut")
    chosen = choose(sandbox, places, ENVIRONMENT, {})
    done = process.run(
        chosen.sandbox(["sh", "-c", command], places.root),
        cwd=places.root,
        env=ENVIRONMENT,
        timeout_s=20,
        limits=ResourceLimits(room=ROOM, inodes=INODES),
    )
    (disk / "transcript.txt").write_bytes(bytes(1 << 20))
    print(done.hit or done.code)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
