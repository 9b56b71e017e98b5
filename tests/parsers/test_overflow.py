import time
from pathlib import Path

from check_rows import table_of
from hypothesis import example, given
from hypothesis import strategies as st

from react_agent.parsers.servers.overflow import Overflow, read_output_limit, read_overflow

TEXTS = Path(__file__).parents[1] / "data/overflow-texts.txt"
NUMBERS = (
    Overflow(208310, 200000),
    Overflow(204308, 128000),
    Overflow(289650, 272000),
    Overflow(None, None),
    Overflow(112946, 16384),
    Overflow(9000, 8192),
    Overflow(None, 8192),
    Overflow(9000, 8192),
    Overflow(9000, 8192),
    Overflow(13392, 8192),
    Overflow(None, None),
    Overflow(None, None),
    Overflow(111490, 32768),
    Overflow(None, 4096),
    Overflow(33717, 32768),
    Overflow(300000, 200000),
    Overflow(9000, 8192),
)


def _halves() -> tuple[list[str], list[str]]:
    means, others = TEXTS.read_text(encoding="utf-8").split("# Error texts that do NOT mean it.\n")
    return means.strip().split("\n")[1:], others.strip().split("\n")


MEANS, OTHERS = _halves()


@table_of(("text", "expected"), zip(MEANS, NUMBERS, strict=True))
def test_reads_the_overflows_servers_send(text: str, expected: Overflow) -> None:
    assert (read_overflow(text), read_output_limit(text)) == (expected, None)
    assert read_overflow(text.upper()) == expected
    assert read_overflow(f"Error code: 400 - {{'error': {{'message': \"{text}\"}}}}") == expected


@table_of("text", OTHERS)
def test_other_errors_are_no_overflow(text: str) -> None:
    assert read_overflow(text) is None


@given(
    st.sampled_from(list(zip(MEANS, NUMBERS, strict=True))),
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


@table_of(
    ("text", "expected"),
    [
        (
            "This model's maximum context length is 128,000 tokens. However, your messages "
            "resulted in 204,308 tokens.",
            Overflow(204308, 128000),
        ),
        (
            "This model's maximum context length is 16385 tokens. However, you requested 22946 "
            "tokens (19000 in the messages, 1946 in the functions, and 2000 in the completion).",
            Overflow(20946, 16385),
        ),
        ("max_tokens must be at least 1, got -186", Overflow(None, None)),
        (
            "input length and `max_tokens` exceed context limit: 210000 + 8192 > 200000, decrease "
            "input length or `max_tokens` and try again",
            Overflow(210000, 200000),
        ),
        ("Context size has been exceeded.", Overflow(None, None)),
        (
            "The input (9000 tokens) is longer than the model's context length (8192 tokens).",
            Overflow(9000, 8192),
        ),
        (
            "The input token count exceeds the maximum number of tokens allowed 32768.",
            Overflow(None, 32768),
        ),
        (
            "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 "
            "maximum context length",
            Overflow(40000, 32768),
        ),
        (
            "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
            Overflow(537812, 131072),
        ),
        (
            "prompt token count of 130000 exceeds the limit of 128000",
            Overflow(130000, 128000),
        ),
        (
            "The prompt is too long: 140000, model maximum context length: 131071",
            Overflow(140000, 131071),
        ),
        ("Requested tokens (5000) exceed context window of 4096", Overflow(5000, 4096)),
        ("`inputs` must have less than 1024 tokens. Given: 5000", Overflow(5000, 1024)),
        ("Please reduce the length of the messages or completion.", Overflow(None, None)),
        (
            "The prompt (total length 9000) is too long to fit the model (context length 8192).",
            Overflow(9000, 8192),
        ),
        (
            "The decoder prompt (length 9000) is longer than the maximum model length of 8192.",
            Overflow(9000, 8192),
        ),
    ],
)
def test_reads_an_overflow(text: str, expected: Overflow) -> None:
    assert (read_overflow(text), read_output_limit(text)) == (expected, None)


@table_of(
    ("text", "limit"),
    [
        (
            "'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum "
            "context length is 8192 tokens and your request has 500 input tokens "
            "(32000 > 8192 - 500).",
            7692,
        ),
        (
            "You passed 7000 input tokens and requested 2000 output tokens. However, the model's "
            "context length is only 8192 tokens, resulting in a maximum input length of 6192 "
            "tokens. Please reduce the length of the input prompt.",
            1192,
        ),
        (
            "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. "
            "Given: 100 `inputs` tokens and 3000 `max_new_tokens`",
            1948,
        ),
        ("max_completion_tokens is not valid: expected a value <= 8192, but got 32000", 8192),
        (
            "max_tokens is too large: 100000. This model supports at most 16384 completion tokens, "
            "whereas you provided 100000.",
            16384,
        ),
        ("Input validation error: `max_new_tokens` must be <= 1512. Given: 2000", 1512),
        ("Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", 8192),
        ("`max_tokens` must be less than or equal to `8192`, the maximum value", 8192),
        (
            "Invalid 'max_output_tokens': integer above maximum value. Expected a value <= 128000, "
            "but got 200000 instead.",
            128000,
        ),
    ],
)
def test_reads_an_output_limit(text: str, limit: int) -> None:
    assert (read_overflow(text), read_output_limit(text)) == (None, limit)


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


@given(st.text() | st.lists(st.sampled_from(" ".join(MEANS + OTHERS).split())).map(" ".join))
@example("prompt is too long: " + "9" * 5000 + " tokens > 200000 maximum")
@example("max_tokens: " + "9" * 5000 + " > " + "8" * 5000)
@example("prompt is too long: ٣٣ tokens > ٢ maximum")
def test_any_text_is_an_overflow_or_not(text: str) -> None:
    assert read_overflow(text) is None or read_output_limit(text) is None


def test_a_megabyte_takes_no_time() -> None:
    started = time.process_time()
    read_overflow("9k " * 333_333)
    assert time.process_time() - started < 2


@table_of("text", MEANS[:2])
def test_reads_what_stands_before_or_after_an_echo(text: str) -> None:
    echo = "x" * 100_000
    assert read_overflow(f"{text}\n{echo}") == read_overflow(f"{echo}\n{text}") is not None
