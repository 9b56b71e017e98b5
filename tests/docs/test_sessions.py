"""The commands and programs of every page, played as a reader would: real git, tools and tests.

Only the model is not real: an endpoint of ours says what the demo's model said.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from check_rows import table_of
from code_blocks import PAGES, ROOT, blocks_of, text_of
from fake_endpoint import FakeEndpoint
from page_needs import NEEDS, WORDS, Needs
from sessions import is_printed, is_run, played, said_by_the_demo, shown_after

from react_agent.demo.repository import make_repository
from react_agent.tools import package_data

BLOCKS = {page: blocks_of(page, text_of(page)) for page in PAGES}
PLAYED = [page for page, blocks in BLOCKS.items() if any(map(is_run, blocks))]


@pytest.fixture(scope="module")
def _home(tmp_path_factory: pytest.TempPathFactory, _git_settings: Path) -> Path:
    """A home with the checkout, and the demo's repository with its issue and a remote."""
    home = tmp_path_factory.mktemp("documents") / "home"
    project = home / "project"
    make_repository(project)
    (project / "issues").mkdir()
    issue = package_data.data("react_agent.demo", "issue.md")
    for name in ("issue.md", "issues/12.md"):
        (project / name).write_bytes(issue)
    commands = (
        "git add . && git commit -qm 'Report minutes that are read as seconds'"
        " && git clone -q --bare . ../origin.git && git remote add origin ../origin.git"
        " && git fetch -q && git branch -q --set-upstream-to origin/main"
    )
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": str(_git_settings)}
    subprocess.run(["sh", "-c", commands], cwd=project, env=environment, check=True)
    (home / "react-agent").symlink_to(ROOT)
    return home


@pytest.fixture
def project(_home: Path, tmp_path: Path) -> Path:
    shutil.copytree(_home, tmp_path / "home", symlinks=True)
    return tmp_path / "home" / "project"


@pytest.fixture
def endpoint() -> Iterator[FakeEndpoint]:
    with FakeEndpoint(said_by_the_demo) as endpoint:
        yield endpoint


@pytest.mark.checkout
@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("page", PLAYED)
def test_what_a_page_shows_works(page: str, project: Path, endpoint: FakeEndpoint) -> None:
    environment = {
        "ENDPOINT": endpoint.url.removeprefix("http://"),
        "OPENAI_BASE_URL": f"{endpoint.url}/v1",
        "ANTHROPIC_BASE_URL": endpoint.url,
        "OPENAI_API_KEY": "any",
        "ANTHROPIC_API_KEY": "any",
    }
    needs, blocks = NEEDS.get(page, Needs()), BLOCKS[page]
    settings = Path(os.environ["XDG_CONFIG_HOME"], "react-agent", "config.cfg")
    settings.parent.mkdir(parents=True)
    settings.write_text(f"[react_agent]\nmodel = openai/gpt-6\n{needs.settings}")
    for name, begin in needs.files.items():
        [text] = (block.text for block in blocks if block.text.startswith(begin))
        (project / name).write_text(text)
    words = {**WORDS, **needs.words}
    printed = played(blocks, project, environment, words, "\n".join(needs.before))
    for commands, shown in shown_after(blocks):
        assert is_printed(shown.text, printed[commands]), f"{shown}\n{printed[commands]}"


@table_of(
    ("shown", "printed", "expected"),
    [
        pytest.param("a\nb\n", "x\na\nb\ny\n", True, id="among others"),
        pytest.param("a\n...\nb\n", "a\nx\ny\nb\n", True, id="lines left out"),
        pytest.param("a.c\n", "abc\n", False, id="no pattern"),
        pytest.param("ab\n", "abc\n", False, id="whole lines"),
    ],
)
def test_tells_what_was_printed(shown: str, printed: str, expected: bool) -> None:
    assert is_printed(shown, printed) is expected
