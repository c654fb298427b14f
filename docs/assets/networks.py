"""Draw the pictures of the networks' pages, each beside this file: python docs/assets/networks.py"""

from pathlib import Path

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


if __name__ == "__main__":
    seen = {"xray": "yes", "dysp": "yes"}
    said = {"sneezing": "yes", "headache": "yes", "fever": "no"}
    figures = {
        "asia": asia().plot(seen, targets="lung"),
        "doctor": doctor().plot(said, targets=list(SICK)),
        "five": likely.Network(FIVE).plot(),
        "sensitivity": asia().sensitivity("lung", seen, level="yes").plot(top=8),
    }
    for name, figure in figures.items():
        likely.plots.save(figure, Path(__file__).with_name(f"networks-{name}.png"))
