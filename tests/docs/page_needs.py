"""What pages take for granted, and words of theirs that stand for something."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Needs:
    before: tuple[str, ...] = ()  # lines for the shell
    words: Mapping[str, str] = field(default_factory=dict)  # what they are here
    files: Mapping[str, str] = field(default_factory=dict)  # how the block begins that is one
    settings: str = ""  # beside the model


# On every page.
WORDS = {"RUN": '"$(newest_run)"', "ISSUE": "issue.md", "DIR": ".", "MODEL": "openai/gpt-6"}

_RUN = "react-agent solve issue.md"
_SET = "react-agent eval check bundled --only ledger-1 --good project.jsonl"
_TRIAL = "react-agent eval run bundled --limit 1 --out trial"
_EXPORT = "react-agent eval export trial"
# A history with a fix, which a set is made from.
_FIXED = (
    "git init -q ~/fixed && cd ~/fixed && mkdir tests && touch tests/__init__.py",
    "echo 'def one(): return 2' >one.py && git add . && git commit -qm Begin",
    "echo 'def one(): return 1' >one.py",
    "printf 'import unittest\\nfrom one import one\\nclass TestOne(unittest.TestCase):\\n"
    "    def test_one(self): self.assertEqual(one(), 1)\\n' >tests/test_one.py",
    "git add . && git commit -qm 'Fix the number that one returns' && cd - >/dev/null",
)
_ONE = {"bundled": "bundled --limit 1"}  # a page is no benchmark
_NO_BRANCH = "|| [ $? = 1 ]"  # what the demo's model says fits no other roles and tools

NEEDS = {
    "README.md": Needs(
        ("cd ~/react-agent",),
        {
            "react-agent init": "react-agent init --yes --model openai/gpt-6",
            "gguf/coder.gguf": "openai/gpt-6",  # which is a file of a gigabyte
            "http://localhost:8080": "http://$ENDPOINT",
            "http://localhost:8000": "http://$ENDPOINT",
        },
    ),
    "docs/evaluation.md": Needs(
        (
            _SET,
            "react-agent eval run project.jsonl --out other",
            "react-agent eval ablate project.jsonl --without hidden --out parts",
        ),
        {**_ONE, "trial:plain": "parts:plain", "trial:no-hidden": "parts:no-hidden"},
    ),
    "docs/experiments.md": Needs((_SET, _TRIAL, f"{_EXPORT} --to preds.json"), {"EXP": "trial"}),
    "docs/issue-sets.md": Needs(
        (*_FIXED, _SET), {"REPO": "~/fixed", "set.jsonl --model": "project.jsonl --model", **_ONE}
    ),
    "docs/local-models.md": Needs(
        words={
            "http://localhost:8080": "http://$ENDPOINT",
            "--profile small": f"--profile small {_NO_BRANCH}",
        }
    ),
    "docs/profiles.md": Needs(
        words={
            "--profile small": f"--profile small {_NO_BRANCH}",
            "--profile ./mine.cfg": f"--profile ./mine.cfg {_NO_BRANCH}",
            "--procedure issue": f"--procedure issue {_NO_BRANCH}",
            "--procedure mine.txt": f"--procedure mine.txt {_NO_BRANCH}",
        },
        files={"mine.cfg": "[profile]", "mine.txt": "# a comment"},
    ),
    "docs/runs.md": Needs(
        (
            _RUN,
            "first=$(newest_run)",
            "sed -i '/^%% step: n=7 /q' \"$XDG_STATE_HOME/react-agent/runs/$first/transcript.txt\"",
        ),
        # What has been cut off is missing to an audit.
        {
            "audit RUN": f'audit "$first" {_NO_BRANCH}',
            "audit RUN --only ran": f'audit "$first" --only ran {_NO_BRANCH}',
            "RUN": '"$first"',
        },
    ),
    "docs/tools.md": Needs(
        words={
            # As pip would, but that it asks an index for what builds a package.
            "~/react-agent/.venv/bin/pip install --editable ~/tickets": (
                "mkdir tickets-1.dist-info && export PYTHONPATH=$PWD\n"
                "sed -n '/^react_agent.tools =/,$p' setup.cfg"
                " | sed 's/\\(.*\\) =$/[\\1]/' >tickets-1.dist-info/entry_points.txt\n"
                "printf 'Name: tickets\\nVersion: 1\\n' >tickets-1.dist-info/METADATA\n"
                "sed -i '1a offer = tickets' \"$XDG_CONFIG_HOME/react-agent/config.cfg\""
            )
        },
        settings="[react_agent:hidden]\npeek = alias read_file\n",
    ),
    "docs/tutorial.md": Needs(
        words={
            "react-agent/BRANCH": "$(git branch --format='%(refname:short)' --list 'react-agent/*')"
        }
    ),
}
