"""job = fact* NEWLINE text ; a fact is a line NAME=VALUE as parsers/transcript/facts.py writes it

What a hook has asked for: written once, rewritten when it is begun and when it has ended. A person
may edit it, so nothing that it says is an option of git or leads to another folder.
"""

import re
from dataclasses import asdict, dataclass, fields

from react_agent.parsers.settings.errors import parse_error
from react_agent.parsers.transcript.agent_line import Kind
from react_agent.parsers.transcript.facts import read_facts, write_facts

_SHAPES = {
    "kind": "|".join(Kind),
    "commit": "[0-9a-f]{40}|[0-9a-f]{64}",
    "run": r"(?!\.)[^/\0]*",
    "branch": r"(?!-)[^\0]*",
    "tries": "[0-9]{1,4}",
}


@dataclass(frozen=True, slots=True)
class Job:
    key: str  # of what is asked for: the same once more is the same job
    hook: str
    kind: str  # of the words below, as parsers/transcript/agent_line.py has them
    words: str  # a path in the commit, a reference, or a title of the text
    commit: str
    top: str  # the work tree that it was asked from
    at: str = ""  # when
    run: str = ""  # once it has begun
    branch: str = ""  # that the run is to make; in the end, the one that it made
    tries: str = "0"
    ended: str = ""  # done, unchanged, failed
    said: str = ""  # how it ended, for a person
    text: str = ""  # of the issue, where it has no other place

    @property
    def title(self) -> str:
        """On one line: a file may be called what it likes."""
        return f"{' '.join(self.words.split())} ({self.commit[:7]})"


def write_job(job: Job) -> str:
    facts = {name: value for name, value in asdict(job).items() if value and name != "text"}
    lines = (write_facts({name: value}) for name, value in facts.items())
    return "\n".join((*lines, "", job.text))


def read_job(text: str) -> Job:
    head, _, rest = text.partition("\n\n")
    known = {field.name for field in fields(Job)} - {"text"}
    found: dict[str, str] = {}
    for number, line in enumerate(head.split("\n"), 1):
        fact = read_facts(line)
        if len(fact) != 1 or not fact.keys() <= known:
            raise parse_error(number, "NAME=VALUE", line)
        found |= fact
    missing = {"key", "hook", "kind", "words", "commit", "top"} - found.keys()
    if missing:
        raise parse_error(1, f"a job with {min(missing)}", head[:40])
    for name in found.keys() & _SHAPES.keys():
        if not re.fullmatch(_SHAPES[name], found[name]):
            raise parse_error(1, f"another {name}", found[name][:40])
    return Job(**found, text=rest)
