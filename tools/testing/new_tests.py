"""Find the tests that a change adds or alters, and check that they fail without the change."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from react_agent.parsers.repo.file_roles import is_code, is_of_tests
from react_agent.parsers.repo.git_diff import FileDiff
from react_agent.parsers.testing.report import OTHERS_NOT_RUN, Report
from react_agent.parsers.testing.repository import named_test
from react_agent.parsers.text.counted import counted
from react_agent.tools.files.file_list import listed

_NAMED = 2  # tests; of more, only the number is told


@dataclass(frozen=True, slots=True)
class NewTests:
    names: Mapping[str, Sequence[str]]  # by file
    added: Collection[str]  # names of tests that were not there before; the others are altered
    has_cases: bool = False  # one of them is a function that runs once for each of its cases

    def __bool__(self) -> bool:
        return bool(self.names)

    def owner_of(self, test_id: str) -> Collection[str]:
        """Return the new test that failed, or all new tests of a file that can't be loaded."""
        bare = test_id.partition(" ")[0].removesuffix(".py").replace("/", ".")
        last = last_name(test_id)
        for path, names in self.names.items():
            module = path.removesuffix(".py").replace("/", ".")
            if f".{module}".endswith(f".{bare}"):
                return names
            if last in names:
                return (last,)
        return ()

    def told(self, before: Report, are_some_lost: bool = False) -> str:
        """Return a sentence on the results of the new tests, or an empty string if not known.

        `before` has the results on the source of the base commit. An error that no test owns, such
        as a failed build, may have kept others from running.
        """
        every = [name for names in self.names.values() for name in names]
        fail = {name for one in before.failures for name in self.owner_of(one.id)}
        others = [name for name in every if name not in fail]
        named = f" ({listed(every)})" if len(every) <= _NAMED else ""
        kind = "new test" if set(every) <= set(self.added) else "new or changed test"
        what = counted(len(every), f"{kind} function" if self.has_cases else kind) + named
        if are_some_lost:  # which tests were skipped is not known
            passes = _verb(fail, "not with it", "none with it")
            same = f"{_verb(others, 'fails', 'fail')} neither with nor without the change"
        else:
            passes = f"{_verb(fail, 'passes', 'pass')} with it"
            same = f"{_verb(others, 'passes', 'pass')} with and without the change"
        errors = [one.id for one in before.failures if one.is_error]
        is_cut = OTHERS_NOT_RUN in before.notes or not all(map(self.owner_of, errors))
        if is_cut:
            same = f"{_verb(others, 'is', 'are')} not known without the change"
        proved = f"{_verb(fail, 'fails', 'fail')} without the change, {passes}"
        if not fail:
            return "" if is_cut else f"{what}: {same}"
        if not others:
            return f"{what}: {_verb(every, '', 'all ')}{proved}"
        return f"{what}: {len(fail)} {proved}; {listed(others)} {same}"


def _verb(names: Collection[str], one: str, many: str) -> str:
    return one if len(names) == 1 else many


def new_tests(files: Sequence[FileDiff], text_of: Callable[[str], bytes | None]) -> NewTests:
    """Return the tests with added lines. `text_of` returns the text of a file after the change."""
    found, added, removed = dict[str, tuple[str, ...]](), set[str](), set[str]()
    has_cases = False
    for one in files:
        if one.new and is_of_tests(one.new) and is_code(one.new):
            lines = (text_of(one.new) or b"").decode(errors="replace").split("\n")
            names = (enclosing_test(lines, line.number) for line in one.added if line.text.strip())
            if own := tuple(dict.fromkeys(filter(None, names))):
                found[one.new] = own
                has_cases |= any("parametrize" in line.text for line in one.added)
        added |= {named_test(line.text) for line in one.added}
        removed |= {named_test(line.text) for line in one.removed}
    return NewTests(found, frozenset(added - removed - {""}), has_cases)


def enclosing_test(lines: Sequence[str], number: int) -> str:
    """Return the name of the test that contains a line, or an empty string."""
    least = len(lines[number - 1]) + 1
    for text in reversed(lines[:number]):
        indent = len(text) - len(text.lstrip())
        if name := named_test(text):
            return name if indent < least else ""
        if text.strip() and not text.startswith(")"):  # not the end of a long signature
            least = min(least, indent)
    return ""


def last_name(test_id: str) -> str:
    return test_id.partition("[")[0].partition(" ")[0].rpartition("::")[2].rpartition(".")[2]
