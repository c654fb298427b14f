"""Pictures in files: PNG, SVG or PDF, written whole or not at all, and the same picture to the same bytes."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path
from typing import Any

from likely.output.atomic_write import atomic_write, check_place
from likely.plots.named_results import expect
from likely.plots.style import Figure, styled

# No dates and no versions: equal pictures are equal files.
_METADATA: dict[str, dict[str, Any]] = {
    ".png": {"Software": None},
    ".svg": {"Date": None, "Creator": None},
    ".pdf": {"CreationDate": None, "Producer": None, "Creator": None},
}
_SVG_SETTINGS: dict[Any, Any] = {
    "svg.hashsalt": "likely",
    # Letters as outlines: a browser or a report shows them alike whether or not it has the fonts, Chinese above all.
    "svg.fonttype": "path",
    "pdf.fonttype": 42,  # TrueType, so that text can be searched and copied
}
# matplotlib writes the gid of an artist as the id of its group, which is no place for any text; a title is.
_TIP = "tooltip: "
_TIPPED = re.compile(rb"<g id=([\"'])" + _TIP.encode() + rb"(.*?)\1>", re.DOTALL)


def save(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Write a figure to a .png (150 dots an inch), .svg or .pdf file; an old file stays until the new one is complete.

    >>> import tempfile, likely.plots
    >>> figure = likely.plots.images([[0.0, 1.0, 1.0, 0.0]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(figure, Path(folder) / "picture.svg")
    ...     print([file.name for file in Path(folder).iterdir()])
    ['picture.svg']
    """
    ending = check_picture(path)
    content = _render(figure, ending)
    with atomic_write(path) as part:
        Path(part).write_bytes(content)


def svg(figure: Figure) -> str:
    """A figure as the text of an SVG file, as notebooks and pages show it.

    >>> import likely.plots
    >>> svg(likely.plots.images([[0.0, 1.0, 1.0, 0.0]]))[:5]
    '<?xml'
    """
    return _render(figure, ".svg").decode()


def tooltip(text: str) -> str:
    """The `gid` of an artist for which an SVG shows that text where a mouse rests."""
    return _TIP + "".join(sign if sign.isprintable() or sign == "\n" else "\ufffd" for sign in text)


def check_picture(path: str | os.PathLike[str]) -> str:
    """The ending of a picture that is to be written; a place where it cannot be is refused."""
    return check_place(path, _METADATA)


def _render(figure: Figure, ending: str) -> bytes:
    import matplotlib

    expect(figure, "savefig", "save(figure, path)", "a figure, as the functions of likely.plots return")
    page = io.BytesIO()
    with styled(), matplotlib.rc_context(_SVG_SETTINGS):
        figure.savefig(page, format=ending[1:], dpi=150, metadata=_METADATA[ending])
    return page.getvalue() if ending != ".svg" else _TIPPED.sub(rb"<g><title>\2</title>", page.getvalue())
