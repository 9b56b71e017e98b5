import contextlib

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.settings.precommit import Config, Hook, read_precommit

TEXT = """\
default_stages: [pre-commit]
exclude: ^docs/
repos:
- repo: https://example.org/black
  rev: 24.1.0
  hooks:
  - id: black
    language_version: python3
- repo: local
  hooks:
  - id: own
    name: Our own
    entry: bash -c 'true'
    language: system
    files: \\.py$
    exclude: ^old/
    types: [python]
    types_or: [file]
    exclude_types: [binary]
    args: [-x, "1"]
    additional_dependencies: [a==1]
    stages: [manual]
    pass_filenames: false
    always_run: True
"""
BLACK = Hook("black", "https://example.org/black", stages=("pre-commit",))
OWN = Hook(
    "own",
    "local",
    "Our own",
    "bash -c 'true'",
    "system",
    "\\.py$",
    "^old/",
    ("python",),
    ("file",),
    ("binary",),
    ("-x", "1"),
    ("a==1",),
    ("manual",),
    pass_filenames=False,
    always_run=True,
)


def test_reads_a_configuration() -> None:
    assert read_precommit(TEXT) == Config((BLACK, OWN), "", "^docs/")
    assert [hook.is_for_commits for hook in (BLACK, OWN)] == [True, False]


@table_of(
    ("text", "error"),
    [
        pytest.param(
            "", "expected the configuration as keys and values, found nothing", id="empty"
        ),
        pytest.param(
            "- a", "expected the configuration as keys and values, found a list", id="a list"
        ),
        pytest.param("files: x", "expected a list of repos, found nothing", id="no repos"),
        pytest.param(
            "repos: [a]", "expected an entry of repos as keys and values, found 'a'", id="no repo"
        ),
        pytest.param(
            "repos: [{hooks: []}]", "expected `repo:` in each entry of repos", id="no name of it"
        ),
        pytest.param(
            "repos: [{repo: x, hooks: [{name: y}]}]", "expected `id:` in each hook of x", id="no id"
        ),
        pytest.param(
            "repos: [{repo: x, hooks: [{id: y, args: -x}]}]",
            "expected a list of texts as args, found '-x'",
            id="one argument",
        ),
        pytest.param(
            "repos: [{repo: x, hooks: [{id: y, args: [[a]]}]}]",
            "expected a list of texts as args, found a list",
            id="a list in a list",
        ),
        pytest.param(
            "repos: [{repo: x, hooks: [{id: y, entry: {a: b}}]}]",
            "expected a text as entry, found keys and values",
            id="an entry",
        ),
        pytest.param(
            "repos: [{repo: x, hooks: [{id: y, always_run: perhaps}]}]",
            "expected true or false as always_run, found 'perhaps'",
            id="a switch",
        ),
        pytest.param(
            "repos:\n- repo: x\n  hooks:\n" + "  - id: y\n" * 101,
            "expected at most 100 hooks, found 101",
            id="too many",
        ),
        pytest.param(
            "repos: *x",
            "line 1: expected a value without anchor, alias or tag, found 'repos: *x'",
            id="no plain YAML",
        ),
    ],
)
def test_refuses(text: str, error: str) -> None:
    with pytest.raises(ParseError) as caught:
        read_precommit(text)
    assert str(caught.value) == error


KEYS = st.sampled_from(["repo", "hooks", "id", "args", "files", "stages", "always_run", "x"])
NODES = st.recursive(
    st.sampled_from(["a", "true", "''", "local"]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda each: f"[{', '.join(each)}]"),
        st.dictionaries(KEYS, inner, max_size=4).map(
            lambda each: "{" + ", ".join(f"{key}: {value}" for key, value in each.items()) + "}"
        ),
    ),
    max_leaves=12,
)


@given(st.lists(NODES, max_size=3))
def test_any_nodes_are_a_configuration_or_a_parse_error(repos: list[str]) -> None:
    with contextlib.suppress(ParseError):
        read_precommit(f"repos: [{', '.join(repos)}]")
