"""The list of all texts has those that somebody reads, and no others."""

from words import words_in

SOURCE = '''\
"""A module that does this and that."""

NAME = "one word"


def told(number: int, name: str) -> str:
    """What is told to a person."""
    if number:
        return f"step {number} changed no file of {name}"
    return (
        "nothing was changed "
        "by this"
    )


class Show:
    """Read the transcript of a run.

    Example:
      react-agent show RUN
    """
'''


def test_texts_are_listed_with_their_lines() -> None:
    assert list(words_in(SOURCE)) == [
        (9, "step {} changed no file of {}"),
        (11, "nothing was changed by this"),
        (17, "Read the transcript of a run. Example: react-agent show RUN"),
    ]
