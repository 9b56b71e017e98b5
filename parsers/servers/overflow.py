"""Detect errors that report a prompt too long for the context window, and read their counts.

Three kinds of errors look alike: the prompt is too long (`Overflow`), the requested reply is too
long (an output limit), or something else failed. Each server has its own wording, so the words next
to a number determine its meaning. If the sizes of prompt, reply and window are all given,
arithmetic decides. In the patterns below, `#` is a number of tokens.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from react_agent.parsers.text.late_pattern import LatePattern

_HEAD = _TAIL = 16_384  # the text between them is an echo of the prompt


@dataclass(frozen=True, slots=True)
class Overflow:
    prompt: int | None  # without the reply, if the text counts the two apart
    window: int | None


def read_overflow(text: str) -> Overflow | None:
    found = _judge(_plain(text))
    return found if isinstance(found, Overflow) else None


def read_output_limit(text: str) -> int | None:
    """Return the largest accepted reply size. In a shared window, that is the remaining space."""
    found = _judge(_plain(text))
    return found if isinstance(found, int) else None


def _judge(text: str) -> Overflow | int | None:
    if _SOMETHING_ELSE.search(text):
        return None
    prompt, reply, window = _counts(text)
    left = None if prompt is None or window is None else window - prompt
    if left is not None and reply is not None and 0 < left < reply:
        return left
    limit = _first(_OUTPUT_LIMIT, text)
    if limit is not None:
        return limit
    beyond = left is not None and left <= 0
    return Overflow(prompt, window) if beyond or _OVERFLOW.search(text) else None


def _counts(text: str) -> tuple[int | None, int | None, int | None]:
    added = _SUM.search(text)
    if added:
        return int(added[1]), int(added[2]), int(added[3])
    reply, total = _first(_REPLY, text), _first(_TOTAL, text)
    if reply is not None and total is not None and total >= reply:
        return total - reply, reply, _first(_WINDOW, text)
    return _first(_PROMPT, text), reply, _first(_WINDOW, text)


def _first(patterns: Iterable[LatePattern], text: str) -> int | None:
    found = (pattern.search(text) for pattern in patterns)
    return next((int(match[1]) for match in found if match), None)


def _plain(text: str) -> str:
    """Return the text in lower case, without quotes, on one line."""
    if len(text) > _HEAD + _TAIL:
        text = f"{text[:_HEAD]}\n{text[-_TAIL:]}"
    text = _QUOTES.sub("", _LINE_ENDS.sub(" ", text.lower()))
    text = _THOUSANDS.sub(lambda found: re.sub("[^0-9]", "", found[0]), text)
    return " ".join(text.split())


_LINE_ENDS = re.compile(r"\\[nrt]")
_QUOTES = re.compile(r"[`'\"’‘“”*\\]")
_THOUSANDS = re.compile(r"(?<![\w.])[0-9]{1,3}(?:[,_\u00a0\u202f][0-9]{3}){1,3}(?![0-9])")

_NUMBER = (
    r"(?<![\w.$-])([0-9]{1,12}+)(?![0-9]|\.[0-9]|%)"
    r"(?! ?(?:input )?(?:characters|bytes|[kmgt]i?b|images)\b)"
)


def _patterns(*patterns: str) -> tuple[LatePattern, ...]:
    return tuple(LatePattern(pattern.replace("#", _NUMBER)) for pattern in patterns)


# "limit of 8192 input tokens" does not count what was sent
_SENT = r"(?<!at most )(?<!limit of )"
_OF_WHAT_WAS_SENT = (
    r"(?<!maximum )(?<!max )"
    r"\b(?:inputs?|prompts?|messages?|request|conversation|query|sequence)\b"
    r"(?: \(?(?:text|input|prompt|messages|tokens?|length|count|size|contains?|containing|has|have"
    r"|is|are|was|were|of|resulted|in|at|least|about|approximately|with|too|long|large|a|total"
    r"|which)\b){0,8}"
)
_ABOUT = r"(?:about |at least |a total of )?"
_IS = r"(?: ?[:=(] ?| )"

_SUM = LatePattern("# (?:tokens )?\\+ # (?:tokens )?> #".replace("#", _NUMBER))
_TOTAL = _patterns(rf"requested {_ABOUT}# tokens ?[(:,]")
_PROMPT = _patterns(
    r"n_prompt_tokens ?[:=] ?#",
    rf"{_SENT}# (?:tokens )?(?:of |in |for |from )?(?:the |your )?(?:text |tool )?"
    r"(?:inputs?|prompt|messages)\b",
    rf"{_OF_WHAT_WAS_SENT}:?{_IS}{_ABOUT}#",
    rf"requested(?: tokens?| token count)?{_IS}{_ABOUT}#(?! output| completion| new)",
    r"(?:current length is|you sent|keep the first|resulted in|(?<!max_new_)tokens\. given:) #",
)
_REPLY = _patterns(
    rf"{_SENT}# (?:tokens )?(?:(?:in|for) (?:the |your )?)?"
    r"(?:completion|output|max_new_tokens|max_tokens|new tokens)\b",
    r"\bmax_\w{0,20}tokens is too (?:large|big|high)[:( ]{1,3}#",
)
_WINDOW = _patterns(
    r"(?:context[ _-]?(?:window|length|size|limit)|n_ctx)"
    rf"(?: (?:limit|is|of|only|at|for|this|model|the|allowed|tokens?)\b){{0,6}}{_IS}#",
    r"#[ -](?:tokens?[ -])?(?:maximum |max |token )?(?:context (?:window|length|size)|limit)",
    r"(?:maximum|max|limit(?<!window exceeds limit))(?: (?:number|count|value|length|size|limit"
    r"|model|models|input|prompt|sequence|request|tokens?|allowed|is|are|of|only|for|this|the)\b)"
    rf"{{0,8}}{_IS}#",
    r"(?:must (?:be|have) (?:<=|less than)|input length should be \[[01],) #",
    r"> #(?! -)",
)

_LIMIT_OF = (
    r"(?:<=|at most|less than or equal to"
    r"|(?:maximum|max|limit)(?: (?:allowed|value|number|output|completion|tokens?|of|for|this|the"
    r"|model|is|are)\b){0,8}[:=( ]{0,3}"
    r"|\[ ?[01], ?)"
)
# Alone: a sum with the prompt tells nothing about the reply.
_PARAMETER = (
    r"(?<!\+)(?<!\+ )(?<!and )(?<!plus )"
    r"\bmax(?:imum)?[_ ]?(?:completion|new|output)?[_ ]?tokens?\b"
)
_OUTPUT_LIMIT = _patterns(
    rf"{_PARAMETER}\W{{0,3}}[0-9]{{1,12}} > #",
    rf"{_PARAMETER}.{{0,120}}?{_LIMIT_OF} ?#",
)

_SOMETHING_ELSE = LatePattern(
    r"tokens?(?: per | an? | each | every |/)(?:min|minute|hour|day|second)\b|\btp[mdh]\b"
    r"|rate[ _-]?limit|too many requests|\bquota|\bcredits?\b|\bafford\b|billing|spend|please wait"
    r"|string too long|string_above_max_length"
)

_BEYOND = r"(?:exceed(?:s|ed|ing)?|(?:longer|larger|greater|more) than|(?:does|will) not fit|>)"
_CONTEXT = r"(?:context[ _-]?(?:window|length|size|limit)|n_ctx)"
_INPUT = r"\b(?:prompt|inputs?|messages|conversation|context)"
_COUNTED = (
    r"(?: \(?(?:text|tokens?|length|size|count|number|total|of|for|in|the|this|your|is|are|has|have"
    r"|[0-9]{1,12})[),]{0,2}){0,8}"
)
_NOT_BYTES = r"(?![^.;]{0,60}\b(?:bytes|[kmg]i?b|characters|chars|images|pages|items|requests)\b)"
_OVERFLOW = LatePattern(
    "|".join(
        (
            rf"{_BEYOND} (?:(?!max_|output)[^.;]){{0,50}}(?:{_CONTEXT}|(?:message|model) token)",
            rf"{_CONTEXT}(?: (?!is|of)[^.;]{{0,20}})? (?:exceed|overflow)|tokens: size limit",
            r"context (?:the )?overflow|input length should be \[|in request more than max tokens",
            rf"{_INPUT}{_COUNTED} too (?:long|large)\b",
            rf"{_INPUT}{_COUNTED} {_BEYOND}{_NOT_BYTES} [^.;]{{0,40}}?"
            r"(?:limit|max|maximum|context|window|length|allowed|supports)\b",
            rf"(?:reduce|shorten) (?:(?:the|your|length|size|number|of|tokens) ){{0,8}}{_INPUT}\b",
            # the room for the reply, from a server that did not expect a negative number
            r"max_\w{0,20}tokens must be [^.;]{0,30}\bgot -[0-9]",
        )
    )
)
