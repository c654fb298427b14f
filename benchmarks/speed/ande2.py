"""AnDE of order 2 on 100,000 × 30 bytes of 5 levels in 5 classes, beside scikit-bayes' AnDE(n_dependence=2).

scikit-bayes is asked for 5,000 of the rows, as it keeps a number for each row, class and pair of parents: its time is
scaled to all the rows.
"""

import numpy as np
from _levels import COLUMNS, ROWS, call, missing, table
from _measure import Row, best, quick, show

from likely import AnDE

ASKED = 5_000
DEMANDED = {"fit": 50, "predict_proba": 50}


def main() -> None:
    X, y = table(5_000 if quick(__doc__) else ROWS)
    if missing("skbn", "scikit-bayes"):
        return
    from skbn import AnDE as Peer

    peer = Peer(n_dependence=2, categorical_features=range(COLUMNS))
    ours = {
        "backoff='even'": AnDE(order=2, kinds="category", backoff="even", smoothing=1.0),
        "default": AnDE(order=2, kinds="category"),
    }
    rows = []
    for method, demanded in DEMANDED.items():
        fit = method == "fit"
        calls = {"peer": call(peer, method, X if fit else X[:ASKED], y)}
        calls |= {name: call(model, method, X, y) for name, model in ours.items()}
        times = best(calls, rounds=2)
        theirs = times["peer"] * (1 if fit else len(X) / ASKED)
        for at, name in enumerate(ours):
            rows.append(Row(f"{method}, {name}", times[name], theirs, None if at else demanded))
    show(f"scikit-bayes' AnDE and ours of order 2, {X.shape[0]:,} × {COLUMNS}", rows)
    apart = np.abs(peer.predict_proba(X[:1000]) - ours["backoff='even'"].predict_proba(X[:1000])).max()
    print(f"probabilities at most {apart:.1e} apart")


if __name__ == "__main__":
    main()
