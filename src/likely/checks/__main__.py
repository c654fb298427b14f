"""`python -m likely.checks`: every law on every member."""

import sys

from likely.checks import run

if __name__ == "__main__":
    sys.exit(1 if run() else 0)
