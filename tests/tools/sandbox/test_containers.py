from dataclasses import replace
from pathlib import Path

import pytest
from by_hand import program
from check_rows import table_of

from react_agent.tools.sandbox.containers import Container, confined, end_left
from react_agent.tools.sandbox.sandbox import Places

RUN = Path("/runs/one")
PLACES = Places(RUN / "workspace", RUN / "home", Path("/cuts/c.git"))
CONTAINER = Container(
    program="/usr/bin/docker",
    image="debian:12",
    places=PLACES,
    environment={"PATH": "/home/me/bin:/bin", "TERM": "dumb", "VIRTUAL_ENV": "/v", "TZ": "UTC"},
    client={"HOME": "/home/me"},
    user="1000:1000",
)
FIRST = (
    *("/usr/bin/env", "HOME=/home/me", "/usr/bin/docker"),
    *("run", "--rm", "--init", "--interactive=false", "--pull", "never", "--read-only"),
    *("--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--hostname", "sandbox"),
    *("--pids-limit", "512", "--memory", "4294967296", "--memory-swap", "4294967296"),
    *("--user", "1000:1000"),
)
THEN = (
    *("--label", "react-agent=/runs/one/home"),
    *("--env", "TERM=dumb", "--env", "TZ=UTC", "--env", "HOME=/runs/one/home"),
    *("--env", "TMPDIR=/runs/one/home/tmp", "--env", "PYTHONPATH"),
    *("--mount", "type=bind,source=/runs/one/home/tmp,target=/tmp"),
    *("--mount", "type=bind,source=/cuts/c.git,target=/cuts/c.git,readonly"),
    *("--mount", "type=bind,source=/runs/one/workspace,target=/runs/one/workspace"),
    *("--mount", "type=bind,source=/runs/one/home,target=/runs/one/home"),
    *("--mount", "type=bind,source=/runs/one/home/tmp,target=/runs/one/home/tmp"),
    *("--workdir", "/runs/one/workspace/src", "--entrypoint", "bash", "debian:12", "-c", "ls"),
)
NO_NETWORK = ("--network", "none")
PODMAN = ("--userns", "keep-id", "--security-opt", "label=disable")


@table_of(
    ("container", "argv"),
    {
        "docker": (CONTAINER, (*FIRST, "--network", "none", *THEN)),
        "with the network": (
            replace(CONTAINER, places=replace(PLACES, network=True)),
            (*FIRST, "--network", "bridge", *THEN),
        ),
        "podman": (
            replace(CONTAINER, program="/usr/bin/podman"),
            (*FIRST[:2], "/usr/bin/podman", *FIRST[3:], *PODMAN, "--network", "none", *THEN),
        ),
        "podman, as root": (
            replace(CONTAINER, program="/usr/bin/podman", user="0:0"),
            (*FIRST[:2], "/usr/bin/podman", *FIRST[3:-1], "0:0", *PODMAN[2:], *NO_NETWORK, *THEN),
        ),
    },
)
def test_a_command_in_a_container(container: Container, argv: tuple[str, ...]) -> None:
    assert confined(container, ["bash", "-c", "ls"], PLACES.root / "src") == list(argv)


def test_a_folder_with_a_comma() -> None:
    odd = replace(CONTAINER, places=replace(PLACES, cut=Path('/a,"b')))
    mount = 'type=bind,"source=/a,""b","target=/a,""b",readonly'
    assert mount in confined(odd, ["true"], PLACES.root)


DOCKER = """\
#!/bin/sh
echo "$HOME: $*" >> {log}
[ "$1" != ps ] || printf '{listed}'
"""
LISTED = "/home/me: ps --all --quiet --filter label=react-agent=/runs/one/home\n"


@pytest.mark.parametrize(
    ("listed", "asked"),
    [
        pytest.param("1f\\n2e\\n", LISTED + "/home/me: rm --force 1f 2e\n", id="two are left"),
        pytest.param("", LISTED, id="none is"),
    ],
)
def test_what_a_run_has_left_is_removed(tmp_path: Path, listed: str, asked: str) -> None:
    docker, log = tmp_path / "docker", tmp_path / "log"
    program(docker, DOCKER.format(log=log, listed=listed))
    end_left(replace(CONTAINER, program=str(docker)))
    assert log.read_text() == asked


def test_no_docker_leaves_nothing() -> None:
    end_left(replace(CONTAINER, program="/nonexistent/docker"))
