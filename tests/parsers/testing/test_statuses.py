"""Which tests a log tells of; whole logs of real runners are in tests/eval/grading/logs."""

import pytest
from check_rows import table_of

from react_agent.parsers.testing.log import read_statuses

SUMMARY = "=== short test summary info ==="
RULE = "=" * 70


def _read(*lines: str) -> dict[str, str]:
    return {name: status.value for name, status in read_statuses("\n".join(lines)).items()}


@table_of(
    ("line", "expected"),
    [
        pytest.param("a.py::t PASSED [ 10%]", {"a.py::t": "PASSED"}, id="verbose"),
        pytest.param("a.py::t SKIPPED (why)  [ 5%]", {"a.py::t": "SKIPPED"}, id="reason"),
        pytest.param("a.py::t <- b.py FAILED [ 5%]", {"a.py::t": "FAILED"}, id="defined elsewhere"),
        pytest.param("a.py::t[x y] XPASS", {"a.py::t[x y]": "XPASS"}, id="blank in parameters"),
        pytest.param("[gw1] [ 10%] ERROR a.py::t ", {"a.py::t": "ERROR"}, id="worker"),
        pytest.param("a.py::t RERUN [ 10%]", {}, id="run again"),
        pytest.param("PASSED a.py::t", {}, id="printed by a test"),
        pytest.param("a.py::t" + "x" * 10_000 + " PASSED", {}, id="too long a line"),
    ],
)
def test_reads_a_line_of_pytest(line: str, expected: dict[str, str]) -> None:
    assert _read(line) == expected


@table_of(
    ("line", "expected"),
    [
        pytest.param("PASSED a.py::t", {"a.py::t": "PASSED"}, id="passed"),
        pytest.param("FAILED a.py::t[x - y] - no", {"a.py::t[x - y]": "FAILED"}, id="dash inside"),
        pytest.param("FAILED a.py::t - E: [x] - y", {"a.py::t": "FAILED"}, id="brackets behind"),
        pytest.param("SKIPPED [2] a.py:3: why", {}, id="folded skips"),
        pytest.param("ERROR a.py - ImportError", {"a.py": "ERROR"}, id="not collected"),
        pytest.param("SUBFAILED(i=1) a.py::t - no", {"a.py::t": "FAILED"}, id="subtest"),
        pytest.param("SUBFAILED[m (s)] (i=(1)) a.py::t", {"a.py::t": "FAILED"}, id="its message"),
    ],
)
def test_reads_a_line_of_a_summary(line: str, expected: dict[str, str]) -> None:
    assert _read(SUMMARY, line) == expected


def test_a_known_id_says_where_a_message_begins() -> None:
    told = ("a.py::t[x - y] - z] FAILED", SUMMARY, "FAILED a.py::t[x - y] - z] - no")
    assert _read(*told) == {"a.py::t[x - y] - z]": "FAILED"}


def test_what_fails_once_has_failed() -> None:
    told = ("a.py::t PASSED", "a.py::t ERROR", SUMMARY, "ERROR a.py::t", "PASSED a.py::t")
    assert _read(*told) == {"a.py::t": "ERROR"}


def test_a_forged_summary_is_followed_by_the_real_one() -> None:
    printed = ("=== FAILURES ===", SUMMARY, "PASSED a.py::forged", "a.py::forged PASSED")
    assert _read("a.py::t FAILED", *printed, SUMMARY, "FAILED a.py::t") == {"a.py::t": "FAILED"}


def test_two_runs_in_one_log() -> None:
    begin = "=== test session starts ==="
    told = (begin, SUMMARY, "PASSED a.py::t", begin, "b.py::t PASSED", SUMMARY, "PASSED b.py::t")
    assert _read(*told) == {"a.py::t": "PASSED", "b.py::t": "PASSED"}


@table_of(
    ("lines", "expected"),
    {
        "xpass": (("t (m.C) ... unexpected success",), {"t (m.C)": "XPASS"}),
        "described, with output": (
            ("t (m.C)", "It works ... noise", "more", "ok"),
            {"t (m.C)": "PASSED", "It works": "PASSED"},
        ),
        "a description of two tests": (
            ("t (m.C)", "It works ... FAIL", "u (m.C)", "It works ... ok"),
            {"t (m.C)": "FAILED", "u (m.C)": "PASSED", "It works": "FAILED"},
        ),
        "output": (("t (m.C) ... noise", "ok"), {"t (m.C)": "PASSED"}),
        "printed ok": (("t (m.C) ... a ... ok", "FAIL"), {"t (m.C)": "FAILED"}),
        "no end": (("t (m.C) ... noise", "u (m.C) ... ok"), {"u (m.C)": "PASSED"}),
        "subtest": (("t (m.C) ... ", "  t (m.C) [m] (i=1) ... FAIL"), {"t (m.C)": "FAILED"}),
        "skipped subtest": (
            ("t (m.C) ... ", "  t (m.C) (i=1) ... skipped 'x'", "ok"),
            {"t (m.C)": "PASSED"},
        ),
        "subtest before 3.11": (
            ("t (m.C) ... u (m.C) ... ok", RULE, "FAIL: t (m.C) (i=1)"),
            {"u (m.C)": "PASSED", "t (m.C)": "FAILED"},
        ),
        "its end failed": (("t (m.C) ... ok", RULE, "ERROR: t (m.C)"), {"t (m.C)": "ERROR"}),
    },
)
def test_reads_unittest(lines: tuple[str, ...], expected: dict[str, str]) -> None:
    assert _read(*lines) == expected


@table_of(
    ("names", "expected"),
    [
        pytest.param((), {"a.py::t": "PASSED"}, id="no names"),
        pytest.param(("a.py::u", "[100%]"), {"a.py::t": "PASSED"}, id="of pytest"),
        pytest.param(("t (m.C)",), {"t (m.C)": "FAILED"}, id="of unittest"),
    ],
)
def test_names_say_whose_log_it_is(names: tuple[str, ...], expected: dict[str, str]) -> None:
    log = f"t (m.C) ... FAIL\n{SUMMARY}\nPASSED a.py::t"
    assert read_statuses(log, names) == expected


def test_a_log_of_another_runner() -> None:
    assert read_statuses(f"{SUMMARY}\nPASSED a.py::t", ["t (m.C)"]) == {"a.py::t": "PASSED"}
