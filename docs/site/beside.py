"""Pages of the site that stand beside docs/ in the repository, where forges look for them."""

import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

_ROOT = Path(__file__).parents[2]
_DOCS = _ROOT / "docs"
_BESIDE = {
    "changelog.md": _ROOT / "CHANGELOG.md",
    "contributing.md": _ROOT / "CONTRIBUTING.md",
    "scenarios.md": _ROOT / "tests/scenarios/README.md",
}
_URIS = {path: uri for uri, path in _BESIDE.items()}
_LINK = re.compile(r"(?<=\]\()[\w./-]+(?=[)#])")


def on_files(files: Files, config: MkDocsConfig, **_: Any) -> None:
    for uri, path in _BESIDE.items():
        files.append(File.generated(config, uri, content=path.read_text(encoding="utf-8")))


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """With links that lead to the same page within the site."""
    uri = page.file.src_uri
    folder = _BESIDE.get(uri, _DOCS / uri).parent
    return _LINK.sub(lambda link: _within(folder, link[0]), markdown)


def _within(folder: Path, link: str) -> str:
    place = (folder / link).resolve()
    if place in _URIS:
        return _URIS[place]
    return place.relative_to(_DOCS).as_posix() if place.is_relative_to(_DOCS) else link
