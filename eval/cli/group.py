"""The command group `react-agent eval`."""

from collections.abc import Mapping

from react_agent.cli.group import Command, group_of

COMMANDS: Mapping[str, Command] = {
    name: Command(f"eval.cli.{place}", about)
    for name, place, about in (
        ("run", "run:command", "solve and judge the issues of a set"),
        ("resume", "run:resume_command", "continue an experiment that was interrupted"),
        ("report", "report:command", "report the results of an experiment"),
        ("compare", "report:compare_command", "compare two experiments or arms, issue by issue"),
        ("ablate", "run:ablate_command", "measure the effect of each part of the agent on a set"),
        ("grade", "run:grade_command", "judge the results again, without solving anything"),
        ("export", "report:export_command", "export the results as predictions"),
        ("check", "sets:check_command", "check that a set can be judged, without a model"),
        ("make-set", "sets:make_command", "make a set from the fixes in a repository's history"),
    )
}


app = group_of(
    COMMANDS,
    """Solve a set of issues, judge the results, report and compare.

    A set is a JSONL file in the format of SWE-bench, a folder of Markdown issues, or `bundled`.
    """,
    "react-agent eval run bundled --out trial",
    "react-agent eval report trial",
)
