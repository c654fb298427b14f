"""The verbs gathered, and the one place where errors become words and exit codes."""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import Annotated, Any

import typer
from typer.exceptions import TyperException
from typer.main import get_command

from likely import __version__
from likely.cli import (
    EXIT_INTERRUPTED,
    belief,
    compare,
    decide,
    demo,
    digits,
    doctor,
    evaluate,
    explain,
    explain_error,
    fit,
    forget,
    inspect,
    merge,
    network,
    predict,
    report,
    sample,
    split,
    surface,
)
from likely.cli.options import option
from likely.cli.startup.completion import in_bash
from likely.cli.terminal.failures import StoppedError, Verb, Verbs, of_bug, of_memory, of_usage, show
from likely.cli.terminal.session import verb
from likely.errors import LikelyError

EXIT_CODES_TOLD = "Exit codes: 0 fine, 2 usage, 3 data, 4 model, 5 output, 70 a fault of likely, 130 interrupted."
app = typer.Typer(
    cls=Verbs,
    name="likely",
    help="Bayes classifiers: from a file to a decision, with answers that a person can check.",
    epilog=f"Start with: likely demo. {EXIT_CODES_TOLD}",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    suggest_commands=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        print(f"likely {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, option("--version", "Show the version and exit.", is_eager=True, callback=_version)
    ] = False,
) -> None:
    """The verbs do the work."""


for module in (
    demo, inspect, split, fit, predict, evaluate, compare, explain, decide, surface, report, sample, merge,
    forget, doctor, explain_error,
):  # fmt: skip
    name = module.__name__.rpartition(".")[2].replace("_", "-")
    app.command(name, cls=Verb, epilog=f"Example: {module.EXAMPLE}")(verb(module.run))
app.add_typer(belief.app, name="belief")
app.add_typer(network.app, name="network")
app.add_typer(digits.app, name="digits")


@cache
def _command() -> Any:
    """All verbs with their options; typer would gather them anew for every command line of a process."""
    return get_command(app)


def run(arguments: list[str]) -> int:
    """The exit code of a command line; nothing but words reaches the user."""
    as_json = "--json" in arguments
    try:
        with in_bash(os.environ):
            code = _command()(arguments, prog_name="likely", standalone_mode=False)
        sys.stdout.flush()
        if code == EXIT_INTERRUPTED:  # typer has caught it
            raise KeyboardInterrupt
        return int(code or 0)
    except LikelyError as error:
        return show(error, as_json)
    except TyperException as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # the help has been shown
            return 2
        return show(of_usage(error), as_json)
    except StoppedError as stopped:
        print(f"stopped early: {stopped}", file=sys.stderr)
        return EXIT_INTERRUPTED
    except (KeyboardInterrupt, typer.Abort):
        print("interrupted; no file is half written", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except MemoryError:
        return show(of_memory(), as_json)
    except Exception as error:
        return show(of_bug(error), as_json)
