"""A key that a cut would go through: no half of it is shown."""

from pathlib import Path

import pytest
from check_rows import table_of
from planted_keys import MIXED, lot

from react_agent.parsers.secrets.redaction import Redaction
from react_agent.tools.clip import clip_line
from react_agent.tools.shell.background import KEPT, Background
from react_agent.tools.shell.process import ResourceLimits, half_at_end, run

KEY = "ghp" + "_" + lot(MIXED, 36)


def pieces(text: str) -> list[str]:
    """What is there of the key, eight signs at a time."""
    return [KEY[at : at + 8] for at in range(len(KEY) - 8) if KEY[at : at + 8] in text]


@pytest.mark.attack("a key where a long line is cut", by="repository", wall="redaction")
@pytest.mark.parametrize("before", range(0, 120, 7))
def test_a_long_line_is_cut_beside_it(before: int) -> None:
    line = f"{'a b ' * 10}{'x y z ' * before} {KEY} {'c d ' * 300}"
    for around in (0, 60, 500, 900):
        assert pieces(Redaction()(clip_line(line, 400, around))) == []


@pytest.mark.attack("a key where long output is cut", by="command", wall="redaction")
def test_long_output_is_cut_beside_it(tmp_path: Path) -> None:
    text, script = f"first {KEY} last {'.' * 40}", "printf '%s' \"$0\""
    how = {"cwd": tmp_path, "env": {}, "timeout_s": 9}
    shown = [run(["/bin/sh", "-c", script, text], **how, keep_bytes=size) for size in (20, 40, 70)]
    for done in shown:
        assert pieces(done.output.decode()) == []
        assert len(done.output) + done.printed.left_out == len(text)
    whole = run(["/bin/sh", "-c", script, text], **how)
    assert whole.output.decode() == text


@table_of(
    ("data", "expected"),
    [(b"a bcdefghi", 8), (b"a bcdefgh", 0), (b"abc\n", 0), (b"x" * 3000, 0), (b"", 0)],
)
def test_half_a_word(data: bytes, expected: int) -> None:
    assert half_at_end(data) == expected


@pytest.mark.attack("a key printed in two pieces in the background", by="command", wall="redaction")
@pytest.mark.parametrize("before", [6, KEPT // 2 - 9])
def test_news_waits_for_the_rest_of_a_word(tmp_path: Path, before: int) -> None:
    half = f"printf '%{before}s{KEY[:20]}' 'first '"
    script = f"{half}; read x < gate; printf '{KEY[20:]} last\\n'; read x < gate"
    background = Background(patience_s=0.2)
    try:
        first = background.start(
            "script",
            ["sh", "-c", f"mkfifo gate; {script}"],
            cwd=tmp_path,
            env={"PATH": "/usr/bin:/bin"},
            limits=ResourceLimits(),
        )
        seen = first.printed.head
        assert pieces(seen.decode()) == []
        with (tmp_path / "gate").open("w") as gate:
            gate.write("go\n")
        while b"last" not in seen:
            seen += b"".join(news.printed.head for news in background.news())
        assert seen.decode().lstrip() == f"first {KEY} last\n"
    finally:
        background.close()
