"""The command group `react-agent eval`."""

from collections.abc import Mapping

from react_agent.cli.group import Command, group_of

COMMANDS: Mapping[str, Command] = {
    "run": Command("solve and judge the issues of a set"),
    "resume": Command("continue an experiment that was interrupted", "run:resume_command"),
    "report": Command("report the results of an experiment"),
    "compare": Command("compare two experiments or arms, issue by issue", "report:compare_command"),
    "ablate": Command(
        "measure the effect of each part of the agent on a set", "run:ablate_command"
    ),
    "grade": Command("judge the results again, without solving anything", "run:grade_command"),
    "export": Command("export the results as predictions", "report:export_command"),
    "check": Command("check that a set can be judged, without a model", "sets:check_command"),
    "make-set": Command("make a set from the fixes in a repository's history", "sets:make_command"),
}


app = group_of(
    "react_agent.eval.cli",
    COMMANDS,
    """Solve a set of issues, judge the results, report and compare.

    A set is a JSONL file in the format of SWE-bench, a folder of Markdown issues, or `bundled`.
    """,
    "react-agent eval run bundled --out trial",
    "react-agent eval report trial",
)
