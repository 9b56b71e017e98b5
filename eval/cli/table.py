"""The commands of `react-agent eval`. Each has a module of its name, with a `command`."""

from collections.abc import Mapping

COMMANDS: Mapping[str, str] = {
    "run": "solve and judge the issues of a set",
    "resume": "go on with an experiment that was broken off",
    "report": "what came of an experiment",
    "compare": "two experiments, or two of their arms, issue by issue",
    "ablate": "what each part of the agent is worth, on a set",
    "grade": "judge again, or judge predictions of others",
    "export": "predictions, CSV, JUnit XML",
    "check": "whether a set can be judged: without a model",
    "make-set": "a set out of the fixes in a repository's history",
}
