"""react-agent eval check"""

from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from react_agent.cli.options import whole
from react_agent.cli.screen import console
from react_agent.eval.cli.chosen import Chosen, Set
from react_agent.eval.cli.workers import Workers, local_workers
from react_agent.eval.cli.working import Working
from react_agent.eval.sets.checked import Checked, all_checked
from react_agent.eval.sets.issue_set import check_place, write_set
from react_agent.eval.work import grade_task
from react_agent.parsers.text.gist import one_line
from react_agent.parsers.transcript.quoting import escape
from react_agent.tools.clip import clip_line

_MOST_TIMES = 100
_WIDEST, _LONGEST = 40, 300  # characters of an id, which is filled up; of a note

Times = Annotated[
    str, typer.Option("--times", metavar="N", help="so often each, to find what is flaky")
]
Good = Annotated[
    Path | None, typer.Option("--good", metavar="FILE", help="write those that are good as a set")
]


def command(
    named: Set,
    chosen: Chosen,
    working: Working,
    times: Times = "1",
    workers: Workers = None,
    good: Good = None,
) -> None:
    """Whether the issues of a set can be judged here: no model is asked.

    The set's own patch has to be graded as resolved, and a change of nothing as not.
    Exits with 1 where an issue is not so.

    \b
    Example:
      react-agent eval check project.jsonl --times 3 --good sound.jsonl
    """
    instances, often = chosen.of(named), whole("--times", times, _MOST_TIMES)
    conditions = working.checked()
    if good:
        check_place(good)
    screen, found = console(), list[Checked]()
    width = min(_WIDEST, max(len(one.id) for one in instances))
    grade = partial(grade_task, root=None)
    with (
        local_workers(workers, len(instances)) as executor,
        closing(all_checked(instances, conditions, grade, often, executor)) as checks,
    ):
        for one in checks:
            found.append(one)
            screen.print(_line(one, width), soft_wrap=True)
    sound = [one.instance for one in found if one.is_good]
    screen.print(f"{len(sound)} of {len(found)} can be judged")
    if good and sound:
        write_set(good, sound)
    if len(sound) < len(found):
        raise typer.Exit(1)


def _line(one: Checked, width: int) -> str:
    what = one.note if one.is_good else ": ".join(filter(None, (one.finding, one.note)))
    mark = "good" if one.is_good else "BAD "
    shown = clip_line(escape(one_line(what)), _LONGEST)
    return f"{mark}  {one.instance.id:<{width}}  {shown}".rstrip()
