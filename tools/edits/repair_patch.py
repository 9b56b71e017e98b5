"""A patch repaired for the files of a folder, and checked by git."""

import posixpath
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from react_agent.parsers.patch import Refused, Repaired, repair
from react_agent.parsers.patch.reader import read_changes
from react_agent.tools.edits.patch_check import objection
from react_agent.tools.files.repo_files import RepoFiles, Unusable

Repair: TypeAlias = Callable[[str, Mapping[str, str]], Repaired | Refused]
_BEGINNINGS = ("a/", "b/")


def repaired(
    text: str, files: RepoFiles, below: str = "", repair: Repair = repair
) -> Repaired | Refused:
    """`below` is the folder somebody stands in: names that are none from the top begin there."""
    found = _checked(text, files, repair)
    if isinstance(found, Repaired) or not below:
        return found
    begun = _begun(text, files, below)
    again = _checked(text, files.only(begun), repair) if begun else found
    if isinstance(again, Refused):
        return found
    return again._replace(repairs=(f"paths read from the folder {below}", *again.repairs))


def _checked(text: str, files: RepoFiles, repair: Repair) -> Repaired | Refused:
    try:
        found = repair(text, files)
    except Unusable as error:
        return Refused((str(error),))
    except ValueError as error:  # the proof failed: what was to be written does not fit the files
        return Refused((f"the repaired patch does not do what it should: {error}",))
    if isinstance(found, Refused):
        return found
    why = objection(found.patch, found.results, files)
    return Refused((why,), found.roles) if why else found


def _begun(text: str, files: RepoFiles, below: str) -> list[str]:
    """The files below the folder that the patch names, if it names none from the top."""
    names = list(dict.fromkeys(_named(text)))
    if any(name in files for name in names):
        return []
    return [whole for name in names if (whole := posixpath.join(below, name)) in files]


def _named(text: str) -> Iterator[str]:
    for change in read_changes(text).changes:
        for name in filter(None, (change.old, change.new)):
            yield posixpath.normpath(name[2:] if name.startswith(_BEGINNINGS) else name)
