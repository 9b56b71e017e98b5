"""Whether a file of the change is named by the title: it is meant then."""

from check_rows import table_of

from react_agent.guards.gate import is_named_in


@table_of(
    ("path", "title"),
    [
        (".env", "Add a .env for the demo"),
        (".env", "Ship `.env`"),
        ("config/.env", "Commit config/.env."),
        ("out.log", "out.log: keep it"),
        ("a file.txt", "Write a file.txt"),
    ],
)
def test_a_title_names_a_file(path: str, title: str) -> None:
    assert is_named_in(path, title)


@table_of(
    ("path", "title"),
    [
        (".env", "process.env.PORT is ignored"),
        (".env", "process.env is read twice"),
        (".env", "Read .env.example"),
        ("out.log", "stdout.log is empty"),
        ("notes.txt", "PORT is ignored"),
        ("a.py", "data.py fails"),
    ],
)
def test_a_title_names_none(path: str, title: str) -> None:
    assert not is_named_in(path, title)
