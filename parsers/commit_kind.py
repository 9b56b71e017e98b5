"""What a change is, in the words of commit messages: `fix`, `feat`, `docs`, ...; and its sign."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import PurePosixPath

from react_agent.parsers.file_roles import is_of_tests
from react_agent.parsers.late_pattern import LatePattern


class Change(StrEnum):
    FIX = "fix"
    FEAT = "feat"
    DOCS = "docs"
    TEST = "test"
    REFACTOR = "refactor"
    PERF = "perf"
    BUILD = "build"
    CI = "ci"
    STYLE = "style"
    CHORE = "chore"


_SPOKEN = {  # the first is what is written where a history shows none
    Change.FIX: ("fix", "bugfix", "hotfix", "bug"),
    Change.FEAT: ("feat", "feature", "improvement"),
    Change.DOCS: ("docs", "doc"),
    Change.TEST: ("test", "tests"),
    Change.REFACTOR: ("refactor",),
    Change.PERF: ("perf",),
    Change.BUILD: ("build", "deps"),
    Change.CI: ("ci",),
    Change.STYLE: ("style",),
    Change.CHORE: ("chore",),
}
_SIGNS = {  # likewise; of each the code and the sign
    Change.FIX: ((":bug:", "🐛"), (":ambulance:", "🚑"), (":adhesive_bandage:", "🩹")),
    Change.FEAT: ((":sparkles:", "✨"), (":tada:", "🎉")),
    Change.DOCS: ((":memo:", "📝"), (":books:", "📚"), (":pencil:", "✏️")),
    Change.TEST: ((":white_check_mark:", "✅"), (":test_tube:", "🧪")),
    Change.REFACTOR: ((":recycle:", "♻️"),),
    Change.PERF: ((":zap:", "⚡️"),),
    Change.BUILD: ((":construction_worker:", "👷"), (":package:", "📦️")),
    Change.CI: ((":green_heart:", "💚"),),
    Change.STYLE: ((":art:", "🎨"),),
    Change.CHORE: ((":wrench:", "🔧"),),
}
_PAGES = frozenset({".md", ".rst", ".txt", ".adoc"})
_NEW = LatePattern(
    r"(?i)\W*(?:\w+: )?(?:add|support|allow|implement|introduce|provide|feature|enable|let|new)\b"
)


def change_of(word: str, title: str, paths: Sequence[str]) -> Change:
    """What somebody called it; else what the files say, and the title of the issue."""
    said = word.strip().strip("`*.:").casefold()
    for change, words in _SPOKEN.items():
        if said in words:
            return change
    if paths and all(map(is_of_tests, paths)):
        return Change.TEST
    if paths and all(PurePosixPath(path).suffix in _PAGES for path in paths):
        return Change.DOCS
    return Change.FEAT if _NEW.match(title) else Change.FIX


def type_for(change: Change, used: Mapping[str, int]) -> str:
    """As this repository calls it, capitals included."""
    known = [word for word in used if word.casefold() in _SPOKEN[change]]
    if known:
        return max(known, key=used.__getitem__)
    first = _SPOKEN[change][0]
    return first.capitalize() if used and all(word[:1].isupper() for word in used) else first


def emoji_for(change: Change, used: Mapping[str, int]) -> str:
    is_code = sum(n for one, n in used.items() if one.startswith(":")) * 2 > sum(used.values())
    pairs = _SIGNS[change]
    known = [one for one in used for code, sign in pairs if _bare(one) in (code, _bare(sign))]
    if known:
        return max(known, key=used.__getitem__)
    return pairs[0][0 if is_code else 1]


def _bare(emoji: str) -> str:
    return emoji.rstrip("\ufe0f")
