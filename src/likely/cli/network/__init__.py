"""likely network: Bayesian networks shown, asked, drawn from, converted and checked; one short file a verb."""

from __future__ import annotations

import typer

from likely.cli.network import check, convert, query, sample, separated, show
from likely.cli.session import verb

app = typer.Typer(
    help="Bayesian networks in files: show, query, sample, convert, check, separated.",
    epilog=f"Example: {query.EXAMPLE}",
    no_args_is_help=True,
)
for module in (show, query, sample, convert, check, separated):
    app.command(module.__name__.rpartition(".")[2], epilog=f"Example: {module.EXAMPLE}")(verb(module.run))
