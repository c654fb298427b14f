"""Pictures of explanations and regressions."""
