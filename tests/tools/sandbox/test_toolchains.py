from pathlib import Path
from tempfile import mkdtemp

import pytest
from check_rows import EachRow
from reader_rows import FOLDER, read_rows

from react_agent.tools.sandbox.toolchains import folders, of_python


def _lay_out(top: Path, laid: dict[str, str]) -> None:
    for name, target in laid.items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if target.startswith("-> "):
            path.symlink_to(target.removeprefix("-> ").replace("TOP", str(top)))
        else:
            path.write_text(target.replace("TOP", str(top)))


def test_what_programs_need(tmp_path: Path, each_row: EachRow) -> None:
    def found(laid: dict[str, str], environment: dict[str, str]) -> list[str]:
        top = Path(mkdtemp(dir=tmp_path))
        _lay_out(top, {"home/.profile": "", **laid})
        given = {name: value.replace("TOP", str(top)) for name, value in environment.items()}
        return [str(one.relative_to(top)) for one in folders(given, top / "home")]

    each_row(read_rows(FOLDER / "own/toolchains.txt"), lambda row: row.check({"folders": found}))


@pytest.mark.attack(
    "an environment in the checkout names your folders", by="repository", wall="sandbox"
)
def test_of_a_strangers_environment_only_pythons_are_shown(tmp_path: Path) -> None:
    home = tmp_path / "home"
    laid = {
        "home/python/bin/python3": "",
        "home/private/bin/rails": "",
        "home/papers/letter": "",
        "home/work/.venv/bin/python": "-> TOP/home/python/bin/python3",
        "home/work/.venv/bin/rails": "-> ../../../private/bin/rails",
        "home/work/.venv/pyvenv.cfg": "home = TOP/home/papers\n",
    }
    _lay_out(tmp_path, laid)
    (home / "python/bin/python3").chmod(0o755)
    venv = home / "work/.venv"
    assert {home / "papers", home / "private"} < {*folders({"VIRTUAL_ENV": str(venv)}, home)}
    assert of_python(venv, home) == (home / "python", venv)
