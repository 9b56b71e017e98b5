"""The commands of `react-agent eval`, called as a user calls them."""

from collections.abc import Callable

import pytest

from react_agent.cli.main import main

Called = Callable[..., tuple[int, str, str]]


@pytest.fixture
def called(capsys: pytest.CaptureFixture[str]) -> Called:
    """Return the exit code, and what was printed to standard output and standard error."""

    def call(*words: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            main(["eval", *map(str, words)])
        assert isinstance(left.value.code, int)
        return left.value.code, *capsys.readouterr()

    return call
