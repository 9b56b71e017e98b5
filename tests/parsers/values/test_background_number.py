from check_rows import table_of

from react_agent.parsers.values.commands import ALL, background_numbers


@table_of(
    ("text", "expected"),
    [
        ("1", (1,)),
        ("id: 2", (2,)),
        ("%1", (1,)),
        ("1, 2 and 2", (1, 2)),
        ("kill -9 1", (1,)),
        ("-SIGKILL %2", (2,)),
        ('{"id": 1}', (1,)),
        ('{"ids": [1, 2]}', (1, 2)),
        ('{"id": ', ()),
        ("command 1 (npm start)", (1,)),
        ("all", ALL),
        ("everything", ALL),
        ('{"id": "all"}', ALL),
        ("the server on v1.2", ()),
    ],
)
def test_which_are_meant(text: str, expected: tuple[int, ...] | str) -> None:
    assert background_numbers(text) == expected
