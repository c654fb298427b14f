"""Decisions: actions taken on probabilities, which stay as they are."""

from likely.decisions.actions import decide, read_loss

__all__ = ["decide", "read_loss"]
