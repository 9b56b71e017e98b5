"""The sentences of a Thought, made plain: names are numbers, contractions are written out.

Code blocks and quoted lines go; a quotation of several words is one word, `(quoted)`. What is left
is in small letters, with one blank between two words, so that a pattern over words can read it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

NAME = r"\ue000\d+\ue001"  # a pattern of it
_MARK = re.compile("\ue000(\\d+)\ue001")
_LONGEST = 20_000  # characters of a text
_FENCED = re.compile(r"^```.*?(?:^```|\Z)", re.MULTILINE | re.DOTALL)
_QUOTED_LINE = re.compile(r"^\s*>.*$", re.MULTILINE)
_TICKED = re.compile(r"(`+)([^`\n]{1,120})\1")
_QUOTED = re.compile(r"\"([^\"\n]{1,300})\"|“([^”\n]{1,300})”|(?<!\w)'([^'\n]{1,120})'(?!\w)")
_NAMED = re.compile(  # where the way it is written leaves no doubt
    r"(?<![\w./-])(?:"
    r"(?P<path>\.{0,2}/?(?:[\w.-]+/)+(?:[\w-]+(?:\.\w+)*|(?=\s|$|[,;:)]|\.(?:\s|$))))"
    r"|(?P<file>\.?[\w-]*\w\.(?:py|pyi|pyx|js|jsx|ts|tsx|go|rs|c|h|cc|cpp|hpp|java|rb|php|sh|md|rst|txt"
    r"|toml|cfg|ini|yml|yaml|json|html|css|sql|xml|lock|env|proto|kt|swift|cs|lua|pl|mk|in|po|svg|csv))"
    r"|(?P<option>--[A-Za-z][\w-]+\w)"
    r"|(?P<dotted>[^\W\d]\w+(?:\.[^\W\d]\w+)+)"
    r"|(?P<snake>_*[A-Za-z]\w*_\w*[A-Za-z0-9]_*)"
    r"|(?P<camel>[a-z]+[a-z0-9]*[A-Z]\w*|[A-Z]+[a-z0-9]+[A-Z]\w*|[A-Z]{2,}[a-z]{2,}\w*)"
    r"|(?P<called>[^\W\d]\w*(?=\(\)))"
    r")(?:\(\))?(?![\w/])"
)
_CALLED = re.compile(
    r"(?<!not )(?<!never )(?<!is )(?<!are )(?<!n't )\b(called|named) "
    r"(?!anywhere|by\b|in\b|from|with|when|once|twice|if\b|here|there|the\b)([a-z]\w{2,})"
)
_ONE = re.compile(r"(?:(?:def|class|function|func|fn|const|let|var|type|struct|interface|import) )?"
                  r"([\w@$.:/*-]*\w[\w/*-]*)(?:\([^)]*\))?[:;]?")  # fmt: skip
_LITERAL = re.compile(r"[\[({<]([\w/.-]*[A-Za-z][\w/.-]*)[\])}>]")  # `[Y/n]`
_SENTENCE = re.compile(r"[^.!?;\n]*(?:[.!?;]+(?!\s|$)[^.!?;\n]*)*(?:[.!?;]+|\n|$)")
_ERROR = re.compile(r"\w*(?:Error|Exception|Warning)$|Traceback$")
_WRITTEN_OUT = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"[\u2018\u2019\u02bc]", "'"),
        (r"^\s*(?:i see|hm+|ok(?:ay)?|well|right|ah|oh|alright|yes|no|good|fine|odd|sure"
         r"|strange|interesting|as expected|as i thought|as i feared|unfortunately|sadly)"
         r" ?[,:!\u2014-]+\s*", ""),
        (r"\b(?:can(?:'t|not|t)|can not)\b", "can not"),
        (r"\bwon'?t\b", "will not"),
        (r"\bain'?t\b", "is not"),
        (r"\bdo(?:es|s)n'?t\b|\bdosent\b|\bdoesn't\b|\bdose not\b", "does not"),
        (r"\b(do|did|is|are|was|were|has|have|had|could|would|should|must|might|need)n'?t\b",
         r"\1 not"),
        (r"\b(there|here|it|that|what)'s\b", r"\1 is"),
        (r"\btheres\b", "there is"),
        (r"\bi'?m\b", "i am"),
        (r"\bi'll\b", "i will"),
        (r"\bwe'll\b", "we will"),
        (r"\b(?:i|we)'ve\b", "i have"),
        (r"\b(seems?|appears?|looks?)(?: like| as if| that| as though)+\b", ""),
        (r"\bi (?:think|believe|conclude|see|found|find)(?: out)?(?: that)?\b(?= \ue000"
         r"| there| the)",
         ""),
        (r"\b(?:do|does) not (?:seem|appear|look)(?: to)?(?: be"
         r"| have)?(?: like)? (?=\w)", "NOTSEEM "),
        (r"\bNOTSEEM (any|an?|such|the|defined|implemented|used|called|declared|present"
         r"|there|in|part)\b",
         r"is not \1"),
        (r"\bNOTSEEM ", "does not "),
        (r"\b(?:seems?|appears?) to (?=not )", "must "),
        (r"\b(?:seems?|appears?) to (?:be )?(?=missing|absent|unused|undefined|gone|dead)", "is "),
        (r"\b(?:seems?|appears?) to have been\b", "has been"),
        (r"\b(?:seems?|appears?) (?=missing|absent|unused|undefined)", "is "),
        (r"\b(?:really|simply|just|actually|clearly|apparently|obviously|currently|definitely|"
         r"certainly|probably|evidently|even|at all|yet|indeed|also|surely|presumably|already|"
         r"plainly|basically|literally|still|likely|truly|ever|now|altogether|entirely|completely|"
         r"itself|of course|as such)\b", ""),
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str  # plain
    names: tuple[str, ...]  # by the numbers that stand for them
    said: str  # as it was written, in one line
    is_asked: bool
    plain: frozenset[str] = frozenset()  # names that are plain words in it

    def named(self, part: str) -> tuple[str, ...]:
        """The names in a part of it."""
        return tuple(dict.fromkeys(self.names[int(found[1])] for found in _MARK.finditer(part)))


Known = tuple[tuple[str, str], ...]  # words, and the name they stand for


def sentences(text: str, known: Known = ()) -> Iterator[Sentence]:
    """`known` words are names, however plainly they are written."""
    names, plain_names = list[str](), set[str]()
    bare = _QUOTED_LINE.sub("", _FENCED.sub("", text[:_LONGEST]))
    bare = bare.replace("\ue000", "").replace("\ue001", "")
    masked = _TICKED.sub(lambda found: _one(found[2], names, " (code) "), bare)
    masked = _QUOTED.sub(lambda found: _one(_inner(found), names, " (quoted) "), masked)
    masked = _NAMED.sub(lambda found: _mark(found[0].removesuffix("()"), names), masked)
    masked = _CALLED.sub(lambda found: f"{found[1]} {_mark(found[2], names)}", masked)
    for words, name in known:
        pattern = re.compile(
            rf"(?<![\w\ue000-]){re.escape(words)}(?:s|es|'s)?(?![\w-])", re.IGNORECASE
        )
        masked, count = pattern.subn(lambda found: _mark(name, names), masked)  # noqa: B023
        plain_names |= {name} if count else set()
    for found in _SENTENCE.finditer(masked):
        if plain := _plain(found[0]):
            said = _MARK.sub(lambda mark: names[int(mark[1])], found[0])
            is_asked = "?" in found[0].rstrip()[-2:]
            said = " ".join(said.split())
            yield Sentence(plain, tuple(names), said, is_asked, frozenset(plain_names))


def _inner(found: re.Match[str]) -> str:
    return next(filter(None, found.groups()), "")


def _one(inner: str, names: list[str], otherwise: str) -> str:
    """A mark for what is one name, however it is called or declared."""
    found = _ONE.fullmatch(inner.strip()) or _LITERAL.fullmatch(inner.strip())
    return _mark(found[1], names) if found else otherwise


def _mark(name: str, names: list[str]) -> str:
    if _ERROR.search(name):
        return "someerror"
    names.append(name)
    return f"\ue000{len(names) - 1}\ue001"


def _plain(text: str) -> str:
    plain = text.casefold()
    for pattern, words in _WRITTEN_OUT:
        plain = pattern.sub(words, plain)
    plain = re.sub(r"[*_\"`]+", " ", plain)
    plain = re.sub(r"\s*([,:])\s*", r"\1 ", plain)
    return " ".join(re.sub(r"[.!?;]+$", "", plain.strip()).split())
