"""The Bayes classifiers as scikit-learn estimators."""
