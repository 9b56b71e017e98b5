"""The commands `react-agent eval run`, `resume`, `ablate` and `grade`."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from react_agent.cli.options import ModelAndBudget, option, spec_of
from react_agent.cli.terminal.streams import complain
from react_agent.edge import own_settings
from react_agent.errors import UsageError
from react_agent.eval.cli.options import (
    Chosen,
    Cluster,
    Experiment,
    Going,
    Made,
    Only,
    Set,
    Workers,
    Working,
    carry_out,
    check_machine,
    opened,
)
from react_agent.eval.cli.report import show
from react_agent.eval.report.experiment import read_experiment
from react_agent.eval.report.report import ablation
from react_agent.eval.report.statistics import EmptyScore
from react_agent.eval.sets.issue_set import BUNDLED, bundled_replays
from react_agent.eval.store.store import Due, Store
from react_agent.eval.task import Arm, Conditions
from react_agent.eval.without import arms
from react_agent.models.endpoint import REPLAY, find_endpoint
from react_agent.models.endpoints import check_key
from react_agent.parsers.transcript.quoting import escape
from react_agent.profiles.profile import with_limits
from react_agent.profiles.profile_file import find_profile, is_file_name
from react_agent.profiles.settings import Settings
from react_agent.tools import disk, variables

_LONGEST_S = 1_000_000.0  # that a worker can be waited for


@dataclass(frozen=True, slots=True)
class Solving(ModelAndBudget):
    """The options that define an arm: a model, a profile and a budget."""

    profile: str | None = None

    def arm(self, named: str, settings: Settings, is_here: bool) -> Arm:
        """Return the arm. Raises UsageError or ConfigError before any costs arise."""
        profile = self.profile or settings.profile
        if is_file_name(profile):
            profile = str(disk.expanduser(Path(profile)).absolute())
        limits = {**settings.budget, **self.budget}
        with_limits(find_profile(profile, settings.profiles).budget, limits)
        return Arm(self._spec(named, settings, is_here), profile=profile, budget=limits)

    def _spec(self, named: str, settings: Settings, is_here: bool) -> str:
        if named == BUNDLED and {self.model, self.base_url, self.key} == {None}:
            return bundled_replays()
        spec = spec_of(self.model or settings.model, self.base_url, self.key)
        if spec.startswith(REPLAY):
            return f"{REPLAY}{disk.expanduser(Path(spec.removeprefix(REPLAY))).absolute()}"
        if is_here:  # remote workers have their own keys
            check_key(find_endpoint(spec, settings.models, variables.all_of_them()))
        return spec


def _lasting(conditions: Conditions, arm: Arm, settings: Settings) -> Conditions:
    """Return the conditions with a deadline that is not shorter than the time limit of a run."""
    budget = with_limits(find_profile(arm.profile, settings.profiles).budget, arm.budget)
    seconds = min(budget.seconds + conditions.install_s, _LONGEST_S)
    return replace(conditions, solve_s=max(conditions.solve_s, seconds))


def command(
    named: Set, chosen: Chosen, solving: Solving, working: Working, going: Going, made: Made
) -> None:
    """Solve the issues of a set, and judge the patches with the tests of the set.

    Each result is stored at once. If an experiment is interrupted, `react-agent eval resume`
    continues it; stored results are not paid for again.

    `{id}` and `{n}` in the name of a model are replaced by the issue and the number of the try.
    Without a model, `bundled` is solved by the replays that come with it.

    \b
    Example:
      react-agent eval run bundled --out trial
      react-agent eval run set.jsonl --model openai/gpt-6 --workers 8 --tries 3
    """
    going.check()
    instances = chosen.of(named)
    settings = own_settings()
    arm = solving.arm(named, settings, going.is_here)
    conditions = _lasting(working.conditions(going.is_here), arm, settings)
    with closing(made.of(named, instances, [arm], conditions, going)) as store:
        raise typer.Exit(carry_out(store, going))


def resume_command(named: Experiment, going: Going) -> None:
    """Continue an experiment that was interrupted or ran out of budget.

    Judged attempts stay as they are, and solved ones are only judged. Attempts that were not
    finished, or not counted because the endpoint, environment or worker failed, are repeated.

    \b
    Example:
      react-agent eval resume trial --workers 4 --budget-usd 20
    """
    with _continued(named, going) as store:
        raise typer.Exit(carry_out(store, going))


@contextmanager
def _continued(named: str, going: Going) -> Iterator[Store]:
    going.check()
    with closing(opened(named)) as store:
        if going.is_here:
            check_machine(store.conditions)
        yield store


Without = Annotated[list[str] | None, option("--without", "PART,...", "hidden, repair, grep, ...")]


def ablate_command(
    named: Set,
    chosen: Chosen,
    solving: Solving,
    working: Working,
    going: Going,
    made: Made,
    without: Without = None,
) -> None:
    """Measure the effect of parts of the agent: run a set with all parts, and without each one.

    Parts are hidden, repair, backtrack, compressor, hints, gate, stuck, plan, remind, about and
    the names of tools. All runs form one experiment: `eval resume` continues it, and
    `eval report` shows all of it.

    \b
    Example:
      react-agent eval ablate bundled --without hidden,repair,grep --out worth
    """
    going.check()
    settings, instances = own_settings(), chosen.of(named)
    whole = solving.arm(named, settings, going.is_here)
    each = arms(whole, without or (), settings.profiles)
    conditions = _lasting(working.conditions(going.is_here), whole, settings)
    with closing(made.of(named, instances, each, conditions, going)) as store:
        code = carry_out(store, going)
    try:
        show(lambda columns: ablation(read_experiment(store.folder), columns))
    except EmptyScore as error:
        code = complain(str(error), code or error.exit_code)
    raise typer.Exit(code)


def grade_command(
    named: Experiment, only: Only = None, workers: Workers = None, cluster: Cluster = None
) -> None:
    """Judge solved attempts again and replace their verdicts, without solving anything.

    \b
    Example:
      react-agent eval grade trial --only shop-3
    """
    going = Going(workers=workers, cluster=cluster)
    with _continued(named, going) as store:
        if missing := sorted({*(only or ())} - {one.id for one in store.instances()}):
            raise UsageError(f"there is no instance {escape(missing[0])}")
        solved = store.due(grade_again=True).to_grade
        wanted = Due(to_grade=tuple(key for key in solved if not only or key.instance in only))
        raise typer.Exit(carry_out(store, going, wanted))
