"""What is other in every run of a program, and what only looks like it."""

from check_rows import table_of

from react_agent.parsers.text.printed import without_noise


@table_of(
    ("one", "other"),
    {
        "date and time": ("at 2026-01-02T10:11:12Z", "at 2026-11-22 09:00:01,123"),
        "in a server's log": ("01/Jan/2026:10:11:12", "22/Nov/2026:09:00:01"),
        "how long it took": ("3 passed in 0.12s", "3 passed in 12.5 s"),
        "pid": ("pid=12", "pid=9999"),
        "address": ("<A at 0x7f00aa>", "<A at 0x7F99BB11>"),
        "temporary folder": ("/tmp/tmpab1/x: no", "/private/var/folders/q/x: no"),
        "temporary name": ("tmpabc12x_ failed", "tmpzz9_yyq failed"),
        "share": ("built 10%", "built 99.5 %"),
        "unique": (
            "id 1f2e3d4c-1111-2222-3333-123456789012",
            "id aaaaaaaa-0000-1111-2222-bbbbbbbbbbbb",
        ),
        "words about the reply": ("(Your reply was mended: a label was mended.)\nx", "x"),
    },
)
def test_it_is_noise(one: str, other: str) -> None:
    assert without_noise(one) == without_noise(other)


def test_a_count_is_none() -> None:
    assert without_noise("3 failed") != without_noise("2 failed")
