"""Instances in every regime: what is drawn is what its name says, and behaviour is measured."""

from typing import ClassVar

import numpy as np
import pytest

from mlnotes.checking import regimes

SEEDS = range(20)


def matrices(seed, **options):
    return dict(regimes.feature_matrices(np.random.default_rng(seed), **options))


@pytest.mark.parametrize("seed", SEEDS)
def test_matrices_are_in_all_regimes_of_features(seed):
    drawn = matrices(seed)
    calls = [{"X": X} for X in drawn.values()]
    features = {name for name in regimes.REGIMES if "class" not in name and "labels" not in name}
    assert features - {"one observation"} <= regimes.regimes_of(calls)
    assert len(drawn["few observations"]) == 1
    assert all(X.dtype == np.float64 and np.isfinite(X).all() for X in drawn.values())


def test_matrices_keep_to_what_a_question_admits():
    for X in matrices(0, min_n=4, min_d=2, max_d=3, wide=False, constant=False).values():
        assert len(X) >= 4
        assert 2 <= X.shape[1] <= 3
        assert len(np.unique(X, axis=0)) == len(X)
        assert (X[0] != X).any(axis=0).all()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n_classes", [1, 2, 3, 6])
def test_labels_have_every_class_in_no_order(seed, n_classes):
    y = regimes.random_labels(np.random.default_rng(seed), 40, n_classes)
    assert set(y) == set(range(n_classes))
    assert n_classes == 1 or (np.diff(y) < 0).any()
    for _, names in regimes.label_names(n_classes):
        assert sorted(names.tolist()) == names.tolist()
        assert len(set(names.tolist())) == n_classes


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n", [1, 2, 3, 8])
def test_probabilities_sum_to_one_with_a_small_and_a_zero_mass(seed, n):
    p = regimes.probabilities(np.random.default_rng(seed), n)
    assert p.sum() == pytest.approx(1)
    assert (p >= 0).all()
    assert (p == 0).any() == (n > 2)
    assert n == 1 or 0 < p[p > 0].min() < 1e-3


def test_matrices_of_a_spectrum_have_it():
    rng = np.random.default_rng(0)
    for n in (1, 2, 5):
        for name, values in regimes.spectra(n):
            S = regimes.symmetric(rng, values)
            assert np.array_equal(S, S.T)
            assert np.linalg.eigvalsh(S)[::-1] == pytest.approx(values, abs=1e-10), name
            assert (np.diff(values) <= 0).all()


class Model:
    """Centres by the mean that it learned; `slip` says what it gets wrong."""

    shared: ClassVar[dict] = {}

    def __init__(self, slip=""):
        self.slip = slip
        self.known = {}

    def learn(self, X):
        if self.slip == "learns once" and "mean" in self.known:
            return
        self.known["mean"] = X.mean(axis=0)
        Model.shared["mean"] = X.mean(axis=0)

    def ask(self, X):
        mean = Model.shared["mean"] if self.slip == "shares its state" else self.known["mean"]
        if self.slip == "centres by the query":
            mean = X.mean(axis=0)
        if self.slip == "caches by shape":
            return self.known.setdefault(X.shape, X - mean)
        return X - mean


@pytest.mark.parametrize(
    ("slip", "holds"),
    [
        ("", True),
        ("learns once", False),
        ("shares its state", False),
        ("centres by the query", False),
        ("caches by shape", False),
    ],
)
def test_state_that_a_model_should_not_have_is_found(slip, holds):
    rng = np.random.default_rng(0)
    data = [regimes.thirds(rng, (6, 2)) for _ in range(2)]
    queries = [regimes.thirds(rng, (4, 2)) for _ in range(2)]
    found = regimes.stateless("model", lambda: Model(slip), Model.learn, Model.ask, data, queries)
    assert all(item.holds for item in found) == holds


def counted(calls=[]):  # noqa: B006
    calls.append(0)
    return len(calls)


@pytest.mark.parametrize(
    ("function", "holds"),
    [
        (lambda x: x + 1, True),
        (lambda x: (x + 1, x.sum()), True),
        (lambda x: x.sort() or x, False),
        (lambda x: x + counted(), False),
    ],
)
def test_a_call_that_changes_its_argument_or_its_result_is_found(function, holds):
    x = np.array([2.0, 1.0, 3.0])
    assert all(item.holds for item in regimes.repeatable("f", function, x)) == holds
