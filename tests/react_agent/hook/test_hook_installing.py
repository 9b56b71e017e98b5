"""What was there before is called with what git gave, and is there again afterwards."""

import sys
from pathlib import Path
from typing import Any

import pytest
from refusals import refusal

from react_agent import gone
from react_agent.cli.arguments import Hook
from react_agent.cli.hook import command
from react_agent.errors import ReactAgentError, UsageError
from react_agent.hook.installing import HOOKS, script, standing

SAYS = '#!/bin/sh\necho "$(basename "$0") in $(basename "$(dirname "$0")"): $*"\ncat\nexit {code}\n'
PRE_COMMIT = """#!/bin/sh
# hook-impl: what pre-commit writes, without the rest of it
HERE="$(cd "$(dirname "$0")" && pwd)"
[ -z "${PRE_COMMIT_RUNNING_LEGACY-}" ] || exit 7
echo checked
given=$(cat)
if [ -x "$HERE/pre-push.legacy" ]; then
    echo "$given" | PRE_COMMIT_RUNNING_LEGACY=1 "$HERE/pre-push.legacy" "$@"
fi
"""


def files(place: Path) -> dict[str, tuple[bytes, int]]:
    found = (path for path in place.rglob("*") if path.is_file() or path.is_symlink())
    return {path.name: (path.read_bytes(), path.lstat().st_mode) for path in found}


def test_nothing_stays_where_nothing_was(hooked: Any) -> None:
    before = files(hooked.repository / ".git" / "hooks"), hooked.git("config", "--list")
    assert hooked.install("post-commit", "pre-push") == [
        "post-commit: installed",
        "pre-push: installed",
    ]
    assert hooked.install("post-commit") == ["post-commit: installed"]
    assert hooked.uninstall() == ["post-commit: removed", "pre-push: removed"]
    assert (files(hooked.repository / ".git" / "hooks"), hooked.git("config", "--list")) == before
    assert hooked.uninstall() == []


def test_a_hook_that_was_there_is_called_and_comes_back(hooked: Any, remote: Path) -> None:
    hooked.hook("post-commit", SAYS.format(code=1))
    hooked.hook("pre-push", SAYS.format(code=3))
    before = files(hooked.repository / ".git" / "hooks")
    earlier = hooked.repository / ".git" / "hooks" / "post-commit.before-react-agent"
    assert hooked.install("post-commit", "pre-push")[:2] == [
        "post-commit: installed",
        f"    the existing hook is called first, as {earlier}",
    ]
    said = hooked.commit("Agent: do it")
    assert said == f"post-commit.before-react-agent in hooks: \n{hooked.queued}"
    assert len(hooked.requests) == 1
    pushed = hooked.ask("git", "push", "--quiet", "origin", "main")
    new = hooked.git("rev-parse", "main")
    said = f"pre-push.before-react-agent in hooks: origin {remote}\n"
    said += f"refs/heads/main {new} refs/heads/main {'0' * 40}\n"
    assert pushed.returncode == 1
    assert pushed.stdout.startswith(said)
    hooked.install("post-commit", "pre-push")
    hooked.uninstall()
    assert files(hooked.repository / ".git" / "hooks") == before


@pytest.mark.slow
def test_a_hook_that_git_did_not_call_is_not_called(hooked: Any) -> None:
    hooked.hook("post-commit", SAYS.format(code=0), mode=0o644)
    hooked.install("post-commit")
    assert hooked.commit("Agent: do it") == hooked.queued
    hooked.uninstall()
    assert files(hooked.repository / ".git" / "hooks")["post-commit"][1] & 0o111 == 0


@pytest.mark.slow
def test_lines_that_somebody_added_are_not_lost(hooked: Any) -> None:
    hooked.install("post-commit")
    place = hooked.repository / ".git" / "hooks" / "post-commit"
    changed = place.read_text().replace("#!/bin/sh\n", "#!/bin/sh\n", 1) + "echo mine\n"
    place.write_text(changed)
    line = f"{place} was changed since: save its other lines, then delete it"
    for do in (hooked.uninstall, lambda: hooked.install("post-commit")):
        assert refusal(UsageError, do) == line
    assert standing("post-commit", hooked.path) == "installed, changed since"
    assert place.read_text() == changed


@pytest.mark.slow
@pytest.mark.parametrize("first", ["pre-commit", "ours", "both"])
def test_pre_commit_and_we_call_each_other_once(hooked: Any, remote: Path, first: str) -> None:
    """It calls the hook that it found `.legacy`, and complains where that is its own."""
    if first != "ours":
        hooked.hook("pre-push", PRE_COMMIT)
    hooked.install("pre-push")
    if first != "pre-commit":
        place = hooked.repository / ".git" / "hooks"
        (place / "pre-push").rename(place / "pre-push.legacy")
        hooked.hook("pre-push", PRE_COMMIT)
    assert hooked.git("push", "--quiet", "origin", "main") == "checked"
    assert standing("pre-push", hooked.path) == "installed"
    hooked.uninstall()
    hooked.commit("Another")
    assert hooked.ask("git", "push", "--quiet", "origin", "main").stdout.startswith("checked")


@pytest.mark.slow
@pytest.mark.parametrize("how", ["--local", "--global", "--worktree", "link"])
def test_a_folder_elsewhere_is_left_alone(hooked: Any, how: str, tmp_path: Path) -> None:
    """As husky has it. The line that it is told to add does the same."""
    settings = tmp_path / "settings"
    settings.write_text("[user]\n\tname = A\n\temail = a@b\n")
    hooked.environment = {"GIT_CONFIG_GLOBAL": str(settings)}
    folder = hooked.repository / ".husky" / "_"
    hook = hooked.hook("post-commit", SAYS.format(code=0), folder)
    named = str(folder) if how in ("--global", "link") else ".husky/_"
    if how == "link":
        own = hooked.repository / ".git" / "hooks"
        own.rename(tmp_path / "samples")
        own.symlink_to(folder)
    else:
        hooked.git("config", "extensions.worktreeConfig", "true")
        hooked.git("config", how, "core.hooksPath", named)
    before = files(folder), hooked.git("config", "--list")
    line = (
        f"git looks for hooks in {named}, which react-agent does not change: "
        "add `react-agent hook run post-commit` to your hook post-commit"
    )
    assert refusal(UsageError, hooked.install, "post-commit") == line
    assert (files(folder), hooked.git("config", "--list")) == before
    hook.write_text(f"#!/bin/sh\nexec {sys.executable} -P -m react_agent hook run post-commit\n")
    assert "no model: name one in your settings" in hooked.commit("Agent: do it")
    assert len(hooked.requests) == 1


@pytest.mark.slow
def test_a_folder_that_is_set_later_is_noticed(hooked: Any) -> None:
    hooked.install("post-commit")
    hooked.git("config", "core.hooksPath", ".husky")
    line = "out of use: git looks for hooks in .husky"
    assert standing("post-commit", hooked.path) == line
    assert hooked.uninstall() == ["post-commit: removed"]


def test_a_folder_elsewhere_is_noticed_without_settings_of_the_user(hooked: Any) -> None:
    hooked.environment = {"GIT_CONFIG_GLOBAL": ""}
    hooked.git("config", "core.hooksPath", ".husky")
    assert hooked.path.elsewhere == ".husky"


def test_a_folder_that_is_a_link_in_a_circle_is_elsewhere(hooked: Any) -> None:
    (hooked.repository / "circle").symlink_to("circle")
    hooked.git("config", "core.hooksPath", "circle")
    assert hooked.path.elsewhere == "circle"


@pytest.mark.slow
def test_a_setting_that_names_the_usual_folder_changes_nothing(hooked: Any) -> None:
    hooked.git("config", "core.hooksPath", ".git/hooks")
    assert hooked.install("post-commit") == ["post-commit: installed"]
    assert standing("post-commit", hooked.path) == "installed"
    hooked.commit("Agent: do it")
    assert len(hooked.requests) == 1


@pytest.mark.slow
def test_in_a_submodule_the_folder_is_its_own(hooked: Any) -> None:
    own = hooked.repository
    hooked.git("clone", "--quiet", str(own), str(hooked.folder / "library"))
    add = ("submodule", "--quiet", "add", str(hooked.folder / "library"), "sub")
    hooked.git("-c", "protocol.file.allow=always", *add)
    hooked.repository = own / "sub"
    hooked.install("post-commit")
    hooked.commit("Agent: do it")
    assert hooked.path.common == own / ".git" / "modules" / "sub"
    assert [one.top for one in hooked.requests] == [str(own / "sub")]


@pytest.mark.slow
def test_what_is_no_clone_is_refused(hooked: Any, remote: Path) -> None:
    for folder, why in ((hooked.folder, "not a git repository"), (remote, "bare: commits are")):
        hooked.repository = folder
        with pytest.raises(ReactAgentError, match=rf"^{folder} is {why}"):
            hooked.install("post-commit")


@pytest.mark.slow
def test_an_earlier_one_that_is_kept_is_not_overwritten(hooked: Any) -> None:
    hooked.hook("post-commit", SAYS)
    hooked.hook("post-commit.before-react-agent", "precious")
    before = files(hooked.repository / ".git" / "hooks")
    with pytest.raises(UsageError, match=r"is in the way: an earlier hook is kept there$"):
        hooked.install("post-commit")
    assert files(hooked.repository / ".git" / "hooks") == before


def test_a_hook_that_is_gone_is_only_taken_away(hooked: Any) -> None:
    line = refusal(UsageError, command, Hook("install", ["post-receive"], hooked.repository))
    assert line.startswith("the hook post-receive is gone: call `react-agent solve`")
    hooked.hook("post-receive", script("post-receive", "python", "state", "''"))
    assert hooked.uninstall((*HOOKS, *gone.HOOKS)) == ["post-receive: removed"]
