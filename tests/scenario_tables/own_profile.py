"""Read the text of a profile as a file of the person's own."""

from pathlib import Path

from react_agent.profiles.profile import Profile
from react_agent.profiles.profile_file import find_profile


def own_profile(text: str, folder: Path, name: str = "mine") -> Profile:
    (folder / f"{name}.cfg").write_text(text)
    return find_profile(name, folder)
