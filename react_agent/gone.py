"""Removed names that settings and profiles may still use for one release, with advice on each."""

from collections.abc import Collection, Iterator, Mapping

COMMANDS = {
    "address": "review",
    **{one: f"inspect {one}" for one in ("profiles", "procedures", "tools", "wishes")},
}
OPTIONS = {  # alone, or by their command; and a command that an option has replaced
    "--explain": "the repairs and reasons on standard error say what was done",
    "--stats": "call it for each file and count its exit codes",
    "completion": "react-agent --install-completion does it",
    "show --search": "search in the pager with /, or pipe `show RUN --full` into grep",
    "show --tokens": "the chart of `react-agent page RUN` shows them",
    **dict.fromkeys(
        ("page --serve", "page --port"), "`react-agent page RUN --out run.html` writes the page"
    ),
    "--keep": "write `keep = yes` into the settings file",
    "--procedure": "write `procedure = NAME` into the settings file",
    "fork --profile": "a fork keeps the profile of its run",
    "endpoint --dir": "type the replies, or pipe them into standard input",
    "doctor --relearn": "delete endpoints.txt in the cache folder",
    "doctor --walls": "`react-agent doctor` says what the sandbox does not do",
    **dict.fromkeys(
        (f"eval grade --{one}" for one in ("repositories", "sandbox", "network")),
        "it is judged as the experiment was made",
    ),
    "eval grade --model": "--only chooses instances",
    "eval grade --predictions": "use `swebench eval` to judge other predictions",
    "eval make-set --all": "changes whose message describes a fix are used",
    "eval make-set --base": "check out the commit to start from",
    "eval make-set --since": "--limit ends it",
    "eval make-set --times": "`react-agent eval check SET --times N` finds flaky issues",
    **dict.fromkeys(
        (f"eval {one} --budget-tokens" for one in ("run", "resume", "ablate")),
        "--tokens limits a run, --budget-usd the experiment",
    ),
}
_TABLE = "query the view `results` of experiment.sqlite, as docs/experiments.md shows"
EXPORTS = {"csv": f"it is gone: {_TABLE}", "junit": f"it is gone: {_TABLE}"}
_GIT = "git's own command is run instead"
TOOLS = {
    **dict.fromkeys(("git_log", "git_show", "blame"), _GIT),
    "repo_map": "list_files shows the root",
    "insert": "replace does it",
    "find_file": "list_files takes a glob",
}
_AT_FORGE = "the forge does it: see CODEOWNERS and its rules for labels"
HOOKS = {"post-receive": "call `react-agent solve` in a hook of your own"}
SETTINGS = {
    "remember": "runs no longer keep notes for later runs",
    "reviewers": _AT_FORGE,
    "labels": _AT_FORGE,
}
_CHAT = "is gone: use /v1/chat/completions or /v1/completions"
ENDPOINT_PATHS = {path: f"{path} {_CHAT}" for path in ("/v1/messages", "/v1/responses")}
AUDIT = {
    "run": "react-agent show",
    "spent": "react-agent page",
    "mended": "react-agent show --only repairs",
    "guards": "react-agent show",
}
# Names and words of a section of a profile.
PROFILE: Mapping[str, Mapping[str, str]] = {
    "profile": {"tests after edit": "no recorded run needed it"},
    "backtrack": {
        "contradictions": "a claim that is repeated is checked again",
        "contents": "no recorded run needed this check",
        "scope": "no recorded run needed this check",
    },
    "gate": dict.fromkeys(("conflicts", "debugging", "unused"), "no recorded run needed it")
    | {"syntax": "each edit is checked when it is made"},
    "stuck": {
        "noise": "`again` detects this, too",
        "undoing": "`cycle` and `failing` detect this",
    },
    "limits": dict.fromkeys(
        ("window_lines", "line_chars", "result_lines", "output_chars"),
        "the model's window decides how much is shown: see `window` in [budget]",
    ),
    "compress": dict.fromkeys(("superseded", "oldest", "inputs"), "`all` does the same"),
}


def without_gone(names: Collection[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in TOOLS)


def without_gone_words(section: str, name: str, text: str) -> tuple[str | None, list[str]]:
    """Return a profile setting without its removed words, and a message about each of them.

    The text is None if the setting itself is removed, or if no word is left.
    """
    gone, words = PROFILE.get(section, {}), text.split()
    found = [word for word in (name, *words) if word in gone]
    lines = [f"{word!r} of [{section}] is gone: {gone[word]}" for word in found]
    if not found:
        return text, lines
    left = " ".join(word for word in words if word not in gone)
    return (left if name not in gone else "") or None, lines


def told_of_gone(tools: Collection[str], settings: Collection[str]) -> Iterator[str]:
    """Yield a message for each tool and each setting that was removed."""
    yield from (f"the tool {name!r} is gone: {TOOLS[name]}" for name in tools if name in TOOLS)
    yield from (f"the setting {name!r} is gone: {SETTINGS[name]}" for name in settings)
