"""What becomes of a file when whole definitions are put into it."""

from check_rows import table_of

from react_agent.parsers.edits.unlabelled_edit import with_definitions

FILE = '''\
"""Words."""

import re

LIMIT = 10


@cached
def first(text):
    """The first word."""
    return text.split()[0]


class Reader:
    def read(self):
        return first("a b")


def last(text):
    return text.split()[-1]
'''


def changed(old: str, new: str) -> str:
    assert FILE.count(old) == 1
    return FILE.replace(old, new)


@table_of(
    ("code", "result"),
    {
        "a value": ("LIMIT = 20", changed("LIMIT = 10", "LIMIT = 20")),
        "with an import": (
            "import os\n\ndef last(text):\n    return os.name",
            changed("import re\n", "import re\nimport os\n").replace(
                "return text.split()[-1]", "return os.name"
            ),
        ),
        "with two imports": (
            "import os\nimport sys\n\ndef last(text):\n    return os.name",
            changed("import re\n", "import re\nimport os\nimport sys\n").replace(
                "return text.split()[-1]", "return os.name"
            ),
        ),
        "with an import of the future": (
            "from __future__ import annotations\n\ndef last(text):\n    return 1",
            changed('"""Words."""\n', '"""Words."""\nfrom __future__ import annotations\n').replace(
                "return text.split()[-1]", "return 1"
            ),
        ),
        "a class that lacks a method": ("class Reader:\n    def end(self):\n        pass", None),
        "a string that indenting changes": (
            'def read(self):\n    return """\nat the left\n"""',
            None,
        ),
    },
)
def test_puts_code_in(code: str, result: str | None) -> None:
    assert with_definitions(code, FILE) == result


def test_a_byte_order_mark_stays() -> None:
    made = with_definitions("def last(text):\n    return 1", f"\ufeff{FILE}")
    assert made == "\ufeff" + changed("return text.split()[-1]", "return 1")


def test_an_import_stands_below_the_first_comment() -> None:
    made = with_definitions("import os\n\ndef f():\n    return os", "#!/x\ndef f():\n    pass\n")
    assert made == "#!/x\nimport os\ndef f():\n    return os\n"


def test_tabs_stay() -> None:
    made = with_definitions('def read(self):\n\treturn first("b")', FILE.replace("    ", "\t"))
    assert made == changed('first("a b")', 'first("b")').replace("    ", "\t")


def test_nothing_is_put_into_what_is_no_python() -> None:
    assert with_definitions("def last(text):\n    return 1", "def last(:\n") is None


def test_nothing_is_put_beside_what_is_nested_too_deeply() -> None:
    deep = f"{FILE}TOTAL = {'1 + ' * 1_000}1\n"
    assert with_definitions("def last(text):\n    return 1", deep) is None
