"""Calls as models write them, in the words of a shell: what they become, or that they run whole."""

from collections.abc import Callable

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.call import Call
from react_agent.parsers.search_command import readings
from react_agent.parsers.search_request import SearchRequest
from react_agent.parsers.shell_calls import call_of_line
from react_agent.parsers.written_call import written_call, written_line

Calls = Callable[[Callable[[str], object], str], int]

# name | input | tool | its input; \n is the end of a line, a "-" as tool: it has to run whole.
ROWS = r"""
cat | src/x.py | read_file | src/x.py
cat | cat src/x.py | read_file | src/x.py
cat | ./src/x.py | read_file | ./src/x.py
cat | "src/my file.py" | read_file | src/my file.py
cat | "cat src/x.py" | read_file | src/x.py
cat | src/x.py \| head -20 | read_file | src/x.py:1-20
cat | src/x.py src/y.py | read_file | src/x.py\nsrc/y.py
cat | -n src/x.py | read_file | src/x.py
cat | src/x.py 10 20 | read_file | src/x.py 10 20
cat | src/x.py:10-20 | read_file | src/x.py:10-20
cat | src/x.py lines 10-20 | read_file | src/x.py lines 10-20
cat | src/x.py # the parser | read_file | src/x.py
cat | {"path": "src/x.py"} | read_file | {"path": "src/x.py"}
cat | path: src/x.py | read_file | path: src/x.py
cat | ```\nsrc/x.py\n``` | read_file | src/x.py
cat | src/x.py\nsrc/y.py:1-9 | read_file | src/x.py\nsrc/y.py:1-9
cat | src/x.py\nwc -l src/x.py | - |
cat | src/*.py | - |
cat | $HOME/.bashrc | - |
cat | ~/.bashrc | - |
cat | src/x.py > /tmp/y | - |
cat | src/x.py \| wc -l | - |
cat | src/x.py \| grep foo | grep | foo\npath: src/x.py
cat | <<EOF > x.py\nprint(1)\nEOF | - |
cat | -A src/x.py | - |
cat | | - |
less | src/x.py | read_file | src/x.py
more | src/x.py | read_file | src/x.py
bat | -r 10:20 src/x.py | read_file | src/x.py:10-20
bat | -r 10 x | - |
bat | --plain --line-range=10: src/x.py | read_file | src/x.py:10
nl | -ba src/x.py | read_file | src/x.py
head | src/x.py | read_file | src/x.py:1-10
head | -n 20 src/x.py | read_file | src/x.py:1-20
head | -n20 src/x.py | read_file | src/x.py:1-20
head | -20 src/x.py | read_file | src/x.py:1-20
head | --lines=5 a b | read_file | a:1-5\nb:1-5
head | -c 100 src/x.py | - |
head | -n -5 src/x.py | - |
head | {"file": "src/x.py", "lines": 20} | read_file | src/x.py:1-20
head | {"path": "src/x.py"} | read_file | src/x.py:1-10
head | file: src/x.py\nlines: 5 | read_file | src/x.py:1-5
tail | {"file": "src/x.py", "n": "+30"} | read_file | src/x.py:30
sed | {"args": ["-n", "5,9p", "src/x.py"]} | read_file | src/x.py:5-9
tail | -n +30 src/x.py | read_file | src/x.py:30
tail | -5 src/x.py | - |
tail | -n 5 src/x.py | - |
tail | -f log | - |
sed | -n 10,20p src/x.py | read_file | src/x.py:10-20
sed | -n '10,20p' src/x.py | read_file | src/x.py:10-20
sed | -n "5p" src/x.py | read_file | src/x.py:5-5
sed | -n '10,20p;30p' src/x.py | read_file | src/x.py:10-20\nsrc/x.py:30-30
sed | -n '30p;10,20p' src/x.py | read_file | src/x.py:10-20\nsrc/x.py:30-30
sed | -n -e 10,20p -e '30,$p' x | read_file | x:10-20\nx:30
sed | -n '10,+5p' x | read_file | x:10-15
sed | -n '10,20p;20q' x | read_file | x:10-20
sed | -n '10,20{=;p}' x | read_file | x:10-20
sed | 20q x | read_file | x:1-20
sed | -n '10,20p;15q' x | - |
sed | -n '10,20p;15p' x | - |
sed | -n '/def foo/,/^$/p' x | - |
sed | -i 's/a/b/' x | - |
sed | 's/a/b/' x | - |
sed | -n '10,20!p' x | - |
sed | -n 1,5p x y | - |
awk | 'NR>=10 && NR<=20' x | read_file | x:10-20
awk | 'NR==10,NR==20' x | read_file | x:10-20
awk | 'NR>=10 && NR<=20 {print NR": "$0}' x | read_file | x:10-20
awk | 'NR>9 && NR<21 {print}' x | read_file | x:10-20
awk | 'NR==5{print $0}' x | read_file | x:5-5
awk | 'NR<=20' x | read_file | x:1-20
awk | 'NR>=100' x | read_file | x:100
awk | '{print $1}' x | - |
awk | -F: 'NR==1' x | - |
wc | -l src/x.py | - |
ls | | list_files |
ls | . | list_files |
ls | -la | list_files |
ls | ls -la src | list_files | src
ls | -R src/ | list_files | src/
ls | src tests | list_files | src tests
ls | src/*.py | list_files | src/*.py
ls | -la src \| head -50 | list_files | src
ls | -lt \| head | - |
ls | -d */ | - |
ls | src 2>/dev/null | list_files | src
ls | path: src | list_files | path: src
ls | {"path": "src"} | list_files | {"path": "src"}
dir | src | list_files | src
tree | -L 2 src | list_files | src
tree | -a -I '__pycache__\|.git' | list_files |
tree | -P '*.py' | - |
find | . -name '*.py' | find_file | *.py
find | src -type f -name x.py | find_file | x.py\npath: src
find | . -iname 'readme*' \| head | find_file | readme*
find | find . -name x.py -print | find_file | x.py
find | ./src ./tests -name conftest.py | find_file | conftest.py\npath: ./src\npath: ./tests
find | . -name a.py -o -name b.py | find_file | a.py\nb.py
find | . -type f \( -name '*.c' -o -name '*.h' \) \| sort | find_file | *.c\n*.h
find | . -name '*.py' -not -path '*/node_modules/*' | find_file | *.py
find | . -name '*.py' ! -path './.git/*' | find_file | *.py
find | . -name '*.py' -not -path '*/tests/*' | - |
find | . -path '*/tests/*' -name x.py | - |
find | . -name '*.pyc' -delete | - |
find | . -name '*.py' -exec grep -l foo {} + | - |
find | . -name '*.py' -o -type d | - |
find | . -maxdepth 2 -name x.py | - |
find | . -maxdepth 2 -type f | list_files |
find | src -type f | list_files | src
find | . -type d | - |
find | . -name '*.py' \| xargs grep foo | - |
find | . -mtime -1 | - |
find | x.py | find_file | x.py
fd | -e py | find_file | *.py
fd | conftest src -t f | find_file | conftest\npath: src
grep | -rn foo src \| head -20 | grep | foo\npath: src
grep | -rn "def foo(" --include="*.py" . | grep | def foo\(\npath: *.py
grep | -n "foo\\|bar" x.py | grep | foo|bar\npath: x.py
grep | -nE "foo\|bar" x.py | grep | foo|bar\npath: x.py
grep | -ri "parse date" . | grep | -i -e 'parse date'
grep | -rnw "it's" src | grep | -w -e 'it's'\npath: src
grep | -rF "a[0]" . | grep | -F -e 'a[0]'
grep | -rn -e foo -e 'b.r' src | grep | foo|b.r\npath: src
grep | -rn -- '->next' src | grep | ->next\npath: src
grep | -rn foo --include=*.{py,txt} . | - |
grep | -rn foo src --exclude-dir=node_modules | grep | foo\npath: src
grep | -rn foo src --exclude-dir=tests | - |
grep | -rl foo src | grep | foo\npath: src
grep | -rc foo src | - |
grep | -v foo x.py | - |
grep | -n -A 5 foo x.py | - |
grep | -rn foo . \| grep -v test | - |
grep | -rn foo . \| wc -l | - |
grep | -rn $PATTERN . | - |
grep | class Foo( | grep | class Foo(
grep | def parse_date | grep | def parse_date
egrep | -rn 'a+b' src | grep | a+b\npath: src
rg | foo -t py | grep | foo\npath: *.py
rg | -n 'fn \w+' -g '*.rs' src | grep | fn \w+\npath: src/**/*.rs
rg | -n foo src/ | grep | foo\npath: src/
rg | def parse_date | grep | def parse_date
rg | --files -g '*.py' | list_files | *.py
rg | rg -i foo | grep | -i -e 'foo'
rg | {"pattern": "foo", "path": "src"} | grep | {"pattern": "foo", "path": "src"}
ag | -Q 'a(b' | grep | -iF -e 'a(b'
ag | ag Foo src | grep | Foo\npath: src
git_grep | -n foo -- src | grep | foo\npath: src
git | grep -n foo -- '*.py' | grep | foo\npath: *.py
git | ls-files '*.py' | list_files | *.py
git | ls-files \| head -100 | list_files |
git | ls-files -z | - |
git | log --oneline -5 -- src/x.py | - |
git | show HEAD:src/x.py | - |
git | blame -L 10,20 src/x.py | - |
git | status | - |
git | diff | - |
git_log | -3 src/x.py | - |
bash | cat src/x.py | read_file | src/x.py
bash | $ cat src/x.py | read_file | src/x.py
bash | "cat src/x.py" | read_file | src/x.py
bash | {"command": "cat src/x.py"} | read_file | src/x.py
bash | {"command": ["bash", "-lc", "sed -n 1,5p x"]} | read_file | x:1-5
bash | {"command": ["cat", "my file"]} | read_file | my file
bash | command: ls -la src | list_files | src
bash | ```bash\nls -la\n``` | list_files |
bash | cat src/x.py \| tail -n +10 \| head -5 | read_file | src/x.py:10-14
bash | head -50 x \| tail -n +40 | read_file | x:40-50
bash | head -50 x \| tail -10 | - |
bash | nl -ba src/x.py \| sed -n 1,40p | read_file | src/x.py:1-40
bash | cat -n x \| sed -n '10,20p' | read_file | x:10-20
bash | cat x \| less | read_file | x
bash | cat x y \| head | - |
bash | cat x 2>/dev/null | read_file | x
bash | cat x 2>&1 \| head -5 | read_file | x:1-5
bash | cat x \|\| echo no | read_file | x
bash | cat x \|\| cat y | - |
bash | cat x && pytest | - |
bash | cat x; echo ---; cat y | read_file | x\ny
bash | sed -n 1,5p x && sed -n 9p y | read_file | x:1-5\ny:9-9
bash | ls && cat x | - |
bash | pwd && ls | - |
bash | cd src && cat x.py | read_file | src/x.py
bash | cd src/a/.. && cat ../x.py | read_file | x.py
bash | cd src; ls | list_files | src
bash | cd src && grep -n foo *.py \| head | grep | foo\npath: src/*.py
bash | cd src && grep -rn foo . | grep | foo\npath: src
bash | cd src && grep -rn foo | grep | foo\npath: src
bash | cd src && find . -name x | find_file | x\npath: src
bash | cd src && pytest | - |
bash | cd $DIR && ls | - |
bash | cd - && ls | - |
bash | cd src | - |
bash | git -C sub ls-files x.py | list_files | sub/x.py
bash | cat x & | - |
bash | LC_ALL=C ls | - |
bash | cat $(git ls-files) | - |
bash | for f in a b; do cat $f; done | - |
bash | (cat x) | - |
bash | cat 'x | - |
bash | cat -- -x | read_file | -x
bash | cat - | - |
bash | python x.py | - |
bash | {"command": | - |
bash | | - |
ls | */ | - |
ls | src "my dir" | - |
rg | --files -g '!*.py' | - |
rg | --files --sort path | - |
rg | --files a b | - |
rg | -nF -e a -e b | - |
find | -name '' | - |
find | . src -name x.py | find_file | x.py
find | . -o -type f | - |
fd | -t d src | - |
fd | '^x.*y$' . -H | - |
fd | -H -I | - |
git | show HEAD:x.py -- y.py | - |
bash | cat x \| grep -n foo y | - |
bash | sed -n 5p x \| grep foo | - |
bash | cat x y \| cat | read_file | x\ny
cat | {"command": "cat x \| head -3"} | read_file | x:1-3
execute_bash | cat x | read_file | x
run | cat x | read_file | x
"""


def _rows() -> list[object]:
    rows = []
    for line in ROWS.strip().split("\n"):
        kept = line.replace(r"\|", "\0")
        name, text, tool, given = (part.strip() for part in f"{kept} ".split(" |", 3))
        parts = (name, _text(text), tool, _text(given))
        rows.append(pytest.param(*parts, id=f"{name} {_text(text)}".replace("\n", "/")))
    return rows


def _text(text: str) -> str:
    return text.replace(r"\\", "\1").replace(r"\n", "\n").replace("\0", "|").replace("\1", "\\")


@table_of(("name", "text", "tool", "given"), _rows())
def test_becomes_a_call_of_ours_or_runs_whole(name: str, text: str, tool: str, given: str) -> None:
    call = written_call(name, text)
    assert ((call.tool, call.input) if call else ("-", "")) == (tool, given)


@table_of(
    ("name", "text", "said"),
    [
        pytest.param("cat", "x | head -5", "read as read_file x:1-5", id="lines"),
        pytest.param("bash", "cat x", "read as read_file x", id="a program"),
        pytest.param("cat", "x", "", id="as it was written"),
        pytest.param("ls", "", "", id="nothing"),
        pytest.param("bash", "ls | head -5", "read as list_files; without head -5", id="head"),
        pytest.param("tree", "-L 2 a", "read as list_files a; without -L 2", id="a depth"),
        pytest.param(
            "bash",
            "grep -rl --exclude-dir=.git foo a | head",
            "read as grep foo, path: a; without -l, --exclude-dir, head",
            id="options",
        ),
        pytest.param("cat", "x" * 250, "", id="long, and as it was written"),
        pytest.param(
            "bash", f"cat {'x' * 250}", f"read as read_file {'x' * 197}...", id="a long path"
        ),
    ],
)
def test_says_what_it_was_read_as(name: str, text: str, said: str) -> None:
    call = written_call(name, text)
    assert call is not None
    assert call.said == said


@table_of(
    ("name", "text", "line"),
    [
        pytest.param("cat", "x | wc -l", "cat x | wc -l", id="arguments"),
        pytest.param("cat", "cat x | wc -l", "cat x | wc -l", id="a whole line"),
        pytest.param("cat", '"my file" -A', 'cat "my file" -A', id="quotes of an argument"),
        pytest.param("bash", '"pytest -q"', "pytest -q", id="quotes of a line"),
        pytest.param("bash", "$ pytest -q", "pytest -q", id="a prompt"),
        pytest.param("bash", "$HOME/x -q", "$HOME/x -q", id="no prompt"),
        pytest.param("bash", '{"command": ["a", "b c"]}', "a 'b c'", id="words"),
        pytest.param("bash", "```sh\ncd a\nmake\n```", "cd a\nmake", id="a fence"),
        pytest.param("git_log", "--all", "git log --all", id="a command of git"),
        pytest.param("git_log", '{"path": "a", "n": 3}', "git log -n 3 a", id="its parts"),
        pytest.param("git_show", "HEAD:a b", "git show HEAD:a b", id="an old file"),
        pytest.param("blame", "a/b.py:3-9", "git blame -L 3,9 -- a/b.py", id="blamed lines"),
        pytest.param("git_blame", "a/b.py", "git blame a/b.py", id="a blamed file"),
        pytest.param("ls", "", "ls", id="nothing"),
        pytest.param("tail", '{"file": "a b", "lines": 5}', "tail -n 5 'a b'", id="named parts"),
        pytest.param("wc", '{"path": "a", "args": "-l"}', "wc -l a", id="arguments"),
        pytest.param("wc", '{"path": "a", "by": 3}', 'wc {"path": "a", "by": 3}', id="another"),
    ],
)
def test_the_line_that_is_run_whole(name: str, text: str, line: str) -> None:
    assert written_line(name, text) == line


def test_asks_which_word_is_a_path() -> None:
    assert written_call("rg", "foo src", {"src"}.__contains__) == Call(
        "grep", "foo\npath: src", "read as grep foo, path: src"
    )
    assert written_call("rg", "foo src") == Call("grep", "foo src")


def test_a_pattern_that_can_not_be_written_runs_in_a_shell() -> None:
    assert call_of_line(r"""rg -e "'x' \\\" 'y" src""") is None


PIECES = [
    *("cat ", "grep ", "find ", "sed -n ", "awk ", "ls ", "git ", "log ", "-n ", "-e ", "cd "),
    *("5p", "'", '"', "|", "&&", ";", "\\", "\n", "$", "(", ")", "-name ", "-o ", "-rn ", "x "),
    *("head -3", "NR==", "1,", "{", "}", "--", " ", "[", "*", "tail -n +2 ", "rg ", "\x00"),
]  # fmt: skip
texts = st.text() | st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


@given(st.sampled_from(["bash", "cat", "rg", "find", "sed", "git", "git_log", "ls"]), texts)
def test_any_input_is_a_call_or_none(name: str, text: str) -> None:
    call = written_call(name, text)
    assert call is None or call.tool
    assert isinstance(written_line(name, text), str)


@given(st.text(st.sampled_from("ab('\"\\|.*+ -[]{}^$/:")), st.sampled_from(["", "-i ", "-w "]))
def test_a_translated_search_is_read_back_as_it_was_meant(pattern: str, option: str) -> None:
    quoted = "'{}'".format(pattern.replace("'", "'\\''"))
    call = call_of_line(f"rg {option}-e {quoted} src")
    if call:
        read = readings(call.input, lambda word: False)
        assert isinstance(read, tuple)
        assert isinstance(read[0], SearchRequest)
        assert (read[0].pattern, read[0].globs) == (pattern, ("src",))


@pytest.mark.parametrize("piece", [*PIECES, "cat x; ", "cat x | ", "-name a -o ", "1p;"])
def test_time_grows_with_the_text(calls: Calls, piece: str) -> None:
    call_of_line("find . " + piece * 80)  # patterns are compiled when they are first needed
    short, long = (calls(call_of_line, "find . " + piece * size) for size in (40, 80))
    assert long <= 2.2 * short + 200
