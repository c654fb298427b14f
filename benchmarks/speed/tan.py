"""TAN on 100,000 × 30 bytes of 5 levels in 5 classes, beside pyAgrum's BNClassifier(learningMethod="TAN").

pyAgrum is asked for 1,000 of the rows, one after the other as it works: its time is scaled to all the rows. It is timed
with one thread and with as many as it takes by itself, and the faster counts: on a machine that has other work, its
threads wait for each other and make it many times slower.
"""

import numpy as np
from _levels import COLUMNS, ROWS, call, missing, table
from _measure import Row, best, quick, show

from likely import TAN

ASKED = 1_000
DEMANDED = {"fit": 200, "predict_proba": 300, "predict": 300}


def main() -> None:
    X, y = table(5_000 if quick(__doc__) else ROWS)
    if missing("pyagrum", "pyagrum"):
        return
    import pyagrum
    from pyagrum.skbn import createBNClassifier

    peer = createBNClassifier(learningMethod="TAN", prior="Smoothing", priorWeight=1.0)
    own = pyagrum.getNumberOfThreads()
    ours = {
        "backoff='even'": TAN(kinds="category", backoff="even", smoothing=1.0),
        "default": TAN(kinds="category"),
    }
    rows = []
    for method, demanded in DEMANDED.items():
        fit = method == "fit"
        calls = {name: call(model, method, X, y) for name, model in ours.items()}
        times = best(calls, rounds=2)
        theirs = np.inf
        for threads in {1, own}:
            pyagrum.setNumberOfThreads(threads)
            seconds = best({"peer": call(peer, method, X if fit else X[:ASKED], y)}, rounds=2)["peer"]
            print(f"pyAgrum, {method}, {threads} threads: {seconds:.3f} s for {len(X) if fit else ASKED:,} rows")
            theirs = min(theirs, seconds * (1 if fit else len(X) / ASKED))
        for at, name in enumerate(ours):
            rows.append(Row(f"{method}, {name}", times[name], theirs, None if at else demanded))
    show(f"pyAgrum's TAN and ours, {X.shape[0]:,} × {COLUMNS}", rows)


if __name__ == "__main__":
    main()
