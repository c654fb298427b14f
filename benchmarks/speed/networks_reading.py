"""Reading munin1.bif, beside pgmpy's BIFReader; and, with nothing demanded, pyAgrum's loadBN."""

from _levels import missing
from _measure import Row, best, quick, show
from _networks import BIF, path

from likely import Network

DEMANDED = 20


def main() -> None:
    name = "alarm" if quick(__doc__) else "munin1"
    if not BIF.exists():
        print(f"not compared: there is no {BIF}")
        return
    file = path(name)
    calls = {"likely": lambda: Network.read(file)}
    if not missing("pgmpy", "pgmpy"):
        from pgmpy.readwrite import BIFReader

        calls = {"pgmpy": lambda: BIFReader(file).get_model(), **calls}
    if not missing("pyagrum", "pyagrum"):
        import pyagrum as gum

        calls["pyAgrum"] = lambda: gum.loadBN(file)
    times = best(calls)
    goals = {"pgmpy": DEMANDED, "pyAgrum": None}
    rows = [Row(peer, times["likely"], times[peer], goal) for peer, goal in goals.items() if peer in times]
    show(f"{name}.bif, read", rows)


if __name__ == "__main__":
    main()
