"""What a model writes to find a step again, and what it means."""

from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.values.arguments import Span, Unreadable
from react_agent.parsers.values.recall import Place, RecallRequest, parse_recall_request


@table_of(
    ("text", "places"),
    [
        ("7", [Place(7)]),
        ("7:40-80", [Place(7, Span(40, 80))]),
        ("7:40", [Place(7, Span(40))]),
        ("7, lines 40 to 80", [Place(7, Span(40, 80))]),
        ("step 7 (lines 40-80)", [Place(7, Span(40, 80))]),
        ("3-5", [Place(3), Place(4), Place(5)]),
        ("3:1-9\n5:2-4", [Place(3, Span(1, 9)), Place(5, Span(2, 4))]),
        ('{"step": "7:40-80"}', [Place(7, Span(40, 80))]),
        ("[3, 5]", [Place(3), Place(5)]),
        ("step: 7", [Place(7)]),
    ],
)
def test_reads_steps_by_their_numbers(text: str, places: list[Place]) -> None:
    assert parse_recall_request(text) == RecallRequest(places=tuple(places))


@table_of(
    ("text", "query"),
    [
        ('"retry limit"', "retry limit"),
        ("  where is\n the limit ", "where is the limit"),
        ("3.11", "3.11"),
        ('{"words": ["retry", "limit"]}', "retry limit"),
        ('["retry", "limit"]', "retry limit"),
        ("lines 4 of the file", "lines 4 of the file"),
    ],
)
def test_reads_words(text: str, query: str) -> None:
    assert parse_recall_request(text) == RecallRequest(query)


def test_names_what_it_leaves_out() -> None:
    text = '{"query": "limit", "top_k": 5}'
    assert parse_recall_request(text) == RecallRequest("limit", left_out=("top_k",))


@table_of("text", ["", " \n", '{"top_k": 5}', '""'])
def test_refuses_what_asks_for_nothing(text: str) -> None:
    assert parse_recall_request(text) == Unreadable(
        "nothing to search for: write words, or the number of a step: 7, or 7:40-80 for lines of it"
    )


def test_refuses_too_many_at_once() -> None:
    assert parse_recall_request("1-50") == Unreadable("too many steps at once: ask for 8 or fewer")


def test_refuses_an_object_that_is_cut_off() -> None:
    assert isinstance(parse_recall_request('{"query": "limit'), Unreadable)


@given(st.text())
def test_any_text_asks_for_something_or_is_refused(text: str) -> None:
    request = parse_recall_request(text)
    assert isinstance(request, Unreadable) or bool(request.query) != bool(request.places)
