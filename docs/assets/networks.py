"""Draw the pictures of the networks' pages, each beside this file: python docs/assets/networks.py [alarm.bif]"""

import sys
from pathlib import Path
from typing import Any

from PIL import Image

import likely
from likely.networks import NoisyOr, asia

FIVE = {"x1": [], "x2": [], "x3": ["x1"], "x4": ["x1", "x2"], "x5": ["x2"]}
SICK = {"cold": 0.2, "flu": 0.05, "hay fever": 0.1, "migraine": 0.08}
SHOWS = {
    "cough": {"cold": 0.5, "flu": 0.7},
    "sneezing": {"cold": 0.8, "hay fever": 0.9},
    "fever": {"cold": 0.1, "flu": 0.9},
    "headache": {"cold": 0.2, "flu": 0.6, "hay fever": 0.2, "migraine": 0.95},
}


def doctor() -> likely.Network:
    """Diseases, and symptoms that each brings about by itself."""
    causes = {name: {"no": 1 - often, "yes": often} for name, often in SICK.items()}
    effects = {name: NoisyOr(links, leak=0.02) for name, links in SHOWS.items()}
    return likely.Network(causes | effects, name="doctor")


def clinic() -> Any:
    """How sure the arcs are that 2,000 patients tell."""
    few = asia().sample(100_000, seed=0)[:2000]
    return likely.learn_network(few).arc_strength(few, bootstrap=100)


def of_alarm(path: str) -> dict[str, Any]:
    """What is learnt from 10,000 rows of a network beside itself, and how the score rose."""
    truth = likely.Network.read(path)
    learnt = likely.learn_network(truth.sample(10_000, seed=0))
    return {
        "alarm": likely.compare_structures(learnt, truth).plot(),
        "trace": learnt.search_.plot(),
    }


def keep(figure: Any, path: Path) -> None:
    """Few colours are enough, and small."""
    likely.plots.save(figure, path)
    if path.stat().st_size > 150_000:
        Image.open(path).quantize(48).save(path, optimize=True)


if __name__ == "__main__":
    seen = {"xray": "yes", "dysp": "yes"}
    said = {"sneezing": "yes", "headache": "yes", "fever": "no"}
    figures = {
        "asia": asia().plot(seen, targets="lung"),
        "doctor": doctor().plot(said, targets=list(SICK)),
        "five": likely.Network(FIVE).plot(),
        "sensitivity": asia().sensitivity("lung", seen, level="yes").plot(top=8),
        "strength": clinic().plot(),
    }
    if sys.argv[1:]:
        figures |= of_alarm(sys.argv[1])
    for name, figure in figures.items():
        keep(figure, Path(__file__).with_name(f"networks-{name}.png"))
