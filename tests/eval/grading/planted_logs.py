"""Logs of real runners, and what they say of an instance whose tests are named so."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from react_agent.eval.task import Instance

LOGS = Path(__file__).parent / "logs"
V1, V2, OPTIONS, DJANGO = (
    *("parse_log_pytest", "parse_log_pytest_v2", "parse_log_pytest_options"),
    "parse_log_django",
)


@dataclass(frozen=True, slots=True)
class Planted:
    """`official`: where the harness comes to something else, and why that is so."""

    id: str
    log: str  # of a file, or the text itself
    parser: str  # the official one
    fixed: str  # of FAIL_TO_PASS, the one test
    kept: str = ""  # of PASS_TO_PASS
    code: int = 1
    resolved: bool = True
    official: str = ""

    @property
    def text(self) -> str:
        return self.log if "\n" in self.log else (LOGS / self.log).read_text()

    @property
    def instance(self) -> Instance:
        kept = (self.kept,) if self.kept else ()
        return Instance(self.id, "o/r", "b", "p", fail_to_pass=(self.fixed,), pass_to_pass=kept)

    @property
    def is_resolved_officially(self) -> bool:
        return self.resolved is not bool(self.official)


_NO_NAME = "a skipped test has no name in its summary"
_ONE_WORD = "it cuts ids at the first blank, and the set does not"
_SUBTEST = "it does not know that a subtest has failed"
_PRINTED = "it takes for a result what a test printed"
_EXPECTED = "it does not know `expected failure`"
_NO = {"resolved": False}
_QUIET = "=== short test summary info ===\nPASSED a.py::t\n=== 1 passed in 0.1s ===\n"


def _at(test: str) -> str:
    return f"tests/test_all.py::{test}"


def _of_pytest(log: str) -> Iterator[Planted]:
    def case(name: str, parser: str, fixed: str, kept: str = "", **more: object) -> Planted:
        kept = _at(kept) if kept else ""
        return Planted(f"{log}: {name}", log, parser, _at(fixed), kept, **more)  # type: ignore[arg-type]

    yield case("passes", V1, "test_ok", "TestIt::test_in")
    yield case("fails", V1, "test_bad", "test_ok", **_NO)
    yield case("breaks another", V1, "test_ok", "test_bad", **_NO)
    yield case("is not there", V1, "test_none", **_NO)
    yield case("xfail", V1, "test_xfail", "test_xfail")
    yield case("xpass", V1, "test_xpass", **_NO)
    yield case("strict xpass", V1, "test_strict", **_NO)
    yield case("skipped", V1, "test_skip", **_NO)
    yield case("skipped, and was before", V1, "test_ok", "test_skip", official=_NO_NAME)
    yield case("setup fails", V1, "test_setup", **_NO)
    yield case("teardown fails", V1, "test_down", **_NO)
    yield case("a method", V1, "TestIt::test_in")
    yield case("a slash in parameters", OPTIONS, "test_par[/y]")
    yield case("a slash, as it is", V1, "test_par[/tmp/x/y]")
    yield case("escapes in parameters", V1, r"test_par[\xe9]", r"test_par[1\n2]")
    yield case("parameters cut in the middle", V1, "test_par[/tmp")
    yield case("cut parameters", V1, "test_par[[x]")
    yield case("cut parameters, of which one fails", V1, "test_par[a", **_NO)
    yield case("whole parameters, cut", V1, "test_par[a b]", official=_ONE_WORD)
    yield case("whole parameters", V2, "test_par[a b]", "test_par[[x] y]")
    yield case("whole parameters that fail", V2, "test_par[a - b] - c]", **_NO)


def _others() -> Iterator[Planted]:
    yield Planted("subtest", "pytest.txt", V1, _at("test_subs"), resolved=False)
    case = _at("TestU::test_sub")
    yield Planted("its subtest", "pytest.txt", V1, case, resolved=False, official=_SUBTEST)
    yield Planted("fails as a whole", "pytest-5.txt", V1, case, resolved=False)
    forged = _at("test_forged")
    yield Planted("printed", "pytest.txt", V1, forged, resolved=False, official=_PRINTED)
    log = "pytest-xdist.txt"
    yield Planted("others are collected", log, V1, _at("test_ok"), _at("test_xfail"))
    yield Planted("is not collected", log, V1, "tests/test_imp.py::test_a", resolved=False)
    log = "pytest-collection.txt"
    yield Planted("nothing is collected", log, V1, _at("test_ok"), resolved=False)
    yield Planted("quiet", _QUIET, V1, "a.py::t", code=0)
    yield Planted("quiet, and fails", _QUIET, V1, "a.py::t", resolved=False)
    yield Planted("no tests", "no tests ran in 0.01s\n", V1, "a.py::t", code=5, resolved=False)
    progress = "PASSED [100%]\n"
    yield Planted("progress", _QUIET.replace("= 1", f"={progress}= 1"), V1, "a.py::t", code=0)
    in_set = _QUIET.replace("PASSED a", f"{progress}PASSED a")
    yield Planted("progress as a name", in_set, V1, "a.py::t", "[100%]", code=0)


def _of_unittest(log: str, where: str) -> Iterator[Planted]:
    def case(name: str, fixed: str, kept: str = "", **more: object) -> Planted:
        fixed, kept = fixed.format(where), kept.format(where)
        return Planted(f"{log}: {name}", log, DJANGO, fixed, kept, **more)  # type: ignore[arg-type]

    yield case("passes", "test_a ({}test_a)", "test_g ({}test_g)")
    yield case("fails", "test_i ({}test_i)", **_NO)
    yield case("fails, described", "test_b ({}test_b)", **_NO)
    yield case("skipped", "test_d ({}test_d)", **_NO)
    yield case("skipped, and was before", "test_a ({}test_a)", "test_d ({}test_d)")
    yield case("expected to fail", "test_e ({}test_e)", official=_EXPECTED)
    yield case("breaks another", "test_a ({}test_a)", "test_i ({}test_i)", **_NO)
    yield case("a subtest fails", "test_h ({}test_h)", **_NO)
    yield case("is not there", "test_z ({}test_z)", **_NO)


def _all() -> Iterator[Planted]:
    for log in ("pytest.txt", "pytest-xdist.txt", "pytest-5.txt", "pytest-4.txt"):
        yield from _of_pytest(log)
    yield from _others()
    yield from _of_unittest("unittest.txt", "test_u.T.")
    yield from _of_unittest("django.txt", "shop.tests.T.")
    log, described = "unittest.txt", "Described ok"
    yield Planted("by its description", log, DJANGO, described, "test_a (test_u.T.test_a)")
    yield Planted("a description that fails", log, DJANGO, "Described, so.", resolved=False)
    yield Planted("unexpected success", log, DJANGO, "test_f (test_u.T.test_f)", resolved=False)
    yield Planted("its class", log, DJANGO, "test_k (test_u.B.test_k)", resolved=False)
    yield Planted("does not load", log, DJANGO, "test_a (test_nope.T)", resolved=False)
    log, described = "django.txt", "Prices may be empty (#12)."
    yield Planted("a description of Django's", log, DJANGO, described)
    described = "The total counts the first price."
    yield Planted("one of Django's that fails", log, DJANGO, described, resolved=False)
    log = "unittest-3.8.txt"
    yield Planted("before 3.11", log, DJANGO, "test_a (test_u.T)", "test_d (test_u.T)")
    yield Planted("subtest before 3.11", log, DJANGO, "test_h (test_u.T)", resolved=False)


PLANTED = tuple(_all())
