"""The sentences of a Thought, made plain: names are numbers, contractions are written out.

Code blocks and quoted lines go; a quotation of several words is one word, `(quoted)`. What is left
is in small letters, with one space between two words, so that a pattern over words can read it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from react_agent.parsers.text.names import is_name

NAME = r"\ue000\d+\ue001"  # a pattern of it
_MARK = re.compile("\ue000(\\d+)\ue001")
_LONGEST = 20_000  # characters of a text
_LEFT_OUT = re.compile(r"^```.*?(?:^```|\Z)|^\s*>[^\n]*$|[\ue000\ue001]", re.MULTILINE | re.DOTALL)
_QUOTED = re.compile(
    r"(?P<ticks>`+)(?P<code>[^`\n]{1,120})(?P=ticks)"
    r"|\"(?P<double>[^\"\n]{1,300})\"|“(?P<curly>[^”\n]{1,300})”"
    r"|(?<!\w)'(?P<single>[^'\n]{1,120})'(?!\w)"
)
_TOKEN = re.compile(r"--[A-Za-z][\w-]+\w|\.?(?<![\w./-])\w[\w./-]*\w(?:\(\))?")
_CALLED = re.compile(
    r"(?<!not )(?<!never )(?<!is )(?<!are )(?<!n't )\b(called|named) "
    r"(?!anywhere|by\b|in\b|from|with|when|once|if\b|here|there|the\b)([a-z]\w{2,})"
)
_ONE = re.compile(r"(?:(?:def|class|function|func|fn|const|let|var|type|struct|interface|import) )?"
                  r"([\w@$.:/*-]*\w[\w/*-]*)(?:\([^)]*\))?[:;]?"
                  r"|[\[({<]([\w/.-]*[A-Za-z][\w/.-]*)[\])}>]")  # fmt: skip
_SENTENCE = re.compile(r"[^.!?;\n]*(?:[.!?;]+(?!\s|$)[^.!?;\n]*)*(?:[.!?;]+|\n|$)")
_ERROR = re.compile(r"\w*(?:Error|Exception|Warning)$|Traceback$")
_REWRITTEN = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"[\u2018\u2019\u02bc]", "'"),
        (r"^\s*(?:i see|hm+|ok(?:ay)?|well|right|ah|oh|yes|no|good) ?[,:!\u2014-]+\s*", ""),
        (r"\bcan(?:'t|not|t)\b", "can not"),
        (r"\b(do|does|did|is|are|was|were|has|have|had|could|would|should|must|might)n'?t\b",
         r"\1 not"),
        (r"\b(there|here|it|that)'?s\b", r"\1 is"),
        (r"\b(?:i|we)(?:'ve| have) |\bi'll\b", "i "),
        (r"\b(?:i|we) (?:think|believe|conclude|see|found|find)(?: that)?\b"
         r"(?= \ue000| there| the)", ""),
        (r"\b(do|does) not (?:seem|appear) to (?:be )?(?=\w)", r"\1 not "),
        (r"\b(?:seems?|appears?|looks?)(?: like| as if| that| as though)+\b", ""),
        (r"\b(?:seems?|appears?) to (?=not )", "must "),
        (r"\b(?:seems?|appears?) (?:to )?(?:be )?(?=missing|absent|undefined|gone)", "is "),
        (r"\b(?:really|simply|just|actually|clearly|apparently|obviously|currently|definitely|"
         r"probably|even|at all|yet|indeed|also|presumably|already|likely|still|ever|now)\b", ""),
        (r"[*_\"`]+", " "),
        (r"\s*([,:])\s*", r"\1 "),
        (r"[.!?;]+\s*$", ""),
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str  # plain
    names: tuple[str, ...]  # by the numbers that stand for them
    written: str  # in one line
    is_asked: bool
    known: frozenset[str] = frozenset()  # names that are plain words in it

    def named(self, part: str) -> tuple[str, ...]:
        """The names in a part of it."""
        return tuple(dict.fromkeys(self.names[int(found[1])] for found in _MARK.finditer(part)))


Known = tuple[tuple[str, str], ...]  # words, and the name they stand for


def sentences(text: str, known: Known = ()) -> Iterator[Sentence]:
    """`known` words are names, however plainly they are written."""
    names = list[str]()

    def mark(name: str) -> str:
        if _ERROR.search(name):
            return "someerror"
        names.append(name)
        return f"\ue000{len(names) - 1}\ue001"

    def quoted(found: re.Match[str]) -> str:
        inner = next(filter(None, found.group("code", "double", "curly", "single")))
        one = _ONE.fullmatch(inner.strip())
        return mark(one[1] or one[2]) if one else " (code) " if found["code"] else " (quoted) "

    def token(found: re.Match[str]) -> str:
        bare = found[0].removesuffix("()")
        is_named = bare != found[0] or bare.startswith("--") or is_name(bare)
        return mark(bare) if is_named else found[0]

    masked = _QUOTED.sub(quoted, _LEFT_OUT.sub("", text[:_LONGEST]))
    masked = _TOKEN.sub(token, masked)
    masked = _CALLED.sub(lambda found: f"{found[1]} {mark(found[2])}", masked)
    written = len(names)
    for words, name in known:
        pattern = rf"(?<![\w\ue000-]){re.escape(words)}(?:s|es|'s)?(?![\w-])"
        masked = re.sub(pattern, lambda _: mark(name), masked, flags=re.IGNORECASE)  # noqa: B023
    for found in _SENTENCE.finditer(masked):
        plain = found[0].casefold()
        for row, instead in _REWRITTEN:
            plain = row.sub(instead, plain)
        if plain := " ".join(plain.split()):
            original = " ".join(_MARK.sub(lambda one: names[int(one[1])], found[0]).split())
            is_asked = "?" in found[0].rstrip()[-2:]
            yield Sentence(plain, tuple(names), original, is_asked, frozenset(names[written:]))
