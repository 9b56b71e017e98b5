from check_rows import table_of

from react_agent.parsers.testing.repository import PythonProject, read_project

INIT = "thing/__init__.py"


@table_of(
    ("texts", "files", "expected"),
    {
        "setup.cfg": (
            {"setup.cfg": "[metadata]\nname = the-thing\n"},
            ["another/__init__.py", "the_thing/__init__.py", "tests/__init__.py"],
            PythonProject(("the_thing", "another")),
        ),
        "pyproject.toml, src": (
            {"pyproject.toml": '[project]\nname = "thing"\n'},
            [f"src/{INIT}", "src/thing/inner/__init__.py", "other/__init__.py"],
            PythonProject(("thing",), "src"),
        ),
        "one module": ({"setup.cfg": "[metadata]\nname = x\n"}, ["x.py"], PythonProject(("x",))),
        "packages that lie elsewhere": (
            {"setup.cfg": "[options]\npackage_dir =\n  thing = thing\n  thing.more = more\n"},
            [INIT, "more/__init__.py"],
            PythonProject(("more", "thing"), ".", ("thing.more",)),
        ),
        "damaged": ({"setup.cfg": "[", "pyproject.toml": "="}, [INIT], PythonProject(("thing",))),
    },
)
def test_reads_a_project(texts: dict[str, str], files: list[str], expected: PythonProject) -> None:
    assert read_project(texts, files) == expected
