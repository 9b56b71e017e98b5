"""The header of a GGUF file."""

import contextlib
import struct
from typing import Any

import pytest
from check_rows import table_of
from gguf_file import MODEL, gguf
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.servers.gguf import Gguf, NotGguf, read_gguf

FOUND = Gguf("A small model", 4096, bytes_per_token=2 * 3 * 4 * (8 + 8), is_chat=True)


@table_of(
    ("pairs", "found"),
    {
        "all of it": (MODEL, FOUND),
        "a list of fractions": ({**MODEL, "scores": [0.5]}, FOUND),
        "no template": (
            {key: value for key, value in MODEL.items() if key != "tokenizer.chat_template"},
            Gguf("A small model", 4096, FOUND.bytes_per_token, is_chat=False),
        ),
        "as many as heads, of another length": (
            {**MODEL, "llama.attention.key_length": 16, "llama.attention.head_count_kv": []},
            Gguf("A small model", 4096, 2 * 3 * 8 * (16 + 8), True),
        ),
        "least": ({"general.architecture": "x", "x.context_length": 1}, Gguf("", 1, 0, False)),
    },
)
def test_reads_what_a_file_says(pairs: dict[str, Any], found: Gguf) -> None:
    assert read_gguf(gguf(pairs)) == read_gguf(gguf(pairs) + b"weights") == found


@table_of(
    ("data", "why"),
    {
        "empty": (b"", "is not a GGUF file"),
        "version": (gguf(MODEL, 1), "is GGUF of version 1; "),
        "window": (gguf({**MODEL, "llama.context_length": "x"}), "contains no language model"),
        "many pairs": (b"GGUF" + struct.pack("<IQQ", 3, 0, 1 << 60), "has a header that"),
        "many items": (gguf({"a": [1]})[:-16] + struct.pack("<Q", 1 << 50), "has a header that"),
        "type": (gguf({"a": 1})[:-12] + struct.pack("<I", 99), "has a header that"),
    },
)
def test_says_what_is_wrong(data: bytes, why: str) -> None:
    with pytest.raises(NotGguf, match=f"^{why}"):
        read_gguf(data)


@given(st.integers(4, len(gguf(MODEL)) - 1))
def test_a_header_that_is_cut_off_is_named(length: int) -> None:
    with pytest.raises(NotGguf, match="is cut off"):
        read_gguf(gguf(MODEL)[:length])


@given(st.binary())
def test_any_bytes_are_a_model_or_not(data: bytes) -> None:
    with contextlib.suppress(NotGguf):
        assert read_gguf(b"GGUF\3\0\0\0" + data).window > 0
