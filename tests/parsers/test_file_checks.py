import contextlib

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.settings.file_checks import OWN, File, Found

NEW = True


def look(check: str, data: bytes, *args: str, path: str = "x.txt", is_new: bool = False) -> Found:
    return OWN[check].look(File(path, data, is_new), args)


@table_of(
    ("check", "data", "args", "fixed"),
    [
        ("trailing-whitespace", b"a \nb\t\r\n\x0c\nc", (), b"a\nb\r\n\nc"),
        ("trailing-whitespace", b"a\nb", (), None),
        (
            "trailing-whitespace",
            b"a   \nb \n  \n",
            ("--markdown-linebreak-ext=txt",),
            b"a  \nb\n\n",
        ),
        ("trailing-whitespace", b"a  \n", ("--markdown-linebreak-ext", "md"), b"a\n"),
        ("trailing-whitespace", b"a  \n", ("--markdown-linebreak-ext=*",), None),
        ("end-of-file-fixer", b"a", (), b"a\n"),
        ("end-of-file-fixer", b"a\n\n\n", (), b"a\n"),
        ("end-of-file-fixer", b"a\r\n\r\n", (), b"a\r\n"),
        ("end-of-file-fixer", b"\n\n", (), b""),
        ("end-of-file-fixer", b"", (), None),
        ("end-of-file-fixer", b"a\n", (), None),
        ("mixed-line-ending", b"a\nb\r\nc\n", (), b"a\nb\nc\n"),
        ("mixed-line-ending", b"a\r\nb\r\nc\n", (), b"a\r\nb\r\nc\r\n"),
        ("mixed-line-ending", b"a\r\nb\r\n", (), None),
        ("mixed-line-ending", b"a\r\nb\r\n", ("--fix=lf",), b"a\nb\n"),
        ("mixed-line-ending", b"a\rb\n", ("--fix", "crlf"), b"a\r\nb\r\n"),
        ("fix-byte-order-marker", b"\xef\xbb\xbfa", (), b"a"),
    ],
)
def test_what_a_file_should_hold(
    check: str, data: bytes, args: tuple[str, ...], fixed: bytes | None
) -> None:
    assert look(check, data, *args) == Found(fixed)


@table_of(
    ("check", "data", "args", "wrong"),
    [
        ("mixed-line-ending", b"a\nb\r\n", ("--fix=no",), "its lines end in several ways"),
        (
            "check-json",
            b"{'a': 1}",
            (),
            "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)",
        ),
        ("check-json", b'{"a": 1, "a": 2}', (), "the key 'a' comes twice"),
        (
            "check-json",
            b"\xff",
            (),
            "'utf-8' codec can't decode byte 0xff in position 0: invalid start byte",
        ),
        ("check-toml", b"a = \n", (), "Invalid value (at line 1, column 5)"),
        ("check-merge-conflict", b"a\n<<<<<<< HEAD\n", (), "line 2 is a mark of a conflict"),
        ("detect-private-key", b"-----BEGIN RSA PRIVATE KEY-----", (), "it holds a private key"),
        ("check-added-large-files", b"x" * 2049, ("--maxkb=2",), "3 kB, and 2 are allowed"),
        ("check-added-large-files", b"x" * 512_001, (), "501 kB, and 500 are allowed"),
    ],
)
def test_what_is_wrong(check: str, data: bytes, args: tuple[str, ...], wrong: str) -> None:
    assert look(check, data, *args, is_new=NEW) == Found(wrong=f"x.txt: {wrong}")


@table_of(
    ("check", "data", "args"),
    [
        ("check-json", b'{"a": [1]}', ()),
        ("check-toml", b"a = 1\n", ()),
        ("check-merge-conflict", b"=======\n", ("--assume-in-merge",)),
        ("check-added-large-files", b"x" * 999_999, ()),  # of one that was there before
        ("detect-private-key", b"-----BEGIN PUBLIC KEY-----", ()),
    ],
)
def test_what_is_right(check: str, data: bytes, args: tuple[str, ...]) -> None:
    assert look(check, data, *args) == Found()


@table_of(
    ("check", "args", "error"),
    [
        ("trailing-whitespace", ("--chars=x",), "--chars=x"),
        ("mixed-line-ending", ("--fix=mac",), "--fix=mac"),
        ("check-added-large-files", ("--maxkb=many",), "--maxkb=many"),
        ("end-of-file-fixer", ("file",), "file"),
    ],
)
def test_an_argument_that_is_not_known(check: str, args: tuple[str, ...], error: str) -> None:
    with pytest.raises(ParseError) as caught:
        look(check, b"", *args)
    assert str(caught.value) == error


@given(
    st.sampled_from(sorted(OWN)), st.binary(max_size=60), st.lists(st.text(max_size=9), max_size=2)
)
def test_any_file_has_an_answer_and_is_right_once_it_is_fixed(
    check: str, data: bytes, args: list[str]
) -> None:
    with contextlib.suppress(ParseError):
        found = look(check, data, *args)
        if found.fixed is not None:
            assert look(check, found.fixed, *args) == Found()


def test_deep_nesting_is_no_crash() -> None:
    for check in ("check-json", "check-toml"):
        assert look(check, b"a = " * (check == "check-toml") + b"[" * 100_000).wrong
