"""Numbers and findings as they are said in a sentence."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

BYTE_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB")


def plural(count: int, what: str, several: str | None = None) -> str:
    """So many things; `several` is what more than one are called, where no s does it.

    >>> plural(1, "row"), plural(2000, "node"), plural(3, "leaf", "leaves")
    ('1 row', '2,000 nodes', '3 leaves')
    """
    return f"{count:,} {what if count == 1 else several or what + 's'}"


def from_log(log: float, digits: int = 5) -> str:
    """The number with that logarithm, however small.

    >>> from_log(-1.5), from_log(-5000.0), from_log(float("-inf"))
    ('0.22313', '3.3697e-2172', '0')
    """
    if log > -600 or log == -math.inf:
        return f"{math.exp(log):.{digits}g}"
    power = math.floor(log / math.log(10))
    return f"{10 ** (log / math.log(10) - power):.{digits}g}e{power}"


def describe_evidence(told: Any) -> str:
    """What is known of a node: its level, one of several, likelihoods, or probabilities that are fixed.

    >>> describe_evidence("yes"), describe_evidence(["a", "b"]), describe_evidence({"yes": 0.8, "no": 0.2})
    ('= yes', '= a or b', 'likelihood {yes: 0.8, no: 0.2}')
    """
    if hasattr(told, "probabilities"):
        return f"fixed at {_shares(told.probabilities)}"
    if isinstance(told, Mapping):
        return f"likelihood {_shares(told)}"
    if hasattr(told, "tolist"):
        told = told.tolist()
    if isinstance(told, list | tuple | set | frozenset):
        return f"= {' or '.join(map(str, told))}"
    return f"= {told}"


def _shares(told: Mapping[Any, float]) -> str:
    return "{" + ", ".join(f"{level}: {share:.3g}" for level, share in told.items()) + "}"


def duration(seconds: float) -> str:
    """A time in two digits; of what was not timed nothing.

    >>> duration(0.00042), duration(0.123), duration(61), duration(5000), duration(float("nan"))
    ('0.42 ms', '120 ms', '61 s', '83 min', '')
    """
    if math.isnan(seconds):
        return ""
    if seconds < 1:
        return f"{float(f'{1000 * seconds:.2g}'):g} ms"
    return f"{float(f'{seconds:.2g}'):g} s" if seconds < 600 else f"{float(f'{seconds / 60:.2g}'):g} min"


def memory_size(size: float) -> str:
    """Bytes in words.

    >>> memory_size(3 << 30), memory_size(1500), memory_size(16)
    ('3 GiB', '1.46 KiB', '16 bytes')
    """
    power = 0
    while size >= 1024 and power < len(BYTE_UNITS) - 1:
        size, power = size / 1024, power + 1
    return f"{size:.3g} {BYTE_UNITS[power]}"


def peak_size(size: float) -> str:
    """The same of memory that was measured; of what was not, nothing.

    >>> peak_size(300_000), peak_size(5 << 20), peak_size(float("nan"))
    ('<1 MiB', '5 MiB', '')
    """
    if math.isnan(size):
        return ""
    return memory_size(size) if size >= 1 << 20 else "<1 MiB"
