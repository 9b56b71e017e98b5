"""Whether a call stands where a model acts, or where it speaks of one.

place = the start of a line | behind a sentence, outside backticks
       | not within an element of another kind, nor behind a result that the model imagined
A line before it that ends in a colon announces an act: `I'll run the tests:`, but not `it says:`.
"""

from dataclasses import dataclass

_SENTENCE_ENDS = (".", "!", "?", "…", "。", "！", "？", ":", "：", "|>", "｜>")
_COLONS = (":", "：")
_DECORATION = " *_"
_ACTS = (
    *("i'll", "i will", "i'm going to", "i am going to", "i need to", "i should", "i want to"),
    *("i can", "i'd like to", "let me", "let's", "let us", "we need to", "we should", "we'll"),
    *("we will", "we can", "first", "now", "next"),
)
_LABELS = ("tool call", "function call", "call", "tool", "command", "action")
_REPORTS = frozenset(
    {
        *("says", "said", "say", "saying", "tells", "told", "tell", "asks", "asked", "reads"),
        *("contains", "contained", "shows", "showed", "mentions", "quote", "quotes", "quoted"),
        *("suggests", "suggested", "recommends", "instructs", "instructed", "wants", "looks"),
        *("example", "examples", "e.g.", "format", "would", "instead"),
        *("not", "never", "don't", "won't", "can't"),
    }
)
_QUOTES = frozenset(
    {
        *("says", "said", "reads", "contains", "contained", "quote", "quotes", "quoted"),
        *("example", "template", "instructs", "recommends", "suggests"),
    }
)
_RETURNS = _REPORTS | {"returned", "returns", "printed", "prints", "wrote", "writes", "has"}
_FORBIDS = (
    *("never", "must not", "mustn't", "should not", "shouldn't", "will not", "won't", "cannot run"),
    *("i do not", "i don't", "do not run", "don't run", "not to run", "refuse to"),
)
_RESULTS = (
    *("<tool_response", "<tool_result", "<function_result", "<observation", "[TOOL_RESULTS]"),
    *("<|tool_response", "<|ipython|>", "<｜tool▁output"),
)
_MOST_CLOSES = 10  # tags behind a call


@dataclass(frozen=True, slots=True)
class Place:
    text: str
    start: int
    end: int

    @property
    def before(self) -> str:
        return self.text[: self.start]

    @property
    def behind(self) -> str:
        return self.text[self.end :]


def follows_sentence(before: str) -> bool:
    """`before`: what stands before it in its line."""
    bare = before.rstrip()
    return not bare or (bare.endswith(_SENTENCE_ENDS) and before.count("`") % 2 == 0)


def is_quoted(place: Place) -> bool:
    """What follows the call are tags that close something, which may be what it stands in."""
    before = place.before
    if any(result in before for result in _RESULTS) or not _is_announced(before):
        return True
    closed = {tag.partition(">")[0] for tag in place.behind.split("</")[1:]}
    opened = (f"<{name}{end}" in before for name in closed for end in (">", " "))
    return len(closed) > _MOST_CLOSES or any(opened)


def _is_announced(before: str) -> bool:
    lines = before.rstrip().rsplit("\n", 1)
    line = lines[-1].strip(_DECORATION)
    if not line.endswith(_COLONS):
        return not shows_it(before)
    sentence = _last_sentence(line.rstrip("".join(_COLONS)).casefold().replace("’", "'"))
    if sentence in _LABELS:
        return True
    spoken = f" {sentence} ".replace(",", " ")
    words = spoken.split()
    acts = any(f" {act} " in spoken for act in _ACTS) or "".join(words[:1]).endswith("ing")
    return acts and not _REPORTS & set(words)


def shows_it(before: str) -> bool:
    """Whether the last sentence tells what somebody wrote, or what is not to be done."""
    line = before.rstrip().rsplit("\n", 1)[-1].strip(_DECORATION)
    sentence = _last_sentence(line.rstrip(".!…。！").casefold().replace("’", "'"))
    words = set(sentence.replace(",", " ").split())
    is_open = not line.endswith(_SENTENCE_ENDS)
    forbids = any(f"{phrase} " in f"{sentence} " for phrase in _FORBIDS)
    return forbids or bool(words & _QUOTES) or (is_open and bool(words & _RETURNS))


def _last_sentence(line: str) -> str:
    end = max(line.rfind(mark) for mark in (". ", "! ", "? ", ": "))
    return line[end + 1 :].strip(_DECORATION)


def said(thought: str) -> str:
    """Without the headers of a channel around it."""
    _, header, message = thought.rpartition("<|message|>")
    return (message.partition("<|end|>")[0] if header else thought).strip()
