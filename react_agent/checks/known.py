"""Hooks of other repositories that we know: which program each one is, and for which files."""

from collections.abc import Mapping

from react_agent.parsers.settings.precommit import Hook

_PYTHON = ("python", "pyi")


def _hook(name: str, entry: str, *types: str, args: tuple[str, ...] = (), files: str = "") -> Hook:
    """Of files of any of these types."""
    return Hook(name, "", "", entry, "system", files or None, types_or=types or None, args=args)


KNOWN: Mapping[str, Hook] = {
    hook.id: hook
    for hook in (
        _hook("ruff", "ruff check --force-exclude", *_PYTHON, "jupyter"),
        _hook("ruff-check", "ruff check --force-exclude", *_PYTHON, "jupyter"),
        _hook("ruff-format", "ruff format --force-exclude", *_PYTHON, "jupyter"),
        _hook("black", "black", *_PYTHON),
        _hook("isort", "isort --filter-files", *_PYTHON, "cython"),
        _hook("flake8", "flake8", "python"),
        _hook("pylint", "pylint", "python"),
        _hook("pyupgrade", "pyupgrade", "python"),
        _hook("autoflake", "autoflake", *_PYTHON, args=("--in-place",)),
        _hook("pydocstyle", "pydocstyle", "python"),
        _hook("bandit", "bandit", "python"),
        _hook(
            "mypy",
            "mypy",
            *_PYTHON,
            args=("--ignore-missing-imports", "--scripts-are-modules"),
        ),
        _hook("check-yaml", "check-yaml", "yaml"),
        _hook("check-ast", "check-ast", "python"),
        _hook("debug-statements", "debug-statement-hook", "python"),
        _hook("codespell", "codespell", "text"),
        _hook("yamllint", "yamllint", "yaml"),
        _hook("shellcheck", "shellcheck", "shell"),
        _hook("prettier", "prettier --write --ignore-unknown", "text"),
        _hook("eslint", "eslint", "javascript", "jsx"),
        _hook("clang-format", "clang-format -style=file -i", "c", "c++", "java"),
        _hook("rubocop", "rubocop", "ruby"),
    )
}
