from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.text.tokens import estimate_tokens

DIFF = """\
--- a/src/dates.py
+++ b/src/dates.py
@@ -12,7 +12,7 @@ def parse_date(text):
     match = DATE.fullmatch(text.strip())
-    if match is None:
+    if not match:
         raise ValueError(text)
"""


# What four tokenizers made of a large sample of diffs, with a fifth to spare.
def test_has_about_as_many_characters_a_token() -> None:
    assert 2.7 <= len(DIFF) / estimate_tokens(DIFF) <= 4.9


@given(st.text(), st.text())
def test_a_longer_text_has_hardly_fewer_tokens(text: str, more: str) -> None:
    assert 0 <= estimate_tokens(text) <= estimate_tokens(text + more) + 1
