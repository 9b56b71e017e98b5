"""How a patch gets into a work tree, and the tests of the set over it."""

import base64
import hashlib
import zlib
from collections.abc import Callable
from dataclasses import replace

import pytest
from check_rows import table_of
from graded_shop import FIXED, SHOP, TOTAL, UNIT, Shop

from react_agent.eval.environment import Fresh
from react_agent.eval.grading.applied import apply
from react_agent.eval.task import Fault, Instance, Kind, Verdict

TESTS = UNIT + TOTAL
REFUSED = "it does not apply: patch failed: shop.py:1"


def _apply(fresh: Fresh, patch: str, test_patch: str) -> Fault | list[str]:
    return apply(fresh, Instance("i", "o/r", "b", "p", test_patch=test_patch), patch)


def _held(fresh: Fresh) -> dict[str, str]:
    root = fresh.workspace.root
    files = (path for path in root.rglob("*") if path.is_file() or path.is_symlink())
    names = {path.relative_to(root).as_posix(): path for path in files}
    return {
        name: f"-> {path.readlink()}" if path.is_symlink() else path.read_text()
        for name, path in names.items()
        if not name.startswith(".git/")
    }


def _after(**files: str) -> dict[str, str]:
    return {"README": "a shop\n", "shop.py": FIXED, "tests/test_shop.py": TESTS, **files}


def test_git_applies_it_without_a_last_newline_too(shop: Shop, fresh: Fresh) -> None:
    assert _apply(fresh, shop.instance.patch.removesuffix("\n"), shop.instance.test_patch) == []
    assert _held(fresh) == _after()


def test_git_merges_what_was_made_on_an_earlier_commit(
    shop: Shop, clone: Callable[[], Fresh]
) -> None:
    patch = shop.instance.patch
    shop.save({"shop.py": SHOP.replace("count(prices)", "count(prices, /)")})
    newer = clone()
    assert _apply(newer, patch, "") == []
    assert _held(newer)["shop.py"] == FIXED.replace("count(prices)", "count(prices, /)")


@pytest.mark.needs("patch", "patch")
def test_another_program_is_less_strict_but_may_be_missing(shop: Shop, fresh: Fresh) -> None:
    patch = shop.patch({"shop.py": FIXED, "conftest.py": "x\n"})
    patch = patch.replace(" def count", " def number")
    environment = {**fresh.context.environment, "PATH": "/nonexistent"}
    without = replace(fresh, context=replace(fresh.context, environment=environment))
    fault = Fault(Verdict.PATCH_FAILED, Kind.PATCH_REFUSED, REFUSED)
    assert _apply(without, patch, shop.instance.test_patch) == fault
    assert _apply(fresh, patch, shop.instance.test_patch) == ["conftest.py"]
    assert _held(fresh) == _after()


@table_of(
    "lines",
    {
        "no patch": ("not a patch",),
        "outside": ("--- a/../out", "+++ b/../out", "@@ -0,0 +1 @@", "+x"),
        "git's own": ("--- a/.git/out", "+++ b/.git/out", "@@ -0,0 +1 @@", "+x"),
        "hidden": (r'--- "a/\056git/out"', r'+++ "b/\056git/out"', "@@ -0,0 +1 @@", "+x"),
    },
)
def test_nothing_is_changed_by_what_does_not_apply(
    shop: Shop, fresh: Fresh, lines: tuple[str, ...]
) -> None:
    before = _held(fresh)
    fault = _apply(fresh, "\n".join(lines), shop.instance.test_patch)
    assert isinstance(fault, Fault)
    assert (fault.verdict, _held(fresh)) == (Verdict.PATCH_FAILED, before)
    for folder in ("..", ".git"):
        assert not (fresh.workspace.root / folder / "out").exists()


def test_a_link_does_not_lead_the_tests_astray(shop: Shop, fresh: Fresh) -> None:
    test_patch = shop.instance.test_patch
    (shop.root / "tests" / "test_shop.py").unlink()
    (shop.root / "tests").rmdir()
    (shop.root / "tests").symlink_to("..")
    assert _apply(fresh, shop.patch({"shop.py": FIXED}), test_patch) == []
    assert _held(fresh) == _after()


def test_a_test_that_was_moved(shop: Shop, fresh: Fresh) -> None:
    moved = shop.patch({"tests/test_shop.py": None, "tests/test_sale.py": UNIT})
    patch = shop.patch({"shop.py": FIXED, "tests/test_shop.py": "of the model\n"})
    assert _apply(fresh, patch, moved) == []
    assert _held(fresh) == {"README": "a shop\n", "shop.py": FIXED, "tests/test_sale.py": UNIT}


@pytest.mark.parametrize("name", ["tests/test_shop.py", "tests/test_new.py"])
@pytest.mark.parametrize("marks", ["-+@ ", "-+@ din"], ids=["of diff -u", "of git"])
def test_a_test_patch_takes_the_place_of_what_a_model_made(
    shop: Shop, fresh: Fresh, name: str, marks: str
) -> None:
    git_s = shop.patch({name: TESTS})
    plain = "".join(line for line in git_s.splitlines(keepends=True) if line[0] in marks)
    assert _apply(fresh, shop.patch({"shop.py": FIXED, name: "of the model\n"}), plain) == []
    assert _held(fresh) == _after(**{"tests/test_shop.py": UNIT, name: TESTS})


def test_a_patch_can_stand_in_the_way_of_the_tests(shop: Shop, fresh: Fresh) -> None:
    new = shop.patch({"checks/test_new.py": "new\n"})
    fault = _apply(fresh, shop.patch({"checks": "a file\n"}), new)
    assert isinstance(fault, Fault)
    assert (fault.verdict, fault.kind) == (Verdict.PATCH_FAILED, Kind.PATCH_REFUSED)
    assert fault.text.startswith("it conflicts with the set's tests: ")


@pytest.mark.attack(
    "a patch whose binary files are a thousand times as large", by="model", wall="patches"
)
@pytest.mark.parametrize("size", [3_000, 300_000_000])
def test_a_binary_file_that_grows(fresh: Fresh, size: int) -> None:
    data = b"\0" * min(size, 3_000)  # more is not looked at
    name = hashlib.sha1(b"blob %d\0" % size + data, usedforsecurity=False).hexdigest()
    patch = f"diff --git a/b b/b\nnew file mode 100644\nindex {'0' * 40}..{name}\n"
    packed = zlib.compress(data, 9)
    lines = (packed[start : start + 52] for start in range(0, len(packed), 52))
    patch += f"GIT binary patch\nliteral {size}\n" + "".join(map(_line, lines)) + "\n"
    told = (
        "it does not apply: its binary files are of 300,000,000 bytes, and 256,000,000 are allowed"
    )
    refused = Fault(Verdict.PATCH_FAILED, Kind.PATCH_REFUSED, told)
    assert _apply(fresh, patch, "") == (refused if size > 3_000 else [])


def _line(part: bytes) -> str:
    """As git writes it: a letter for how many bytes, and base 85."""
    size = len(part)
    padded = base64.b85encode(part + b"\0" * (-size % 4)).decode()
    return f"{chr(size + 64 if size <= 26 else size + 70)}{padded}\n"
