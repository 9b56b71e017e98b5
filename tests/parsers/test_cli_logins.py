"""The files in which gh, glab and tea keep their logins."""

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.secrets.cli_logins import read_blocks

GH = """\
github.com:
    users:
        me:
            oauth_token: gho_a
    git_protocol: https
    oauth_token: gho_a
    user: me
"git.example:8443":
    oauth_token: 'gho_b' # mine
"""
GLAB = """\
# What protocol to use
git_protocol: ssh
hosts:
    gitlab.com:
        # the token
        token: !!null glpat-a
        api_host: gitlab.com
    git.example:8443:
        token: glpat-b
last_update_check_timestamp: 2026-11-01T00:00:00Z
"""
TEA = """\
logins:
    - name: berg
      url: https://codeberg.org
      token: aaa
      default: true
    - name: other
      url: https://git.example:3000
      token: bbb
preferences:
    editor: false
"""


@table_of(
    ("text", "key", "expected"),
    [
        pytest.param(
            GH,
            "oauth_token",
            [("me", "gho_a"), ("github.com", "gho_a"), ("git.example:8443", "gho_b")],
            id="gh",
        ),
        pytest.param(
            GLAB, "token", [("gitlab.com", "glpat-a"), ("git.example:8443", "glpat-b")], id="glab"
        ),
        pytest.param(TEA, "token", [("logins", "aaa"), ("logins", "bbb")], id="tea"),
        pytest.param(
            TEA.replace("    -", "-").replace("      ", "  "),
            "url",
            [("logins", "https://codeberg.org"), ("logins", "https://git.example:3000")],
            id="tea, a list as deep as its key",
        ),
        pytest.param(
            "a.org:\n    token: a\n? b.org\n:\n    token: b\n",
            "token",
            [("a.org", "a"), ("", "b")],
            id="a host that can't be read",
        ),
        pytest.param("a: {b: 1}\n\tc: 2\n&x d\n", "a", [("", "{b: 1}")], id="more of YAML"),
    ],
)
def test_reads_logins(text: str, key: str, expected: list[tuple[str, str]]) -> None:
    blocks = list(read_blocks(text))
    assert [(block.name, block.values[key]) for block in blocks if key in block.values] == expected
    assert "gho_a" not in repr(blocks)


@given(st.text() | st.text(" -:ab\n'\"!#"))
def test_any_text_is_blocks(text: str) -> None:
    assert all(block.values for block in read_blocks(text))
