"""What the tests that stand nearest to an edited file say, behind what the edit did."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import PurePosixPath

from react_agent.tools.clip import clip
from react_agent.tools.context import Context
from react_agent.tools.files.file_list import file_list
from react_agent.tools.testing.run_tests import RUN_TESTS

NEAREST = "[the tests nearest to it: "
_MOST = 3  # files of tests
_CHARS = 2_000
_SECONDS = 60.0


def tests_near(paths: Sequence[str], context: Context) -> Iterator[str]:
    """Nothing where no file of tests bears the name of one that was edited."""
    found = nearest_tests(paths, file_list(context.root))
    if not found:
        return
    seconds = min(_SECONDS, context.limits.command_seconds)
    limits = replace(context.limits, output_chars=_CHARS, command_seconds=seconds)
    seen = RUN_TESTS.call("\n".join(found), replace(context, limits=limits))
    yield f"{NEAREST}{', '.join(found)}]"
    yield clip(seen.text, limits)


def nearest_tests(paths: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """The edited tests themselves, and those that are named after the edited files."""
    wanted = {name for path in paths for name in _names(PurePosixPath(path).stem)}
    found = (
        path
        for path in known
        if (path in paths and is_test(path)) or PurePosixPath(path).stem in wanted
    )
    return tuple(islice(found, _MOST))


def is_test(path: str) -> bool:
    stem = PurePosixPath(path).stem
    return stem.startswith("test_") or stem.endswith(("_test", ".test", ".spec"))


def _names(stem: str) -> Iterator[str]:
    yield from (f"test_{stem}", f"{stem}_test", f"{stem}.test", f"{stem}.spec")
