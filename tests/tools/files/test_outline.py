from pathlib import Path

from react_agent.tools.context import Context, Limits
from react_agent.tools.files.outline import OUTLINE
from react_agent.tools.observation import Observation


def outlined(root: Path, text: str, limits: Limits | None = None) -> Observation:
    return OUTLINE.call(text, Context(root, limits or Limits()))


def test_what_has_no_room_is_counted(root: Path) -> None:
    many = [f"class A{at}:\n    def f(self): ...\n" for at in range(200)]
    (root / "many.py").write_text("".join(many))
    shown = outlined(root, "many.py", Limits(output_chars=6_000)).text.split("\n")
    assert (shown[0], shown[-1]) == (
        "many.py: 400 lines, 400 definitions", "[200 nested definitions are not shown]"
    )  # fmt: skip
    least = outlined(root, "many.py", Limits(output_chars=1_000)).text
    assert least.endswith("more definitions are not shown]")
