"""A work tree to grade in."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp

import pytest
from graded_shop import Shop

from react_agent.eval.environment import Fresh
from react_agent.eval.grading.judging import graded
from react_agent.eval.task import Arm, Conditions, Graded, Key, Task
from react_agent.tools.context import Context
from react_agent.tools.git import workspace
from react_agent.tools.git.repository import find_base

Grade = Callable[..., Graded]
Clone = Callable[[], Fresh]


@pytest.fixture(scope="session")
def first_shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    shop = Shop(tmp_path_factory.mktemp("first") / "shop")
    shop.open()
    return shop.root


@pytest.fixture
def shop(first_shop: Path, tmp_path: Path) -> Shop:
    return Shop(shutil.copytree(first_shop, tmp_path / "shop"))


@pytest.fixture
def clone(shop: Shop, tmp_path: Path) -> Clone:
    """Of what the shop is by then."""

    def clone() -> Fresh:
        base, root = find_base(shop.root), Path(mkdtemp(dir=tmp_path)) / "work"
        work = workspace.make(base, root=root, branch="graded", cuts=tmp_path / "cuts")
        (tmp_path / "tmp").mkdir(exist_ok=True)
        places = {"HOME": str(tmp_path), "TMPDIR": f"{tmp_path}/tmp"}
        return Fresh(work, Context(root, environment={"PATH": os.environ["PATH"], **places}))

    return clone


@pytest.fixture
def fresh(clone: Clone) -> Fresh:
    return clone()


@pytest.fixture
def grade(shop: Shop, fresh: Fresh, clone: Clone) -> Grade:
    """With these things about the instance otherwise."""

    @contextmanager
    def another() -> Iterator[Fresh]:
        yield clone()

    def grade(patch: str, /, *, tests_s: float = 60.0, **otherwise: object) -> Graded:
        instance = replace(shop.instance, **otherwise)  # type: ignore[arg-type]
        task = Task(Key(instance.id, "plain", 1), instance, Arm(""), Conditions(tests_s=tests_s))
        return graded(fresh, task, patch, another)

    return grade
