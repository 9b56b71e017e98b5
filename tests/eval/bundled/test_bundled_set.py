"""The set that comes with the package: what it holds, and that it follows from its sources."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from remake_set import remade

from react_agent.eval.sets.issue_set import (
    bundled_file,
    bundled_instances,
    bundled_replays,
    bundled_repository,
    read_set,
)
from react_agent.eval.task import Instance
from react_agent.models.replay import open_replay
from react_agent.tools.git.door import Git


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bundled")


@pytest.fixture(scope="module")
def rows(made: Path) -> tuple[Instance, ...]:
    return bundled_instances(made)


def test_three_repositories_with_eight_issues_each(rows: tuple[Instance, ...]) -> None:
    assert Counter(one.id.partition("-")[0] for one in rows) == {
        "ledger": 8,
        "wordbox": 8,
        "timetable": 8,
    }
    assert all(one.fail_to_pass and one.pass_to_pass for one in rows)
    assert [one.id for one in read_set("bundled")] == [one.id for one in rows]


def test_the_rows_are_what_the_histories_and_the_issues_say(rows: tuple[Instance, ...]) -> None:
    names = [replace(one, repo=one.id.partition("-")[0]) for one in rows]
    assert list(remade(rows)) == names


def test_a_repository_is_made_once_and_has_the_same_commits_everywhere(
    made: Path, tmp_path: Path, rows: tuple[Instance, ...]
) -> None:
    place, before = Path(rows[0].repo), sorted(made.iterdir())
    assert bundled_repository("ledger", made) == place
    assert sorted(made.iterdir()) == before
    heads = {
        Git(path).run("rev-parse", "main")
        for path in (place, bundled_repository("ledger", tmp_path))
    }
    assert len(heads) == 1


def test_a_model_said_something_to_each(rows: tuple[Instance, ...]) -> None:
    for one in rows:
        open_replay(bundled_replays().replace("{id}", one.id), print)
    texts = [one.read_text(encoding="utf-8") for one in bundled_file("replays").iterdir()]
    assert len(texts) == len(rows)
    assert [found for text in texts for found in re.findall(r"(?:/tmp|/home|/root)/.*", text)] == []
