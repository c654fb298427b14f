"""Companions of the Bayes classifiers: regression, trees, boosting and bagging, learnt from the same rows."""
