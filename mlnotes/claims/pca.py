"""The statements on principal components as executable claims, in the order of the lecture.

Rows are small integers, so that sums are exact; eigenvalues are compared with those of `eigvalsh` or of the
singular value decomposition, computed here. All bounds scale with the norm of the covariance S: rounding
moves an eigenvalue by a multiple of u |S| (Weyl), whatever the gaps between eigenvalues.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np

from mlnotes.checking import at_least, at_most, correction, equal, rounding, statement
from mlnotes.checking.outputs import as_numbers, quiet_fit, refuses, scalar

CERTIFICATE = "lost_variance", "eckart_young", "orthogonality", "gap"
OUTPUTS = {
    "mean_and_covariance": "(d,); (d, d)", "eigenpairs": "(d,); (d, d)", "components_for": "int",
    "captured_variance": "number", "PCA.explained_variance_": "(k,)",
    "PCA.explained_variance_ratio_": "(k,)", "PCA.singular_values_": "(k,)",
    "PCA.transform": "(n, k)", "PCA.inverse_transform": "(n, d)",
}  # fmt: skip


def _rows(rng, n=24, d=5):
    """Return integer rows away from 0, more spread in some features than in others."""
    return (rng.integers(-9, 10, (n, d)) // np.arange(1, d + 1) + 10 * np.arange(1, d + 1)).astype(np.float64)


def _truth(X):
    """Return centred rows, covariance, its eigenvalues from the largest, and the slack of a trace with it."""
    X_c = X - X.mean(axis=0)
    S = X_c.T @ X_c / (len(X) - 1)
    values = np.linalg.svd(X_c, compute_uv=False) ** 2 / (len(X) - 1)
    return X_c, S, values, rounding(len(X) * X.shape[1], 1 + float(np.trace(S)))


def _directions(model, k, d):
    """Return the k rows onto which a fitted model projects, from what it does to 0 and the unit vectors."""
    Z = model.transform(np.vstack([np.zeros(d), np.eye(d)]))
    return as_numbers((Z[1:] - Z[0]).T, k, d)


def _routes(PCA):
    """Return the solvers that a PCA has: every one has "eigh" and "gram"."""

    def has(solver):
        try:
            PCA(n_components=1, solver=solver).fit(np.eye(3)[:, :2])
        except (KeyError, ValueError) as error:
            return not isinstance(error, KeyError) and "solver must be" not in str(error)
        return True

    return ["eigh", "gram", *filter(has, ("power", "svd", "lanczos", "auto"))]


def _orthonormal(rng, *shape):
    """Return matrices with orthonormal columns."""
    return np.linalg.qr(rng.standard_normal(shape))[0]


# ------------------------------------------------------------------- 1 Mean, covariance, eigenvectors
@statement("formula", "1", "Chapter 10, 10.2, step 2")
def mean_cov(mean_and_covariance, rng, *, n=7, d=3, refusals=True):
    r"""$\hat\mu = \frac1n\sum_i x_i$ and $S = \frac{1}{n-1}\sum_i(x_i - \hat\mu)(x_i - \hat\mu)^\top$ from
    the training rows, of which there are two at least."""
    every = rng.integers(-9, 10, (max(n, 2), d)) + np.array([0, 50, -50])[:d]
    far = np.array([[10**8, 5], [10**8 + 1, 4], [10**8 + 5, 0]])  # in one pass squares lose the variance
    # a running mean errs by a rounding of it, and times a deviation that is an error of the covariance
    for X, size, squares in ((every, 60, 400), (every[:2], 60, 400), (far, 1e8, 4e8)):
        exact = np.array([[Fraction(int(v)) for v in row] for row in X])
        X_c = exact - (mean := exact.sum(axis=0) / len(X))
        S = X_c.T @ X_c / (len(X) - 1)
        centre, covariance = mean_and_covariance(X.astype(float))
        which = f"of {len(X)} observations{', far out' * (size > 60)}"
        yield equal(f"mean {which}", centre, mean.astype(float), rounding(7, size), X=X)
        yield equal(f"covariance {which}", covariance, S.astype(float), rounding(21, squares), X=X)
    if refusals:  # a question of homework names its inputs, and asks for no refusal
        yield equal("one row is refused", refuses(mean_and_covariance, every[:1].astype(float)), True)


@statement("formula", "1", "Chapter 10, 10.2, step 3")
def eig(eigenpairs, rng):
    r"""$S = V\Lambda V^\top$ with orthonormal *columns* $v_j$ and $\lambda_1 \ge \dots \ge \lambda_d$; the
    $\lambda_j$ are $s_j^2/(n - 1)$ for the singular values $s_j$ of the centred rows."""
    X = _rows(rng)
    _, S, values, slack = _truth(X)
    roots, V = eigenpairs(S)
    yield equal("eigenvalues, largest first", roots, values, slack, X=X)
    yield equal("S V - V Lambda", S @ V - V * roots, np.zeros((5, 5)), slack)
    yield equal("V'V", V.T @ V, np.eye(5), rounding(25))
    cross = np.diag([2.0, 1.0])  # whose entries are 0 off the diagonal, or rounding
    cross[0, 1] = 1e-15
    yield equal("eigenvalues where rounding breaks the symmetry", eigenpairs(cross)[0], [2, 1], 1e-15)
    cross[0, 1] = 1e-6
    yield equal("a matrix that is not symmetric is refused", refuses(eigenpairs, cross), True)


# ------------------------------------------------------------------- 2 Two theorems on the best subspace
@statement("theorem", "2", "Chapter 10, 10.2, intuition")
def max_variance(PCA, rng, *, n=24, d=5):
    r"""$v_1$ is a direction of largest variance, and $v_{i+1}$ is one among the directions orthogonal to
    $v_1, \dots, v_i$, a space of dimension $d - i$: its variance is the largest eigenvalue of $S$
    restricted to that space."""
    # a cross whose arms differ little, a line with only one direction of variance
    cross = np.array([[76.0, 57.0], [-76.0, -57.0], [-60.0, 80.0], [60.0, -80.0]])
    line = np.outer([-1.0, 0.0, 2.0, 3.0], [4.0, 3.0])
    drawn = _rows(rng, n, d)
    for X, k in ((cross + 9, 2), (line + 1, 2), (drawn, min(d - 1, n - 1))):
        _, S, _, slack = _truth(X)
        V = _directions(PCA(n_components=k).fit(X), k, len(S))
        yield equal("orthonormal directions", V @ V.T, np.eye(k), rounding(100, 60), X=X)
        variances = ((V @ S) * V).sum(axis=1)
        left, best, Q = [], [], np.clip(np.nan_to_num(V), -1, 1)  # no entry of a unit vector is larger
        for i in range(k):
            rest = np.eye(len(S)) - Q[:i].T @ Q[:i]
            best.append(np.linalg.eigvalsh(rest @ S @ rest)[-1])
            left.append(np.linalg.matrix_rank(rest, tol=1e-6))
        what = "variance of each direction, against the largest at right angles to those before"
        yield equal(what, variances, best, 60 * slack, X=X)
        yield equal("dimensions left to each direction: d, d - 1, ...", left, len(S) - np.arange(k))
        yield at_least("n, n - 1, ..., less these", len(X) - np.arange(k) - left, 1)


@statement("theorem", "2", "Chapter 10, 10.2, intuition", "Fan, 1949, theorem 1")
def optimal_k(PCA, rng, *, n=24, d=5):
    r"""Among all orthonormal $W \in \mathbb R^{d \times k}$ the leading eigenvectors retain the most
    variance: $\operatorname{tr}(W^\top S W) \le \lambda_1 + \dots + \lambda_k = \operatorname{tr}(V_k^\top
    S V_k)$ (Ky Fan)."""
    X = _rows(rng, n, d)
    _, S, values, slack = _truth(X)
    for k in (min(1, n - 1), min(max(1, d - 2), n - 1)):
        model = PCA(n_components=k).fit(X)
        V = _directions(model, k, d)
        yield equal(f"orthonormal, k = {k}", V @ V.T, np.eye(k), rounding(100, 60))
        Z = model.transform(X)
        variance = float(((Z - Z.mean(axis=0)) ** 2).sum() / (len(X) - 1))
        yield equal(f"variance of the coordinates, k = {k}", variance, values[:k].sum(), 60 * slack, X=X)
        others = np.concatenate([_orthonormal(rng, 50, d, k), np.eye(d)[None, :, :k]])
        traces = (others * (S @ others)).sum(axis=(1, 2))
        yield at_most(f"variance that other subspaces retain, k = {k}", traces, variance, 60 * slack)


@statement("theorem", "2", "Eckart and Young, 1936")
def eckart_young(PCA, rng, *, n=24, d=5):
    r"""The reconstruction $\hat\mu + V_kV_k^\top(x_i - \hat\mu)$ has the total squared error $(n -
    1)\sum_{j > k}\lambda_j$, and no approximation by points of a $k$-dimensional plane has less."""
    X = _rows(rng, n, d)
    _, _, values, slack = _truth(X)
    for k in (min(1, n - 1), min(max(1, d - 2), n - 1)):
        model = PCA(n_components=k).fit(X)
        again = model.inverse_transform(model.transform(X))
        lost, least = float(((X - again) ** 2).sum()), (n - 1) * float(values[k:].sum())
        yield equal(f"squared error, k = {k}", lost, least, 60 * (n - 1) * slack, X=X)
        rank = np.linalg.matrix_rank(np.nan_to_num(again - again.mean(axis=0)), tol=1e-6)
        yield at_most(f"dimension of the plane, k = {k}", int(rank), k)
        W, rows = _orthonormal(rng, 30, d, k), X - X.mean(axis=0) - rng.normal(0, 0.5, (30, 1, d))
        errors = ((rows - rows @ W @ W.swapaxes(1, 2)) ** 2).sum(axis=(1, 2))
        yield at_least(f"squared error of other planes, k = {k}", errors, lost, 60 * (n - 1) * slack)


@statement("formula", "2")
def certificate(PCA, rng):
    r"""A fit tells the variances $\lambda_1, \dots, \lambda_k$ of its components, and both sides of Eckart
    and Young over $n - 1$: the variance that *its* directions lose, $\operatorname{tr}S -
    \operatorname{tr}(V_k^\top SV_k)$, and $\sum_{j > k}\lambda_j$. They agree, by every route. It also tells
    the largest entry of $V_k^\top V_k - I$ and the gap $\lambda_k - \lambda_{k+1}$."""
    shapes = ((24, 5, 0.25), (6, 9, 0.25), (60, 48, 0.25))
    tall, wide, many = (rng.integers(-9, 10, (n, d)) * fade ** np.arange(d) + 9.0 for n, d, fade in shapes)
    values = _truth(tall)[2]
    share = float((values[0] + values[1] / 2) / values.sum())  # two components are needed
    cases = [(many, 2, 2), (tall, 3, 3), (tall, None, 5), (tall, share, 2), (wide / 64, 4, 4)]
    cases += [(wide * 0, None, 6), (tall[:2], 1, 1)]
    part = {"lanczos": cases[:2], "power": cases[1:]}  # this one waits for variances of rounding size to part
    for route in _routes(PCA):
        for X, asked, k in part.get(route, cases):
            _, S, values, slack = _truth(X)
            model, warned = quiet_fit(PCA(n_components=asked, solver=route), X, None)
            V, name = _directions(model, k, X.shape[1]), f"k = {asked and round(asked, 3)}, route {route}"
            yield equal(f"variances, {name}", model.explained_variance_, values[:k], 60 * slack, X=X)
            told = [scalar(model.certificate_[entry]) for entry in CERTIFICATE]
            gap, least = values[k - 1] - values[k : k + 1].sum(), values[k:].sum()
            right = [np.trace(S - S @ V.T @ V), least, abs(V @ V.T - np.eye(k)).max(), gap]
            yield equal(f"{', '.join(CERTIFICATE)}, {name}", told, right, 60 * slack)
            if hasattr(model, "singular_values_"):
                squares = model.singular_values_**2 / (len(X) - 1)
                yield equal(f"singular values, squared over n - 1, {name}", squares, values[:k], 60 * slack)
                shares, total = model.explained_variance_ratio_, values.sum() or 1.0
                yield equal(f"shares of the variance, {name}", shares, values[:k] / total, 60 * slack)
                yield equal(f"warnings that nothing varies, {name}", warned, int(not values.any()))
    refused = [k for k in (-0.5, 0, 6) if refuses(PCA(n_components=k).fit, tall)]
    yield equal("numbers of components of five features that are refused", refused, [-0.5, 0, 6])
    yield equal("one row is refused", refuses(PCA(n_components=1).fit, tall[:1]), True)


# ------------------------------------------------------------------- 3 The procedure
@statement("algorithm", "3", "Chapter 10, 10.2, steps 1 and 4 to 7")
def project(PCA, rng, *, n=24, m=9, d=5):
    r"""Test rows are centred with the *training* mean and projected on the training components: the
    coordinates $V_k^\top(x - \hat\mu)$ of a row do not depend on the rows beside it."""
    X, test = _rows(rng, n, d), _rows(rng, m, d) + 3.0
    k = min(2, d, n - 1)
    model = PCA(n_components=k).fit(X)
    V, mean = _directions(model, k, d), X.mean(axis=0)
    slack = rounding(60, 400)
    yield equal("V'V, where row j of V is transform(e_j) - transform(0)", V @ V.T, np.eye(k), slack)
    Z = model.transform(test)
    yield equal("coordinates of the test rows, (x - mean)'V", Z, (test - mean) @ V.T, slack, X=X, test=test)
    for row, code in zip(test, Z, strict=True):
        alone = model.transform(row[None])
        yield equal("coordinates of a row alone", alone, code[None], slack, row=row)
    yield equal("coordinates of the training mean", model.transform(mean[None]), np.zeros((1, k)), slack)


@statement("theorem", "3")
def gram(PCA, rng, *, n=6, d=30, solvers=("gram", "eigh")):
    r"""$X_c^\top X_c$ and $X_cX_c^\top$ have the same nonzero eigenvalues; if $X_cX_c^\top u = \lambda u$
    with $\lVert u\rVert = 1$ and $\lambda > 0$, then $X_c^\top u/\sqrt\lambda$ is a unit eigenvector of
    $X_c^\top X_c$. With fewer rows than features, solver 'gram' finds the components of solver 'eigh' from
    the smaller matrix."""
    X = rng.integers(-9, 10, (n, d)) + 5.0  # not centred
    _, S, values, slack = _truth(X)
    k = min(n - 1, d)
    for solver in solvers:
        model = PCA(n_components=k, solver=solver).fit(X)
        V = _directions(model, k, d)
        yield equal(f"orthonormal, {solver}", V @ V.T, np.eye(k), rounding(600, 10))
        yield equal(f"S v - lambda v, {solver}", V @ S - values[:k, None] * V, np.zeros((k, d)), slack, X=X)


@statement("theorem", "3")
def power(power_iteration, rng):
    r"""Power iteration $w \leftarrow Sw/\lVert Sw\rVert$: the variance $w^\top Sw$ never falls, and an
    eigenvalue of $S$ lies within $\lVert Sw - (w^\top Sw)w\rVert$ of it, which is rounding at the end. At
    right angles to $v_1$ it stays there."""
    X = _rows(rng)
    _, S, values, slack = _truth(X)
    first = np.linalg.eigh(S)[1][:, -1]
    for name, before in (("free", ()), ("at right angles to the first", (first,))):
        path = list(itertools.islice(power_iteration(S, rng.standard_normal(5), before), 100_000))
        W = as_numbers([w for w, _ in path], len(path), 5)
        told, images = np.array([scalar(variance) for _, variance in path]), W @ S
        yield equal(f"lengths, {name}", (W**2).sum(axis=1), 1.0, rounding(60))
        yield equal(f"variance, {name}", told, (W * images).sum(axis=1), slack)
        yield at_least(f"rise of the variance, {name}", np.diff(told), 0.0, slack)
        rest = images - images @ np.outer(first, first) * bool(before)
        steps = rest / np.linalg.norm(rest, axis=1, keepdims=True)
        yield equal(f"next direction, {name}", W[1:], steps[:-1], slack / told.min())
        residuals = np.linalg.norm(images - told[:, None] * W, axis=1)
        nearest = abs(told[:, None] - values).min(axis=1)
        yield at_most(f"way to the nearest eigenvalue, {name}", nearest, residuals, slack)
        yield at_most(f"last residual, {name}", residuals[-1], 0.0, slack)


@statement("definition", "3")
def fraction(components_for, rng, *, d=8, refusals=True):
    r"""To retain the fraction $q$ of the variance keep the least $k$ with $\lambda_1 + \dots + \lambda_k
    \ge q\,(\lambda_1 + \dots + \lambda_d)$, $0 < q < 1$."""
    values = np.sort(rng.integers(1, 64, d))[::-1]
    total = int(values.sum())
    cases = [(int(values[:k].sum()), k) for k in range(1, d)]  # shares that k components reach exactly
    for reached, k in cases:
        answer = components_for(values / 1.0, reached / total)
        yield equal("k where the share is exactly q", answer, k, values=values)
        answer = components_for(values / 1.0, (reached + 0.5) / total)
        yield equal("k where it just misses q", answer, k + 1, values=values)
    # in float64, 29/35 times 35 is above 29, and 11/35 + 11/35 + 7/35 below 29/35; 0.3 is below 3/4 of 0.4
    tiny = np.array([0.3, 0.1]) / 2**40
    for what, variances, q, k in (
        ("29/35 of 11, 11, 7, 6, where rounding adds another", [11.0, 11.0, 7.0, 6.0], 29 / 35, 3),
        ("0.88 of 16, 1, 1, 1, 1", [16.0, 1.0, 1.0, 1.0, 1.0], 0.88, 3),
        ("a millionth more than 3/4 of 3, 1", [3.0, 1.0], 0.75 + 1e-6, 2),
        ("3/4 of 0.3/2^40, 0.1/2^40, where rounding adds another", tiny, 0.75, 1),
        ("a millionth more than 3/4 of 0.3/2^40, 0.1/2^40", tiny, 0.75 + 1e-6, 2),
    ):
        yield equal(f"k for {what}", components_for(np.array(variances), q), k)
    if refusals:
        refused = [q for q in (0.0, 1.0) if refuses(components_for, values / 1.0, q)]
        yield equal("shares that are refused", refused, [0.0, 1.0])


@statement("formula", "3")
def whitening(PCA, rng):
    r"""Whitened coordinates $\lambda_j^{-1/2}v_j^\top(x - \hat\mu)$ have the covariance $I$ on the training
    rows; they no longer tell how much variance a direction had, and in one without any they are 0."""
    X = _rows(rng)
    _, _, values, slack = _truth(X)
    model, warned = quiet_fit(PCA(n_components=3, whiten=True), X, None)
    Z = model.transform(X)
    yield equal("warnings where every direction varies", warned, 0)
    yield equal("covariance", np.cov(Z.T), np.eye(3), 60 * slack / values[2], X=X)
    plain = PCA(n_components=3).fit(X)
    variances = np.var(plain.transform(X), axis=0, ddof=1)
    yield equal("variances without whitening", variances, values[:3], 60 * slack, X=X)
    plane = np.column_stack([X[:, :2], X[:, 0] + X[:, 1]])
    yield equal("warnings without whitening", quiet_fit(PCA(), plane, None)[1], 0)
    for route in (name for name in _routes(PCA) if name not in ("power", "lanczos")):
        model, warned = quiet_fit(PCA(whiten=True, solver=route), plane, None)
        Z = model.transform(plane)
        yield equal(f"coordinates at right angles to a plane of all rows, {route}", Z[:, 2:], 0.0, X=X)
        yield equal("these rows again", model.inverse_transform(Z), plane, 60 * slack)
        if hasattr(model, "singular_values_"):
            yield equal("warnings that a direction has no variance", warned, 1)


# ------------------------------------------------------------------- 4 What PCA cannot see
def _least_errors(z, y):
    """Return the least number of errors of *any* rule on one coordinate; different values are told apart."""
    values = np.round(z, 6)
    groups = [y[values == value] for value in np.unique(values)]
    return sum(min(int((group == 0).sum()), int((group == 1).sum())) for group in groups)


@statement("claim", "4", "Chapter 10, 10.2")
def purpose(PCA):
    """PCA reduces $d$ features to $k$ without looking at labels. It can delete what separates the classes:
    on the rows of this claim *every* rule on the first component errs half the time, and the discarded
    second one makes no error."""
    y = np.repeat([0, 1], 40)  # the first feature, of large variance, has every value once in each class
    X = np.column_stack([np.tile(np.arange(40) - 39 / 2, 2), 2.0 * y - 1])
    first = PCA(n_components=1).fit(X).transform(X)[:, 0]
    yield equal("least errors of any rule on component 1, of 80 rows", _least_errors(first, y), 40)
    both = PCA(n_components=2).fit(X).transform(X)
    yield equal("least errors on component 2", _least_errors(both[:, 1], y), 0)
    narrow = X * [1e-3, 1.0]
    first = PCA(n_components=1).fit(narrow).transform(narrow)[:, 0]
    errors = _least_errors(first, y) if np.isfinite(first).all() else np.nan
    yield equal("least errors on component 1, the other feature narrow", errors, 0)
    share = np.var(both, axis=0) / np.var(both, axis=0).sum()
    yield at_least("share of the variance of component 1", float(share[0]), 0.99)


# ------------------------------------------------------------------- 5 What the notes got wrong
@correction("wrong", "5 deeper", "Chapter 10, 10.2, intuition")
def erratum_t13(captured_variance):
    """Printed: The $k$ coordinates retain the maximal variance under linear transformations.
    Right: Under *orthogonal projections* of rank $k$: twice the coordinates have four times the variance."""
    S, V = np.diag([4.0, 1.0]), np.array([[1.0], [0.0]])
    yield equal("variance that the first component retains", captured_variance(S, V), 4.0)
    yield equal("variance of a linear map: 2 V", float(((2 * V).T @ S @ (2 * V))[0, 0]), 16.0)
    yield equal("2 V is refused as a projection", refuses(captured_variance, S, 2 * V), True)


erratum_t12 = max_variance.corrects("t12", "wrong", "5 deeper", "Chapter 10, 10.2, intuition", r"""
    Printed: The second direction is sought in an $(n-1)$-dimensional subspace, the $(i+1)$-th in one of
    dimension $n - i$.
    Right: $d - 1$ and $d - i$: the directions live in $\mathbb R^d$, and $n$
    rows may be many more.""")  # fmt: skip
erratum_t14 = purpose.corrects("t14", "sharper", "5 deeper", "Chapter 10, 10.2", r"""
    Printed: It is often useful to reduce the dimension to avoid overfitting.
    Right: It can be, and it may ruin everything: the components know nothing of the labels, and the direction
    that separates the classes may be the one of least variance.""")  # fmt: skip
