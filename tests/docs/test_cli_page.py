"""The page of all commands is what they say of themselves."""

import re

from cli_page import cli_page

from react_agent.cli.commands import COMMANDS


def test_the_page_has_every_command() -> None:
    page = cli_page()
    assert set(re.findall(r"(?m)^## react-agent ([\w-]+)$", page)) == set(COMMANDS)
    assert "| `--base REV` | where to start; with --pr a branch of the remote |\n" in page
    assert "| `--repo DIR` | the repository, or a folder in it (without it: `.`) |\n" in page
    assert "\n\nExample:\n\n    react-agent " in page
    assert "## react-agent eval run\n" in page
