"""The history that habits are read from: people's commits, newest first, with what they touched."""

from collections.abc import Callable
from pathlib import Path

from react_agent.parsers.commit_habit import Past
from react_agent.tools.git.door import Git as Door
from react_agent.tools.git.past import past

Git = Callable[..., str]


def test_people_and_nobody_else(tmp_path: Path, plain_git: Git) -> None:
    def commit(message: str, name: str = "", who: str = "Ada", mail: str = "a@x") -> None:
        if name:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(message)
            plain_git(tmp_path, "add", "-A")
        person = ("-c", f"user.name={who}", "-c", f"user.email={mail}")
        plain_git(tmp_path, *person, "commit", "-q", "--allow-empty", "-m", message)

    plain_git(tmp_path, "init", "-q")
    commit("first\n\nIts body\x01", "a b.py")
    commit("nothing touched")
    commit("bump", "x", who="dependabot[bot]")
    commit("bump", "x", who="renovate", mail="bot@renovateapp.com")
    commit("ours", "x", mail="react-agent@localhost")
    commit("of Boris", "d/ü.py", who="Boris Abbot")
    assert past(Door(tmp_path), "HEAD") == [
        Past("of Boris", ("d/ü.py",)),
        Past("nothing touched"),
        Past("first\n\nIts body\x01", ("a b.py",)),
    ]
    assert past(Door(tmp_path), "nosuch") == []
