from collections.abc import Callable

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.text.tokens import estimate_tokens

Calls = Callable[[Callable[[str], object], str], int]


@table_of(
    ("text", "tokens"),
    [
        pytest.param("", 0, id="nothing"),
        pytest.param("a few words here", 4, id="words with their blanks"),
        pytest.param("internationalization", 3, id="long word"),
        pytest.param("1234567", 3, id="digits by three"),
        pytest.param("\n\n        ", 1, id="run of blanks"),
        pytest.param("a\nb", 3, id="line end"),
        pytest.param("();", 1, id="symbols"),
        pytest.param("-" * 22, 10, id="ruler"),
        pytest.param("f(x)", 4, id="a symbol ends where letters begin"),
        pytest.param("漢字かな", 3, id="Chinese, Japanese"),
        pytest.param("приветик", 3, id="Cyrillic"),
        pytest.param("😀😀", 3, id="emoji"),
        pytest.param("\x00\ud800", 3, id="no characters at all"),
    ],
)
def test_estimates(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


CODE = '''
def read(path: Path) -> list[str]:
    """The lines of a file."""
    with path.open() as file:
        return [line.rstrip() for line in file if not line.startswith("#")]
'''
DIFF = """\
--- a/src/dates.py
+++ b/src/dates.py
@@ -12,7 +12,7 @@ def parse_date(text):
     match = DATE.fullmatch(text.strip())
-    if match is None:
+    if not match:
         raise ValueError(text)
"""
PROSE = """\
The estimate decides when a prompt is full. It has to be cheap, since it is made again for
every step of a run, and it should rather say too much than too little.
"""
LISTING = """\
drwxr-xr-x  2 root root   4096 Nov 20 14:11 parsers
-rw-r--r--  1 root root   3077 Nov 20 13:50 labels.py
-rw-r--r--  1 root root 112345 Nov 20 13:51 quoting.py
"""


# The ranges hold what four tokenizers made of large samples of each kind, with a fifth to spare.
@table_of(
    ("text", "fewest", "most"),
    [
        pytest.param(CODE, 3.3, 5.5, id="code"),
        pytest.param(DIFF, 2.7, 4.9, id="diff"),
        pytest.param(PROSE, 3.0, 5.0, id="prose"),
        pytest.param(LISTING, 2.0, 3.1, id="listing"),
    ],
)
def test_has_about_as_many_characters_a_token(text: str, fewest: float, most: float) -> None:
    assert fewest <= len(text) / estimate_tokens(text) <= most


@given(st.text(), st.text())
def test_a_longer_text_has_hardly_fewer_tokens(text: str, more: str) -> None:
    assert 0 <= estimate_tokens(text) <= estimate_tokens(text + more) + 1


@pytest.mark.parametrize("piece", ["a", " ", "\n", "(", "1", "a(1 ", "漢", "\x00"])
def test_work_grows_with_the_length(calls: Calls, piece: str) -> None:
    short, long = (calls(estimate_tokens, piece * size) for size in (1000, 2000))
    assert long <= 2 * short
