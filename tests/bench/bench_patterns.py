"""What a search takes whose pattern explodes: it tries more ways to match than there is time for.

Twenty patterns, on files of 1 MB that make them explode, in each form in which a pattern is given;
and names and globs that do the same. Each call ends within two seconds in all, and a harmless
pattern beside it finds the lines that `git grep` finds. The bar is on the clock, as somebody waits.

bench_patterns.py FORM...    only these forms
"""

import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from beside import git, judge, share

from react_agent.tools.context import Context, Limits
from react_agent.tools.files.grep import GREP
from react_agent.tools.files.list_files import LIST_FILES
from react_agent.tools.registry import Tool

BAR_S = 2.0
ENOUGH = 3  # patterns that are too slow: the others of the form are not tried
MB = 1_000_000
CLASSIC = (
    r"(a+)+$",  # the first four: OWASP's
    r"([a-zA-Z]+)*$",
    r"(a|aa)+$",
    r"^(([a-z])+.)+[A-Z]([a-z])+$",
    r"(.*a){20}b",
    r"(a+a+)+b",  # Friedl's
    r"(a?){40}a{40}b",  # Thompson's
    r"\s+$",  # Stack Overflow's, 2016
    r".*.*=.*;",  # Cloudflare's, 2019
    r"(.*)\1\1=",
)
OWN = (
    r"(\w+\s?)+$",
    r"([a-z]+ *)+;",
    r"^(\S+\s+)*#@",
    r"(a+)(a+)(a+)\1\2\3b",
    r"(x{1,1000}){1,1000}",
    r"((a|ab)(bc|c)?)*d",
    r"(a|a|a)*\1c",
    r"(.|\s)*@",
    r"(?:[a-z]|[a-f])*\d\d",
    r"(a(?1)?a?)+c",
)
NAMES = (
    *("*a" * 20 + "b", "**/a/" * 12 + "b", "[a-z]*" * 12 + "!", "a*" * 40 + "?b", "*" * 60 + "b"),
    *("a" * 200, "(a+)+$", "{a,aa}" * 12 + "b", "?*" * 40 + "b", "a/" * 60 + "b"),
)
HARMLESS = "function_1[0-9]"
FORMS: dict[str, tuple[Tool, str, Sequence[str]]] = {
    "grep": (GREP, "{}", CLASSIC + OWN),
    "grep -P": (GREP, "grep -P '{}'", CLASSIC + OWN),
    "grep -E": (GREP, "grep -E '{}'", CLASSIC + OWN),
    "rg -i": (GREP, "rg -i '{}'", CLASSIC + OWN),
    "grep -w": (GREP, "grep -w '{}'", CLASSIC + OWN),
    "two patterns": (GREP, f"{HARMLESS}\n{{}}", CLASSIC + OWN),
    "path: of a grep": (GREP, f"{HARMLESS}\npath: {{}}", NAMES),
    "list_files": (LIST_FILES, "{}", NAMES),
}


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        _make_files(root)
        found = _found_by_git(root)
        print(f"Patterns that explode, on {MB / 1e6:.0f} MB files")
        missed = [_missed(form, root, found) for form in sys.argv[1:] or FORMS]
    return int(any(missed))


def _make_files(root: Path) -> None:
    lines = {
        "a.txt": "a" * 60 + "!\n",
        "blanks.txt": "x" + " " * 5000 + "x\n",
        "words.txt": "the quick brown fox jumps over the lazy dog and goes home again!\n",
        "code.py": 'def function_12(one, other=None): return "a \\"text\\"" + str(one)  # remark\n',
    }
    for name, line in lines.items():
        (root / name).write_text(line * (MB // len(line)))
    (root / "line.txt").write_text("a" * MB + "!\n")
    (root / "blank.txt").write_text("x" + " " * MB + "x\n")
    (root / ("a" * 250)).write_text("a long name\n")
    deep = root.joinpath(*"a" * 60)
    deep.mkdir(parents=True)
    (deep / "c").write_text("deep down\n")
    git(root, "init", "--quiet")
    git(root, "add", "--all")


def _found_by_git(root: Path) -> str:
    """As the tool says it."""
    lines = git(root, "grep", "-n", "-E", HARMLESS).count(b"\n")
    return f"{lines:,} matching lines in 1 of "


def _missed(form: str, root: Path, found: str) -> bool:
    tool, written, patterns = FORMS[form]
    step = max(1, len(patterns) // share(len(patterns)))
    context = Context(root, Limits())
    taken, slow = list[float](), list[str]()
    for pattern in patterns[::step]:
        began = time.perf_counter()
        seen = tool.call(written.format(pattern), context)
        taken.append(time.perf_counter() - began)
        if form == "two patterns":
            assert found in seen.text, seen.text
        slow += [f"{taken[-1]:5.1f} s  {pattern[:60]}"] if taken[-1] > BAR_S else []
        if len(slow) == ENOUGH:
            break
    print(f"  {form:15}  {len(taken):2} patterns  {sum(taken):6.1f} s")
    print(*(f"    {line}\n" for line in slow), sep="", end="")
    return bool(judge(not slow, f"{max(taken):.1f} s, the bar is {BAR_S:.1f}"))


if __name__ == "__main__":
    sys.exit(main())
