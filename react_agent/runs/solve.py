"""From an issue to a finished run; and a run that ended early, taken up again."""

from react_agent.errors import MachineError
from react_agent.procedure.play import play
from react_agent.runs.finish import finish
from react_agent.runs.fork import Fork
from react_agent.runs.fork import begin as forked
from react_agent.runs.outcome import Outcome
from react_agent.runs.resume import Otherwise, take_up
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.run_setup import Request, Run, begin
from react_agent.runs.surroundings import Surroundings
from react_agent.tools.errors import reason


def solve(request: Request, around: Surroundings) -> Outcome:
    return _to_its_end(begin(request, around), around, publish=request.publish, keep=request.keep)


def resume(folder: RunFolder, around: Surroundings, otherwise: Otherwise, *, keep: bool) -> Outcome:
    return _to_its_end(take_up(folder, around, otherwise), around, publish=True, keep=keep)


def fork(what: Fork, around: Surroundings, otherwise: Otherwise, *, keep: bool) -> Outcome:
    return _to_its_end(forked(what, around, otherwise), around, publish=True, keep=keep)


def _to_its_end(opened: Run, around: Surroundings, *, publish: bool, keep: bool) -> Outcome:
    try:
        play(opened, around)
        opened.close()  # what goes on meanwhile would change what is looked at
        return finish(opened, around, publish=publish, keep=keep)
    except OSError as error:
        how = f"react-agent resume {opened.folder.path.name}"
        raise MachineError(f"{reason(error)}; nothing is lost, go on with {how}") from error
    finally:
        opened.close()
        opened.transcript.close()
