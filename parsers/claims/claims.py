"""What a Thought says is not there: claims that a cheap look can test.

claim = thing "does not exist" PLACE? | "there is no" thing PLACE? | "no" thing "exists" PLACE?
      | "I could not find" thing "anywhere" | whole "has no" thing | part "has no" thing
thing = NAME | "the" KIND | KIND "called" NAME | "it"
PLACE = "in the repository" | "anywhere" | "in" NAME | "in this file"

Questions, conditions, plans, reports, doubts and what is taken back again are none.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from react_agent.parsers.claims.sentences import NAME, Known, Sentence, sentences
from react_agent.parsers.text.late_pattern import LatePattern

HERE = "here"  # a place that is not named: this file, that folder
_KINDS = (
    r"(?:function|method|class|file|module|variable|constant|attribute|property|option|setting"
    r"|helper|package|folder|directory|script|command|type|struct|enum|definition|symbol|parameter"
    r"|argument|flag|macro|view|table|page|component|template|config(?:uration)?(?: file)?"
    r"|name|path|field|text|string)"
)
_NO_NOUN = (
    r"(?:in|of|for|to|from|with|is|are|was|were|does|do|has|have|that|which|and|or|but|so|on|at|by"
    r"|as|it|anywhere|here|can|will|must|not|no|never|nowhere|exists?|because|since|then"
    r"|need|reason|way|point|other|longer|problem|difference|doubt)\b"
)
_WORDS = rf"(?:(?!{_NO_NOUN})[a-z-]+ )"
_THING = (
    rf"{_WORDS}{{0,3}}?(?:{_KINDS} (?:called |named |by the name(?: of)? |for (?:the )?|like )?)?"
    rf"(?:called |named |\(code\) )?{NAME}(?: (?!{_NO_NOUN})[a-z-]+){{0,2}}"
)
_IT = (
    r"(?:(?<=^)|(?<=, )|(?<=so )|(?<=and )|(?<=means )|(?<=because )|(?<=: ))(?:it|they|this|that)"
)
_SUBJECT = rf"(?P<thing>{_THING}|(?:the|this|that|such)(?: an?)? {_WORDS}{{0,2}}?{_KINDS}s?|{_IT})"
_OBJECT = rf"(?P<thing>{_THING}|(?:(?:the|that|this|any|an?) )?(?:such )?{_KINDS})"
_WHOLE = (
    r"(?:(?:this|the|our|that) )?(?:whole |entire |current |given )?(?:git )?(?:repository|repo"
    r"|code ?base|project|code|(?:source )?tree|sources?|source code|library|checkout|application"
    r"|program|app|package|[a-z]+ (?:code|sources))"
    r"|(?:this|our) (?!file|module|class|function|folder|directory|method|case|test|line)[a-z]+"
)
_PART = (
    rf"(?:(?:the|this|that) )?(?:{_KINDS} )?{NAME}(?: (?:{_KINDS}))?"
    r"|(?:this|that|the) (?:same )?(?:file|module|class|folder|directory|package|function)"
)
_PLACE = (
    r"(?P<place> (?:anywhere|at all)?(?: ?(?:in|inside|within|under|of|from|across)"
    rf" (?:(?P<whole>{_WHOLE})|(?P<part>{_PART}))"
    r"| ?(?:in|inside|within|under) (?P<word>[a-z_]+(?: (?:folder|directory))?))"
    r"| anywhere| here| any ?more)?"
)
_END = (
    r"(?=$|[,:)–—]| [-–—] | (?:so|and|but|which|because|since|as|therefore|hence|thus|then|meaning"
    r"|that is why|for now|either)\b)"
)
_DONE = (
    r"(?:defined|declared|implemented|present|available|provided|included|part|found|written"
    r"|created|real|set(?: up)?|configured|tracked|built|mentioned|there)"
)
_GONE = (
    r"(?:(?:do|does) not (?:exist|appear|occur)|(?:occurs?|appears?) nowhere|no longer exists?"
    rf"|(?:is|are) nowhere(?: to be (?:found|seen))?|(?:is|are|was|has) (?:not|never)(?: been"
    rf"| got)?"
    rf" {_DONE}|never got {_DONE}|(?:is|are) (?:undefined|missing|absent|gone)"
    rf"|(?:must|can) not (?:exist|be {_DONE})|(?:must have|has) been (?:removed|deleted"
    rf"|dropped|renamed)"
    r"|is not(?= (?:in|inside|within|under|of) ))"
)
_HAS_NO = (
    r"(?:has no|lacks?|(?:contains|defines|provides) no"
    r"|does not (?:have|contain|define|provide|include)) (?:(?:any|such an?|an?) )?"
)
_ROWS = tuple(
    map(
        LatePattern,
        (
            rf"{_SUBJECT} {_GONE}{_PLACE}{_END}",
            rf"there (?:is|are) (?:no|not any|not an?|nothing) (?:such )?{_OBJECT}"
            rf"(?: {_DONE})?{_PLACE}{_END}",
            rf"\bno (?:such )?{_OBJECT}(?: exists?| is {_DONE})?{_PLACE}{_END}",
            r"(?:(?:can|could|did) not |(?:unable|failed) to )(?:find|see|locate)"
            rf" {_OBJECT}(?= anywhere| (?:in|within) {_WHOLE}|,? (?:so|therefore|hence)\b){_PLACE}",
            rf"(?P<whole>{_WHOLE}) {_HAS_NO}{_OBJECT}{_END}",
            rf"(?P<part>{_PART}) {_HAS_NO}(?P<thing>{_THING}){_END}",
        ),
    )
)
_IN_KIND = re.compile(rf"\b({_KINDS})s?\b")
_OF_ANOTHER = re.compile(  # `no second NAME`, `no test for NAME`: it is not the name that is denied
    r"\b(?:second|another|different|iterative|recursive|separate|similar|better|other|else|more"
    r"|further|callers?|uses?|matches|match|docstring|entry|error|need|reason|way|tests? for)\b"
)
_TAKEN_BACK = (
    r"(?:not true|wrong|mistaken|not the case|i (?:thought|assumed|had|believed|concluded|claimed)"
    r"|earlier|previously|at first|not that|instead of|initially|misread)"
)
_BEFORE = LatePattern(
    r"\b(?:git|fresh|if|whether|unless|in case|when(?:ever)?|once|until|assum\w+|suppos\w+"
    r"|provided|where"
    r"|as long as|else|otherwise|either|check(?:s|ing)?|verify|mak(?:e|ing) sure|ensur(?:e|ing)"
    r"|find out|see if|confirm|so that|in order|goal|want|should|rais\w+|fail\w*|crash\w*"
    r"|return(?:s|ed)?|throws?|breaks?|skips?|warns?|exits?|prints?|logs|\w*errors?|exception"
    r"|traceback|handles?|ignores?|says?|said|states?|mentions?|claims?|reports|reported"
    r"|describes?|asserts?"
    r"|reads|told|suggests?|expect\w*|according to|e\.g|for example|is about|bug is"
    r"|problem is|maybe|perhaps|possibly|might|may|sure|wonder\w*|doubt\w*|suspect|guess|could be"
    rf"|not (?:mean|prove)|{_TAKEN_BACK})\b|\b(?:was|were|had)(?: \w+)?\s*$|^(?:a|an|the) test\b"
)
_BEHIND = LatePattern(
    r"^[ ,]*(?:if|when|unless|until|before|while|whenever|once|during|for (?!now|me\b)|by default"
    r"|as long|except|only|on (?!this)|with|without|under)\b"
    r"|\b(?:or (?:it|they|is|has|maybe|perhaps)|(?:is|was) wrong|turns? out|let me check"
    r"|let me verify"
    r"|to (?:check|be sure|confirm|verify)|not sure|but it does|spelled|differently|elsewhere"
    rf"|as expected|is the bug|{_TAKEN_BACK})\b"
)
_CONCLUDES = LatePattern(  # what stands before it in a sentence says nothing of what follows
    r"\A.*(?:\bso\b(?! that)|(?:,|\band\b|^|–|—| - )\s*(?:therefore|thus|hence)\b"
    r"|\b(?:which|this|that) means\b|\bmeaning\b|\bbut\b)",
    re.DOTALL,
)
_NEXT = re.compile(r",? (?:and )?(?:so|therefore|thus|hence)\b(?! called)|\bwhich means\b")
_TAKEN = LatePattern(rf"\b{_TAKEN_BACK}\b")


@dataclass(frozen=True, slots=True)
class Claim:
    sentence: str  # as it was written
    names: tuple[str, ...]  # none: what was looked for in the step it rests on
    kind: str = ""  # "function", "file", ... where it is named
    place: str = ""  # it is claimed of this place only
    is_plain: bool = False  # its first name is a plain word, known from a search


@lru_cache(256)
def claims(text: str, known: Known = ()) -> tuple[Claim, ...]:
    """Of each sentence one at most. `known` words are names, however they are written."""
    found = list[Claim]()
    for sentence in sentences(text, known):
        made = [] if sentence.is_asked else list(_of_sentence(sentence))
        if made:
            found.append(max(made, key=lambda claim: (bool(claim.names), bool(claim.place))))
    return tuple(found)


def _of_sentence(sentence: Sentence) -> Iterator[Claim]:
    plain = sentence.text
    for row in _ROWS:
        for found in row.pattern.finditer(plain):
            thing, start = found["thing"], found.start("thing")
            before, mark, _ = thing.partition("\ue000")  # words before a name decide too
            exact = max(found.start(), start + len(before) if mark else start)
            if _OF_ANOTHER.search(thing) or _is_no_claim(plain[:exact], plain[found.end() :]):
                continue
            names, kind = sentence.named(thing), _IN_KIND.search(thing)
            if "tracked" in found[0] and any("." in name or "/" in name for name in names):
                continue  # by git
            is_known = bool(names) and names[0] in sentence.known
            place = _place(sentence, found)
            yield Claim(sentence.written, names, kind[1] if kind else "", place, is_known)


def _place(sentence: Sentence, found: re.Match[str]) -> str:
    parts = found.groupdict()
    if part := parts.get("part"):
        return next(iter(sentence.named(part)), HERE)
    if word := parts.get("word"):
        return word.split()[0]
    return HERE if (parts.get("place") or "").strip() == "here" else ""


def _is_no_claim(before: str, behind: str) -> bool:
    """It supposes, plans, reports or doubts: by what stands before the denial, and behind it."""
    clause, rest = _CONCLUDES.sub("", before), _NEXT.split(behind, maxsplit=1)[0]
    return bool(_BEFORE.search(clause) or _TAKEN.search(before) or _BEHIND.search(rest))
