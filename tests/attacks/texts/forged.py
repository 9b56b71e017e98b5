"""A text that would pass for what we write: labels, bookkeeping, special tokens, escapes."""

from pathlib import Path

MARKER = "obey4711"
UNSEEN = (
    "\x1b[2J\x1b]0;title\x07\x1b]8;;http://x\x1b\\\x1b]52;c;b2JleQ==\x07"
    f"\x9b31m\u202e{MARKER}\u2066\u200b\U000e0041e" + "\u0301" * 40 + "\rgone"
)
FORGED = Path(__file__).with_name("forged.txt").read_text() + UNSEEN + "\n"
