"""The command line: one short file a verb; each parses, calls the library, and shows what it said."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

EXIT_INTERRUPTED = 130


def main() -> None:
    """Run the command line; Ctrl-C ends it at once and leaves no half file."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # a shell lets its background jobs ignore it
        signal.signal(signal.SIGINT, _leave)
    from likely.cli.main import run
    from likely.cli.startup.imports import defer

    defer()
    sys.exit(run(sys.argv[1:]))


def _leave(number: int, frame: FrameType | None) -> None:
    """Remove what is unfinished and go: an exception would have to pass through compiled code that does not let it."""
    placing, warmup = sys.modules.get("likely.output.atomic_write"), sys.modules.get("likely.cli.startup.warmup")
    if warmup is not None:
        warmup.stop()
    if placing is not None:
        placing.sweep()
    cursor = "\x1b[?25h" if sys.stderr.isatty() else ""  # a progress bar may have hidden it
    os.write(2, f"{cursor}interrupted; no file is half written\n".encode())
    os._exit(EXIT_INTERRUPTED)
