"""Regression, trees, boosting and bagging as scikit-learn estimators."""
