"""Read-only commands that a tool of ours answers, and those that have to be run as written."""

import json

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.shell.lookups import lookup
from react_agent.parsers.values.searches import searches

# line => tool | its input (\n is the end of a line); with no tool, the line has to be run.
ROWS = r"""
cat "src/my file.py" => read_file | src/my file.py
cat -n src/x.py => read_file | src/x.py
cat src/x.py # the parser => read_file | src/x.py
cat src/x.py 2>/dev/null => read_file | src/x.py
cat src/x.py | head => read_file | src/x.py:1-10
cat a b c d e f g h i =>
cat a b | head =>
cat =>
cat -A x =>
cat src/*.py =>
cat $HOME/.bashrc =>
cat 'x:1-2' =>
cat src/x.py > y.py =>
cat src/x.py | tail -5 =>
cat src/x.py | grep foo =>
cat 'src/x.py =>
less -N src/x.py => read_file | src/x.py
head src/x.py => read_file | src/x.py:1-10
head -20 src/x.py => read_file | src/x.py:1-20
head -n 123 x20 => read_file | x20:1-123
head --lines=20 x y => read_file | x:1-20\ny:1-20
head -n 0 src/x.py =>
head -n 5 -n 6 x =>
tail -n +30 x | head -5 =>
tail -5 src/x.py =>
sed -n '7p' src/x.py => read_file | src/x.py:7-7
sed -n '10,$p' src/x.py => read_file | src/x.py:10
sed -n 20,10p src/x.py =>
sed -n '1,5p;9p' src/x.py =>
sed -n 1,5p x y =>
sed 1,5p x =>
ls => list_files |
ls -lah --almost-all src/ => list_files | src/
dir src => list_files | src
ls -t =>
find src -type f -name x.py => list_files | src/**/x.py
find ./src/ -name x.py -print => list_files | ./src/**/x.py
find . src -name x.py =>
find . -iname 'readme*' | head => list_files | **/readme*
find . -name a.py -o -name b.py =>
find . -name 'find me' =>
find . -type d -name x =>
find . -name '*.pyc' -delete =>
find . -name '*.py' | xargs grep foo =>
git grep -n foo -- src => grep | {"pattern": "foo", "path": ["src"]}
git log -5 =>
grep -rn foo a b | head => grep | {"pattern": "foo", "path": ["a", "b"]}
grep -rn foo --include='*.py' src => grep | {"pattern": "foo", "path": ["src"], "include": ["*.py"]}
grep -w "it's" x => grep | {"pattern": "it's", "path": ["x"], "whole_word": true}
grep -F 'a[(' x => grep | {"pattern": "a[(", "path": ["x"], "literal": true}
grep -e -x y => grep | {"pattern": "-x", "path": ["y"]}
grep -n 'foo\|bar' x =>
grep -nE 'foo|bar' x => grep | {"pattern": "foo|bar", "path": ["x"]}
grep -n '^def .*[a-z]$' x => grep | {"pattern": "^def .*[a-z]$", "path": ["x"]}
grep '*a' x =>
grep 'a^b' x =>
grep 'a$b' x =>
grep -e a -e b x =>
grep -v foo x =>
grep -A 5 foo x =>
grep '' x =>
grep -rn foo . | grep -v test =>
rg -n 'fn \w+' -g '*.rs' src => grep | {"pattern": "fn \\w+", "path": ["src"], "include": ["*.rs"]}
rg foo => grep | {"pattern": "foo"}
rg -g '!*.py' foo =>
rg --files =>
LC_ALL=C ls => list_files |
(cat x) =>
ls\npwd =>
python x.py =>
"""


def _rows() -> list[object]:
    parts = (line.split(" =>") for line in ROWS.strip().split("\n"))
    return [
        pytest.param(
            line.replace(r"ls\n", "ls\n"), *map(str.strip, f"{call}|".split("|", 1)), id=line
        )
        for line, call in parts
    ]


@table_of(("line", "tool", "text"), _rows())
def test_a_call_of_ours_or_none(line: str, tool: str, text: str) -> None:
    call = lookup(line)
    expected = text.removesuffix("|").rstrip()
    expected = expected if tool == "grep" else expected.replace(r"\n", "\n")
    assert ((call.tool, call.input) if call else ("", "")) == (tool, expected)


@table_of(
    ("line", "text"),
    [
        pytest.param("cat x", "sub/x", id="a file"),
        pytest.param("cat ../x | head -3", "x:1-3", id="a file above it"),
        pytest.param("ls", "sub", id="the folder itself"),
        pytest.param("ls ..", "", id="the root"),
        pytest.param("find . -name x", "sub/**/x", id="below it"),
        pytest.param("grep foo", '{"pattern": "foo", "path": ["sub"]}', id="what it holds"),
    ],
)
def test_looks_where_commands_run(line: str, text: str) -> None:
    call = lookup(line, "sub")
    assert call is not None
    assert call.input == text


@table_of(
    ("line", "said"),
    [
        pytest.param("cat x y", "read as read_file x, y", id="files"),
        pytest.param("ls", "read as list_files", id="the root"),
        pytest.param("grep -n a b", "read as grep a", id="a pattern"),
        pytest.param(f"cat {'x' * 250}", f"read as read_file {'x' * 197}...", id="a long path"),
    ],
)
def test_says_what_it_was_read_as(line: str, said: str) -> None:
    call = lookup(line)
    assert call is not None
    assert call.said == said


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
