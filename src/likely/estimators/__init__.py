"""The scikit-learn face of every model: `registry` has their names, and `likely` gives each when it is asked for."""
