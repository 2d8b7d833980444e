"""Cholesky factors and linear systems, refused where there is no solution, also in a browser.

NumPy learns of a failed factorisation from the processor, by its flag for invalid operations. WebAssembly has
no such flag: there ``np.linalg.cholesky`` and ``np.linalg.solve`` fill their result with NaN and raise
nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def cholesky(A: NDArray[Any]) -> NDArray[Any]:
    """Return the lower triangular L with L L' = A.

    Raises
    ------
    numpy.linalg.LinAlgError
        If A is not positive definite.
    """
    return _refused_nan(np.linalg.cholesky(A), "the matrix is not positive definite")


def solve(A: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """Return x with A x = b.

    Raises
    ------
    numpy.linalg.LinAlgError
        If A is singular.
    """
    return _refused_nan(np.linalg.solve(A, b), "the matrix is singular")


def _refused_nan(answer: NDArray[Any], reason: str) -> NDArray[Any]:
    if np.isnan(answer).any():
        raise np.linalg.LinAlgError(reason)
    return answer
