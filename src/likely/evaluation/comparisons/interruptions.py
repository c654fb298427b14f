"""Ctrl-C among models that each may keep what they have learnt so far, and go on as if nothing had happened."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, Self


class Interruptions:
    """Notices Ctrl-C within a block, also where a model has caught it: that model has not learnt all its rows.

    In other threads than the main one, which alone are told of it, nothing is noticed.
    """

    def __init__(self) -> None:
        self.pressed = False
        self.before: Any = None

    def __enter__(self) -> Self:
        handler = signal.getsignal(signal.SIGINT)
        if callable(handler) and threading.current_thread() is threading.main_thread():
            self.before = handler
            signal.signal(signal.SIGINT, self._notice)
        return self

    def __exit__(self, *_: object) -> None:
        if self.before is not None:
            signal.signal(signal.SIGINT, self.before)

    def _notice(self, number: int, frame: FrameType | None) -> None:
        self.pressed = True
        self.before(number, frame)  # which raises KeyboardInterrupt, unless it is told otherwise

    def check(self) -> None:
        """Interrupt the work again if a model has caught the interruption."""
        if self.pressed:
            raise KeyboardInterrupt

    def checked(self, tick: Callable[[], object] | None) -> Callable[[], None]:
        """The tick, after which the work is interrupted if a model has caught the interruption."""

        def after() -> None:
            if tick is not None:
                tick()
            self.check()

        return after
