"""The commands of a page, one after the other in one shell, as a reader would type them."""

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from block_kinds import Kind, kind_of
from code_blocks import Block, Fate
from demo_recording import BUNDLED
from fake_reply import Reply, Request
from shown_commands import bare

from react_agent.parsers.transcript.entries import Said
from react_agent.parsers.transcript.writer import turn_text
from react_agent.state.transcript import read
from react_agent.tools.shell import process

_MARK = "\036"  # behind what each block printed
_NEWEST = 'newest_run() { ls -t "$XDG_STATE_HOME/react-agent/runs" | head -1; }'
_SECONDS = 240
_MOST = 3_000  # characters that are shown of what a block said when it failed


class Failed(Exception):
    """A block did not end well: which, and what it said."""


def said_by_the_demo(request: Request) -> Reply:
    """The first of the demo's replies that is not in the prompt: whoever asks, in whatever form."""
    replies = _replies()
    return Reply(
        next((text for text in replies if _begin(text) not in request.prompt), replies[-1])
    )


def _begin(reply: str) -> str:
    """Its first sentence: what follows may be cut, or written otherwise."""
    return reply.removeprefix("Thought:").strip().partition(".")[0]


def _replies() -> list[str]:
    said = [entry for entry in read(BUNDLED).entries if isinstance(entry, Said)]
    return [turn_text(entry.turn) if entry.raw is None else entry.raw for entry in said]


def is_run(block: Block) -> bool:
    return block.mark is None and kind_of(block) in (Kind.COMMANDS, Kind.PYTHON)


def typed(block: Block, words: Mapping[str, str]) -> str:
    """What a shell is given for it."""
    kind = kind_of(block)
    is_plain = block.language or kind is Kind.PYTHON
    text = block.text if is_plain else "".join(_without_remarks(block.text))
    any_word = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    text = re.sub(rf"(?<![\w/$-])(?:{any_word})(?![\w-])", lambda found: words[found[0]], text)
    if kind is Kind.PYTHON:
        return f"python3 - <<'END-OF-PYTHON'\n{text}END-OF-PYTHON\n"
    return text


def _without_remarks(text: str) -> Iterator[str]:
    goes_on = False
    for line in text.split("\n"):
        if goes_on or not line.startswith(" "):
            yield f"{bare(line)}\n"
            goes_on = line.endswith("\\")


def played(
    blocks: Sequence[Block],
    folder: Path,
    environment: Mapping[str, str],
    words: Mapping[str, str],
    before: str = "",
) -> dict[Block, str]:
    """What each block printed, on both streams. Raises Failed."""
    run = [block for block in blocks if is_run(block)]
    parts = "".join(f"{typed(block, words)}printf '{_MARK}'\n" for block in run)
    script = f"set -e -o pipefail\nexec 2>&1\n{_NEWEST}\n{before}\nprintf '{_MARK}'\n{parts}"
    done = process.run(
        ["bash", "-c", script],
        cwd=folder,
        env={**environment_in(folder), **environment},
        timeout_s=_SECONDS,
        keep_bytes=10**7,
    )
    texts = done.output.decode(errors="replace").split(_MARK)
    if done.code:
        at = run[len(texts) - 2] if len(texts) > 1 else "before the first"
        raise Failed(f"{at}: exit code {done.code}\n{texts[-1][-_MOST:]}")
    return dict(zip(run, texts[1:-1], strict=True))


def environment_in(folder: Path) -> dict[str, str]:
    """Of somebody who stands in a folder of their home, with our command on their path."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    home = {"HOME": str(folder.parent), "PATH": path, "REACT_AGENT_SANDBOX": "none"}
    return {**os.environ, **home, "CI": "", "GITHUB_ACTIONS": ""}  # a reader is no job


def is_printed(shown: str, printed: str) -> bool:
    """`...` stands for anything; blanks at the ends of lines don't count."""
    lines = [line.rstrip() for line in shown.strip("\n").split("\n")]
    pattern = "\n".join(".*?".join(map(re.escape, line.split("..."))) for line in lines)
    pattern = re.sub(r"(?m)^\.\*\?$", r"(?:.*\n)*?.*", pattern)
    told = "\n".join(line.rstrip() for line in printed.split("\n"))
    return re.search(rf"(?m)^{pattern}$", told) is not None


def shown_after(blocks: Sequence[Block]) -> Iterator[tuple[Block, Block]]:
    """Commands, and a block of what they print."""
    before: Block | None = None
    for block in blocks:
        if block.mark and block.mark.fate is Fate.PRINTED:
            assert before
            yield before, block
        else:
            before = block
