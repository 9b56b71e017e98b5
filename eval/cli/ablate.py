"""react-agent eval ablate"""

from contextlib import closing
from typing import Annotated

import typer

from react_agent.cli.screen import console
from react_agent.edge import own_settings
from react_agent.eval.cli.chosen import Chosen, Set
from react_agent.eval.cli.going import Going, carried_out
from react_agent.eval.cli.made import Made
from react_agent.eval.cli.run import Solving
from react_agent.eval.cli.working import Working
from react_agent.eval.report.stored import read
from react_agent.eval.report.told import ablation
from react_agent.eval.without import arms

Without = Annotated[
    list[str] | None,
    typer.Option("--without", metavar="PART,...", help="hidden, repair, grep, ...; A+B: both gone"),
]


def command(
    named: Set,
    without: Without = None,
    *,
    chosen: Chosen,
    solving: Solving,
    working: Working,
    going: Going,
    made: Made,
) -> None:
    """Tell what parts of the agent are worth: run a set with all of it, and without each.

    Parts are hidden, repair, backtrack, compressor, hints, gate, stuck, plan, remind, about and
    the tools by their names. It is one experiment: `eval resume` goes on with it, `eval report`
    tells all of it.

    \b
    Example:
      react-agent eval ablate bundled --without hidden,repair,grep --out worth
    """
    going.check()
    settings, instances = own_settings(), chosen.of(named)
    whole = solving.arm(named, settings, going.is_here)
    each = arms(whole, without or (), settings.profiles)
    conditions, about = working.checked(going.is_here), {"set": named, **going.about}
    with closing(made.of(instances, each, conditions, about)) as store:
        code = carried_out(store, going)
    screen = console()
    for line in ablation(read(store.folder), screen.width):
        screen.print(line, soft_wrap=True)
    raise typer.Exit(code)
