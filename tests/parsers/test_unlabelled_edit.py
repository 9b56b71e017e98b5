"""Which replies without labels are an edit, and which only show, advise, doubt or repeat one."""

from check_rows import table_of

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


@table_of(
    ("reply", "what", "path"),
    {
        "a diff in a fence": (fenced(DIFF, "diff"), "a diff", "shop/cart.py"),
        "praised": (f"{fenced(DIFF)}\n\nIt adds exactly.", "a diff", "shop/cart.py"),
        "behind a thought": (
            f"Thought: `sum` is not exact.\n\nApply the patch:\n\n{fenced(DIFF)}",
            *("a diff", "shop/cart.py"),
        ),
        "a bare diff": (f"Here it is:\n\n{DIFF}", "a diff", "shop/cart.py"),
        "a block": (fenced(BLOCK), "search/replace blocks", "shop/cart.py"),
        "a function": (fenced(CODE, "python"), "code", "shop/cart.py"),
        "a method": (fenced(METHOD, "python"), "code", "shop/cart.py"),
        "a whole file": (
            fenced(CART.replace("sum(prices)", "math.fsum(prices)"), "python"),
            *("code", "shop/cart.py"),
        ),
        "as it was": (fenced(CODE.replace("math.f", ""), "python"), "code", "shop/cart.py"),
    },
)
def test_is_an_edit(reply: str, what: str, path: str) -> None:
    found = unlabelled_edit(reply, FILES)
    assert found is not None
    assert (found.what, found.path) == (what, path)


@table_of(
    "reply",
    {
        "do not": f"Do not apply this:\n\n{fenced(DIFF)}",
        "don't": f"You don't want this:\n\n{fenced(DIFF)}",
        "avoid": f"Avoid code like\n{fenced(CODE, 'python')}",
        "wrong, before": f"This would be wrong:\n{fenced(DIFF)}",
        "not yet": f"{fenced(DIFF)}\n\nDo not apply it before the tests are there.",
        "wait": f"{fenced(DIFF)}\n\nWait, `fsum` takes no integers.",
        "actually": f"{fenced(DIFF)}\n\nActually the tax is the culprit.",
        "no change is needed": f"{fenced(CODE)}\n\nNo change is needed.",
        "already correct": f"{fenced(CODE)}\n\nThe function is already correct.",
        "an alternative": f"{fenced(DIFF)}\n\nAlternatively, round the prices.",
        "two of them": f"Either this\n{fenced(DIFF)}\nor this\n{fenced(BLOCK)}",
        "a second fence": f"{fenced(CODE, 'python')}\n\n{fenced('pytest', 'bash')}",
        "might": f"It might look like this:\n{fenced(CODE, 'python')}",
        "an example": f"For example:\n{fenced(CODE, 'python')}",
        "would": f"I would write\n{fenced(CODE, 'python')}",
        "a suggestion": f"The maintainer suggested\n{fenced(DIFF)}",
        "the issue's text": f"The issue says:\n{fenced(DIFF)}",
        "a tool's output": f"The tool printed\n{fenced(DIFF)}",
        "what is there": f"The existing function is\n{fenced(CODE, 'python')}",
        "the original": f"The original code:\n{fenced(CODE, 'python')}",
        "tried before": f"I tried this before:\n{fenced(DIFF)}",
        "quoted": "\n".join(f"> {line}" for line in DIFF.split("\n")),
        "indented": "\n".join(f"    {line}" for line in fenced(DIFF).split("\n")),
        "an invented observation": f"Observation: {fenced(DIFF)}",
        "a label, though no name": f"Thought: x\nAction:\n{fenced(DIFF)}",
        "a conclusion": f"Conclusion: the change is\n{fenced(DIFF)}",
        "a fence that is open": f"```diff\n{DIFF}",
        "no such file": fenced(DIFF.replace("shop/cart", "lib/other")),
        "a new file": fenced("--- /dev/null\n+++ b/shop/new.py\n@@ -0,0 +1 @@\n+x = 1"),
        "two files": fenced(f"{DIFF}\n{DIFF.replace('cart', 'tax')}"),
        "a name that is nowhere": fenced("def other():\n    return 1", "python"),
        "a call": fenced("total([1, 2])", "python"),
        "code that does more": fenced(f"{CODE}\n\n\nprint(total([1]))", "python"),
        "two of one name": fenced(f"{CODE}\n\n\n{CODE}", "python"),
        "no Python": fenced("def total(prices:\n    return 1", "python"),
        "only words": "I will change `total`.",
    },
)
def test_is_no_edit(reply: str) -> None:
    assert unlabelled_edit(reply, FILES) is None


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
