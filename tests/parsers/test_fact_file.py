"""Which entry of a file of facts a question is about."""

from pathlib import Path

from check_rows import table_of

from react_agent import tools
from react_agent.parsers.text.fact_file import nearest, read_fact_file

SHIPPED = Path(tools.__path__[0], "facts.txt").read_text(encoding="utf-8")


def test_reads_entries() -> None:
    text = "# no entry\nOne | First\nof all\n# nor this\nand more\n\n\nTwo\n"
    assert [(entry.titles, entry.text) for entry in read_fact_file(text)] == [
        (("One", "First"), "of all\nand more"),
        (("Two",), ""),
    ]


@table_of(
    ("question", "title"),
    [
        ("Olivia Wilde boyfriend", "Olivia Wilde"),
        ("Who is Olivia Wilde's boyfriend?", "Olivia Wilde"),
        ("How old is Harry Styles?", "Harry Styles"),
        ("harry styles' age", "Harry Styles"),
        ("Who won Eurovision 2023?", "Eurovision 2023"),
        ("Who won the Eurovision Song Contest in 2021?", "Eurovision 2021"),
        ("How tall is Loreen?", "Loreen"),
        ("speed of light", "Light"),
        ("Cockburn, Olivia Jane", "Olivia Wilde"),
        ("Måneskin", "Eurovision 2021"),
        ("population of Atlantis", None),
        ("python snakes in zoos of Atlantis", "Python"),
        ("who?", None),
        ("", None),
    ],
)
def test_finds_the_nearest(question: str, title: str | None) -> None:
    found = nearest(question, read_fact_file(SHIPPED))
    assert (found[0].title if found else None) == title
