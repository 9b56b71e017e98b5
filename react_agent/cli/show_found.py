"""The lines of a run that hold a text, each behind the number of its step."""

from collections.abc import Iterable, Iterator

from rich.text import Text

from react_agent.cli.show_story import Line

_STYLE = "reverse"


def found(lines: Iterable[Line], wanted: str) -> Iterator[Text]:
    """In any case."""
    for step, text in lines:
        if wanted.casefold() in text.plain.casefold():
            shown = text.copy()
            shown.highlight_words([wanted], _STYLE, case_sensitive=False)
            yield Text.assemble((f"{step:>4}  ", "bold"), shown)
