"""A file with a key, edited by a model that is not shown the key."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.secrets.redaction import MARK, Redaction
from react_agent.tools.context import Context
from react_agent.tools.edits.apply_patch import APPLY_PATCH, REPLACE, WRITE_FILE, restored
from react_agent.tools.observation import Status
from react_agent.tools.registry import Tool, build
from react_agent.tools.shell.run import RUN

ONE, TWO = "ghp" + "_mQ7wT4hZr2LkX9vBn3CsY6dJf8GpA1eUoNiR", "value-that-4-only-we-know"
SHOWN = "[redacted: GitHub token]"
BEFORE = f'import os\n\nTOKEN = "{ONE}"\nLIMIT = 5\nOTHER = "{TWO}"\n\n\ndef run():\n    pass\n'


@pytest.fixture
def context(planted: Callable[..., Path]) -> Context:
    root = planted({"conf.py": BEFORE.encode()}, added=False)
    return Context(root, redact=Redaction((TWO,)))


def now(context: Context) -> str:
    return (context.root / "conf.py").read_text()


@pytest.mark.parametrize(
    ("tool", "edit", "old", "new"),
    [
        pytest.param(
            REPLACE,
            f'conf.py\n<<<<<<< SEARCH\nTOKEN = "{SHOWN}"\nLIMIT = 5\n=======\n'
            f'TOKEN = "{SHOWN}"\nLIMIT = 6\n>>>>>>> REPLACE\n',
            *("LIMIT = 5", "LIMIT = 6"),
            id="around a change",
        ),
        pytest.param(
            APPLY_PATCH,
            "--- a/conf.py\n+++ b/conf.py\n@@ -2,5 +2,5 @@\n \n"
            f' TOKEN = "{SHOWN}"\n-LIMIT = 5\n+LIMIT = 6\n'
            ' OTHER = "[redacted: secret variable]"\n \n',
            *("LIMIT = 5", "LIMIT = 6"),
            id="around a change of a patch",
        ),
        pytest.param(
            REPLACE,
            f'conf.py\n<<<<<<< SEARCH\nTOKEN = "{SHOWN}"\n=======\n'
            'TOKEN = os.environ["TOKEN"]\n>>>>>>> REPLACE\n',
            *(f'"{ONE}"', 'os.environ["TOKEN"]'),
            id="taken out",
        ),
    ],
)
def test_the_line_of_a_key_may_be_quoted(
    context: Context, tool: Tool, edit: str, old: str, new: str
) -> None:
    assert tool.call(edit, context).status is Status.OK
    assert now(context) == BEFORE.replace(old, new)


@pytest.mark.attack(
    "an edit that writes over a key what a model sees of it: {id}", by="model", wall="redaction"
)
@pytest.mark.parametrize(
    ("tool", "edit", "line"),
    [
        pytest.param(
            REPLACE,
            f'conf.py\n<<<<<<< SEARCH\nTOKEN = "{SHOWN}"\n=======\n'
            f'KEY = "{SHOWN}"\n>>>>>>> REPLACE\n',
            3,
            id="in the same line",
        ),
        pytest.param(
            REPLACE,
            f'conf.py\n<<<<<<< SEARCH\nLIMIT = 5\n=======\nLIMIT = 5\nMORE = "{SHOWN}"\n'
            ">>>>>>> REPLACE\n",
            5,
            id="in a new line",
        ),
        pytest.param(
            APPLY_PATCH,
            f'*** Begin Patch\n*** Delete File: conf.py\n*** Add File: b.py\n+A = "{SHOWN}"\n'
            "*** End Patch\n",
            1,
            id="in another file",
        ),
        pytest.param(WRITE_FILE, f'b.py\nA = "{SHOWN}"\n', 1, id="in a whole file"),
    ],
)
def test_what_stands_for_a_key_is_never_written(
    context: Context, tool: Tool, edit: str, line: int
) -> None:
    seen = tool.call(edit, context)
    assert (seen.status, now(context)) == (Status.FAILED, BEFORE)
    name = "conf.py" if line > 1 else "b.py"
    assert seen.text == (
        f"{name}:{line} would contain `{SHOWN}`, a placeholder for a secret: keep such a line "
        "unchanged (as context or old text) or remove the whole line; put a new key in the "
        "environment, and only its name in the code; nothing was changed"
    )
    assert not (context.root / "b.py").exists()


@pytest.mark.attack(
    "a command with what a model sees of a key, as `sed` or a here-document writes it",
    by="model",
    wall="redaction",
)
def test_no_command_is_run_with_it(context: Context) -> None:
    registry = build([RUN], {})
    line = f"sed -i 's/LIMIT/{SHOWN}/' conf.py"
    seen = registry.call("run", line, context).observation
    assert (seen.status, now(context)) == (Status.FAILED, BEFORE)
    assert seen.text.startswith(
        f"Nothing was run: the input contains `{SHOWN}`, a placeholder for a secret"
    )
    done = registry.call("run", line.replace(SHOWN, "BOUND"), context).observation
    assert (done.status, "BOUND = 5" in now(context)) == (Status.EMPTY, True)


LINES = st.lists(
    st.sampled_from(["a", "b", f"k = {ONE}", f"k = ghp_{ONE[9:]}zzzzz", f"v {TWO}", f"w {TWO}"]),
    max_size=12,
)


@given(LINES, st.lists(st.integers(0, 12)), st.lists(st.tuples(st.integers(0, 12), st.just("new"))))
def test_a_key_comes_back_as_it_was_or_stays_a_mark(
    lines: list[str], gone: list[int], come: list[tuple[int, str]]
) -> None:
    """Lines deleted and put in: what is written is what doing that to the file itself writes."""
    real = "\n".join(lines)
    shown = Redaction((TWO,))(real)
    assert shown.count("\n") == real.count("\n")

    def changed(text: str) -> str:
        kept = [line for at, line in enumerate(text.split("\n")) if at not in gone]
        for at, line in come:
            kept.insert(at, line)
        return "\n".join(kept)

    made = restored(changed(shown), real, shown)
    if MARK not in made:
        assert made == changed(real)
