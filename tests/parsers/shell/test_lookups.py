"""Read-only commands that a tool of ours answers, and those that have to be run as written."""

import json

from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.shell.lookups import lookup
from react_agent.parsers.values.searches import searches


@given(st.text(st.sampled_from("ab('\"\\|.*+ -[]{}^$/:"), min_size=1).filter(str.strip))
def test_any_pattern_is_searched_for_as_it_is(pattern: str) -> None:
    quoted = "'{}'".format(pattern.replace("'", "'\\''"))
    call = lookup(f"rg -e {quoted} src")
    assert call is not None
    found = searches(call.input, lambda _: False)
    assert isinstance(found, tuple)
    [[read]] = found
    assert (read.pattern, read.globs) == (pattern, ("src",))
    assert json.loads(call.input) == {"pattern": pattern, "path": ["src"]}
