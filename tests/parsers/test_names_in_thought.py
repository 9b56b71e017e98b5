"""Which names a Thought speaks of; ordinary words are none."""

from check_rows import table_of

from react_agent.parsers.issue.names_in_thought import is_path, names_in_thought


@table_of(
    ("thought", "names"),
    [
        ("Look at src/net/client.py again.", ("src/net/client.py",)),
        ("client.py: the retries", ("client.py",)),
        ("DEFAULT_RETRY_LIMIT is too small", ("DEFAULT_RETRY_LIMIT",)),
        ("the SessionTokenCodec fails", ("SessionTokenCodec",)),
        ("parseDate and HTTPServer", ("parseDate", "HTTPServer")),
        ("call snap() here, and snap(x)", ("snap",)),
        ("what `limit` is, and `a b` is none", ("limit",)),
        ("`snap()` it", ("snap",)),
        ("socket.timeout is raised", ("socket.timeout",)),
        ("config/deploy/staging has it", ("config/deploy/staging",)),
        ("Now I run the tests again, and/or read the docs, e.g. all of them.", ()),
        ("The DEFAULT is 37. It is JavaScript on GitHub.", ()),
        ("what --dry-run does -- or not, a--b, --x", ("dry-run",)),
        ("an x_", ()),
        ("", ()),
    ],
)
def test_names(thought: str, names: tuple[str, ...]) -> None:
    assert names_in_thought(thought) == names


@table_of(
    ("name", "expected"),
    [("src/a", True), ("a.py", True), ("parse_date", False), ("Enum.RED", False)],
)
def test_paths(name: str, expected: bool) -> None:
    assert is_path(name) is expected
