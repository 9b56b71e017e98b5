from react_agent.parsers.repo.outline import python_outline


def test_python_that_is_too_deep_is_an_outline() -> None:
    deep = "\n".join(f"{' ' * at}class A{at}:" for at in range(60)) + " pass"
    assert len(python_outline(deep).defined) == 21
    assert "not valid Python" in python_outline("(" * 100_000).note
