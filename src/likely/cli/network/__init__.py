"""likely network: Bayesian networks shown, asked, drawn from, converted, checked and learnt; one short file a verb."""

from __future__ import annotations

import typer

from likely.cli.network import check, compare, convert, learn, query, sample, separated, show, strength
from likely.cli.terminal.failures import Verb, Verbs
from likely.cli.terminal.session import verb

app = typer.Typer(
    cls=Verbs,
    help="Bayesian networks in files: show, query, sample, convert, check, separated; learn, strength, compare.",
    epilog=f"Example: {query.EXAMPLE}",
    no_args_is_help=True,
)
for module in (show, query, sample, convert, check, separated, learn, strength, compare):
    app.command(module.__name__.rpartition(".")[2], cls=Verb, epilog=f"Example: {module.EXAMPLE}")(verb(module.run))
