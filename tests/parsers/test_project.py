import pytest
from check_rows import table_of

from react_agent.parsers.repo.project import PythonProject, entry_points, read_project

INIT = "thing/__init__.py"


@table_of(
    ("texts", "files", "expected"),
    [
        pytest.param({}, [], PythonProject(), id="nothing"),
        pytest.param(
            {
                "setup.cfg": "[metadata]\nname = the-thing\n"
                "[options]\ninstall_requires =\n  a>=1\n  b\n"
            },
            ["another/__init__.py", "the_thing/__init__.py", "tests/__init__.py"],
            PythonProject("the-thing", ("the_thing", "another"), ".", (), ("a", "b")),
            id="setup.cfg",
        ),
        pytest.param(
            {
                "pyproject.toml": '[project]\nname = "thing"\n'
                'dependencies = ["a[x]>=1; python_version < \'3\'", "b-c ~= 2"]\n'
                '[project.optional-dependencies]\ntest = ["d"]\n'
            },
            [f"src/{INIT}", "src/thing/inner/__init__.py", "other/__init__.py"],
            PythonProject("thing", ("thing",), "src", (), ("b-c", "d")),
            id="pyproject.toml, src",
        ),
        pytest.param(
            {"setup.py": "from a import setup\nsetup(name='x', install_requires=['a'], y=z)"},
            ["x.py"],
            PythonProject("x", ("x",), ".", (), ("a",)),
            id="setup.py, one module",
        ),
        pytest.param(
            {"setup.cfg": "[options]\npackage_dir =\n  thing = thing\n  thing.more = more\n"},
            [INIT, "more/__init__.py"],
            PythonProject("", ("more", "thing"), ".", ("thing.more",)),
            id="packages that lie elsewhere",
        ),
        pytest.param(
            {"setup.cfg": "[", "pyproject.toml": "=", "setup.py": "("},
            [INIT],
            PythonProject("", ("thing",)),
            id="damaged",
        ),
    ],
)
def test_reads_a_project(texts: dict[str, str], files: list[str], expected: PythonProject) -> None:
    assert read_project(texts, files) == expected


@table_of(
    ("name", "text", "expected"),
    [
        pytest.param(
            "setup.cfg", "[options.entry_points]\nconsole_scripts =\n  a = b:c\n", ("a = b:c",),
            id="setup.cfg",
        ),
        pytest.param(
            "pyproject.toml", '[project.scripts]\na = "b:c"', ("a = b:c",), id="pyproject"
        ),
        pytest.param(
            "pyproject.toml", '[tool.poetry.scripts]\na = "b:c"', ("a = b:c",), id="poetry"
        ),
        pytest.param(
            "package.json", '{"main": "x.js", "bin": {"a": "b.js"}, "scripts": {"test": "t"}}',
            ("main = x.js", "a = b.js", "npm run test"), id="package.json",
        ),
        pytest.param("package.json", '{"bin": "b.js"}', ("bin = b.js",), id="one bin"),
        pytest.param("package.json", "[]", (), id="no object"),
        pytest.param(
            "Makefile", ".PHONY: all\nCC := gcc\nall: x\n\techo: no\n%.o: c\ntest:\n",
            ("make all | test",), id="Makefile",
        ),
        pytest.param("Makefile", "", (), id="no target"),
        pytest.param("Cargo.toml", '[[bin]]\nname = "a"', ("bin = a",), id="Cargo"),
        pytest.param("Cargo.toml", "bin = 3", (), id="Cargo, no table"),
        pytest.param("setup.cfg", "broken", (), id="broken"),
        pytest.param("README.md", "x", (), id="says nothing"),
    ],
)  # fmt: skip
def test_reads_what_can_be_started(name: str, text: str, expected: tuple[str, ...]) -> None:
    assert entry_points(name, text) == expected
