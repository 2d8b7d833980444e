"""The perceptrons against the reference module: the same updates, predictions, and a certificate recomputed.

Features are small multiples of 1/4, with ties, duplicates, constants and examples of zeros, so that every sum
and every product of a run is exact, and runs are compared entry for entry. Windows have from three examples
on, and after 2 n updates it is decided whether a run can end.
"""

import itertools
import math
import warnings
from fractions import Fraction
from itertools import islice

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from mlnotes import KernelPerceptron, Perceptron
from mlnotes import perceptron as reference
from mlnotes.engines import perceptron_loops as engine
from mlnotes.estimators.perceptron import separability

U = 2.0**-53
PAUSE = 3
PICKS = ["cyclic", "first", "random", "worst", "batch"]


@pytest.fixture(autouse=True, scope="module")
def small_windows():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "BLOCK", 24)
        patch.setattr(engine, "SHORTEST", 3)
        patch.setattr(engine, "PAUSE", PAUSE)
        yield


def many(n):
    return settings(derandomize=True, deadline=None, max_examples=n, phases=[Phase.generate])


@st.composite
def tables(draw, most_classes=2):
    """Examples and labels: half of them separated by a hyperplane, with what is on it in either class."""
    n = draw(st.sampled_from([2, 3, 5, 7, 11, 16]))
    d = draw(st.integers(1, 3))
    K = draw(st.integers(2, most_classes))
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    X = rng.integers(-3, 4, (n, d)) / draw(st.sampled_from([1.0, 4.0]))
    X = X[rng.integers(0, n, n)] if draw(st.booleans()) else X
    X[:, 0] = X[0, 0] if draw(st.integers(0, 9)) == 0 else X[:, 0]
    y = rng.integers(0, K, n)
    if draw(st.booleans()):
        y = (X @ rng.integers(-2, 3, (d, K)) + rng.integers(-1, 2, K)).argmax(axis=1)
    y[:K] = np.arange(len(y[:K]))
    return X, y


def in_fractions(Z):
    return np.array([[Fraction(value) for value in row] for row in Z])


def fitted(model, *data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what cannot be separated
        return model.fit(*data)


def run_of(Z, start, pick, eta):
    """The reference module's generator of a pick, with the examples of every update as a list."""
    if pick == "cyclic":
        states = reference.perceptron(Z, start, eta)
    elif pick == "batch":
        states = reference.batch_perceptron(Z, start, eta)
    else:
        rng = np.random.default_rng(5)
        choose = {
            "first": lambda mistakes, products: mistakes[0],
            "random": lambda mistakes, products: mistakes[rng.integers(len(mistakes))],
            "worst": lambda mistakes, products: mistakes[products.argmin()],
        }
        states = reference.perceptron_any_order(Z, start, choose[pick], eta)
    return ((w, [] if i is None else np.ravel(i).tolist()) for w, i in states)


def until_stopped(states, n, max_iter, pick, ends):
    """The states up to where an estimator stops: at the end, at max_iter, or when it cannot end."""
    seen, updates = [], 0
    for state in islice(states, max_iter * (1 if pick == "batch" else n)):
        seen.append(state)
        updates += bool(state[1])
        if not ends and updates == (PAUSE if pick == "batch" else max(2 * n, PAUSE)):
            break
    return seen


@many(300)
@given(
    st.data(),
    tables(),
    st.sampled_from(["cyclic", "cyclic", *PICKS]),
    st.booleans(),
    st.sampled_from([1.0, 0.5, 2.0]),
    st.sampled_from([1, 2, 80]),
)
def test_two_classes_follow_the_reference_module(data, table, pick, intercept, eta, max_iter):
    X, y = table
    n, d = X.shape
    rng = np.random.default_rng(data.draw(st.integers(0, 2**20)))
    start = np.zeros(d + intercept)
    if data.draw(st.booleans()):
        start = rng.integers(-6, 7, len(start)) / 2.0
    output = data.draw(st.sampled_from(["average", "vote", "last"] if pick == "cyclic" else ["last"]))
    model = Perceptron(
        pick=pick, output=output, eta0=eta, fit_intercept=intercept, max_iter=max_iter, random_state=5
    )
    fitted(model, X, y, start[:d], start[d:] if intercept else None)

    Z = reference.signed_examples(X, np.where(y == y.max(), 1, -1), intercept)
    truth = separability(in_fractions(Z), exact=True)
    states = until_stopped(run_of(Z, start, pick, eta), n, max_iter, pick, truth.separable)
    assert model.mistakes_.tolist() == list(itertools.chain.from_iterable(i for _, i in states))
    assert model.n_iter_ == (-(-len(states) // n) if pick == "cyclic" else max(1, len(states)))
    path = np.array([w for w, _ in states] or [start])
    check_predictions(model, path, np.vstack([X, rng.integers(-3, 4, (6, d)) / 2.0]))
    check_certificate(model, path[-1], start / eta, Z, truth)


def check_predictions(model, path, X):
    """The scores of the last weights, of their mean over the visits, or of the vote."""
    Z = reference.signed_examples(X, np.ones(len(X)), model.fit_intercept)
    scores = model.decision_function(X)
    if model.output == "vote":
        assert scores.tolist() == np.where(Z @ path.T >= 0, 1, -1).sum(axis=1).tolist()
    else:
        w = path.mean(axis=0) if model.output == "average" else path[-1]
        slack = 4 * len(path) * U * abs(path).max() if model.output == "average" else 0.0
        found = np.append(model.coef_[0], model.intercept_)
        np.testing.assert_allclose(found[: len(w)], w, rtol=0, atol=slack)
        assert model.fit_intercept or not model.intercept_.any()
        rounding = 8 * Z.shape[1] * abs(Z).max() * (slack + U * abs(w).max())
        np.testing.assert_allclose(scores, Z @ w, rtol=0, atol=rounding)
    assert model.predict(X).tolist() == model.classes_[np.where(scores >= 0, 1, 0)].tolist()


def check_certificate(model, w, start, Z, truth):
    """Every entry, from the last weights and the formulas of the reference module."""
    report, n, radius = model.certificate_, len(Z), np.linalg.norm(Z, axis=1).max()
    delta = reference.margin(w, Z) if w.any() else 0.0
    assert report["mistakes"] == len(model.mistakes_)
    assert report["radius"] == pytest.approx(radius, rel=8 * U)
    assert report["margin"] == pytest.approx(delta, rel=32 * U, abs=0)
    if delta > 0:
        norm = np.linalg.norm(start)
        along = np.clip(start @ w / np.linalg.norm(w), -norm, norm)
        bound = reference.mistake_bound_from(radius, delta, norm, along)
        # the rounding of norm^2 - along^2 under the root of (4.3) enters with its root
        slack = math.sqrt(64 * U) * (1 + norm / delta)
        bound *= n if model.pick == "batch" else 1
        assert report["bound"] == pytest.approx(bound, abs=n * slack, rel=1e-12)
        assert len(model.mistakes_) <= report["bound"] + n * slack
    else:
        assert report["bound"] == math.inf
    # what is said on the best margin holds, and what cannot be separated has convex weights that prove it
    assert report["separable"] is truth.separable
    slack = 256 * Z.shape[1] * U * radius  # what the decision takes for zero
    assert delta <= report["lower"] <= truth.lower + slack
    assert truth.upper - slack <= report["upper"] <= radius * (1 + 4 * U)
    assert hasattr(model, "combination_") == (report["separable"] is False)
    if report["separable"] is False:
        weights = model.combination_
        assert weights.min() >= 0
        assert weights.sum() == pytest.approx(1, abs=n * 8 * U)
        assert np.linalg.norm(weights @ Z) <= slack
        assert report["upper"] == pytest.approx(0, abs=slack)


@many(150)
@given(tables(3), st.sampled_from(PICKS), st.booleans(), st.sampled_from([1, 2, 80]), st.booleans())
def test_several_classes_follow_the_reference_module(table, pick, intercept, max_iter, average):
    X, y = table
    if y.max() < 2:
        return
    n = len(X)
    output = "average" if average and pick == "cyclic" else "last"
    model = Perceptron(pick=pick, output=output, fit_intercept=intercept, max_iter=max_iter, random_state=5)
    fitted(model, X, y)
    merged = reference.signed_examples(X, np.ones(n), intercept)
    W, problem = np.zeros((3, merged.shape[1])), kesler(merged, y)
    truth = separability(in_fractions(problem), exact=True)
    if pick == "cyclic":
        generator = reference.multiclass_perceptron(merged, y, W)
        states = ((W, [] if i is None else [i]) for W, i in generator)
        states = until_stopped(states, n, max_iter, pick, truth.separable)
        assert model.mistakes_.tolist() == list(itertools.chain.from_iterable(i for _, i in states))
        assert model.n_iter_ == -(-len(states) // n)
        path = np.array([W for W, _ in states])
        W = path[-1]
        found = np.column_stack([model.coef_, model.intercept_])[:, : W.shape[1]]
        mean = path.mean(axis=0) if output == "average" else W
        np.testing.assert_allclose(found, mean, rtol=0, atol=4 * len(path) * U * abs(path).max())
    else:
        W = np.column_stack([model.coef_, model.intercept_])[:, : W.shape[1]]
    gaps = np.array([W[k] @ x - np.delete(W @ x, k).max() for x, k in zip(merged, y, strict=True)])
    assert model.certificate_["margin"] == pytest.approx(gaps.min() / (np.linalg.norm(W) or 1), rel=32 * U)
    if max_iter == 80:
        assert model.certificate_["separable"] is truth.separable
        assert (gaps > 0).all() or not truth.separable or len(model.mistakes_) >= 80
    if output == "last":
        scores = model.decision_function(X)
        last_best = [max(range(3), key=lambda k, s=s: (s[k], k)) for s in scores]
        assert model.predict(X).tolist() == last_best


def kesler(merged, y):
    """Every example against every other class, as signed examples of one problem."""
    block = np.eye(3)
    pairs = [(x, k, j) for x, k in zip(merged, y, strict=True) for j in range(3) if j != k]
    return np.array([np.outer(block[k] - block[j], x).ravel() for x, k, j in pairs])


@pytest.mark.parametrize("pick", PICKS)
def test_several_classes_are_separated_whatever_is_picked(pick):
    """And where they cannot be, convex weights of examples and rival classes prove it."""
    X, y = (
        np.array([[4.0, 0.0], [3.0, 1.0], [-2.0, 3.0], [-1.0, 3.0], [-2.0, -3.0]]),
        np.array([0, 0, 1, 1, 2]),
    )
    model = Perceptron(pick=pick, random_state=1).fit(X, y)
    assert model.predict(X).tolist() == y.tolist()
    X, y = np.vstack([X, X[:1]]), np.append(y, 1)
    weights = fitted(Perceptron(pick=pick, random_state=1), X, y).combination_
    merged, block = np.column_stack([X, np.ones(6)]), np.eye(3)
    parts = [weights[i, k] * np.outer(block[y[i]] - block[k], merged[i]) for i in range(6) for k in range(3)]
    assert weights.sum() == pytest.approx(1)
    assert weights.min() >= 0
    np.testing.assert_allclose(sum(parts), 0, atol=1e-12)


KERNELS = {
    "linear": lambda A, B: A @ B.T,
    "quadratic": lambda A, B: (1 + A @ B.T) ** 2,
    "cubic": lambda A, B: (A @ B.T) ** 3,
}


@many(200)
@given(tables(), st.sampled_from([*KERNELS]), st.booleans(), st.sampled_from([1, 2, 60]))
def test_kernels_follow_the_reference_module(table, name, intercept, max_iter):
    X, y = table
    signs, n = np.where(y == y.max(), 1, -1), len(X)
    kernel = KERNELS[name]
    model = KernelPerceptron(name if name == "linear" else kernel, fit_intercept=intercept, max_iter=max_iter)
    fitted(model, X, y)
    Q = np.outer(signs, signs) * (kernel(X, X) + intercept)
    report = model.certificate_
    states = ((alpha, [] if i is None else [i]) for alpha, i in reference.kernel_perceptron(Q))
    states = until_stopped(states, n, max_iter, "cyclic", report["separable"] is not False)
    assert model.mistakes_.tolist() == list(itertools.chain.from_iterable(i for _, i in states))
    alpha = states[-1][0]
    assert model.counts_.tolist() == alpha.tolist()
    assert model.n_iter_ == -(-len(states) // n)
    new = np.vstack([X, -X[::-1] + 0.5])
    scores = (kernel(new, X) + intercept) @ (signs * alpha)
    assert model.decision_function(new).tolist() == scores.tolist()
    assert model.predict(new).tolist() == np.unique(y)[np.where(scores >= 0, 1, 0)].tolist()

    size, radius = math.sqrt(alpha @ Q @ alpha), math.sqrt(max(Q.diagonal().max(), 0.0))
    delta = (Q @ alpha).min() / size if size else 0.0
    assert report["mistakes"] == alpha.sum()
    assert report["radius"] == pytest.approx(radius, rel=4 * U)
    assert report["margin"] == pytest.approx(delta, rel=16 * U)
    bound = reference.mistake_bound(radius, delta) if delta > 0 else math.inf
    assert report["bound"] == pytest.approx(bound, rel=64 * U)
    # in the space of the kernel a vector with squares of the size of rounding has a norm of its root
    slack = math.sqrt(64 * n * U) * radius
    assert delta <= report["lower"] <= report["upper"] + slack
    if name == "linear":
        proof = separability(in_fractions(reference.signed_examples(X, signs, intercept)), exact=True)
        assert report["separable"] is proof.separable
    if report["separable"] is False:
        a = model.combination_
        assert a.min() >= 0
        assert a.sum() == pytest.approx(1, abs=n * 8 * U)
        assert math.sqrt(max(a @ Q @ a, 0.0)) <= slack
    else:
        assert not hasattr(model, "combination_")


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("n", "d", "gap"), [(40, 2, 0.05), (300, 5, 0.05), (300, 12, 0.2)])
def test_weights_are_those_of_the_reference_module_bit_for_bit(seed, n, d, gap):
    """Whatever the order of summation in which an engine computes products of many examples."""
    rng = np.random.default_rng(seed)
    u, X = rng.normal(size=d), rng.normal(size=(n, d))
    y = np.where(X @ u > 0, 1, -1)
    X += gap * np.outer(y, u / np.linalg.norm(u))
    model = Perceptron(eta0=0.1, max_iter=10_000).fit(X, y)
    states = list(reference.perceptron(reference.signed_examples(X, y), np.zeros(d + 1), 0.1))
    assert model.mistakes_.tolist() == [i for _, i in states if i is not None]
    assert np.append(model.coef_, model.intercept_).tolist() == states[-1][0].tolist()


def test_the_order_of_summation_changes_no_update():
    """Decimals three times each: products that are 0 but for rounding, whose sign depends on the order."""
    for seed in range(150):
        rng = np.random.default_rng(seed)
        X = np.repeat(rng.integers(-3, 4, (64, 3)) / 10, 3, axis=1)
        y = rng.choice([-1, 1], 64)
        y[:2] = 1, -1
        model = fitted(Perceptron(eta0=0.1, max_iter=2, fit_intercept=False), X, y)
        states = reference.perceptron(reference.signed_examples(X, y, False), np.zeros(9), 0.1)
        updates = [i for _, i in islice(states, 64 * model.n_iter_) if i is not None]
        assert model.mistakes_.tolist() == updates[: len(model.mistakes_)]


# --- separability


@many(150)
@given(tables(), st.booleans())
def test_separability_decides_as_the_reference_module(table, intercept):
    X, y = table
    Z = reference.signed_examples(X, 2 * (y > 0) - 1, intercept)
    w, _ = reference.separator_or_combination(4 * Z)  # integers
    floats, exact = separability(Z), separability(in_fractions(Z), exact=True)
    assert (w is not None) is exact.separable is floats.separable
    slack = 64 * Z.shape[1] * U * np.linalg.norm(Z, axis=1).max()
    for proof in (exact, floats):
        assert min(proof.weights) >= 0
        combination = np.array(proof.weights, dtype=float) @ Z
        v = np.array(proof.w, dtype=float)
        assert proof.upper == pytest.approx(np.linalg.norm(combination), abs=slack)
        assert proof.lower == pytest.approx(reference.margin(v, Z) if v.any() else 0, abs=slack)
    assert sum(exact.weights) == 1
    if exact.separable:
        assert reference.margin(w, Z) <= exact.upper + slack
        assert exact.lower == pytest.approx(exact.upper, rel=1e-12)  # the best margin, from both sides
        assert floats.lower == pytest.approx(exact.lower, abs=slack)
    else:
        assert not any(exact.weights @ in_fractions(Z))


def test_separability_steps_to_where_the_first_weight_is_zero():
    """Two weights fall together; if the other point is dropped, steps go in a circle above the optimum."""
    Z = [[-1, -2, 3, -3], [-3, 0, 2, 0], [3, 2, 3, 3], [-1, -1, 0, -1], [-2, 1, -3, 3], [2, 1, -1, 2]]
    far = [[-2, 2], [0, 3], [-3, 3], [2, 1]]  # where steps of the wrong length drop all points
    for rows, exact in itertools.product((Z, far), (True, False)):
        proof = separability(rows, exact=exact, max_iter=8)
        assert proof.lower == pytest.approx(proof.upper, rel=1e-12)


def test_separability_does_not_depend_on_the_unit():
    """The same bits in units of powers of two, with zero in the hull up to rounding errors, and without."""
    rng = np.random.default_rng(0)
    for seed in range(6):
        Z = rng.standard_normal((8, 3)) + (2.0 if seed % 2 else 0.0)
        own = separability(Z)
        assert own.separable is bool(seed % 2)
        for unit in (2.0**-40, 2.0**40):
            other = separability(unit * Z)
            assert other.separable is own.separable
            assert (other.lower, other.upper) == (unit * own.lower, unit * own.upper)
            assert other.weights.tolist() == own.weights.tolist()
