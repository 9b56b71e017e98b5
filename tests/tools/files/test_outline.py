from pathlib import Path

from react_agent.tools.context import Context, Limits
from react_agent.tools.files.outline import OUTLINE


def test_what_has_no_room_is_counted(root: Path) -> None:
    many = [f"class A{at}:\n    def f(self): ...\n" for at in range(200)]
    (root / "many.py").write_text("".join(many))

    def outlined(chars: int) -> str:
        return OUTLINE.call("many.py", Context(root, Limits(output_chars=chars))).text

    shown = outlined(6_000).split("\n")
    assert shown[0] == "many.py: 400 lines, 400 definitions"
    assert shown[-1] == "[200 nested definitions are not shown]"
    assert outlined(1_000).endswith("more definitions are not shown]")
