"""Draws the picture of docs/beliefs.md: python docs/assets/beliefs.py."""

from pathlib import Path

import likely
from likely import plots

HERE = Path(__file__).parent

if __name__ == "__main__":
    coin = likely.Beta(2, 2).update(7, 3)
    figure = coin.plot(observed="7 heads in 10 tosses", about="chance of heads", predictive=5)
    plots.save(figure, HERE / "beliefs-coin.png")
