"""The tools of the textbook: a calculator and a lookup."""

from pathlib import Path

from check_rows import table_of

from react_agent.tools.context import Context
from react_agent.tools.registry import Tool, build
from react_agent.tools.textbook import CALCULATOR, LOOKUP


@table_of(
    ("tool", "given", "status", "text"),
    [
        (CALCULATOR, "29^0.23", "ok", "2.169459462491557"),
        (CALCULATOR, "1 + 1\n\n2 * 3", "ok", "2\n6"),
        (CALCULATOR, "", "failed", "there is nothing to calculate: write a sum, such as"),
        (CALCULATOR, "two", "failed", "expected a sum such as"),
        (CALCULATOR, "1/0", "failed", "division by zero"),
        (LOOKUP, "Who won\n Eurovision 2023?", "ok", "Eurovision 2023\nThe 67th"),
        (LOOKUP, "", "failed", "nothing to look up was given"),
        (LOOKUP, "Atlantis", "empty", "no information about 'Atlantis' in 11 entries"),
    ],
)
def test_calculates_and_looks_up(
    tool: Tool, given: str, status: str, text: str, tmp_path: Path
) -> None:
    seen = tool.call(given, Context(tmp_path))
    assert (seen.status, seen.text[: len(text)]) == (status, text)


def test_looks_up_in_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "facts.txt"
    file.write_bytes(b"Atlantis\nIt sank. gr\xfc\xdf\n")
    context = Context(tmp_path, facts=file)
    assert LOOKUP.call("Atlantis", context).text == "Atlantis\nIt sank. gr\ufffd\ufffd"
    file.unlink()
    answer = build([LOOKUP], {}).call("lookup", "Atlantis", context)
    assert answer.observation.text == "`lookup` could not be run: No such file or directory"
