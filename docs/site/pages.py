"""Our Markdown, written for forges and readers of the repository, as pages of the site.

Some of it stands beside docs/, where forges look for it. Tables that tests and commands can write
are made here: they are in no file of the repository.
"""

import re
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

_ROOT = Path(__file__).parents[2]
_DOCS = _ROOT / "docs"
_BESIDE = {
    "readme.md": _ROOT / "README.md",
    "changelog.md": _ROOT / "CHANGELOG.md",
    "contributing.md": _ROOT / "CONTRIBUTING.md",
    "scenarios.md": _ROOT / "tests/scenarios/README.md",
    **{f"examples/{path.name}": path for path in sorted((_ROOT / "examples").glob("*.py"))},
}
_URIS = {path: uri for uri, path in _BESIDE.items()}
_LINK = re.compile(r"(?<=\]\()[\w./-]+(?=[)#])")
_ROW = re.compile(r"(?m)^\|.*\|$")
_CODE = re.compile(r"`[^`]*`")
_ATTACKS = "<!-- the attacks, from the tests -->"
_EMPTY_HEAD = re.compile(r"<thead>\s*<tr>\s*(?:<td></td>\s*)+</tr>\s*</thead>\s*")


def on_files(files: Files, config: MkDocsConfig, **_: Any) -> None:
    for uri, path in _BESIDE.items():
        files.append(File.generated(config, uri, content=path.read_text(encoding="utf-8")))
    for uri in ("cli.md", "batteries.md"):
        files.append(File.generated(config, uri, content=_made()[uri]))


@cache
def _made() -> dict[str, str]:
    """The pages and the table that our own programs write."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for program, target in (
            ("batteries/write.py", folder),
            ("docs/cli_page.py", folder / "cli.md"),
        ):
            command = [sys.executable, "-P", _ROOT / "tests" / program, target]
            subprocess.run(command, cwd=_ROOT, check=True, timeout=200)
        return {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.md")}


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """With links that lead to the same page within the site; `a \\| b` in a table is `a | b`."""
    uri = page.file.src_uri
    folder = _BESIDE.get(uri, _DOCS / uri).parent
    if uri == "threat-model.md":
        markdown = markdown.replace(_ATTACKS, _made()["sandboxes.md"])
    linked = _LINK.sub(lambda link: _within(folder, link[0]), markdown)
    return _ROW.sub(lambda row: _CODE.sub(_unescaped, row[0]), linked)


def on_page_content(html: str, **_: Any) -> str:
    """Without names of columns that are none."""
    return _EMPTY_HEAD.sub("", html.replace("<th></th>", "<td></td>"))


def _unescaped(code: re.Match[str]) -> str:
    return code[0].replace("\\|", "|")


def _within(folder: Path, link: str) -> str:
    place = (folder / link).resolve()
    if place in _URIS:
        return _URIS[place]
    return place.relative_to(_DOCS).as_posix() if place.is_relative_to(_DOCS) else link
