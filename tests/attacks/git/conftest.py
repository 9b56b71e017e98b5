"""What the tests of repositories share: one of a stranger's."""

from pathlib import Path

import pytest
from stranger import Stranger


@pytest.fixture
def stranger(tmp_path: Path) -> Stranger:
    made = Stranger(tmp_path)
    made.project.mkdir()
    made.git("init", "--quiet")
    (made.project / ".react-agent.cfg").write_text("[react_agent]\ntest = true\n")
    made.save("README", "read me\n")
    made.save("one.py", "one = 1\n")
    return made
