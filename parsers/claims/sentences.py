"""The sentences of a Thought, made plain: names are numbers, contractions are written out.

Code blocks and quoted lines go; a quotation of several words is one word, `(quoted)`. What is left
is in small letters, with one space between two words, so that a pattern over words can read it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

NAME = r"\ue000\d+\ue001"  # a pattern of it
_MARK = re.compile("\ue000(\\d+)\ue001")
_LONGEST = 20_000  # characters of a text
_LEFT_OUT = re.compile(r"^```.*?(?:^```|\Z)|^\s*>[^\n]*$|[\ue000\ue001]", re.MULTILINE | re.DOTALL)
_QUOTED = re.compile(
    r"(?P<ticks>`+)(?P<code>[^`\n]{1,120})(?P=ticks)"
    r"|\"(?P<double>[^\"\n]{1,300})\"|“(?P<curly>[^”\n]{1,300})”"
    r"|(?<!\w)'(?P<single>[^'\n]{1,120})'(?!\w)"
)
_NAMED = re.compile(  # where the way it is written leaves no doubt
    r"(?<![\w./-])(?:"
    r"\.{0,2}/?(?:[\w.-]+/)+(?:[\w-]+(?:\.\w+)*|(?=\s|$|[,;:)]|\.(?:\s|$)))"  # a path
    r"|\.?[\w-]*\w\.(?:py|pyi|pyx|js|jsx|ts|tsx|go|rs|c|h|cc|cpp|hpp|java|rb|php|sh|md|rst|txt"
    r"|toml|cfg"
    r"|ini|yml|yaml|json|html|css|sql|xml|lock|env|proto|kt|swift|cs|lua|pl|mk|in|po|svg|csv)"
    r"|--[A-Za-z][\w-]+\w"
    r"|[^\W\d]\w+(?:\.[^\W\d]\w+)+"
    r"|_*[A-Za-z]\w*_\w*[A-Za-z0-9]_*"  # snake_case
    r"|[a-z]+[a-z0-9]*[A-Z]\w*|[A-Z]+[a-z0-9]+[A-Z]\w*|[A-Z]{2,}[a-z]{2,}\w*"  # camelCase
    r"|[^\W\d]\w*(?=\(\))"
    r")(?:\(\))?(?![\w/])"
)
_CALLED = re.compile(
    r"(?<!not )(?<!never )(?<!is )(?<!are )(?<!n't )\b(called|named) "
    r"(?!anywhere|by\b|in\b|from|with|when|once|twice|if\b|here|there|the\b)([a-z]\w{2,})"
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
        (r"^\s*(?:i see|hm+|ok(?:ay)?|well|right|ah|oh|yes|no|good|fine|unfortunately|sadly)"
         r" ?[,:!\u2014-]+\s*", ""),
        (r"\bcan(?:'t|not|t)\b", "can not"),
        (r"\bdosent\b", "does not"),
        (r"\b(do|does|did|is|are|was|were|has|have|had|could|would|should|must|might|need)n'?t\b",
         r"\1 not"),
        (r"\b(there|here|it|that|what)'?s\b", r"\1 is"),
        (r"\bi'll\b", "i will"),
        (r"\b(?:i|we)'ve\b", "i have"),
        (r"\b(?:i|we) (?:think|believe|conclude|see|found|find)(?: out)?(?: that)?\b"
         r"(?= \ue000| there| the)", ""),
        (r"\b(?:do|does) not (?:seem|appear|look)(?: to)?(?: be| have)?(?: like)?"
         r" (?=any|an?\b|such|the\b|defined|implemented|used|declared|present|there|part)", "is"
         r" not "),
        (r"\b(?:do|does) not (?:seem|appear|look) to (?:have )?(?=\w)", "does not "),
        (r"\b(?:seems?|appears?|looks?)(?: like| as if| that| as though)+\b", ""),
        (r"\b(?:seems?|appears?) to (?=not )", "must "),
        (r"\b(?:seems?|appears?) (?:to )?(?:be )?(?=missing|absent|undefined|gone)", "is "),
        (r"\b(?:seems?|appears?) to have been\b", "has been"),
        (r"\b(?:really|simply|just|actually|clearly|apparently|obviously|currently|definitely|"
         r"certainly|probably|evidently|even|at all|yet|indeed|also|surely|presumably|already|"
         r"likely|still|ever|now|entirely|completely|whatsoever)\b", ""),
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

    masked = _QUOTED.sub(quoted, _LEFT_OUT.sub("", text[:_LONGEST]))
    masked = _NAMED.sub(lambda found: mark(found[0].removesuffix("()")), masked)
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
            original = _MARK.sub(lambda one: names[int(one[1])], found[0])
            is_asked = "?" in found[0].rstrip()[-2:]
            yield Sentence(
                plain,
                tuple(names),
                " ".join(original.split()),
                is_asked,
                frozenset(names[written:]),
            )
