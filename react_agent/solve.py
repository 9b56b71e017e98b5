"""From an issue to a finished run; and a run that ended early, taken up again."""

from react_agent.agent import run
from react_agent.finish import finish
from react_agent.outcome import Outcome
from react_agent.resume import Otherwise, take_up
from react_agent.run_folder import RunFolder
from react_agent.run_setup import Request, Run, Surroundings, begin


def solve(request: Request, around: Surroundings) -> Outcome:
    return _to_its_end(begin(request, around), around, publish=request.publish, keep=request.keep)


def resume(folder: RunFolder, around: Surroundings, otherwise: Otherwise, *, keep: bool) -> Outcome:
    return _to_its_end(take_up(folder, around, otherwise), around, publish=True, keep=keep)


def _to_its_end(opened: Run, around: Surroundings, *, publish: bool, keep: bool) -> Outcome:
    try:
        run(opened.agent)
        opened.commands.close()  # what goes on meanwhile would change what is looked at
        return finish(opened, publish=publish, keep=keep, tell=around.tell)
    finally:
        opened.commands.close()
        opened.transcript.close()
