"""The pages of settings and variables have all that are read."""

import re
from dataclasses import fields
from pathlib import Path

import pytest
from code_blocks import text_of
from refusals import refusal

from react_agent.errors import ConfigError
from react_agent.profiles.profile import Budget
from react_agent.profiles.settings import HookPolicy, read_settings

pytestmark = pytest.mark.checkout

ROOT = Path(__file__).parents[2]
SETTINGS = text_of("docs/settings.md")
READS_VARIABLES = ("react_agent/cli/**/*.py", "react_agent/models/endpoint.py")
NAMED = re.compile(r'"([A-Z]+(?:_[A-Z]+)+|CI|LESS|PAGER)"')
OF_PRE_COMMIT = {"LOCAL_BRANCH", "REMOTE_BRANCH", "FROM_REF", "TO_REF", "PRE_COMMIT_TO_REF"}


def test_every_setting_is_shown(tmp_path: Path) -> None:
    file = tmp_path / "config.cfg"
    file.write_text("[react_agent]\nnosuch = x\n")
    _, there_are = refusal(ConfigError, read_settings, file).split("there are ")
    assert [name for name in there_are.split(", ") if not _is_shown(name)] == []


@pytest.mark.parametrize("values", [Budget, HookPolicy], ids=lambda values: values.__module__)
def test_every_limit_is_shown(values: type) -> None:
    assert [one.name for one in fields(values) if not _is_shown(one.name)] == []


def _is_shown(name: str) -> bool:
    return re.search(rf"(?m)(?:^ +|`){name} = ", SETTINGS) is not None


def test_every_variable_is_named() -> None:
    files = (path for pattern in READS_VARIABLES for path in ROOT.glob(pattern))
    read = {name for path in files for name in NAMED.findall(path.read_text(encoding="utf-8"))}
    assert {name for name in read - OF_PRE_COMMIT if f"`{name}`" not in SETTINGS} == set()
