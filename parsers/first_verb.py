"""The verb that a commit message begins with, and in which form: `Add`, `Added`, `Adds`."""

from enum import StrEnum


class Tense(StrEnum):
    BASE = "base"
    PAST = "past"
    THIRD = "third"


_VERBS = """
accept add adapt adjust align allow amend apply assert avoid bump call catch change check clarify
clean close collect combine compare convert copy correct create deduplicate default define delete
deprecate detect disable discard document drop enable encode ensure escape expand explain expose
extend extract fetch fix format guard handle honour honor ignore implement import improve include
increase initialize introduce invalidate join limit link load log lower map mark mend merge
migrate move name normalize open optimize parse pass pin port preserve prevent print propagate
protect provide raise reduce refactor refuse reject release remove rename reorder replace report
require reset resolve respect restore return reuse revert rework round save say separate serialize
shorten show simplify skip sort specify start stop store strip support suppress swap switch sync
tidy tolerate treat trim truncate try turn unify update upgrade use validate verify wait warn wrap
"""
_IRREGULAR = {
    "break": "broke",
    "bring": "brought",
    "build": "built",
    "do": "did",
    "get": "got",
    "give": "gave",
    "hide": "hid",
    "hold": "held",
    "keep": "kept",
    "let": "let",
    "make": "made",
    "put": "put",
    "read": "read",
    "reset": "reset",
    "rewrite": "rewrote",
    "run": "ran",
    "say": "said",
    "send": "sent",
    "set": "set",
    "show": "showed",
    "split": "split",
    "take": "took",
    "tell": "told",
    "write": "wrote",
}
_DOUBLED = frozenset({"drop", "log", "map", "pin", "skip", "stop", "strip", "swap", "trim", "wrap"})
_VOWELS = "aeiou"


def _past(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb in _DOUBLED:
        return f"{verb}{verb[-1]}ed"
    if verb.endswith("y") and verb[-2] not in _VOWELS:
        return f"{verb[:-1]}ied"
    return verb + ("d" if verb.endswith("e") else "ed")


def _third(verb: str) -> str:
    if verb.endswith("y") and verb[-2] not in _VOWELS:
        return f"{verb[:-1]}ies"
    return verb + ("es" if verb.endswith(("s", "x", "ch", "sh", "do")) else "s")


_FORMS = {
    verb: {Tense.BASE: verb, Tense.PAST: _past(verb), Tense.THIRD: _third(verb)}
    for verb in (*_VERBS.split(), *_IRREGULAR)
}
_KNOWN = {
    word: (verb, tense)
    for verb, forms in _FORMS.items()
    for tense, word in reversed(forms.items())  # `read` and `set` count as the base
}


def tense_of(text: str) -> Tense | None:
    """None where it begins with no verb that is known here, or with one that tells nothing."""
    word = text.partition(" ")[0].casefold()
    verb, tense = _KNOWN.get(word, ("", None))
    return None if verb and _FORMS[verb][Tense.PAST] == verb and tense == Tense.BASE else tense


def in_tense(text: str, tense: Tense) -> str:
    """With its first verb in this form."""
    first, blank, rest = text.partition(" ")
    if first.casefold() not in _KNOWN or not (first.islower() or first.istitle()):
        return text
    verb, _ = _KNOWN[first.casefold()]
    word = _FORMS[verb][tense]
    return (word.capitalize() if first[0].isupper() else word) + blank + rest
