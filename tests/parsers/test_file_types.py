import pytest
from check_rows import table_of

from react_agent.parsers.settings.file_types import has_known_name, types_of


@table_of(
    ("path", "data", "expected"),
    [
        pytest.param("a/b.py", b"x = 1\n", "file python text", id="an ending"),
        pytest.param("A.PY", b"", "file python text", id="in capitals"),
        pytest.param("x.ipynb", b"{}", "file jupyter json text", id="two of them"),
        pytest.param("Dockerfile", b"FROM x\n", "dockerfile file text", id="a name"),
        pytest.param("run", b"#!/usr/bin/env python3\n", "file python text", id="env"),
        pytest.param("run", b"#!/usr/bin/env -S python3.12 -u\n", "file python text", id="env -S"),
        pytest.param("run", b"#!/bin/bash -e\n", "bash file shell text", id="a shell"),
        pytest.param("run", b"#!\n", "file text", id="no program"),
        pytest.param("run.md", b"#!/bin/sh\n", "file markdown text", id="the ending goes first"),
        pytest.param("x.bin", b"a\0b", "binary file", id="binary"),
        pytest.param("", b"", "file text", id="nothing"),
    ],
)
def test_types(path: str, data: bytes, expected: str) -> None:
    assert types_of(path, data, is_executable=False) == set(expected.split())


def test_an_executable() -> None:
    assert types_of("x", b"", is_executable=True) == {"file", "text", "executable"}


@table_of(
    ("path", "expected"), [("a/b.py", True), ("Makefile", True), ("self.name", False), ("b", False)]
)
def test_known_names(path: str, expected: bool) -> None:
    assert has_known_name(path) is expected
