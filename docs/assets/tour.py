"""Draw tour.png, the picture of the README: python docs/assets/tour.py"""

from pathlib import Path

from matplotlib.figure import Figure

import likely
from likely.cli.demo import TOUR_TARGET, patients
from likely.plots.style import styled

if __name__ == "__main__":
    table = patients()
    learnt, later = table.slice(0, 400), table.slice(400)
    model = likely.fit(learnt, target=TOUR_TARGET)
    rows, truth = later.drop_columns([TOUR_TARGET]), later[TOUR_TARGET].to_pylist()
    told = likely.evaluation.evaluate_model(model, rows, truth, positive="malignant")
    row = int(abs(model.predict_proba(rows)[:, 1] - 0.8).argmin())
    with styled():
        figure = Figure(figsize=(12, 8.4), layout="constrained")
        panels = figure.subplots(2, 2)
    likely.plots.roc(told.roc, priors=[0.05, 0.4, 0.8], ax=panels[0, 0])
    likely.plots.calibration(told.calibration, ax=panels[0, 1])
    likely.plots.explanation(model.explain(rows.slice(row, 1)), ax=panels[1, 0])
    likely.plots.densities(model, "radius_mm", ax=panels[1, 1])
    likely.plots.save(figure, Path(__file__).with_suffix(".png"))
