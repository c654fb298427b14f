"""Many learners as one: boosting and bagging."""
