"""Which replies without labels are an edit, and which only show, advise, doubt or repeat one."""

from check_rows import EachRow
from reader_rows import FOLDER, read_rows

from react_agent.parsers.edits.unlabelled_edit import as_edit, unlabelled_edit
from react_agent.parsers.turn.turn import Kind, Turn, parse_turn

CART = '''\
"""A cart."""

import math


def total(prices):
    """The sum."""
    return sum(prices)


class Cart:
    def __init__(self):
        self.prices = []

    def add(self, price):
        self.prices.append(price)
'''
FILES = {"shop/cart.py": CART, "shop/tax.py": "RATE = 0.2\n\n\ndef tax(price):\n    return price\n"}
DIFF = """\
--- a/shop/cart.py
+++ b/shop/cart.py
@@ -6,3 +6,3 @@
 def total(prices):
     \"""The sum.\"""
-    return sum(prices)
+    return math.fsum(prices)"""
BLOCK = """\
shop/cart.py
<<<<<<< SEARCH
    return sum(prices)
=======
    return math.fsum(prices)
>>>>>>> REPLACE"""
CODE = 'def total(prices):\n    """The sum."""\n    return math.fsum(prices)'
METHOD = "def add(self, price):\n    self.prices.append(round(price, 2))"


def fenced(text: str, info: str = "") -> str:
    return f"```{info}\n{text}\n```"


WRITTEN = {"DIFF": DIFF, "BLOCK": BLOCK, "CODE": CODE, "METHOD": METHOD}


def _edit(reply: str) -> tuple[str, str] | None:
    found = unlabelled_edit(reply.format(**WRITTEN), FILES)
    return found and (found.what, found.path)


def test_is_an_edit_or_none(each_row: EachRow) -> None:
    each_row(read_rows(FOLDER / "own/unlabelled-edit.txt"), lambda row: row.check({"edit": _edit}))


def test_a_name_that_two_files_have_is_no_edit_unless_one_is_named() -> None:
    files = {"a.py": CART, "b.py": CART}
    reply = fenced(CODE, "python")
    assert unlabelled_edit(reply, files) is None
    found = unlabelled_edit(f"In b.py:\n{reply}", files)
    assert found is not None
    assert found.path == "b.py"


def _read(reply: str, *offered: str, acts: bool = True) -> Turn:
    return as_edit(parse_turn(reply), reply, FILES, offered, acts=acts)


def test_is_read_as_a_call_and_said_to_be() -> None:
    assert _read(f"Adds exactly:\n\n{fenced(DIFF)}", "apply_patch", "replace") == Turn(
        Kind.ACTION,
        "Adds exactly:",
        "apply_patch",
        DIFF,
        repairs=("a diff for shop/cart.py without a label was read as the input of apply_patch",),
    )
    assert _read(fenced(CODE, "python"), "grep", "replace").action == "replace"


def test_code_becomes_the_diff_that_it_makes() -> None:
    turn = _read(fenced(METHOD, "python"), "apply_patch")
    changed = [line for line in turn.input.split("\n") if line.startswith(("+", "-"))]
    assert changed[2:] == [
        "-        self.prices.append(price)",
        "+        self.prices.append(round(price, 2))",
    ]


def test_elsewhere_is_told_which_lines_to_put_above() -> None:
    turn = _read(fenced(DIFF), "apply_patch", acts=False)
    assert (turn.kind, turn.problem) == (
        Kind.MALFORMED,
        "it contains a diff for shop/cart.py but no label: write two lines above it, "
        "`Action: apply_patch` and `Action Input:`",
    )


def test_without_a_tool_that_edits_nothing_is_read() -> None:
    assert _read(fenced(DIFF), "grep").kind is Kind.MALFORMED
