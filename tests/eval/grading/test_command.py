"""What runs the tests of an instance."""

import os
from dataclasses import replace
from pathlib import Path

from check_rows import EachRow
from graded_shop import UNIT, Shop
from reader_rows import FOLDER, read_rows

from react_agent.eval.grading.judging import Command, command_for
from react_agent.eval.task import Instance
from react_agent.tools.context import Context
from react_agent.tools.testing.tests_command import NoCommand


def _command(shop: Shop, **otherwise: object) -> Command | NoCommand:
    instance = replace(Instance("i", "r", "b", "p"), **otherwise)  # type: ignore[arg-type]
    return command_for(instance, Context(shop.root, environment={"PATH": os.environ["PATH"]}))


def _words(shop: Shop, *names: str, test_patch: str = "") -> tuple[str, ...]:
    fixed, kept = names[:1], names[1:]
    command = _command(shop, test_patch=test_patch, fail_to_pass=fixed, pass_to_pass=kept)
    assert isinstance(command, Command)
    assert Path(command.argv[0]).name.startswith("python")
    return command.argv[1:]


def test_names_say_what_is_run(shop: Shop, each_row: EachRow) -> None:
    def words(files: dict[str, str], *names: str) -> tuple[str, ...]:
        shop.git("clean", "--quiet", "--force", "-d")
        shop.write(files)
        return _words(shop, *names)

    each_row(read_rows(FOLDER / "own/grading-command.txt"), lambda row: row.check({"words": words}))


def test_files_of_the_test_patch_are_run_whole(shop: Shop) -> None:
    patch = shop.patch({"tests/data.txt": "x\n", "tests/test_more.py": "x\n"})
    shop.write({"tests/test_more.py": "x\n"})
    words = _words(shop, "tests/test_shop.py::test_a", test_patch=patch)
    assert words == ("-m", "pytest", "tests/test_more.py", "tests/test_shop.py")
    plain = patch[patch.index("--- ") :]  # the first file's header goes
    assert _words(shop, "tests/test_shop.py::test_a", test_patch=plain) == words
    words = _words(shop, "test_a (tests.test_shop.T)", test_patch=patch)
    assert words == ("-m", "unittest", "-v", "tests.test_more", "tests.test_shop")


def test_without_names_the_repository_says_it(shop: Shop) -> None:
    shop.write({"setup.py": ""})
    words = _words(shop, test_patch=shop.patch({"tests/test_shop.py": f"{UNIT}\n"}))
    assert words[-1] in ("tests/test_shop.py", "tests.test_shop")


def test_the_set_says_it(shop: Shop) -> None:
    line = "make check ARGS={selection}"
    command = _command(shop, test_command=line, fail_to_pass=("tests/test_shop.py::test_a b",))
    assert isinstance(command, Command)
    assert (command.argv[-1], command.shown) == ("make check ARGS=tests/test_shop.py",) * 2


def test_no_names_of_tests_no_verdict(shop: Shop) -> None:
    shop.write({"tests/test_shop.py": None, "go.mod": "module shop\n"})
    assert isinstance(_command(shop), NoCommand)
