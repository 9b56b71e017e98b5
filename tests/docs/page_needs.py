"""What pages take for granted, and words of theirs that stand for something."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Needs:
    before: tuple[str, ...] = ()  # lines for the shell
    words: Mapping[str, str] = field(default_factory=dict)  # what they are here
    files: Mapping[str, str] = field(default_factory=dict)  # how the block begins that is one


# On every page.
WORDS = {"RUN": "$RUN", "ISSUE": "issue.md", "DIR": ".", "MODEL": "openai/gpt-6"}

_RUN = "react-agent solve issue.md"
_SET = "react-agent eval check bundled --only ledger-1 --good project.jsonl"
_TRIAL = "react-agent eval run bundled --limit 1 --out trial"
_ONE = {"bundled": "bundled --limit 1"}  # a page is no benchmark

NEEDS = {
    "docs/audit.md": Needs((_RUN,)),
    "docs/bundled-set.md": Needs(words=_ONE),
    "docs/evaluation.md": Needs(
        (_SET, "react-agent eval ablate project.jsonl --without hidden --out other"),
        {**_ONE, "trial:plain": "other:plain", "trial:no-hidden": "other:no-hidden"},
    ),
    "docs/experiments.md": Needs((_TRIAL,), {"EXP": "trial"}),
    "docs/issue-sets.md": Needs(
        (_SET, 'REPO=$(find "$XDG_CACHE_HOME" -type d -name ledger)'),
        {"REPO": '"$REPO" --limit 1'},
    ),
    "docs/judging.md": Needs((_SET, _TRIAL, "react-agent eval export trial --to preds.json")),
    "docs/procedures.md": Needs(files={"mine.txt": "# a remark"}),
    "docs/profiles.md": Needs(files={"mine.cfg": "[profile]"}),
    "docs/reading.md": Needs((_RUN,)),
    "docs/resume.md": Needs((_RUN,)),
    "docs/review.md": Needs(
        (
            "react-agent solve '#12' --pr",
            "pull=$(find \"$XDG_STATE_HOME\" -type d -path '*/pulls/1')",
            'echo "A test for days, please." >"$pull/1.md"',
        ),
        {"7": "1"},
    ),
}
