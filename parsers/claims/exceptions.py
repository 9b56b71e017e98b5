"""When a sentence that denies something is no claim: it supposes, plans, reports or doubts.

That depends on what stands before the denial, in the same clause, and on what stands behind it.
"""

import re

from react_agent.parsers.text.late_pattern import LatePattern

_BREAK = LatePattern(
    r"\A.*(?:(?:,|\band\b|^|\u2013|\u2014| - )\s*(?:so(?! that)|therefore|thus|hence)\b|\bso(?!"
    r" that)\b"
    r"|\b(?:which|this|that) means\b|\bmeaning\b|\bbut\b)",
    re.DOTALL,
)
_SUPPOSED = (
    r"\b(?:if|whether|unless|in case|when|whenever|once|until|till|assuming|suppose|supposing"
    r"|provided"
    r"|where|wherever|either|in which|for which|as long as|else|otherwise|hypothetically|imagine)\b"
)
_PLANNED = (
    r"\b(?:to|will|should|must|let me|let us|lets|let's|would|can(?! (?:see|confirm|conclude"
    r"|say|tell))"
    r"|could|please|first|next|then|and|now|i|we|need|i'd|gonna)\s+"
    r"(?:\w+ )?(?:check|verify|make sure|ensure|see|find out|assert|test|prove|document|mention"
    r"|explain"
    r"|say|tell|warn|report|print|note|raise|return|handle|assume|pretend|guarantee|know|decide|expect"
    r"|look|be sure|rule out|double-check|doublecheck)\b"
    r"|^(?:check|verify|make sure|ensure|assert|test|confirm|first check|expect|todo|note to"
    r" self)\b"
    r"|\bto confirm\b|\b(?:will|should|must|let me|need to) (?:\w+ )?confirm\b"
    r"|\bso that\b|\bin order\b|\bmak(?:e|ing) sure\b|\bensuring\b|\bchecking (?:that|if)\b"
    r"|\b(?:test|check|assertion|comment|note|message|guard) (?:that|which)\b"
    r"|\bgoal\b|\bwant\b|\bshould be\b"
)
_BEHAVED = (
    r"\b(?:raises?|raised|raising|fails?|failed|failing|crash(?:es|ed)?|returns?|returned|throws?|threw"
    r"|breaks?|complain(?:s|ed)?|skips?|warns?|exits?|prints?|logs|logged|someerror|error|errors"
    r"|exception|traceback|handles?|ignores?|reproduces?|triggers?|catches|swallows)\b"
)
_REPORTED = (
    r"\b(?:issue|ticket|bug|report|reporter|user|author|maintainers?|warning|docs?|documentation|comments?"
    r"|docstring|readme|changelog|tests?|spec|message|compiler|interpreter|linter|mypy|pylint|pyflakes"
    r"|flake8|ruff|objective|task|title|description|people|users|somebody|someone|he|she|they|it)"
    r" (?:\w+ )?(?:says?|said|states?|stated|mentions?|mentioned|claims?|claimed|complains?"
    r"|complained"
    r"|reports?|reported|describes?|described|expects?|asserts?|reads|tells?|told|suggests?|checks?"
    r"|wants?|asks?|notes?|is about|are about|thinks?|assumes?)\b"
    r"|\baccording to\b|\bexpected\b|\bper the\b|\bas described\b|\bthe bug is\b|\bthe problem"
    r" is that\b"
    r"|\bthe issue is\b|\bsymptom\b|\bquote\b|\be\.g\b|\bfor example\b|\bfor instance\b"
)
_DOUBTED = (
    r"\b(?:maybe|perhaps|possibly|might|may|not sure|unsure|not certain|wonder|wondering|doubt"
    r"|unclear"
    r"|suspect|guess|no idea|hopefully|hope|afraid|could be)\b"
)
_TAKEN_BACK = (
    r"\b(?:not true|wrong|mistaken|not the case|i thought|i assumed|i had|i have assumed|i believed"
    r"|i concluded|i claimed|earlier|contrary|previously|at first|not that|rather than|instead of"
    r"|not mean|first thought|initially|it is false|it is not that|used to|no longer true|in"
    r" the past"
    r"|last time|originally|before my|misread)\b"
)
_OTHERWISE_THERE = (
    r"\bgit\b|\b(?:fresh|clean|new) (?:clone|checkout)\b|\b(?:was|were|had)(?: \w+)?\s*$"
    r"|\bnot (?:mean|prove|imply)\b"
)
_BEFORE = LatePattern(
    "|".join((_OTHERWISE_THERE, _SUPPOSED, _PLANNED, _BEHAVED, _REPORTED, _DOUBTED, _TAKEN_BACK))
)
_BEHIND = LatePattern(
    r"^[ ,]*(?:if|when|unless|until|till|before|while|whenever|once|during|for (?!now|me\b|that"
    r" reason)"
    r"|by default|as long|except|only|on (?!this|the whole)|with\b|without\b|yesterday|to begin)\b"
    r"|\b(?:or (?:it|they|is|has|maybe|else|perhaps|the)|is wrong|was wrong|not true|is false"
    r"|mistaken"
    r"|turned out|turns out|i was|let me check|let me verify|need to check|to be sure|not sure"
    r"|i will check|to confirm|let me confirm|to verify|but it does|though it does|under"
    r" another name"
    r"|under a different name|by another name|by that name|under that name|with that name"
    r"|in that (?:form|spelling)|so called|spelled|differently|elsewhere|somewhere else"
    r"|anywhere else"
    r"|outside|as expected|as desired|which is the bug|that is the bug|is the bug|the reported)\b"
)


def is_no_claim(before: str, behind: str) -> bool:
    """Of a denial in a plain sentence, by what stands before it and behind it."""
    clause, rest = _BREAK.sub("", before), _NEXT.split(behind, maxsplit=1)[0]
    return bool(_BEFORE.search(clause) or _TAKEN.search(before) or _BEHIND.search(rest))


_NEXT = re.compile(r",? (?:and )?(?:so|therefore|thus|hence)\b(?! called)|\bwhich means\b")
_TAKEN = LatePattern(_TAKEN_BACK)
