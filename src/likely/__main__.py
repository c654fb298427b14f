"""`python -m likely` is `likely`."""

from likely.cli import main

if __name__ == "__main__":
    main()
