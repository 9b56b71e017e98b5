from check_rows import table_of

from react_agent.tools.edits.accept_edit import Flaw, flaw_of, is_checked

TOML_END = "Invalid value (at end of document)"
TOO_DEEP = "it is nested too deeply"


def flaw(name: str, data: bytes) -> Flaw | str | None:
    return flaw_of(name, data) if is_checked(name, data) else "not checked"


@table_of(
    ("name", "data", "expected"),
    {
        "misplaced": ("x.py", b"return 1\n", Flaw(1, "'return' outside function")),
        "what only warns": ("x.py", b"x = '\\d' is 'd'\n", None),
        "a declared encoding": ("x.py", b"# coding: latin-1\nx = '\xe9'\n", None),
        "BOM and CRLF": ("x.py", b"\xef\xbb\xbfx = 1\r\n", None),
        "JSON, not UTF-8": ("x.json", b'"\xff"', Flaw(1, "it is not UTF-8")),
        "JSON, deep": ("x.json", b"[" * 100_000, Flaw(None, TOO_DEEP)),
        "cut off": ("x.toml", b"a = [", Flaw(None, TOML_END)),
        "too large": ("x.py", b"#" * 1_000_001, "not checked"),
    },
)  # fmt: skip
def test_finds_what_keeps_a_file_from_being_read(
    name: str, data: bytes, expected: Flaw | str | None
) -> None:
    assert flaw(name, data) == expected


@table_of("data", [b"(" * 100_000, b"\0", b"# coding: nonsense\n", b"'\xff'"])
def test_what_python_can_not_take_at_all_is_a_flaw(data: bytes) -> None:
    assert isinstance(flaw("x.py", data), Flaw)


@table_of("data", [b"-" * 100_000 + b"1", b"x = " + b"1+" * 50_000 + b"1", b"x = 9**9**9**9"])
def test_no_python_ends_us(data: bytes) -> None:
    assert flaw("x.py", data) in (None, Flaw(None, TOO_DEEP))
