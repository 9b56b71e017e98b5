from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.settings.front_matter import read_front_matter


def test_a_value_by_several_names() -> None:
    found = read_front_matter("---\nlabel:\nlabels: [a, b]\ntags: c\n---\n")
    assert found.values("label", "labels", "tags") == ("a", "b")
    assert found.value("label", "labels") == "a, b"


@given(st.text(alphabet="-.:a[]', \n#|", max_size=60))
def test_a_body_is_the_end_of_any_text(text: str) -> None:
    found = read_front_matter(text)
    assert text.endswith(found.body)
    assert found.fields or found.body == text
