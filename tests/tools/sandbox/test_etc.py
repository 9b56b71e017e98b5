import shutil
from pathlib import Path

import pytest
from by_hand import write
from robbed import laid_out

from react_agent.tools.sandbox.bubblewrap import confined
from react_agent.tools.sandbox.etc import MOST_NAMES, EtcCopy
from react_agent.tools.shell import process

pytestmark = pytest.mark.needs("bwrap", "bubblewrap")
BWRAP = shutil.which("bwrap") or ""
LARGE = MOST_NAMES + 1


class Machine:
    """With an /etc of its own, and a run."""

    def __init__(self, top: Path) -> None:
        self.etc, run = top / "etc", top / "run"
        self.places = laid_out(run)
        files = {
            "shadow": "secret",
            "hosts": "of the host",
            "resolv.conf": "a name server",
            "fonts/fonts.conf": "a font",
            "fonts/private/.keep": "",
            **{f"ssl/certs/{number}.pem": "a certificate" for number in range(LARGE)},
            "ssl/private/key.pem": "secret",
            "tools/bin/tool": "#!/bin/sh\necho the tool",
        }
        write(self.etc, files)
        (self.etc / "fonts" / "secret").symlink_to("../shadow")
        (self.etc / "os-release").symlink_to(self.etc / "hosts")
        self.copy = self.with_network(False)

    def with_network(self, network: bool) -> EtcCopy:
        return EtcCopy(self.places.root.with_name("etc"), network=network, etc=self.etc)

    def argv(self, script: str) -> list[str]:
        argv = ["sh", "-c", script]
        return confined(BWRAP, None, self.copy, self.places, argv, self.places.root)

    def says(self, script: str) -> str:
        environment = {"PATH": "/usr/bin:/bin"}
        done = process.run(self.argv(script), cwd=self.places.root, env=environment, timeout_s=20)
        return done.output.decode()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_no_other_name_and_no_link_leads_out(machine: Machine) -> None:
    assert machine.says("ls /etc /etc/ssl").split() == (
        ["/etc:", "fonts", "hosts", "os-release", "ssl", "/etc/ssl:", "certs"]
    )
    assert machine.says("cat /etc/os-release; cat /etc/fonts/secret 2> /dev/null") == "of the host"


def test_modes_are_those_of_the_machine(machine: Machine) -> None:
    (machine.etc / "hosts").chmod(0o751)
    assert machine.says("stat -c %a /etc/hosts /etc/fonts /etc/fonts/fonts.conf").split() == (
        f"751 755 {(machine.etc / 'fonts/fonts.conf').stat().st_mode & 0o777:o}".split()
    )


def test_what_was_left_goes_and_it_comes_again(machine: Machine) -> None:
    folder = machine.copy.mounts()[0][0]
    shutil.rmtree(folder)
    assert machine.says("cat /etc/hosts") == "of the host"
    machine.copy = machine.with_network(False)
    machine.copy.remove()
    assert not folder.exists()
    assert machine.says("cat /etc/hosts") == "of the host"


def test_a_folder_of_etc_that_holds_programs(machine: Machine) -> None:
    folder = machine.places.root.with_name("etc")
    tools = machine.etc / "tools"
    copy = EtcCopy(folder, network=False, within=[tools], etc=machine.etc)
    assert [path.name for path in copy.mounts()[0][0].iterdir() if path.name == "tools"]
