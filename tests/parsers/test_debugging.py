import pytest
from check_rows import table_of

from react_agent.parsers.text.debugging import is_debugging, prints, prints_a_name


@table_of(
    ("path", "line"),
    [
        pytest.param("a.py", "    breakpoint()", id="breakpoint"),
        pytest.param("a.py", "import pdb; pdb.set_trace()", id="pdb"),
        pytest.param("a.py", "    ipdb.set_trace()", id="ipdb"),
        pytest.param("a.py", 'print("DEBUG:", x)', id="debug"),
        pytest.param("a.py", 'print(f"debug {x}")', id="debug and a value"),
        pytest.param("a.py", "print('here')", id="here"),
        pytest.param("a.py", "print('got here 2')", id="got here"),
        pytest.param("a.py", "print('XXX', x)", id="xxx"),
        pytest.param("a.py", "print('!!!', x)", id="exclamation"),
        pytest.param("a.py", "print('>>>> x', x)", id="loud"),
        pytest.param("a.js", "debugger;", id="debugger"),
        pytest.param("a.ts", "  console.log('here', x);", id="console"),
        pytest.param("a.rs", "let x = dbg!(y);", id="dbg"),
        pytest.param("a.rb", "binding.pry", id="pry"),
        pytest.param("a.go", 'fmt.Println("DEBUG: x", x)', id="go"),
        pytest.param("a.c", 'fprintf(stderr, "here\\n");', id="c"),
        pytest.param("a.py", "x = 1  # TODO: remove", id="to be removed"),
        pytest.param("a.js", "// FIXME remove this again", id="to be removed, js"),
        pytest.param("a.py", "x = 1  # remove before commit", id="before commit"),
    ],
)
def test_is_debugging(path: str, line: str) -> None:
    assert is_debugging(path, line)


@table_of(
    ("path", "line"),
    [
        pytest.param("cli.py", "print(f'{done} of {all} done')", id="a program that prints"),
        pytest.param("cli.py", "print('here is your report')", id="here is"),
        pytest.param("cli.py", "print('Debug mode is on')", id="debug mode"),
        pytest.param("cli.py", "print('----')", id="a rule"),
        pytest.param("cli.py", "print(value)", id="a name: the caller decides"),
        pytest.param("a.py", "self.breakpoint()", id="a method"),
        pytest.param("a.py", "set_breakpoint()", id="another function"),
        pytest.param("a.py", "logger.debug('here')", id="a log"),
        pytest.param("a.py", "DEBUG = False", id="a setting"),
        pytest.param("a.py", "import pdbtools", id="another module"),
        pytest.param("a.js", "const debuggers = 1", id="a word"),
        pytest.param("a.py", "debugger;", id="of another language"),
        pytest.param("a.py", "# TODO: remove the limit", id="to do"),
        pytest.param("a.py", "# TODO: handle errors", id="to do, no removal"),
        pytest.param("a.py", "text = '# remove'", id="a text"),
        pytest.param("a.md", "print('here')", id="no code"),
    ],
)
def test_is_no_debugging(path: str, line: str) -> None:
    assert not is_debugging(path, line)


@table_of(
    ("path", "line", "expected"),
    [
        pytest.param("a.py", "    print(x)", True, id="name"),
        pytest.param("a.py", "print(self.rows[0], y)", True, id="two"),
        pytest.param("a.py", 'print(f"{x=}")', True, id="formatted"),
        pytest.param("a.py", "print('x:', x)", True, id="with its name"),
        pytest.param("a.ts", "console.log(x);", True, id="js"),
        pytest.param("a.rb", "p x", True, id="ruby"),
        pytest.param("a.py", "print()", False, id="nothing"),
        pytest.param("a.py", "print('done')", False, id="a message"),
        pytest.param("a.py", "print(f'{x} rows were read')", False, id="a sentence"),
        pytest.param("a.py", "print(render(x))", False, id="a call"),
        pytest.param("a.py", "print(x, file=out)", False, id="to a file"),
        pytest.param("a.py", "pprint(x)", False, id="another function"),
    ],
)
def test_prints_a_bare_name(path: str, line: str, expected: bool) -> None:
    assert prints_a_name(path, line) is expected
    assert prints(path, line) is (expected or line.strip().startswith("print("))
