"""The command group `react-agent eval`."""

from collections.abc import Mapping

from react_agent.cli.group import Command, group_of

COMMANDS: Mapping[str, Command] = {
    "run": Command("solve and judge the issues of a set"),
    "resume": Command("go on with an experiment that was broken off", "run:resume_command"),
    "report": Command("what came of an experiment"),
    "compare": Command(
        "two experiments, or two of their arms, issue by issue", "report:compare_command"
    ),
    "ablate": Command("what each part of the agent is worth, on a set", "run:ablate_command"),
    "grade": Command("judge again, without solving anything", "run:grade_command"),
    "export": Command("what was resolved, as predictions", "report:export_command"),
    "check": Command("whether a set can be judged: without a model", "sets:check_command"),
    "make-set": Command("a set out of the fixes in a repository's history", "sets:make_command"),
}


app = group_of(
    "react_agent.eval.cli",
    COMMANDS,
    """Run over a set of issues, judge what came of it, report and compare.

    A set is a JSONL file in the format of SWE-bench, a folder of Markdown issues, or `bundled`.
    """,
    "react-agent eval run bundled --out trial",
    "react-agent eval report trial",
)
