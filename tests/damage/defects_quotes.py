"""Lines quoted otherwise than the file has them."""

import re
from collections.abc import Callable, Sequence
from random import Random

from draft import Draft, Hunk, Line, fold
from made_files import NAMES
from row import Damage, Defect, Kind, Told, yes

_WORD = re.compile(r"[^\W\d]\w{2,}")
_QUOTES = str.maketrans({'"': "'", "'": '"'})
_CURLY = (("'", "’"), ('"', "”"), (" - ", " – "), ("...", "…"))

Change = Callable[[str, Random], str]


def _typo(text: str, rng: Random) -> str:
    words = list(_WORD.finditer(text))
    if not words:
        return text
    word = rng.choice(words)
    at = rng.randrange(word.start() + 1, word.end())
    return (
        text[:at] + rng.choice(("", text[at] * 2, "o" if text[at] == "e" else "e")) + text[at + 1 :]
    )


def _other_word(text: str, rng: Random) -> str:
    words = list(_WORD.finditer(text))
    if not words:
        return text
    word = rng.choice(words)
    return f"{text[: word.start()]}{rng.choice(NAMES)}_{rng.randrange(90)}{text[word.end() :]}"


def _other_words(text: str, rng: Random) -> str:
    for _ in range(max(len(text.split()) // 2, 2)):
        text = _other_word(text, rng)
    return text


def _other_quotes(text: str, rng: Random) -> str:
    return text.translate(_QUOTES)


def _other_comment(text: str, rng: Random) -> str:
    return f"{text.split('  #')[0]}  # {rng.choice(NAMES)}" if text.strip() else text


def _misquoted(which: str, change: Change, most: int = 1) -> Damage:
    def damage(draft: Draft, rng: Random) -> Told:
        found = [
            (hunk, line)
            for _, hunk in draft.plain_hunks()
            for line in _lines(hunk, which)
            if fold(change(line.text, Random(0))) != fold(line.text)
        ]
        for hunk, line in rng.sample(found, min(len(found), rng.randint(1, most))):
            new = change(line.text, rng)
            line.is_true = line.is_true and fold(new) == fold(line.text)
            line.text, hunk.is_literal = new, False
        return Told.YES if found else Told.UNFIT

    return damage


def _lines(hunk: Hunk, which: str) -> list[Line]:
    return {"context": hunk.context, "removed": hunk.removed, "old": hunk.old}[which]


def _invented(draft: Draft, rng: Random) -> Told:
    found = [hunk for _, hunk in draft.plain_hunks() if hunk.old]
    if not found:
        return Told.UNFIT
    hunk = rng.choice(found)
    for line in hunk.old:
        line.text = f"    {rng.choice(NAMES)}_{rng.randrange(10**5)} = {rng.choice(NAMES)}()"
        line.is_true = False
    hunk.is_literal = False
    return Told.NO


def _every_old(change: Callable[[str], str], all_lines: bool = False) -> Damage:
    """In all lines that are quoted; in added ones too where they are meant."""

    def damage(draft: Draft, rng: Random) -> Told:
        changed, told = False, True
        for file, hunk in draft.plain_hunks():
            seen = _changed(hunk.old, change, hunk) if file.source else False
            added = all_lines and _changed(hunk.added, change, hunk)
            changed = changed or seen or added
            told = told and (seen or not added)
        return yes(told) if changed else Told.UNFIT

    return damage


def _changed(lines: Sequence[Line], change: Callable[[str], str], hunk: Hunk) -> bool:
    changed = False
    for line in lines:
        new = change(line.text)
        if new != line.text:
            line.text, hunk.is_literal, changed = new, False, True
    return changed


def _curly(text: str) -> str:
    for plain, curly in _CURLY:
        text = text.replace(plain, curly)
    return text


def _html(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _backslashed(text: str) -> str:
    return text.replace('"', '\\"')


def _unless_there(special: str, damage: Damage) -> Damage:
    """Where the file writes that itself, nobody knows which of the two is meant."""

    def guarded(draft: Draft, rng: Random) -> Told:
        told = damage(draft, rng)
        texts = [*draft.before.values(), *draft.after.values()]
        return (
            Told.NO
            if told is Told.YES and any(re.search(special, text) for text in texts)
            else told
        )

    return guarded


def _literal_newline(draft: Draft, rng: Random) -> Told:
    r"""Two lines of context in one, with `\n` between them."""
    for _, hunk in draft.plain_hunks():
        if len(hunk.lines) > 2 and all(line.mark == " " for line in hunk.lines[:2]):
            second = hunk.lines.pop(1)
            hunk.lines[0].text += f"\\n{second.text}"
            hunk.lines[0].is_true = hunk.is_literal = False
            return Told.YES
    return Told.UNFIT


_SMALL = _misquoted("context", _typo)
_MISQUOTED = "misquoted"
QUOTES = (
    Defect("typo in a context line", _SMALL, 133, group=_MISQUOTED),
    Defect("typo in a removed line", _misquoted("removed", _typo), 133, group=_MISQUOTED),
    Defect(
        "other word in old lines",
        _misquoted("old", _other_word, 2),
        181,
        Kind.DEPENDS,
        group=_MISQUOTED,
    ),
    Defect(
        "other words in old lines",
        _misquoted("old", _other_words, 3),
        175,
        Kind.DEPENDS,
        group=_MISQUOTED,
    ),
    Defect("old lines made up", _invented, 586, Kind.LOSING, group=_MISQUOTED),
    Defect("other quotes in a context line", _misquoted("context", _other_quotes)),
    Defect("other quotes in a removed line", _misquoted("removed", _other_quotes)),
    Defect("comment made up", _misquoted("context", _other_comment)),
    Defect("trailing blanks stripped", _every_old(str.rstrip)),
    Defect("trailing blanks added", _every_old(lambda text: f"{text}  ")),
    Defect("curly quotes and dashes in old lines", _every_old(_curly)),
    Defect("curly quotes and dashes everywhere", _every_old(_curly, True), kind=Kind.LOSING),
    Defect("`&lt;`", _unless_there("&[lga]", _every_old(_html, True)), kind=Kind.DEPENDS),
    Defect('`\\"`', _unless_there(r"\\", _every_old(_backslashed, True)), kind=Kind.DEPENDS),
    Defect("`\\n` for the end of a line", _literal_newline, kind=Kind.DEPENDS),
)
