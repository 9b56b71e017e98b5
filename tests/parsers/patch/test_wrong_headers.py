"""Headers of hunks that are wrong: repaired and listed wherever nothing can have been cut off."""

from react_agent.parsers.patch import Refused, repair

NAMES = "--- a/x.py\n+++ b/x.py\n"
IN_CONTEXT = " a\n-b\n+B\n c\n"

CLOSED = "So:\n\n```diff\n{}```\n"


def test_counts_do_not_decide_between_two_places() -> None:
    twice = {"x.py": "a\nb\nc\n" * 2}
    done = repair(CLOSED.format(f"{NAMES}@@ -90,9 +90,9 @@\n{IN_CONTEXT}"), twice)
    assert isinstance(done, Refused)
    assert "fits equally well" in done.reasons[0]
