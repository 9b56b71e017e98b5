"""Each spelling that is read stands beside the near-miss that is not."""

from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent.parsers.patch.reading.whole_file import read_whole

TEXT = st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]), max_size=9)
LINE = TEXT.map(lambda line: f"x{line}")
NAME = st.from_regex(r"[a-z]{1,5}(/[a-z]{1,5})?\.py", fullmatch=True)


@settings(max_examples=25)
@given(st.dictionaries(NAME, st.lists(LINE, max_size=5), min_size=1, max_size=3), st.booleans())
def test_reads_back_what_is_written(files: dict[str, list[str]], in_info: bool) -> None:
    written = list[str]()
    for name, body in files.items():
        head = [f"```py {name}"] if in_info else [f"### `{name}`", "", "```py"]
        written += [*head, *body, "```", ""]
    reading = read_whole(written)
    found = {change.new: list(change.whole or ()) for change in reading.changes}
    assert (reading.problem, found) == ("", files)
