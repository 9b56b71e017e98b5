"""react-agent eval"""

import typer

from react_agent.cli.group import HELP, commands_of
from react_agent.eval.cli.table import COMMANDS

_EPILOG = """\
\b
Example:
  react-agent eval run bundled --out trial
  react-agent eval report trial"""

app = typer.Typer(
    cls=commands_of("react_agent.eval.cli", COMMANDS),
    rich_markup_mode=None,
    add_completion=False,
    invoke_without_command=True,
    context_settings=HELP,
    epilog=_EPILOG,
)


@app.callback()
def evaluate(context: typer.Context) -> None:
    """Run over a set of issues, judge what came of it, report and compare.

    A set is a JSONL file in the format of SWE-bench, a folder of Markdown issues, or `bundled`.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(2)
