"""A branch is compared with its base on a clean checkout, and nothing of the repository changes."""

from pathlib import Path

import pytest
from by_hand import plain_git, save, write

from react_agent.tools.git.change import objection, published
from react_agent.tools.git.repository import in_repository


@pytest.fixture
def there(tmp_path: Path) -> Path:
    plain_git(tmp_path, "init", "-q", "-b", "main")
    files = {
        "a.py": "x = 1\n",
        "crlf.txt": "one\r\ntwo\r\nthree\r\n",
        "eol.txt": "one\ntwo\n",
        ".gitattributes": "eol.txt text eol=crlf\n*.bin filter=evil\n",
        "moved.py": "y = 1\n" * 20,
        "ünï cödé.py": "z = 1\n",
        "data.bin": bytes(range(256)) * 10,
    }
    save(tmp_path, files)
    plain_git(tmp_path, "checkout", "-qb", "made")
    write(tmp_path, {"a.py": "x = 2", "eol.txt": b"one\r\n2\r\n"})
    write(tmp_path, {"crlf.txt": b"one\r\n2\r\nthree\r\n", "data.bin": bytes(range(255)) * 11})
    (tmp_path / "moved.py").rename(tmp_path / "deep.py")
    (tmp_path / "ünï cödé.py").unlink()
    (tmp_path / "link").symlink_to("a.py")
    (tmp_path / "a.py").chmod(0o755)
    plain_git(tmp_path, "add", "-A")
    plain_git(tmp_path, "commit", "-qm", "made")
    plain_git(tmp_path, "checkout", "-q", "main")
    plain_git(tmp_path, "config", "diff.context", "0")
    plain_git(tmp_path, "config", "filter.evil.smudge", f"touch {tmp_path}/evil; cat")
    return tmp_path


def test_all_kinds_of_changes_apply(there: Path) -> None:
    base = plain_git(there, "rev-parse", "main").strip()
    before = plain_git(there, "count-objects", "-v"), plain_git(there, "for-each-ref")
    found = published(there, base, "made")
    assert found is not None
    assert found.objection == ""
    assert (plain_git(there, "count-objects", "-v"), plain_git(there, "for-each-ref")) == before
    assert not (there / "evil").exists()
    made = plain_git(there, "rev-parse", "made")
    assert published(there, made, "main") is published(there, base, "nosuch") is None


def test_what_does_not_apply_is_said(there: Path) -> None:
    base, tree = plain_git(there, "rev-parse", "main", "main^{tree}").split()
    found = published(there, base, "made")
    assert found is not None
    with in_repository(there) as git:
        other = objection(git, base, found.patch.replace(b"-x = 1", b"-x = 3"), tree)
        less = objection(git, base, found.patch, tree)
    assert other == (
        "the change does not apply to a clean checkout of its base: patch failed: a.py:1"
    )
    assert less == ("the change, applied to a clean checkout of its base, differs from the branch")
