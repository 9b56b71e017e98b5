from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.settings.front_matter import FrontMatter, read_front_matter


def fields(**given: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    return given


@table_of(
    ("text", "expected"),
    {
        "values and a list": (
            "---\ntitle: It breaks\nlabels: [bug, 'a b']\n---\n\nAlways.\n",
            FrontMatter(fields(title=("It breaks",), labels=("bug", "a b")), "\nAlways.\n"),
        ),
        "items": (
            '---\nlabels:\n  - bug\n- "parser"\nStatus:   open\n---\nx',
            FrontMatter(fields(labels=("bug", "parser"), status=("open",)), "x"),
        ),
        "empty, a comment, no body": (
            "---\ntitle: It breaks\nassignees: ''\nnone: ~\n# said\n\n---",
            FrontMatter(fields(title=("It breaks",), assignees=(), none=()), ""),
        ),
        "text": ("---\nIt breaks\n---\n", FrontMatter({}, "---\nIt breaks\n---\n")),
        "nothing between": ("---\n---\nx", FrontMatter({}, "---\n---\nx")),
        "a value on several lines": (
            "---\na: >\n  b\n---\n",
            FrontMatter({}, "---\na: >\n  b\n---\n"),
        ),
        "no end": ("---\na: b\nx", FrontMatter({}, "---\na: b\nx")),
    },
)
def test_reads(text: str, expected: FrontMatter) -> None:
    assert read_front_matter(text) == expected


def test_a_value_by_several_names() -> None:
    found = read_front_matter("---\nlabel:\nlabels: [a, b]\ntags: c\n---\n")
    assert found.values("label", "labels", "tags") == ("a", "b")
    assert found.value("label", "labels") == "a, b"


@given(st.text(alphabet="-.:a[]', \n#|", max_size=60))
def test_a_body_is_the_end_of_any_text(text: str) -> None:
    found = read_front_matter(text)
    assert text.endswith(found.body)
    assert found.fields or found.body == text
