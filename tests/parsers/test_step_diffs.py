"""The file that says what each step of a run changed."""

from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.repo.git_diff import StepDiff, read_step_diffs, write_step_diffs

NAMES = st.text("0123456789abcdef", min_size=1, max_size=12)
LINES = st.lists(st.sampled_from((" # step 3 of a..b", "+# step 3 of a..b", "-", "@@ -1 +1 @@")))
TEXTS = LINES.map(lambda lines: "".join(f"{line}\n" for line in lines))
DIFFS = st.lists(st.builds(StepDiff, st.integers(0, 999_999_999), NAMES, NAMES, TEXTS))


@given(DIFFS)
def test_reads_back_what_it_writes(diffs: list[StepDiff]) -> None:
    assert list(read_step_diffs(write_step_diffs(diffs))) == diffs


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    assert all(one.text in text for one in read_step_diffs(text))


def test_what_stands_above_the_first_head_is_nobodys() -> None:
    text = "# a word\n# step 3 of 06b4fc..9d8fa2\n-old\n+new\n# step 5 of 9d8fa2..77aa11\n"
    assert list(read_step_diffs(text)) == [
        StepDiff(3, "06b4fc", "9d8fa2", "-old\n+new\n"),
        StepDiff(5, "9d8fa2", "77aa11", ""),
    ]
