"""Whether a file of the change is named by the title: it is meant then."""

from check_rows import table_of

from react_agent.guards.gate import is_named_in


@table_of(
    ("path", "title", "is_named"),
    [
        (".env", "Add a .env for the demo", True),
        (".env", "Ship `.env`", True),
        ("config/.env", "Commit config/.env.", True),
        ("out.log", "out.log: keep it", True),
        ("a file.txt", "Write a file.txt", True),
        (".env", "process.env.PORT is ignored", False),
        (".env", "process.env is read twice", False),
        (".env", "Read .env.example", False),
        ("out.log", "stdout.log is empty", False),
        ("notes.txt", "PORT is ignored", False),
        ("a.py", "data.py fails", False),
    ],
)
def test_a_title_names_a_file(path: str, title: str, is_named: bool) -> None:
    assert is_named_in(path, title) is is_named
