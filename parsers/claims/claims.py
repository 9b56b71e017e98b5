"""What a Thought says is not there: claims that a cheap look can test.

claim = thing "does not exist" PLACE? | "there is no" thing PLACE? | "no" thing "exists" PLACE?
      | "I could not find" thing "anywhere" | whole "has no" thing | part "has no" thing
thing = NAME | "the" KIND | KIND "called" NAME | "it"
PLACE = "in the repository" | "anywhere" | "in" NAME | "in this file"

Questions, conditions, plans, reports, doubts and what is taken back again are none. A sentence that
denies in other words is a vague claim: what it denies is known from a search only.
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
    r"|helper"
    r"|package|folder|directory|script|command|fixture|macro|type|interface|struct|enum|definition"
    r"|symbol|parameter|argument|flag|decorator|utility|component|template|config(?:uration)?"
    r"(?: file)?|test file|implementation|submodule|name|endpoint|makefile|readme|path|test|field"
    r"|wrapper|mixin|subclass|feature|view|page|table|string|text|label|title|prompt)"
)
_NO_NOUN = (
    r"(?:in|of|for|to|from|with|is|are|was|were|does|do|has|have|that|which|and|or|but|so|on|at"
    r"|by|as|it"
    r"|anywhere|here|can|will|must|not|no|never|nowhere|exists?|under|inside|within|because|since"
    r"|then)\b"
)
_ADJECTIVES = (
    rf"(?:(?!{_NO_NOUN}|(?:need|reason|way|point|other|longer|problem|difference|doubt)\b)"
    r"[a-z-]+ ){0,2}?"
)
_THING = (
    rf"(?:(?:the|this|that|any|an?|such an?|such) )?"
    rf"(?:{_ADJECTIVES}{_KINDS} (?:called |named |by the name(?: of)? |for (?:an? |the )?|like )?)?"
    rf"{_ADJECTIVES}(?:called |named |\(code\) )?{NAME}(?: (?!{_NO_NOUN})[a-z-]+){{0,2}}"
)
_SUBJECT = (
    rf"(?P<thing>{_THING}|(?:the|this|that|such|these|those)(?: an?)? {_ADJECTIVES}{_KINDS}s?"
    r"|(?:(?<=^)|(?<=, )|(?<=so )|(?<=and )|(?<=but )|(?<=because )|(?<=since )|(?<=means )|(?<=:"
    r" ))"
    r"(?:it|they|this|that))"
)
_OBJECT = rf"(?P<thing>{_THING}|(?:(?:the|that|this|any|an?) )?(?:such )?{_KINDS})"
_WHOLE = (
    r"(?:(?:this|the|our|that) )?(?:whole |entire |current |rest of the |given )?(?:git )?"
    r"(?:repository|repo|code ?base|project|code|(?:source )?tree|sources?|source code|library"
    r"|checkout"
    r"|workspace|application|program|app|system|package|[a-z]+ (?:code|sources|repository))"
    r"|(?:this|our) (?!file|module|class|function|folder|directory|method|branch|case|mode|loop"
    r"|test|step"
    r"|way|form|version|release|environment|line|block|part|place|situation|scope|one|path)[a-z]+"
)
_PART = (
    rf"(?:(?:the|this|that) )?(?:{_KINDS} )?{NAME}(?: (?:{_KINDS}|folder|file))?"
    r"|(?:this|that|the) (?:same )?(?:file|module|class|folder|directory|package|function)"
)
_PLACE = (
    rf"(?P<place> (?:anywhere|at all)?(?: ?(?:in|inside|within|under|of|from|on|to|across"
    rf"|throughout)"
    rf" (?:(?P<whole>{_WHOLE})|(?P<part>{_PART}))"
    r"| ?(?:in|inside|within|under) (?P<word>[a-z_]+(?: (?:folder|directory))?))"
    r"| anywhere| here| any ?more)?"
)
_END = (
    r"(?=$|[,:)–—]| [-–—] | (?:so|and|but|which|because|since|either|nor|as|therefore|hence|thus"
    r"|then"
    r"|meaning|that is why|for now|in any form|though)\b)"
)
_DONE = (
    r"(?:defined|declared|implemented|present|available|provided|included|part|found|existing"
    r"|written"
    r"(?: by anything)?|created|real|set(?: up)?|configured|tracked|built|added|mentioned|known"
    r"|kept"
    r"|stored|there)"
)
_GONE = (
    r"(?:(?:do|does) not (?:exist|appear|occur)|(?:occurs?|appears?|exists?) nowhere|no longer"
    r" exists?"
    r"|never existed|(?:is|are) nowhere(?: to be (?:found|seen))?"
    rf"|(?:is|are|was|were|has|have) (?:not|never)(?: been| got)? {_DONE}|never got {_DONE}"
    r"|(?:is|are|must be) (?:undefined|unimplemented|missing|absent|non-?existent|gone)"
    rf"|(?:must|can) not (?:exist|be {_DONE})|(?:must have|has) been (?:removed|deleted|dropped"
    rf"|renamed)"
    r"|(?:is|are) not(?: part)?(?= (?:in|inside|within|under|of) ))"
)
_HAS_NO = (
    r"(?:(?:has|have) (?:no|not any)|lacks?|(?:contains|defines|provides|exports|declares) no"
    r"|(?:do|does) not (?:have|contain|define|provide|include|implement|export|declare))"
    r" (?:(?:any|such an?|such|an?) )?"
)
_ROWS = tuple(
    map(
        LatePattern,
        (
            rf"{_SUBJECT} {_GONE}{_PLACE}{_END}",
            rf"there (?:is|are|exists) (?:no|not any|not an?|nothing) (?:such )?{_OBJECT}"
            rf"(?: {_DONE})?{_PLACE}{_END}",
            rf"\bno (?:such )?{_OBJECT}(?: exists?| (?:is|are|was|has been)"
            rf" {_DONE})?{_PLACE}{_END}",
            r"(?:(?:can|could|did|do) not |(?:unable|failed) to )(?:find|see|locate)"
            rf" {_OBJECT}(?= anywhere| (?:in|within) {_WHOLE}|,? (?:so|therefore|hence)\b){_PLACE}",
            rf"(?P<whole>{_WHOLE}) {_HAS_NO}{_OBJECT}{_END}",
            rf"(?P<part>{_PART}) {_HAS_NO}(?P<thing>{_THING}){_END}",
        ),
    )
)
_IN_KIND = re.compile(rf"\b({_KINDS})s?\b")
_DENIES = re.compile(
    r"\b(?:no (?!need|reason|way|point|other|longer|problem|difference|doubt|idea|matter|tests?"
    r"|more"
    r"|harm|changes?|errors?|output|hits?|match|matches|results?|luck|success|such thing as"
    r"|callers?|uses?|users?|usages?|references?)[a-z\ue000]"
    r"|none of (?:them|these|those|the)\b|nothing (?!else|more|wrong|to|uses|calls|imports|needs"
    r"|references)"
    r"|(?:is|are) not (?:there|here|any|around|implemented|defined|written|available)\b"
    r"|(?:do|does) not (?:exist|have|contain|define|provide|come with|know|support|ship)\b"
    r"|(?:must|can) not exist\b|missing\b|absent\b|nowhere\b|lacks?\b"
    r"|(?:was|were|has|have) never (?:been )?[a-z]+\b)"
)
_IN_A_PLACE = re.compile(rf"\b(?:in|inside|within|under|below) (?!{_WHOLE}\b)\S")
_ANOTHER = re.compile(
    r"\b(?:second|third|another|different|newe?r?|separate|dedicated|iterative|recursive"
    r"|async(?:hronous)?"
    r"|synchronous|direct|explicit|similar|equivalent|extra|additional|alternative|custom|special"
    r"|better"
    r"|faster|typed|generic|abstract|corresponding|matching|related|private|exported|documented"
    r"|tested"
    r"|working|duplicate|conflicting|competing)\b"
)
_SOMETHING_FOR = re.compile(
    r"\b(?:tests?|test file|wrapper|helper|fixture|mixin|decorator|alias|subclass|hook|api|flag"
    r"|option"
    r"|setting|parameter|argument|page|view|readme|script|command|endpoint|template)s? for\b"
)
_OTHER = re.compile(r"\b(?:other|else|more|further|need|reason|way|point)\b")
_TAKEN_BACK = (
    r"\b(?:not true|wrong|mistaken|not the case|i thought|i assumed|i had|i have assumed|i believed"
    r"|i concluded|i claimed|earlier|contrary|previously|at first|not that|rather than|instead of"
    r"|first thought|initially|it is false|used to|last time|originally|before my|misread)\b"
)
_SUPPOSED = (
    r"\b(?:if|whether|unless|in case|when|whenever|once|until|till|assuming|suppose|supposing"
    r"|provided"
    r"|where|wherever|either|in which|for which|as long as|else|otherwise|imagine)\b"
)
_PLANNED = (
    r"\b(?:to|will|should|must|let me|let us|lets|let's|would|can(?! (?:see|confirm|conclude|say"
    r"|tell))"
    r"|could|please|first|next|then|and|now|i|we|need)\s+(?:\w+ )?(?:check|verify|make sure"
    r"|ensure|see"
    r"|find out|assert|test|prove|document|mention|explain|say|tell|warn|report|print|note|raise"
    r"|return"
    r"|handle|assume|pretend|guarantee|know|decide|expect|look|be sure|rule out|double-?check)\b"
    r"|^(?:check|verify|make sure|ensure|assert|test|confirm|first check|expect|todo|note to"
    r" self)\b"
    r"|\bto confirm\b|\b(?:will|should|must|let me|need to) (?:\w+ )?confirm\b|\bso that\b|\bin"
    r" order\b"
    r"|\bmak(?:e|ing) sure\b|\bensuring\b|\bchecking (?:that|if)\b|\bgoal\b|\bwant\b|\bshould be\b"
    r"|\b(?:test|check|assertion|comment|note|message|guard) (?:that|which)\b"
)
_BEHAVED = (
    r"\b(?:rais(?:es?|ed|ing)|fail(?:s|ed|ing)?|crash(?:es|ed)?|return(?:s|ed)?|throws?|threw"
    r"|breaks?"
    r"|complain(?:s|ed)?|skips?|warns?|exits?|prints?|logs|logged|(?:some)?errors?|exception"
    r"|traceback"
    r"|handles?|ignores?|reproduces?|triggers?|catches|swallows)\b"
)
_REPORTED = (
    r"\b(?:issue|ticket|bug|report|reporter|user|author|maintainers?|warning|docs?|documentation"
    r"|comments?|docstring|readme|changelog|tests?|spec|message|compiler|interpreter|linter|mypy"
    r"|ruff"
    r"|objective|task|title|description|people|users|somebody|someone|he|she|they|it) (?:\w+ )?"
    r"(?:says?|said|states?|stated|mention(?:s|ed)?|claim(?:s|ed)?|report(?:s|ed)?|describe[sd]?"
    r"|expects?"
    r"|asserts?|reads|tells?|told|suggests?|checks?|wants?|asks?|notes?|(?:is|are) about|thinks?"
    r"|assumes?)\b|\baccording to\b|\bexpected\b|\bper the\b|\bas described\b"
    r"|\bthe (?:bug|problem|issue) is\b|\bsymptom\b|\bquote\b|\be\.g\b|\bfor (?:example|instance)\b"
)
_DOUBTED = (
    r"\b(?:maybe|perhaps|possibly|might|may|not sure|unsure|not certain|wonder|wondering|doubt"
    r"|unclear"
    r"|suspect|guess|no idea|hopefully|hope|afraid|could be)\b"
)
_ELSEWHERE = (
    r"\bgit\b|\b(?:fresh|clean|new) (?:clone|checkout)\b|\b(?:was|were|had)(?: \w+)?\s*$"
    r"|\bnot (?:mean|prove|imply)\b"
)
_BEFORE = LatePattern(
    "|".join((_ELSEWHERE, _SUPPOSED, _PLANNED, _BEHAVED, _REPORTED, _DOUBTED, _TAKEN_BACK))
)
_BEHIND = LatePattern(
    r"^[ ,]*(?:if|when|unless|until|till|before|while|whenever|once|during|for (?!now|me\b|that"
    r" reason)"
    r"|by default|as long|except|only|on (?!this|the whole)|with\b|without\b|yesterday|to begin)\b"
    r"|\b(?:or (?:it|they|is|has|maybe|else|perhaps|the)|(?:is|was) wrong|not true|is false"
    r"|mistaken"
    r"|turn(?:s|ed) out|i was|let me check|let me verify|need to check|to be sure|not sure|i will"
    r" check"
    r"|to confirm|let me confirm|to verify|but it does|though it does|(?:under|by|with) (?:an|a"
    r"|that)"
    r" ?(?:other|different)? ?name|in that (?:form|spelling)|so called|spelled|differently"
    r"|elsewhere"
    r"|(?:somewhere|anywhere) else|outside|as expected|as desired|is the bug|the reported)\b"
)
_CONCLUDES = LatePattern(  # what stands before it in a sentence says nothing of what follows
    r"\A.*(?:\bso\b(?! that)|(?:,|\band\b|^|\u2013|\u2014| - )\s*(?:therefore|thus|hence)\b"
    r"|\b(?:which|this|that) means\b|\bmeaning\b|\bbut\b)",
    re.DOTALL,
)
_NEXT = re.compile(r",? (?:and )?(?:so|therefore|thus|hence)\b(?! called)|\bwhich means\b")
_TAKEN = LatePattern(_TAKEN_BACK)
_DOUBTS = re.compile(
    r"\b(?:may|maybe|might|perhaps|possibly|could be|not sure|doesn['’]?t mean|unclear|let me"
    r"|let['’]s"
    r"|I['’]ll (?:look|check|see|try)|I (?:look|check|try|search)|elsewhere|somewhere|other"
    r" name)\b",
    re.IGNORECASE,
)


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
    return tuple(_claims(text, known))


def _claims(text: str, known: Known) -> Iterator[Claim]:
    for sentence in sentences(text, known):
        if found := [] if sentence.is_asked else list(_of_sentence(sentence)):
            yield max(found, key=lambda claim: (bool(claim.names), bool(claim.place)))


def _of_sentence(sentence: Sentence) -> Iterator[Claim]:
    plain = sentence.text
    for row in _ROWS:
        for found in row.pattern.finditer(plain):
            thing, start = found["thing"], found.start("thing")
            before, mark, _ = thing.partition("\ue000")  # words before a name decide too
            exact = max(found.start(), start + len(before) if mark else start)
            if _OTHER.search(thing) or _is_no_claim(plain[:exact], plain[found.end() :]):
                continue
            names = sentence.named(thing)
            if mark and (_ANOTHER.search(before) or _SOMETHING_FOR.search(before)):
                continue  # `no test for NAME`, `no second NAME`: it is not the name that is denied
            if "tracked" in found[0] and any("." in name or "/" in name for name in names):
                continue  # by git
            kind = _IN_KIND.search(thing)
            is_known = bool(names) and names[0] in sentence.known
            yield Claim(
                sentence.written, names, kind[1] if kind else "", _place(sentence, found), is_known
            )


def _place(sentence: Sentence, found: re.Match[str]) -> str:
    parts = found.groupdict()
    if part := parts.get("part"):
        return next(iter(sentence.named(part)), HERE)
    if word := parts.get("word"):
        return word.split()[0]
    return HERE if (parts.get("place") or "").strip() == "here" else ""


def vague_claim(text: str, known: Known = ()) -> Claim | None:
    """The first sentence that denies something in other words, of a Thought that doubts nothing."""
    if _DOUBTS.search(text):
        return None
    for sentence in sentences(text, known):
        denied = _DENIES.search(sentence.text)
        if not denied or sentence.is_asked:
            continue
        others = (_IN_A_PLACE, _ANOTHER, _SOMETHING_FOR)
        if any(other.search(sentence.text) for other in others):
            continue
        if not _is_no_claim(sentence.text[: denied.start()], sentence.text[denied.end() :]):
            kind = _IN_KIND.search(sentence.text)
            return Claim(sentence.written, (), kind[1] if kind else "")
    return None


def _is_no_claim(before: str, behind: str) -> bool:
    """It supposes, plans, reports or doubts: by what stands before the denial, and behind it."""
    clause, rest = _CONCLUDES.sub("", before), _NEXT.split(behind, maxsplit=1)[0]
    return bool(_BEFORE.search(clause) or _TAKEN.search(before) or _BEHIND.search(rest))
