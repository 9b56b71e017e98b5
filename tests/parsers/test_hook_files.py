"""What a commit asks for, and the files of the hook's queue."""

from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.transcript.hook_files import (
    Job,
    Kind,
    read_job,
    write_job,
)

names = st.text(min_size=1, max_size=20)


@given(names, names, st.sampled_from(Kind), names, st.text(max_size=50))
def test_reads_back_the_job_that_it_writes(
    words: str, top: str, kind: Kind, said: str, text: str
) -> None:
    job = Job("k", "post-commit", kind, words, "0a" * 20, top, said=said, text=text)
    assert read_job(write_job(job)) == job


def test_a_job_is_told_on_one_line() -> None:
    job = Job("k", "post-commit", Kind.FILE, "issues/a\ndone: b.md", "0a" * 20, "/")
    assert job.title == "issues/a done: b.md (0a0a0a0)"
