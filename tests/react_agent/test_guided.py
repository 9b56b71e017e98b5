"""Guided runs: the agent looks, tests and takes back; the model only writes a function."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from react_agent.issue_to_pr.issue import Issue
from react_agent.runs.solve import solve

def test_first(demo_desk: Any) -> None:
    around = demo_desk.around(*(["```python\ndef parse_duration(text):\n    return 1\n```"] * 9))
    request = replace(demo_desk.request(profile="small"), issue=Issue("90 min", Path("react_agent/demo/issue.md").read_text()))
    outcome = solve(request, around)
    print(outcome.folder.transcript.read_text())
    assert 0
