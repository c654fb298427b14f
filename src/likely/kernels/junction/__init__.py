"""Junction trees and samplers of Bayesian networks."""
