"""A normal model as a surface sees one, made from its parameters by scipy alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from scipy import linalg, stats

from likely.core.schema import Column, Schema
from likely.errors import ModelError


@dataclass(frozen=True)
class Normals:
    """What a model holds: its schema and its priors, and how rows of a class are drawn."""

    schema: Schema
    log_prior: np.ndarray
    means: np.ndarray
    covariances: np.ndarray

    def sample(self, cells, rng):
        roots = np.linalg.cholesky(self.covariances)
        drawn = np.einsum("nij,nj->ni", roots[cells], rng.normal(size=(len(cells), self.means.shape[1])))
        return {tuple(range(self.means.shape[1])): self.means[cells] + drawn}


class Stand:
    """Normal classes with means (K, d), covariances (K, d, d) and priors (K,); other columns are summed out."""

    def __init__(self, means, covariances, priors=None, classes=None, names=None, normal=True):
        self.means = np.asarray(means, dtype=float)
        self.covariances = np.asarray(covariances, dtype=float)
        count, d = self.means.shape
        self.priors = np.full(count, 1 / count) if priors is None else np.asarray(priors, dtype=float)
        self.classes_ = np.array(classes if classes is not None else list("abcdefgh"[:count]))
        names = names or [f"x{at}" for at in range(d)]
        self.normal = normal
        columns = tuple(Column(name, "real") for name in names)
        schema = Schema(columns, Column("y", "category", tuple(self.classes_.tolist())))
        with np.errstate(divide="ignore"):
            self.model_ = Normals(schema, np.log(self.priors), self.means, self.covariances)

    def discriminant(self, features, origin=None):
        if not self.normal:
            raise ModelError("M315", "not normal")
        at = list(features)
        away = self.means[:, at] - (0.0 if origin is None else origin)
        own = self.covariances[:, at][:, :, at]
        precisions = np.stack([linalg.inv(one) for one in own])
        linear = np.einsum("kij,kj->ki", precisions, away)
        sizes = np.array([np.linalg.slogdet(2 * np.pi * one)[1] for one in own])
        with np.errstate(divide="ignore"):
            constant = np.log(self.priors) - sizes / 2 - np.einsum("ki,ki->k", linear, away) / 2
        return -precisions / 2, linear, constant

    def log_likelihood(self, X):
        at = np.flatnonzero(~np.isnan(X).all(axis=0))
        parts = zip(self.means, self.covariances, strict=True)
        return np.stack(
            [
                np.atleast_1d(stats.multivariate_normal(mean[at], covariance[np.ix_(at, at)]).logpdf(X[:, at]))
                for mean, covariance in parts
            ],
            axis=1,
        )

    def predict_log_proba(self, X):
        with np.errstate(divide="ignore"):
            joint = self.log_likelihood(X) + np.log(self.priors)
        return joint - np.logaddexp.reduce(joint, axis=1, keepdims=True)

    def with_priors(self, priors):
        said = [priors[level] for level in self.classes_.tolist()]
        names = [column.name for column in self.model_.schema.columns]
        return Stand(self.means, self.covariances, said, self.classes_, names, self.normal)


@pytest.fixture(scope="session")
def stand():
    return Stand
