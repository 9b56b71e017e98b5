"""The functions that an issue points at, and what can be asked of them."""

from react_agent.parsers.repo.function_rank import functions_in, modules_in, ranked

MONEY = '''\
"""Amounts."""


class Purse:
    @property
    def size(self):
        """Return how much is in it.

        In cents.
        """
        return 0


def split(
    cents,
    parts,
):
    return [cents // parts] * parts


def once(): return 1


def twice():
    def twice():
        return 2
    return twice
'''
FILES = {
    "bank/money.py": MONEY,
    "bank/__init__.py": "def open_bank():\n    return 1\n",
    "tests/test_money.py": "def split():\n    pass\n",
    "broken.py": "def split(:\n",
}


def test_finds_what_can_be_replaced_by_name() -> None:
    found = {one.name: one for one in functions_in("bank/money.py", MONEY)}
    assert list(found) == ["split", "size"]  # not `once`, in one line; not `twice`, twice there
    assert found["split"].signature == "def split(\n    cents,\n    parts,\n):\n"
    assert found["split"].documented == found["split"].signature
    size = found["size"]
    assert size.signature == "    @property\n    def size(self):\n"
    assert size.documented.endswith('        In cents.\n        """\n')
    assert (size.indent, size.depth, size.first, size.of) == (4, 8, 5, 28)
    [tabbed] = functions_in("a.py", "class A:\n\tdef f(self):\n\t\treturn 1\n")
    assert (tabbed.indent, tabbed.depth) == (1, 2)
    [keep] = functions_in(
        "a.py", "def keep(f):\n    @wraps(f)\n    def kept(): 0\n    return kept\n"
    )
    assert keep.signature == "def keep(f):\n"


def test_ranks_names_before_words() -> None:
    assert [one.name for one in ranked("`open_bank` in cents", FILES)] == [
        "open_bank",
        "split",
        "size",
    ]
    assert next(iter(ranked("Parts of cents", FILES))).name == "split"
    assert ranked("Nothing", FILES) == []


def test_knows_where_names_are() -> None:
    assert modules_in({**FILES, "bin/re-run.py": "def run():\n    return 1\n"}) == {
        "open_bank": "bank",
        "Purse": "bank.money",
        "split": "bank.money",
        "once": "bank.money",
        "twice": "bank.money",
    }
