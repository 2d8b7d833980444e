r"""Pruning by weakest links: the steps of ``tree.weakest_links``, each at the cost of a path to the root.

The inner node t with the smallest :math:`g(t) = \frac{R(t) - R(T_t)}{|T_t| - 1}` becomes a leaf. This changes
g at its ancestors only, and never lowers it: a priority queue of old values is one of lower bounds, and a
value is computed again when it comes first. For N nodes that is :math:`O(N(\log N + \text{depth}))`.

Source: Breiman, Friedman, Olshen and Stone, *Classification and Regression Trees* (1984), section 3.3.
"""

from __future__ import annotations

import heapq
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ints = NDArray[np.intp]


class Links(NamedTuple):
    """The alpha from which on each tree is best, ascending from 0, its R(T) and its leaves, shape (m,).

    And the alpha from which on each node is not split, shape (N,); infinite at a leaf of the full tree.
    """

    alphas: Array
    risks: Array
    n_leaves: Ints
    collapse: Array


def weakest_links(right: Ints, parent: Ints, R: Array) -> Links:
    """Return the alphas at which the smallest of the best subtrees changes, and these trees.

    Parameters
    ----------
    right, parent : ndarray of intp, shape (N,)
        The right child of each node of a tree in preorder, -1 at a leaf; and its parent, -1 for the root.
    R : ndarray of shape (N,)
        The risk of each node as a leaf.
    """
    N, is_leaf = len(right), right == -1
    inner = np.flatnonzero(~is_leaf)
    leaves, below, size = np.ones(N, dtype=np.intp), R.copy(), np.ones(N, dtype=np.intp)
    for t in inner[::-1]:
        children = [t + 1, right[t]]
        leaves[t], below[t], size[t] = leaves[children].sum(), below[children].sum(), 1 + size[children].sum()
    rounding = N * np.finfo(np.float64).eps * R[0]  # of a sum of at most N risks

    def g(t: Any) -> float:
        return float((R[t] - below[t]) / (leaves[t] - 1))

    collapse = np.full(N, np.inf)
    queue = [(g(t), int(t)) for t in inner]
    heapq.heapify(queue)
    steps = [(0.0, float(below[0]), int(leaves[0]))]
    while queue:
        link, t = heapq.heappop(queue)
        if collapse[t] < np.inf:
            continue
        if (now := g(t)) > link:
            heapq.heappush(queue, (now, t))
            continue
        alpha = steps[-1][0] if link - steps[-1][0] <= rounding else link  # equal up to floating-point error
        block = slice(t, t + size[t])
        collapse[block] = np.minimum(collapse[block], alpha)
        fewer, more = leaves[t] - 1, R[t] - below[t]
        while t >= 0:
            leaves[t] -= fewer
            below[t] += more
            t = int(parent[t])
        step = (alpha, float(below[0]), int(leaves[0]))
        steps[-1 if alpha == steps[-1][0] else len(steps) :] = [step]
    collapse[is_leaf] = np.inf
    alphas, risks, n_leaves = (np.array(column) for column in zip(*steps, strict=True))
    return Links(alphas, risks, n_leaves, collapse)
