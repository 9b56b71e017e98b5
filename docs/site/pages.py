"""Our Markdown, written for forges and readers of the repository, as pages of the site.

Some of it stands beside docs/, where forges look for it.
"""

import re
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
_EMPTY_HEAD = re.compile(r"<thead>\s*<tr>\s*(?:<td></td>\s*)+</tr>\s*</thead>\s*")


def on_files(files: Files, config: MkDocsConfig, **_: Any) -> None:
    for uri, path in _BESIDE.items():
        files.append(File.generated(config, uri, content=path.read_text(encoding="utf-8")))


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """With links that lead to the same page within the site; `a \\| b` in a table is `a | b`."""
    uri = page.file.src_uri
    folder = _BESIDE.get(uri, _DOCS / uri).parent
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
