"""Standard errors of a fit: from the curvature of the likelihood, clustered by block where deals were shared."""

import numpy as np
import scipy

from tournaments.rules.ratings.likelihood import block_scores, information_diagonal, information_matrix
from tournaments.rules.ratings.rankings import FloatArray, IntArray, Rankings

DENSE_LIMIT = 1500
"""Pools up to this size invert the whole Hessian; above it the diagonal is as good (measured in docs/RATINGS.md)."""

FEW_BLOCKS = 20
"""With fewer blocks than this a player's clustered error may only widen the interval: its own noise is too large."""


def standard_errors(theta: FloatArray, rankings: Rankings, precision: FloatArray) -> FloatArray:
    """The standard error of each strength against the mean of the pool."""
    if len(theta) <= DENSE_LIMIT:
        return _dense_errors(theta, rankings, precision)
    information = information_diagonal(theta, rankings) + precision
    errors = information**-0.5
    if not _has_blocks(rankings):
        return errors
    scores = block_scores(theta, rankings)
    spread = np.bincount(scores.indices, weights=scores.data**2, minlength=len(theta)) + precision
    return _choose_errors(errors, np.sqrt(spread) / information, _count_blocks(scores))


def _dense_errors(theta: FloatArray, rankings: Rankings, precision: FloatArray) -> FloatArray:
    if not len(theta):
        return theta
    information = information_matrix(theta, rankings) + np.diag(precision)
    covariance = scipy.linalg.inv(information)
    errors = _errors_against_mean(covariance)
    if not _has_blocks(rankings):
        return errors
    scores = block_scores(theta, rankings)
    # The prior adds its precision once to the spread of the scores, as it does to the information.
    spread = (scores.T @ scores).toarray() + np.diag(precision)
    clustered = _errors_against_mean(covariance @ spread @ covariance)
    return _choose_errors(errors, clustered, _count_blocks(scores))


def _errors_against_mean(covariance: FloatArray) -> FloatArray:
    shared = covariance.mean(axis=0)
    variance: FloatArray = np.diag(covariance) - 2 * shared + shared.mean()
    return variance**0.5


def _choose_errors(plain: FloatArray, clustered: FloatArray, blocks: IntArray) -> FloatArray:
    return np.where(blocks < FEW_BLOCKS, np.maximum(plain, clustered), clustered)


def _has_blocks(rankings: Rankings) -> bool:
    """Whether any block holds more than one match (ties weigh less than one each, and sum to one)."""
    return bool((np.bincount(rankings.blocks, weights=rankings.weights) > 1.5).any())


def _count_blocks(scores: "scipy.sparse.csr_array") -> IntArray:
    """In how many different blocks each player sat."""
    return np.bincount(scores.indices, minlength=scores.shape[1]).astype(np.int64)
