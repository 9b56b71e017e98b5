"""What a Thought says is not there, or can't be: claims that a cheap look can test.

claim    = denied PLACE?
denied   = thing "does not exist" | "there is no" thing | "I could not find" thing "anywhere"
         | "the repository has no" thing | "nothing uses" thing | "we can't import" thing | ...
thing    = NAME | "the" KIND | KIND "called" NAME | "it"
PLACE    = "in the repository" | "anywhere" | "in" NAME | "in this file"

Questions, conditions, plans, reports, doubts and what is taken back again are none (no_claim.py).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from react_agent.parsers.claims.exceptions import is_no_claim
from react_agent.parsers.claims.plain_sentences import NAME, Known, Sentence, sentences
from react_agent.parsers.text.late_pattern import LatePattern

HERE = "here"  # a place that is not named: this file, that folder
_NEGATIVE = re.compile(
    r"\bno(?:t|body|thing|where|ne|r)?\b|n['’]?t\b|\bnever\b|missing|absent|undefined|unimplemented"
    r"|unused|nonexist|non-exist|\black|\bgone\b|cannot|impossible|unable|dead|failed to find"
    r"|dosent"
    r"|unsupported|removed|no one",
    re.IGNORECASE,
)
KINDS = (
    "function|method|class|file|module|variable|constant|attribute|property|option|setting|helper"
    "|package|folder|directory|script|command|fixture|macro|type|interface|struct|enum|definition"
    "|symbol|parameter|argument|flag|decorator|utility|component|template|config|configuration"
    "|config file|configuration file|test file|implementation|subpackage|submodule|name|identifier"
    "|routine|hook|endpoint|makefile|readme|path|test|api|field|wrapper|mixin|subclass|feature|view"
    "|page|table|string|text|label|title|prompt"
)
_KIND = f"(?:{KINDS})"
_NO_NOUN = (
    r"(?:in|of|for|to|from|with|is|are|was|were|does|do|has|have|that|which|and|or|but|so|on|at|by|as|it"
    r"|anywhere|here|can|will|must|not|no|never|nowhere|exists?|under|inside|within|because|since|then)\b"
)
_ADJECTIVES = (
    rf"(?:(?!{_NO_NOUN}|(?:need|reason|way|point|other|longer|problem|difference|doubt)\b)"
    r"[a-z-]+ ){0,2}?"
)
_THING = (
    rf"(?:(?:the|this|that|a|an|any|such an?|such|my) )?"
    rf"(?:{_ADJECTIVES}{_KIND} (?:called |named |by the name(?: of)? |for (?:an? |the )?|like )?)?"
    rf"{_ADJECTIVES}(?:called |named |\(code\) )?"
    rf"{NAME}(?: (?!{_NO_NOUN})[a-z-]+){{0,2}}"
)
_NAMELESS = rf"(?:the|this|that|such an?|such|these|those) {_ADJECTIVES}{_KIND}s?"
_PRONOUN = (
    r"(?:(?<=^)|(?<=, )|(?<=so )|(?<=and )|(?<=but )|(?<=because )|(?<=since )|(?<=means )|(?<=: ))"
    r"(?:it|they|this|that)"
)
_SUBJECT = rf"(?P<thing>{_THING}|{_NAMELESS}|{_PRONOUN})"
_OBJECT = rf"(?P<thing>{_THING}|such {_KIND}|(?:(?:the|that|this|any|an?) )?(?:such )?{_KIND})"
WHOLE = (
    r"(?:(?:this|the|our|that) )?(?:whole |entire |current |rest of the |given )?(?:git )?"
    r"(?:repository|repo|code ?base|project|code|tree|source tree|source code|sources|library"
    r"|source"
    r"|checkout|workspace|work tree|application|program|repository's code|app|system|package"
    r"|sources"
    r"|[a-z]+ (?:code|sources|repository))"
    r"|(?:this|our) (?!file|module|class|function|folder|directory|method|branch|case|mode|loop"
    r"|test|step"
    r"|way|form|version|release|environment|line|block|part|place|situation|scope|one|path)[a-z]+"
)
_PART = (
    rf"(?:(?:the|this|that) )?(?:{_KIND} )?{NAME}(?: (?:{_KIND}|folder|file))?"
    rf"|(?:this|that|the) (?:same )?(?:file|module|class|folder|directory|package|function)"
)
_PLACE = (
    rf"(?P<place> (?:anywhere|at all)?(?: ?(?:in|inside|within|under|of|from|on|to|across"
    rf"|throughout)"
    rf" (?:(?P<whole>{WHOLE})|(?P<part>{_PART}))"
    rf"| ?(?:in|inside|within|under) (?P<word>[a-z_]+(?: (?:folder|directory))?))"
    rf"| anywhere| here| any ?more)?"
)
_END = (
    r"(?=$|[,:)–—]| [-–—] | (?:so|and|but|which|because|since|either|nor|as|therefore|hence"
    r"|thus|then"
    r"|meaning|that is why|for now|in any form|though)\b)"
)
_GONE = (
    r"(?:(?:do|does) not (?:exist|appear|occur|show up)|(?:occurs?|appears?|exists?) nowhere|no"
    r" longer exists?|never existed"
    r"|(?:is|are) (?:not|never|nowhere) (?:there|anywhere|to be found|to be seen|real)"
    r"|(?:is|are|was|were|has|have) (?:not|never)(?: been| got| get)? "
    r"(?:defined|declared|implemented|present|available|provided|included|part|found|existing"
    r"|written(?: by anything)?|created|in existence|a thing|real|set up|set"
    r"|configured"
    r"|tracked|built|added|mentioned|built in|known|kept|stored|set anywhere)"
    r"|(?:is|are) (?:undefined|unimplemented|missing|absent|nowhere(?: to be found)?"
    r"|non-?existent|gone)"
    r"|(?:must|can) not (?:exist|be (?:there|present|defined|implemented|declared|available"
    r"|found|part))"
    r"|must (?:be (?:missing|absent|gone)|not exist|have been (?:removed|deleted|renamed|dropped))"
    r"|has been (?:removed|deleted|dropped)|never got (?:implemented|defined|written|added)"
    r"|(?:is|are) not (?=in |inside |within |under |part of ))"
)
_VERBS = r"(?:use|call|reference|import|need|invoke|depend on|refer to|rely on|touch)"
_USED = r"(?:used|called|referenced|imported|invoked|needed)"
_HAS_NO = (
    r"(?:has no|have no|has not any|(?:does|do) not have|lacks?"
    r"|(?:does|do) not (?:contain|define|provide|include|implement|offer|export|declare|ship"
    r"|expose)"
    r"|(?:contains|defines|provides|exports|declares|offers|includes) no|never (?:defines"
    r"|declares))"
)


class About(StrEnum):
    BEING = "being"  # it is not there
    USE = "use"  # nothing uses it
    DOING = "doing"  # it can't be done with it


@dataclass(frozen=True, slots=True)
class Claim:
    sentence: str  # as it was written
    names: tuple[str, ...]  # none: what was looked for in the step it rests on
    kind: str = ""  # "function", "file", ... where it is said
    place: str = ""  # it is said of this place only
    about: About = About.BEING
    is_of_text: bool = False  # the very letters are said to stand nowhere
    is_plain: bool = False  # its first name is a plain word, known from a search


_ROWS = tuple(
    (about, LatePattern(pattern))
    for about, pattern in (
        (About.BEING, rf"{_SUBJECT} {_GONE}{_PLACE}{_END}"),
        (About.BEING, rf"{_SUBJECT} (?:is|are) not (?:in|inside|within|under|part of) "
                      rf"(?:(?P<whole>{WHOLE})|(?P<part>{_PART})){_END}"),
        (About.BEING, rf"there (?:is|are|exists) (?:no|not any|not an?|nothing) (?:such )?{_OBJECT}"
                      rf"(?: (?:defined|available|present|declared|implemented))?{_PLACE}{_END}"),
        (About.BEING, rf"\bno (?:such )?{_OBJECT}(?: exists?| (?:is|are|was|has been) "
                      rf"(?:defined|there|available|implemented|configured|set up|set|written"
                      rf"|declared"
                      rf"|provided|present|kept|found))?(?: ?to be found)?{_PLACE}{_END}"),
        (About.BEING, rf"\bno such (?P<thing>{_KIND})(?! or){_PLACE}{_END}"),
        (About.BEING, rf"(?:i|we) (?:can|could|did|do|was|were|am|are) (?:not (?:able to )?"
                      rf"|unable to )"
                      rf"(?:find|see|locate) {_OBJECT}(?= anywhere| (?:in|within) {WHOLE}|,? so\b"
                      rf"|,? therefore|,? hence){_PLACE}"),
        (About.BEING, rf"(?:unable to|failed to) (?:find|locate) {_OBJECT}(?= anywhere|,?"
                      rf" so\b){_PLACE}"),
        (About.BEING, rf"(?P<whole>{WHOLE}) {_HAS_NO} (?:any |an? |such an? |such"
                      rf" )?{_OBJECT}{_END}"),
        (About.BEING, rf"(?P<part>{_PART}) {_HAS_NO} (?:any |an? |such an? |such )?"
                      rf"(?P<thing>{_THING}|such {_KIND}){_END}"),
        (About.BEING, rf"(?P<thing>{_PRONOUN}) (?:must|has) (?:not exist|been removed){_END}"),
        (About.USE, rf"(?:nothing|no one|nobody|no code|no file|no module|none of {WHOLE})"
                    rf"(?: in (?:{WHOLE}))? {_VERBS}s? {_OBJECT}{_PLACE}{_END}"),
        (About.USE, rf"(?:nothing|no one|nobody) (?:uses|calls|references|imports|needs|invokes|"
                    rf"depends on|refers to|relies on) {_OBJECT}{_PLACE}{_END}"),
        (About.USE, rf"{_SUBJECT} (?:is|are) (?:(?:not|never) {_USED}|unused|dead code|dead)"
                    rf"{_PLACE}{_END}"),
        (About.USE, rf"(?:there (?:is|are) no|no|has no|have no) (?:callers?|usages?|uses"
                    rf"|references"
                    rf"|users|imports|calls)(?: (?:of|to|for) {_OBJECT}){_PLACE}{_END}"),
        (About.USE, rf"{_SUBJECT} (?:has|have) no (?:callers?|usages?|uses|references|users)"
                    rf"{_PLACE}{_END}"),
        (About.DOING, rf"(?:i|we|you|one) can not (?:import|use|call|access|reach|read|open|run"
                      rf"|reuse)"
                      rf" (?P<thing>{_THING}){_PLACE}(?! because| since| as){_END}"),
        (About.DOING, rf"(?P<thing>{_THING}) can not be (?:imported|used|called|accessed|reused"
                      rf"|run|read"
                      rf"|opened|reached|found){_PLACE}{_END}"),
        (About.DOING, rf"(?:impossible|not possible) to (?:import|use|call|access|reach|read"
                      rf"|open|run) "
                      rf"(?P<thing>{_THING}){_PLACE}{_END}"),
        (About.DOING, rf"(?P<thing>{_THING}) (?:is|are) (?:not (?:supported|importable|callable"
                      rf"|accessible|reachable)|unsupported){_PLACE}{_END}"),
    )
)  # fmt: skip
_IN_KIND = re.compile(rf"\b({_KIND})s?\b")
_FOR = re.compile(r"\bfor (?:an? |the )?$")
SOMETHING_FOR = re.compile(
    r"\b(?:test|tests|test file|wrapper|helper|fixture|mixin|decorator|alias|subclass|hook|api|flag"
    r"|option|setting|parameter|argument|page|view|readme|script|command|endpoint|template)s? for\b"
)
ANOTHER = re.compile(
    r"\b(?:second|third|another|different|new|newer|separate|dedicated|iterative|recursive|async"
    r"|asynchronous|synchronous|direct|explicit|similar|equivalent|extra|additional|alternative"
    r"|custom|special|better|faster|typed|generic|abstract|corresponding|matching|related|private"
    r"|exported|documented|tested|working|duplicate|conflicting|competing)\b"
)
_OF_TEXT = re.compile(
    r"nowhere|not (?:appear|occur|show up)|(?:not|never) (?:in|written|mentioned|part of"
    r"|anywhere)\b"
)
_OTHER = re.compile(r"\b(?:other|else|more|further|need|reason|way|point)\b")


@lru_cache(256)
def claims(text: str, known: Known = ()) -> tuple[Claim, ...]:
    """Of each sentence one at most. `known` words are names, however they are written."""
    if not _NEGATIVE.search(text):
        return ()
    return tuple(_claims(text, known))


def _claims(text: str, known: Known) -> Iterator[Claim]:
    for sentence in sentences(text, known):
        if sentence.is_asked or not _NEGATIVE.search(sentence.text):
            continue
        found = list(_of(sentence))
        if found:
            yield max(found, key=lambda claim: (bool(claim.names), bool(claim.place)))


def _of(sentence: Sentence) -> Iterator[Claim]:
    plain = sentence.text
    for about, pattern in _ROWS:
        for found in pattern.pattern.finditer(plain):
            thing = found["thing"]
            at = found.start("thing") + max(
                0, thing.find("\ue000")
            )  # words before a name decide too
            before = max(found.start(), at)
            if _OTHER.search(thing) or is_no_claim(plain[:before], plain[found.end() :]):
                continue
            names = sentence.named(thing)
            if names and (_is_of_another(thing) or _is_of_git(names, found[0])):
                continue
            kind = _IN_KIND.search(thing)
            yield Claim(
                sentence.said,
                names,
                kind[1] if kind else "",
                _place(sentence, found),
                about,
                bool(_OF_TEXT.search(plain[found.start() : found.end()])),
                bool(names) and names[0] in sentence.plain,
            )


def _is_of_another(thing: str) -> bool:
    """`no test for NAME`, `no second NAME`: it is not the name that is denied."""
    before = thing[: thing.find("\ue000")] if "\ue000" in thing else ""
    if _FOR.search(before):
        return SOMETHING_FOR.search(before) is not None
    return ANOTHER.search(before) is not None


def _is_of_git(names: tuple[str, ...], said: str) -> bool:
    """`build/prices.txt is not tracked`"""
    return "tracked" in said and any("." in name or "/" in name for name in names)


def _place(sentence: Sentence, found: re.Match[str]) -> str:
    parts = found.groupdict()
    if part := parts.get("part"):
        return next(iter(sentence.named(part)), HERE)
    if word := parts.get("word"):
        return word.split()[0]
    return HERE if (parts.get("place") or "").strip() == "here" else ""
