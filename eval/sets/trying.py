"""The tests of an instance, run without anybody having named them."""

from react_agent.errors import ReactAgentError
from react_agent.eval.grading.trial import tried
from react_agent.eval.ground import fresh, ground_for
from react_agent.eval.instance import Instance
from react_agent.eval.sets.checked import task_for
from react_agent.eval.sets.mined import Passing, Try
from react_agent.eval.station import Station
from react_agent.eval.task import Conditions, Fault
from react_agent.eval.verdict import Kind, Verdict


def trying(conditions: Conditions, station: Station) -> Try:
    """Those of its test patch, with a patch on its base: which pass."""

    def try_(instance: Instance, patch: str) -> Passing | Fault:
        ground = ground_for(task_for(instance, conditions), station)
        if isinstance(ground, Fault):
            return ground
        try:
            with fresh(ground, conditions, station) as one:
                trial = tried(one, instance, patch, conditions.tests_s)
        except ReactAgentError as error:
            return Fault(Verdict.CRASHED, Kind.OURS, str(error))
        return trial.fault or Passing(trial.passing)

    return try_
