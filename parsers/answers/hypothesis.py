"""Whether a sentence of a Thought says why something is as it is."""

from react_agent.parsers.text.late_pattern import LatePattern

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
