"""Better calibrated probabilities."""
