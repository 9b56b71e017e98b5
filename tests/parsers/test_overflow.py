from pathlib import Path

from check_rows import table_of
from hypothesis import example, given
from hypothesis import strategies as st

from react_agent.parsers.servers.overflow import Overflow, read_output_limit, read_overflow

TEXTS = Path(__file__).parents[1] / "data/overflow-texts.txt"


def _numbered(part: str) -> list[tuple[str, Overflow]]:
    """Texts with what they tell of the prompt and of the window."""
    rows = (line.split(" ", 2) for line in _lines(part))
    return [(text, Overflow(*map(_number, (prompt, window)))) for prompt, window, text in rows]


def _number(word: str) -> int | None:
    return None if word == "-" else int(word)


def _lines(part: str) -> list[str]:
    return [line for line in part.strip().split("\n") if not line.startswith("#")]


_MEANS, _OTHERS, _MORE, _LIMITS = TEXTS.read_text(encoding="utf-8").split("\n\n")
MEANS, OTHERS, MORE = _numbered(_MEANS), _lines(_OTHERS), _numbered(_MORE)


@table_of(("text", "expected"), [*MEANS, *MORE])
def test_reads_the_overflows_servers_send(text: str, expected: Overflow) -> None:
    assert (read_overflow(text), read_output_limit(text)) == (expected, None)
    assert read_overflow(text.upper()) == expected
    assert read_overflow(f"Error code: 400 - {{'error': {{'message': \"{text}\"}}}}") == expected


@table_of("text", OTHERS)
def test_other_errors_are_no_overflow(text: str) -> None:
    assert read_overflow(text) is None


@given(
    st.sampled_from(MEANS),
    st.integers(1000, 900_000),
    st.integers(1, 900_000),
    st.sampled_from(["d", ",d", "_d"]),
)
def test_numbers_are_read_whatever_they_are(
    row: tuple[str, Overflow], window: int, more: int, written: str
) -> None:
    text, known = row
    prompt = window + more
    text = text.replace("122946", format(prompt + 10000, written))
    if known.prompt is not None:
        text = text.replace(str(known.prompt), format(prompt, written))
    if known.window is not None:
        text = text.replace(str(known.window), format(window, written))
    expected = Overflow(known.prompt and prompt, known.window and window)
    assert (read_overflow(text), read_output_limit(text)) == (expected, None)


@table_of(("limit", "text"), [line.split(" ", 1) for line in _lines(_LIMITS)])
def test_reads_an_output_limit(limit: str, text: str) -> None:
    assert (read_overflow(text), read_output_limit(text)) == (None, int(limit))


@table_of(
    "text",
    [
        "Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, "
        "Requested 60000. The input or output tokens must be reduced in order to run successfully.",
        "Internal server error (request 1234567)",
    ],
)
def test_is_neither(text: str) -> None:
    assert (read_overflow(text), read_output_limit(text)) == (None, None)


@given(
    st.text()
    | st.lists(st.sampled_from(" ".join([*(text for text, _ in MEANS), *OTHERS]).split())).map(
        " ".join
    )
)
@example("prompt is too long: " + "9" * 5000 + " tokens > 200000 maximum")
@example("max_tokens: " + "9" * 5000 + " > " + "8" * 5000)
@example("prompt is too long: ٣٣ tokens > ٢ maximum")
def test_any_text_is_an_overflow_or_not(text: str) -> None:
    assert read_overflow(text) is None or read_output_limit(text) is None


@table_of(("text", "expected"), MEANS[:2])
def test_reads_what_stands_before_or_after_an_echo(text: str, expected: Overflow) -> None:
    echo = "x" * 100_000
    assert read_overflow(f"{text}\n{echo}") == read_overflow(f"{echo}\n{text}") == expected
