"""An instance: an issue, the commit it is about, and the tests that say whether it is resolved."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Instance:
    """A row of a set, in the words of SWE-bench where those are in brackets."""

    id: str  # (instance_id)
    repo: str  # OWNER/NAME, a path, or a URL
    base: str  # the commit (base_commit)
    problem: str  # (problem_statement)
    hints: str = ""  # comments on the issue (hints_text); never shown unless asked for
    patch: str = ""  # the fix that people made
    test_patch: str = ""
    fail_to_pass: tuple[str, ...] = ()  # (FAIL_TO_PASS)
    pass_to_pass: tuple[str, ...] = ()  # (PASS_TO_PASS)
    version: str = ""
    environment_commit: str = ""  # (environment_setup_commit); none: the base
    created: str = ""  # (created_at)
    install: str = ""  # ours: shell lines that make its environment, with $VENV for its place
    test_command: str = ""  # ours: none: what its files tell
    python: str = ""  # ours: a version such as 3.11, or a program

    @property
    def is_graded(self) -> bool:
        """Issues that come without tests can be run, and not judged."""
        return bool(self.fail_to_pass)
