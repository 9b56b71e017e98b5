"""Recognise a Conclusion that gives up, and a Thought that states a cause.

A Conclusion gives up if its first sentence says so, in the first person.

    gives up = mark* clause        (a clause: at the beginning, or behind a comma or a colon)

The table below lists the clauses. The words after a clause decide: to give up on one way and take
another is not to give up.
"""

import re

from react_agent.parsers.text.late_pattern import LatePattern

_MARKS = "*_`\"'#> \t\n"
_FIRST = LatePattern(r".*?(?:[.!?](?=\s|$)|\n\s*\n|$)", re.DOTALL)
_ADVERB = r"(?:(?:now|hereby|therefore|thus|simply|regretfully) )?"
_WHAT = r"(?:this|it|that|the (?:task|issue|objective|problem|request|change|work))"
_ENDS = (
    r"(?=\s*(?:$|[.:;,!()*—–-]|(?:because|as|since|due|here|now|after|without|trying|for lack)\b"
    rf"|on {_WHAT}\b))"
)
_CANNOT = (
    r"(?:cannot|can not|can't|could not|couldn't|(?:am|was|are|were|'m|'re) (?:unable|not able) to)"
)
_DO = r"(?:complete|finish|resolve|solve|fix|do|implement|achieve)"
_DONE = r"(?:completed|finished|resolved|solved|fixed|done|implemented|achieved)"
_TO = r"(?:have|need|am forced|'m forced|am going|'m going|want)"
CLAUSES = (
    rf"(?:i|we) {_ADVERB}(?:give|gave) up{_ENDS}",
    rf"(?:i|we)(?:'m|'re| am| are) {_ADVERB}giving up{_ENDS}",
    rf"(?:i|we)(?:'ve| have|'d| had) {_ADVERB}given up{_ENDS}",
    rf"(?:i|we) ?{_TO} to give up{_ENDS}",
    rf"(?:i|we)(?: must|'ll| will| shall| should) {_ADVERB}give up{_ENDS}",
    rf"giving up{_ENDS}",
    rf"(?:i|we) ?{_CANNOT} {_DO} {_WHAT}{_ENDS}",
    rf"{_WHAT} (?:cannot|can not|can't|could not|couldn't) be {_DONE}{_ENDS}",
    rf"(?:i|we)(?: |'m |'re | am | are )(?:abandon|abandoning) {_WHAT}{_ENDS}",
)
_CLAUSE = LatePattern(rf"(?:^|[,:;—–] *(?:so |and |but |then )?)(?:{'|'.join(CLAUSES)})")


def gives_up(conclusion: str) -> bool:
    text = conclusion.casefold().replace("’", "'").lstrip(_MARKS)
    first = _FIRST.match(text)
    return _CLAUSE.search(" ".join(first[0].split())) is not None if first else False


_CAUSE = LatePattern(
    r"(?i)\b(?:because|due to|caused? by|the (?:root )?cause|culprit|reason (?:is|for|why)"
    r"|(?:the|this|our|a) (?:bug|problem|issue|error|failure|mistake) (?:is|comes|lies|must|seems)"
    r"|that is why|(?:must|should|needs? to) be\b|instead of|forgets?\b"
    r"|never (?:checks?|handles?|calls?|looks?)"
    r"|(?:does|do|did)(?:n't| not) (?:handle|check|account|know|look|call|pass|set|strip|convert)"
    r"|(?:is|are) (?:wrong|missing|not (?:handled|checked|called|passed|set|converted))"
    r"|fails? (?:when|because|since|if)|only (?:handles?|checks?|knows?|looks?)"
    r"|so (?:it|that) (?:fails?|breaks?|raises?))"
)


def says_cause(thought: str) -> bool:
    return _CAUSE.search(thought[:5_000]) is not None
