"""What a model has learnt, in a line or two, and as plain data."""

from __future__ import annotations

from typing import Any

STRONGEST = 5  # coefficients shown


def line_of(fitted: Any) -> tuple[str, str] | None:
    """A word and a line: parents of columns, the size of a tree, the strongest coefficients, or rounds."""
    if hasattr(fitted, "leaderboard_"):
        return "pool", _pool(fitted)
    if hasattr(fitted, "structure_"):
        from likely.cli.terminal.render import in_a_line

        return "parents", in_a_line(fitted.structure_)
    if hasattr(fitted, "tree_"):
        return "tree", _size(fitted)
    if hasattr(fitted, "rounds_"):
        return "rounds", _rounds(fitted.rounds_)
    if hasattr(fitted, "coefficients_"):
        return "terms", _strongest(fitted.coefficients_)
    return None


def document_of(fitted: Any) -> dict[str, Any]:
    """The same in full."""
    if hasattr(fitted, "leaderboard_"):
        board = fitted.leaderboard_.to_dict()["trials"]
        return {"pool": fitted.weights_, "leaderboard": board, "story": list(fitted.story_)}
    if hasattr(fitted, "structure_"):
        return {"structure": fitted.structure_.to_dict(), "cuts": fitted.cuts_}
    if hasattr(fitted, "tree_"):
        return {"tree": {"leaves": int(fitted.get_n_leaves()), "depth": int(fitted.get_depth())}}
    if hasattr(fitted, "rounds_"):
        return {"rounds": fitted.rounds_.to_dict()}
    if hasattr(fitted, "coefficients_"):
        return {"coefficients": fitted.coefficients_.to_dict()}
    return {}


def _pool(fitted: Any) -> str:
    """The members and their weights, how long it took to try them, and what the best of them is worth alone."""
    from likely.output.phrases import plural

    told = ", ".join(f"{weight:.2f} {name}" for name, weight in fitted.weights_.items())
    alone = [one for one in fitted.leaderboard_.trials if one.name != "pool" and one.judged]
    if not alone or alone[0].seconds is None:  # tried of other rows, and not now
        return told
    taken = sum(one.seconds or 0.0 for one in alone)
    best = f"the best alone, {alone[0].name}, has log loss {alone[0].log_loss:.3f}"
    return f"{told}; of {plural(len(alone), 'model')} tried in {taken:.1f} s {best}"


def _size(fitted: Any) -> str:
    from likely.output.phrases import plural

    leaves, tree = int(fitted.get_n_leaves()), fitted.tree_
    if leaves == 1:
        return "one leaf: no question is worth asking"
    first = fitted.model_.schema.columns[int(tree.column[0])].name
    return f"{leaves:,} leaves, {plural(int(fitted.get_depth()), 'question')} deep at most; the first is for {first}"


def _rounds(rounds: Any) -> str:
    told = f"; training error {rounds.training[-1]:.4f}" if len(rounds) else ""
    return f"{rounds.words}{told}"


def _strongest(table: Any) -> str:
    """The coefficients farthest from zero, in their own standard deviations where these are known.

    >>> import numpy as np
    >>> from likely.companions.regression.odds_ratios import OddsTable
    >>> _strongest(OddsTable(("intercept", "age", "sex"), ("yes",), np.array([[3, 0.5, 0]]), np.ones((1, 3))))
    'age +0.5'
    """
    import numpy as np

    estimates = np.atleast_2d(table.estimates)[:, 1:]
    sds = np.atleast_2d(table.errors if hasattr(table, "errors") else table.sds)[:, 1:]
    known = not np.isnan(sds[estimates != 0]).any()
    with np.errstate(invalid="ignore", divide="ignore"):
        size = np.where(estimates == 0, 0.0, np.abs(estimates / sds) if known else np.abs(estimates))
    owner = size.argmax(axis=0)  # of several classes, the one that it tells most of
    order = [int(at) for at in np.argsort(-size.max(axis=0), kind="stable") if size[owner[at], at] > 0]
    whose = [f" ({level})" for level in table.classes] if len(size) > 1 else [""]
    told = [f"{table.names[1 + at]} {estimates[owner[at], at]:+.4g}{whose[owner[at]]}" for at in order[:STRONGEST]]
    more = f" and {len(order) - STRONGEST} more" if len(order) > STRONGEST else ""
    return ", ".join(told) + more if told else "none: no column has a say"
