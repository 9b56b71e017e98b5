"""Run commands in a container: the options of docker and podman that confine the commands."""

import contextlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from react_agent.tools.errors import ReactAgentError
from react_agent.tools.sandbox.sandbox import Places
from react_agent.tools.shell import process
from react_agent.tools.shell.environment import FIXED
from react_agent.tools.shell.process import ResourceLimits

ENV = "/usr/bin/env"
END_S = 60.0
MOST = ResourceLimits()
PROTECTED = (
    *("run", "--rm", "--init", "--interactive=false", "--pull", "never", "--read-only"),
    *("--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--hostname", "sandbox"),
    *("--pids-limit", str(MOST.processes)),
    *("--memory", str(MOST.memory), "--memory-swap", str(MOST.memory)),
)
OF_PODMAN = ("--security-opt", "label=disable")
NOT_ROOT = ("--userns", "keep-id")  # podman refuses it to root
# The image has its own programs: PATH and variables for toolchains are not passed on.
PASSED_ON = (*FIXED, "TZ")
SET_LATER = "PYTHONPATH"  # passed on with the value that a command is started with


@dataclass(frozen=True, slots=True)
class Container:
    program: str
    image: str
    places: Places
    environment: Mapping[str, str]  # of the commands
    client: Mapping[str, str]  # of docker or podman itself: HOME, where its settings and images are
    user: str = field(default_factory=lambda: f"{os.getuid()}:{os.getgid()}")


def confined(container: Container, argv: Sequence[str], cwd: Path) -> list[str]:
    """Return the command line that runs a command in a new container, removed at the end."""
    places, given = container.places, container.environment
    fixed = {name: given[name] for name in PASSED_ON if name in given}
    fixed |= {"HOME": str(places.home), "TMPDIR": str(places.tmp)}
    # in the same order as everywhere, outer ones first: they can't be moved
    same = filter(None, (places.cut, places.root, places.home, places.tmp, places.also))
    mounts = ((places.tmp, Path("/tmp")), *((place, place) for place in same))
    of_podman = OF_PODMAN if container.user.startswith("0:") else (*NOT_ROOT, *OF_PODMAN)
    return [
        *(*_client(container), *PROTECTED, "--user", container.user),
        *(of_podman if Path(container.program).name == "podman" else ()),
        *("--network", "bridge" if places.network else "none"),
        *("--label", _label(container)),
        *(word for name, value in fixed.items() for word in ("--env", f"{name}={value}")),
        *("--env", SET_LATER),
        *(word for pair in mounts for word in ("--mount", _mount(*pair, places.cut))),
        *("--workdir", str(cwd), "--entrypoint", argv[0], container.image, *argv[1:]),
    ]


def end_left(container: Container) -> None:
    """Remove the containers of this run. A container keeps running when its client has ended."""
    listing = ("ps", "--all", "--quiet", "--filter", f"label={_label(container)}")
    ask = partial(process.run, cwd=Path("/"), env={}, timeout_s=END_S)
    with contextlib.suppress(ReactAgentError):
        listed = ask((*_client(container), *listing))
        left = listed.output.decode(errors="replace").split() if listed.code == 0 else []
        if left:
            ask((*_client(container), "rm", "--force", *left))


def _client(container: Container) -> tuple[str, ...]:
    given = (f"{name}={value}" for name, value in container.client.items())
    return (ENV, *given, container.program)


def _label(container: Container) -> str:
    """Return the label of all containers of a run, including those of its checkouts."""
    return f"react-agent={container.places.home}"


def _mount(source: Path, target: Path, readonly: Path) -> str:
    fields = ",".join((_field(f"source={source}"), _field(f"target={target}")))
    return f"type=bind,{fields}{',readonly' if source == readonly else ''}"


def _field(text: str) -> str:
    """Return a field of a comma-separated list, quoted if necessary."""
    if not any(character in text for character in ',"\n'):
        return text
    return '"' + text.replace('"', '""') + '"'
