"""What becomes of a file when whole definitions are put into it."""

import textwrap

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
        "a function": (
            "def last(text):\n    return text[-1]",
            changed("return text.split()[-1]", "return text[-1]"),
        ),
        "its decorator stays": (
            "def first(text):\n    return text",
            changed('    """The first word."""\n    return text.split()[0]', "    return text"),
        ),
        "another decorator": (
            "@slow\ndef first(text):\n    return text",
            changed(
                '@cached\ndef first(text):\n    """The first word."""\n    return text.split()[0]',
                "@slow\ndef first(text):\n    return text",
            ),
        ),
        "a method": (
            "def read(self):\n    return 1",
            changed('        return first("a b")', "        return 1"),
        ),
        "a value": ("LIMIT = 20", changed("LIMIT = 10", "LIMIT = 20")),
        "with an import": (
            "import os\n\ndef last(text):\n    return os.name",
            changed("import re\n", "import re\nimport os\n").replace(
                "return text.split()[-1]", "return os.name"
            ),
        ),
        "a new one, too": ("def last(text):\n    return 1\n\n\ndef absent():\n    return 1", None),
        "all as it is": (FILE, FILE),
        "a call, too": ("def last(text):\n    return 1\n\n\nprint(last('a'))", None),
        "a string that indenting changes": (
            'def read(self):\n    return """\nat the left\n"""',
            None,
        ),
    },
)
def test_puts_code_in(code: str, result: str | None) -> None:
    assert with_definitions(code, FILE) == result


def test_a_name_that_is_there_twice_is_not_replaced() -> None:
    twice = textwrap.dedent("""\
        class A:
            def run(self):
                pass


        class B:
            def run(self):
                pass
        """)
    assert with_definitions("def run(self):\n    return 1", twice) is None


def test_nothing_is_put_into_what_is_no_python() -> None:
    assert with_definitions("def last(text):\n    return 1", "def last(:\n") is None
