"""Pieces of text that mean something to one reader or another, and texts made of them."""

from hypothesis import strategies as st

LINES = (
    *("Objective: x", "Thought: x", "Action: grep", "Action Input: y", "Observation: z"),
    *("**Action:** x", "Final Answer: x", "Conclusion: done", "\\Thought: x", "  Action: y"),
    *("%% step: n=1", "%% turn:", "%% retracted: steps=1", "%% compressed: steps=1-9", "%%"),
    *("```", "~~~", "<think>", "</think>", "<|im_start|>assistant", "[INST]", "cat <<EOF", "EOF"),
    *("", " ", "\t", "\r", "\x00", "\x0c", "\u2028", "\u202e", "\ud800", "\x1b[31m", "<U+000A>"),
)
texts = st.lists(st.sampled_from(LINES) | st.text(max_size=12), max_size=8).map("\n".join)

FRAGMENTS = (
    *("Thought:", "Action: grep", "Action:", "Action Input: x", "Action Input:", "**Action:** x"),
    *("Observation: x", "Observation:", "Conclusion: x", "Final Answer:", "Objective: x"),
    *("```", "````python", "~~~", "", " ", "prose", "\r", "\x0c", "\ud800", "\x00", "\u2028"),
    *("<think>", "</think>", "x</think>", "<|im_end|>", "<|im_start|>assistant", "</s>", "Obs"),
    *("cat <<EOF", "<<'X'", "EOF", "X", '{"action": "grep", "action_input": "x"}', '{"a": [', "}"),
    *("<tool_call>", "</tool_call>", "```bash", "$ ls", "--- a/x", "+++ b/x", "@@ -1 +1 @@", "+x"),
    *("Action: grep(x)", "Action: none", "Action: grep the file", "action: x", "  Action: y"),
    *("I will look at it now.", "> Action: x", "Input: y", "<thinking>", '"x"', "`x`", "\u200b"),
    *("Observ", " Action: y", "<think> x </think>Action: y", "</", "Input: z", "- x", "{"),
)
replies = st.text() | st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=9)).map("\n".join)
NASTY_LINES = (
    *("Action: x", " Action: x", "\\Action: x", "\\\\%% x", "\\", "\\ Action: x", "Action: x\r"),
    *("ACTION: x", "ACTION： x", "**Action:** x", "\u200bAction: x", "\tAction: x"),
    *("\xa0Action: x", "\x00Action: x", "Action\x00: x", "1. **Observation：** x"),
    *("Action_Input: x", "Final Answer: x", "\u200bObservation: y"),
    *("Conclusion:", "Thought:", "\\Thought: x", "Objective:", "Observation:", "Action Input: y"),
    *("%%", "%% step: n=1", "%% step:", "%% turn: n=1", "%% raw: z", "  %% raw: x", "%%%"),
    *(" %% started: n=2", "%% mended: z", "```", "~~~~", "", " ", "\t", "\r", "a\r", "\x0c"),
    *("<U+000A>Action: x", "<U+003C>U+000A>", "<U+003C>U+0041>", "<U+1FFFFF>", "<U+", "<", "\x85"),
    *("\x00", "\ud800", "\udcff", "\u2028", "\u2029", "\ufeff", "\U000e0041", "x" * 200),
    *("\u200dAction: x", "x\u200d\u200c", "\ufe0f\ufe01", "e" + "\u0301" * 9, "\xadThought:"),
    *("a\rAction: x", "\x0bAction: x", "\x1cAction: x", "\u2029Action: x", "\u202eAction: x"),
    "ä漢👩\u200d👧",
)

_PIECES = {
    "patch": (
        *("--- a/a.py", "+++ b/a.py", "@@ -1,2 +1,2 @@", "@@", "-    return 1", "+    return 3"),
        *(" def one():", "*** Begin Patch", "*** Update File: a.py", "*** End Patch", "-", "+"),
        *("<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE", "diff --git a/a.py b/a.py", "...", " "),
        *("rename from a.py", "rename to ../x", "new file mode 120000", "GIT binary patch"),
    ),
    "log": (
        *("FAILED a.py::t - x", "=== FAILURES ===", "___ t ___", "E   assert 1", "a.py:1: Error"),
        *("=== 1 failed in 0.1s ===", "FAIL: t (a.B)", "Traceback (most recent call last):", "ok"),
        *("--- FAIL: T (0.00s)", "test a ... FAILED", "not ok 1 - x", "1) x", "Ran 1 test in 0s"),
    ),
    "html": (
        *("<p>", "</p>", "<pre>", "<script>", "</script>", "<table><tr><td>", "<!--", "-->", "<a"),
        *("<a href='x'>", "&lt;", "&#x41;", "&", "<ul><li>", "</li>", "<![CDATA[", "<br/>", "<"),
    ),
    "config": (
        *("[tools]", "[profile]", "[hidden]", "role = x", "tools = grep", "[models.x]"),
        *("procedure: x", "state: y", "role z:", "  model: x", "next: end", "    prompt:", "x: y"),
        *("steps = 3", "key: [a, {b: c}]", "- x", "? x", "&a *a", "%(x)s", *"'\"{}[]:,"),
    ),
    "shell": (
        *("cat <<'E'", "E", "$(", ")", "`", "|", "&&", ";", "'", '"', "\\", "${x}", "(("),
        *("x=1", "%", "0"),
        *("find . -name '*.py'", "sed -n 1,5p a.py", ">", "<(", "#", "1 + 2", "2 ** 9", "sqrt("),
    ),
    "text": (
        *("fix(core): x", "Signed-off-by: A <a@b.c>", "#12", "Steps 1-3: x", "0.1 done", "- x"),
        *("---", "title: x", "https://a:b@c.d/e", "Authorization: Bearer abcdefgh", "password=x"),
        *("-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "<!-- x -->", "![x](y)"),
        *('{"a": [1, "b"]}', '{"', "\\u", "null", "\x1b]8;;", "\x08", "\r", "a.py:3", "`x.y()`"),
    ),
}
PIECES = (*LINES, *(piece for some in _PIECES.values() for piece in some))
documents = st.lists(
    st.tuples(st.sampled_from(PIECES) | st.text(max_size=9), st.sampled_from(("\n", "", " "))),
    max_size=30,
).map(lambda parts: "".join(piece + end for piece, end in parts))
