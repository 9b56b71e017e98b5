"""mutmut, but its workers run the tests that it collected before it forked them.

By itself it starts pytest in each, which collects: a second and more for every mutant, once a
thousand tests reach a function.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import pytest
import repeatable
from _pytest.config import _prepareconfig
from _pytest.runner import runtestprotocol
from mutmut.__main__ import cli
from mutmut.configuration import config
from mutmut.runners.harness import PytestRunner
from mutmut.utils.file_utils import change_cwd
from mutmut.workers import isolation

NO_VERDICT = 35  # as mutmut has it


class Collected(PytestRunner):
    @cached_property
    def _items(self) -> Mapping[str, pytest.Item]:
        """Of a session that goes on until this process ends, and in every worker."""
        selected = config().pytest_add_cli_args_test_selection
        with change_cwd("mutants"):
            settings = _prepareconfig(
                ["--rootdir=.", "--capture=no", "-qq", *selected, *config().pytest_add_cli_args]
            )
            settings._do_configure()
            session = pytest.Session.from_config(settings)
            settings.hook.pytest_sessionstart(session=session)
            session.perform_collect()
        return {item.nodeid: item for item in session.items}

    def run_tests(self, *, mutant_name: str | None, tests: Iterable[str]) -> int:
        """Without a mutant in a fork, too: what is shown to pass is what the workers do."""
        items = [self._items[name] for name in tests or self._items]
        if mutant_name is None:
            return isolation.run_in_fork(_run, items)
        code = NO_VERDICT
        try:
            repeatable.limit_this_process()
            if mutant_name.partition("__mutmut_")[0] in repeatable.run_at_import:
                code = self._run_imported_anew(mutant_name)
            else:
                code = _run(items)
        finally:
            os._exit(code)

    def _run_imported_anew(self, mutant_name: str) -> int:
        with change_cwd("mutants"):
            repeatable.forget_what_was_imported()
        return super().run_tests(mutant_name=mutant_name, tests=())  # it needs all of them


def _run(items: Sequence[pytest.Item]) -> int:
    with change_cwd("mutants"):
        for item, after in zip(items, (*items[1:], None), strict=True):
            if any(report.failed for report in runtestprotocol(item, log=False, nextitem=after)):
                return 1
    return 0


if __name__ == "__main__":
    isolation.PytestRunner = Collected  # type: ignore[attr-defined]
    cli()
