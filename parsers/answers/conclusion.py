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
_WHAT = r"(?:this|it|that|the (?:task|issue|objective|problem|request|change|work))"
_ENDS = (
    r"(?=\s*(?:$|[.:;,!()*—–-]|(?:because|as|since|due|here|now|after|without|trying|for lack)\b"
    rf"|on {_WHAT}\b))"
)
_CANNOT = r"(?:cannot|can not|can't|could not|couldn't)"
_UNABLE = rf"(?:{_CANNOT}|(?:(?:am|was|are|were) |'m |'re )(?:unable|not able) to)"
_DO = r"(?:complete|finish|resolve|solve|fix|do|implement|achieve)"
_DONE = r"(?:completed|finished|resolved|solved|fixed|done|implemented|achieved)"
CLAUSES = (
    r"(?:(?:i|we)(?:'\w+)?(?: (?!not\b|never\b)[a-z]+){0,3} )?(?:give|gave|given|giving) up"
    rf"{_ENDS}",
    rf"(?:i|we) ?{_UNABLE} {_DO} {_WHAT}{_ENDS}",
    rf"{_WHAT} {_CANNOT} be {_DONE}{_ENDS}",
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
