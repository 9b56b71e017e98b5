"""A checkout of what a run made, to run tests in: fresh, and gone afterwards."""

from collections.abc import Iterator
from contextlib import contextmanager

from react_agent.runs.run_setup import Run
from react_agent.tools.context import Context
from react_agent.tools.disk import remove_tree
from react_agent.tools.git.checkout import CheckedFiles, check_out


@contextmanager
def checkout(run: Run, tree: str) -> Iterator[Context]:
    """What commands are run with in it."""
    place = run.folder.checkout
    try:
        check_out(run.workspace, tree, place)
        yield run.commands.in_checkout(place)
    finally:
        remove_tree(place)


@contextmanager
def checkout_with_git(run: Run, tree: str) -> Iterator[tuple[Context, CheckedFiles]]:
    """The same, where git finds a repository of its own: the change is staged on the base."""
    place = run.folder.checkout
    try:
        files = check_out(run.workspace, tree, place)
        context = run.commands.in_checkout(place)
        files.make_git(place / ".git")
        yield context, files
    finally:
        remove_tree(place)
