from react_agent.parsers.repo.outline import Defined, Outline, lines_of, python_outline

SOURCE = '''"""About it.

More."""

@dataclass(frozen=True)
class A(B, C):
    if X:
        @property
        async def f(self, /, a, *, b=1, **c):
            def inner(*d): ...

def g(): return "\\d"
'''


def test_outlines_python() -> None:
    assert python_outline(SOURCE) == Outline(
        (
            Defined("@dataclass class A(B, C)", 5, 10, 0),
            Defined("@property async def f(self, /, a, *, b, **c)", 8, 10, 1),
            Defined("def inner(*d)", 10, 10, 2),
            Defined("def g()", 12, 12, 0),
        ),
        "About it.",
    )


def test_broken_python_has_none_and_says_why() -> None:
    why = "it is not valid Python (line 2: '(' was never closed)"
    assert python_outline("class A:\n\tdef f(\n\tx = 1 +\n") == Outline((), note=why)


def test_python_that_is_too_deep_is_an_outline() -> None:
    deep = "\n".join(f"{' ' * at}class A{at}:" for at in range(60)) + " pass"
    assert len(python_outline(deep).defined) == 21
    assert "not valid Python" in python_outline("(" * 100_000).note


def test_a_long_title_is_cut() -> None:
    assert lines_of([Defined("x" * 200, 1, 2, 1)]) == [f"  {'x' * 97}...  1-2"]
