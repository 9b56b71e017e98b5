"""Commands inside a container of an image: docker's and podman's words for the same walls."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from react_agent.tools.environment import FIXED
from react_agent.tools.sandbox import Places

ENV = "/usr/bin/env"
PIDS = 512
MEMORY = "4g"
PROTECTED = (
    *("run", "--rm", "--init", "--interactive=false", "--pull", "never", "--read-only"),
    *("--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--hostname", "sandbox"),
    *("--pids-limit", str(PIDS), "--memory", MEMORY, "--memory-swap", MEMORY),
)
# The image has its own programs: PATH and what points at toolchains stay outside.
PASSED_ON = (*FIXED, "TZ")
SET_LATER = ("PYTHONPATH",)  # passed on with the value that a command is started with


@dataclass(frozen=True, slots=True)
class Container:
    program: str
    image: str
    places: Places
    environment: Mapping[str, str]  # of the commands
    client: Mapping[str, str]  # of docker or podman itself: HOME, where its settings and images are
    user: str  # uid:gid

    @property
    def is_podman(self) -> bool:
        return Path(self.program).name == "podman"


def confined(container: Container, argv: Sequence[str], cwd: Path) -> list[str]:
    """This command, in a new container that goes when it ends."""
    places = container.places
    return [
        *(ENV, *(f"{name}={value}" for name, value in container.client.items())),
        *(container.program, *PROTECTED, *_user(container)),
        *("--network", "bridge" if places.network else "none"),
        *("--label", f"react-agent={places.root}"),
        *_variables(container),
        *_mounts(places),
        *("--workdir", str(cwd), "--entrypoint", argv[0], container.image, *argv[1:]),
    ]


def _user(container: Container) -> Iterator[str]:
    yield from ("--user", container.user)
    if container.is_podman:
        yield from ("--userns", "keep-id", "--security-opt", "label=disable")


def _variables(container: Container) -> Iterator[str]:
    given = container.environment
    fixed = {name: given[name] for name in PASSED_ON if name in given}
    home = {"HOME": str(container.places.home), "TMPDIR": str(container.places.tmp)}
    for name, value in {**fixed, **home}.items():
        yield from ("--env", f"{name}={value}")
    for name in SET_LATER:
        yield from ("--env", name)


def _mounts(places: Places) -> Iterator[str]:
    """The same order as everywhere: what is above comes first, and a mount point can't be moved."""
    for source, target, kind in (
        (places.tmp, Path("/tmp"), ""),
        (places.cut, places.cut, ",readonly"),
        (places.root, places.root, ""),
        (places.git_copy, places.root / ".git", ""),
        (places.home, places.home, ""),
        (places.tmp, places.tmp, ""),
        *(((places.also, places.also, ""),) if places.also else ()),
    ):
        fields = ",".join((_field(f"source={source}"), _field(f"target={target}")))
        yield from ("--mount", f"type=bind,{fields}{kind}")


def _field(text: str) -> str:
    """A field of a line of comma-separated values."""
    if not any(character in text for character in ',"\n'):
        return text
    return '"' + text.replace('"', '""') + '"'


def own_user() -> str:
    return f"{os.getuid()}:{os.getgid()}"
