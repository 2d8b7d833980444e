"""Homework 7: trees and boosting. Six questions, 20 points; decided by the theorems of lectures 12 and 13."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from mlnotes.claims import Evidence, at_most, claim, equal, rounding, within
from mlnotes.homework.core import Assignment, Class, Function, Part, Value

# ------------------------------------------------------------------- the truth, in fractions


def _gini(counts: Any) -> Fraction:
    n = int(sum(counts))
    return 1 - sum((Fraction(int(c), n) ** 2 for c in counts), Fraction(0)) if n else Fraction(0)


def _children(X: Any, y: Any, j: int, t: float) -> Fraction:
    """Return the weighted Gini index of the children of a cut; 2 if one is empty."""
    left, total = X[:, j] <= t, Fraction(0)
    if left.all() or not left.any():
        return Fraction(2)
    for side in (left, ~left):
        total += Fraction(int(side.sum()), len(y)) * _gini(np.bincount(y[side]))
    return total


def _cuts(X: Any) -> list[tuple[int, float]]:
    return [
        (j, float(a + b) / 2) for j in range(X.shape[1]) for a, b in itertools.pairwise(np.unique(X[:, j]))
    ]


def _grow(X: Any, y: Any, depth: int) -> Any:
    """Return the answers of CART to its own rows, or None if two cuts or two majorities tie on the way."""
    counts = np.bincount(y, minlength=2)
    if depth == 0 or (counts > 0).sum() == 1:
        return np.full(len(y), counts.argmax()) if counts[0] != counts[1] else None
    ranked = sorted((_children(X, y, *cut), cut) for cut in _cuts(X))
    if len(ranked) > 1 and ranked[0][0] == ranked[1][0]:
        return None
    j, t = ranked[0][1]
    left, answers = X[:, j] <= t, np.empty(len(y), dtype=np.int64)
    for side in (left, ~left):
        below = _grow(X[side], y[side], depth - 1)
        if below is None:
            return None
        answers[side] = below
    return answers


def _rows(rng: np.random.Generator, n: int) -> tuple[Any, Any]:
    """Return rows with different values in two features, and labels 0, 1 that depend on both."""
    X = np.column_stack([rng.permutation(n), rng.permutation(n)]).astype(np.float64)
    y = ((X[:, 1] > n / 3) & (X[:, 0] < 0.8 * n)).astype(np.int64)
    flipped = rng.choice(n, n // 5, replace=False)
    y[flipped] = 1 - y[flipped]
    return X, y


def _equal_values(rng: np.random.Generator, best: int) -> tuple[Any, Any]:
    """Return rows of which eight share the value of a feature, sorted by label: no cut goes between them.

    One that did would have children of Gini index 0.28; the best cut, by feature `best` of two, has 0.33 and
    is the only one.
    """
    blocks = np.repeat(np.sort(rng.choice(9, 3, replace=False)), [2, 8, 2])  # labels 0, 1 in each
    y = np.array([0, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0, 1])
    pattern = np.array([0, 0, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1])  # labels along the other feature
    other = np.empty(12)
    for label in (0, 1):
        other[y == label] = rng.permutation(np.flatnonzero(pattern == label))
    return np.column_stack([other, blocks] if best == 0 else [blocks, other]), y


def _minority_first(rng: np.random.Generator) -> tuple[Any, Any, Any]:
    """Return rows, labels and CART's answers with one question, each leaf's first and last row a minority."""
    y = np.array([0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1])
    order = np.array([1, 12, *rng.permutation(np.setdiff1d(np.arange(20), [1, 12, 7, 18])), 7, 18])
    return order[:, None] * 1.0, y[order], order >= 10


def _without_ties(rng: np.random.Generator, n: int, depth: int) -> tuple[Any, Any, Any]:
    """Return rows, labels and the answers of CART, for which every correct CART gives the same ones."""
    while True:
        X, y = _rows(rng, n)
        answers = _grow(X, y, depth)
        if answers is not None and (answers != _grow(X, y, 0)).any():
            return X, y, answers


# ------------------------------------------------------------------- the claims


@claim(
    "hw07.decrease",
    kind="homework",
    section="lectures/12_tree.ipynb, section 2",
    statement=r"The decrease of the Gini index by a cut is a function of the class counts of the two "
    r"children; it is never negative, and 0 if both have the same shares.",
)
def decrease_of_counts(decrease, rng) -> Iterator[Evidence]:
    """Check the derived formula against fractions."""
    pairs = [([3, 1, 0], [6, 2, 0]), ([5, 0, 0], [0, 0, 4]), *rng.integers(0, 9, (6, 2, 3)).tolist()]
    pairs = [([a[0] + 1, *a[1:]], [b[0] + 1, *b[1:]]) for a, b in pairs]
    pairs[0] = ([3, 1, 0], [6, 2, 0])
    for left, right in pairs:
        both = [a + b for a, b in zip(left, right, strict=True)]
        share = Fraction(sum(left), sum(both))
        truth = float(_gini(both) - share * _gini(left) - (1 - share) * _gini(right))
        yield equal("decrease", float(decrease(np.array(left), np.array(right))), truth, rounding(24))


@claim(
    "hw07.cut",
    kind="homework",
    section="lectures/12_tree.ipynb, section 2",
    statement=r"The best cut has the least weighted Gini index of its children among all features and "
    r"thresholds that leave no child empty.",
)
def cut_is_best(cut, rng) -> Iterator[Evidence]:
    """Judge a cut by the partition that it makes: any of several best ones is right."""
    chain = np.arange(14.0)[:, None], np.array([0, 1, 0, 1, 0, 1, 0, 2, 3, 2, 3, 2, 3, 2])
    repeated = rng.integers(0, 3, (8, 3)).astype(np.float64), np.arange(8) % 3
    repeated[0][:, 2] = 2 * (repeated[1] == 0) + rng.integers(0, 2, 8)  # the last feature is the best
    for X, y in (chain, repeated, _rows(rng, 12), _equal_values(rng, 0), _equal_values(rng, 1)):
        j, t = cut(X.T.copy(), y + 1)
        best = min(_children(X, y, *option) for option in _cuts(X))
        went_left = int((X[:, int(j)] <= t).sum())
        yield within("values at most the threshold, not none and not all", went_left, 1, len(y) - 1)
        gap = _children(X, y, int(j), float(t)) - best
        yield equal("weighted Gini index of the children above the least of all cuts", float(gap), 0.0)


@claim(
    "hw07.tree",
    kind="homework",
    section="lectures/12_tree.ipynb, section 3",
    statement=r"CART with at most $k$ questions on a path answers its training rows as the recursion of "
    r"best cuts does; without a limit that matters it errs only where equal rows carry different labels.",
)
def tree_is_cart(Tree, rng) -> Iterator[Evidence]:
    """Compare answers to training rows where no two cuts tie, and count the errors of a full tree."""
    for depth in (1, 2):
        X, y, answers = _without_ties(rng, 12, depth)
        model = Tree(depth)
        model.learn(X, y)
        found = np.asarray(model.answer(X))
        yield equal(
            f"answers of a tree of depth {depth}", found.astype(float), answers.astype(float), X=X, y=y
        )
    X, y, halves = _minority_first(rng)  # without weights the best cut would isolate one row
    model = Tree(1)
    model.learn(X, y)
    yield equal("answers of one question on a line", np.asarray(model.answer(X)) == 1, halves, X=X, y=y)
    X, y = _equal_values(rng, 1)
    model = Tree(1)
    model.learn(X, y)
    answers = np.asarray(model.answer(X)).astype(float)
    yield equal("answers where rows have equal values", answers, _grow(X, y, 1).astype(float), X=X, y=y)
    X, y = _rows(rng, 20)
    X, y = np.vstack([X, X[:3], X[:3]]), np.concatenate([y, y[:3], 1 - y[:3]])  # two against one
    model = Tree(25)
    model.learn(X, y)
    errors = int((np.asarray(model.answer(X)) != y).sum())
    yield equal("errors of a full tree with three contradictory rows", errors, 3, X=X, y=y)
    for row, label in zip(X[:5], y[:5], strict=True):
        yield equal(
            "answer to a single row", int(np.asarray(model.answer(row[None]))[0]), int(label), row=row
        )
    corners = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 2) * rng.integers(1, 9, 2).astype(np.float64)
    xor = np.array([0, 1, 1, 0] * 2)
    for k, fewest in ((1, 4), (2, 0)):  # no first cut of an XOR gains anything
        model = Tree(k)
        model.learn(corners, xor)
        errors = int((np.asarray(model.answer(corners)) != xor).sum())
        yield equal(f"errors on an XOR with at most k = {k} questions", errors, fewest)


def _shape(rng: np.random.Generator) -> tuple[Any, Any, Any]:
    """Return left and right children and risks of a random tree with 6 leaves, numbered in preorder."""
    left, right, risk = [-1], [-1], [1.0]
    for _ in range(5):
        leaf = int(rng.choice([t for t in range(len(left)) if left[t] < 0]))
        left[leaf], right[leaf] = len(left), len(left) + 1
        shares = risk[leaf] * rng.uniform(0.2, 0.9) * rng.dirichlet([2.0, 2.0])
        left, right, risk = [*left, -1, -1], [*right, -1, -1], [*risk, *shares.tolist()]
    return np.array(left), np.array(right), np.array(risk)


def _subtrees(t: int, left: Any, right: Any, risk: Any) -> list[tuple[float, int]]:
    found = [(float(risk[t]), 1)]
    if left[t] >= 0:
        low, high = (_subtrees(int(child), left, right, risk) for child in (left[t], right[t]))
        found += [(a[0] + b[0], a[1] + b[1]) for a in low for b in high]
    return found


def _sequence(every: list[tuple[float, int]]) -> tuple[Any, Any]:
    """Return prices and leaves along the lower convex hull of (leaves, risk), from most leaves to one."""
    least = {size: min(risk for risk, leaves in every if leaves == size) for _, size in every}
    steps, size = [], max(least)
    while size > 1:
        price, size = min(((least[k] - least[size]) / (size - k), k) for k in least if k < size)
        steps.append((price, float(size)))
    prices, leaves = zip(*steps, strict=True)
    return np.array(prices), np.array(leaves)


@claim(
    "hw07.links",
    kind="homework",
    section="lectures/12_tree.ipynb, section 6",
    statement=r"The prices are those at which the smallest subtree with the least $R(T) + \alpha|T|$ among "
    r"*all* pruned subtrees changes, and the number beside each is that of its leaves from this price on.",
)
def links_are_optimal(links, rng) -> Iterator[Evidence]:
    """Enumerate all pruned subtrees, and find the best for every price from their leaves and risks."""
    for _ in range(3):
        left, right, risk = _shape(rng)
        true_prices, true_leaves = _sequence(_subtrees(0, left, right, risk))
        prices, leaves = links(risk, left, right)
        yield equal("leaves after each price", np.asarray(leaves, dtype=float), true_leaves)
        yield equal("prices", np.asarray(prices, dtype=float), true_prices, rounding(64, 8))


@claim(
    "hw07.vote",
    kind="homework",
    section="lectures/13_ensemble.ipynb, section 4",
    statement=r"If the weights of wrong rows are multiplied by $e^\beta$ *and* those of right rows by "
    r"$e^{-\beta}$, one $\beta$ makes the weighted error exactly $\frac12$.",
)
def vote_makes_a_half(vote, rng) -> Iterator[Evidence]:
    """Apply the two-sided update with the derived exponent."""
    for err in (0.25, 0.01, 0.5, 0.8, *rng.uniform(0.05, 0.95, 3).tolist()):
        beta = float(vote(err))
        wrong, right = err * math.exp(min(beta, 50)), (1 - err) * math.exp(-max(beta, -50))
        half = wrong / (wrong + right)
        yield equal(f"weighted error after the update, err = {err:.3g}", half, 0.5, rounding(64))


def _boosting_rows(rng: np.random.Generator) -> tuple[Any, Any]:
    """Return 12 rows with different values whose labels -1, 1 no stump gets right."""
    while True:
        X = np.column_stack([rng.permutation(12), rng.permutation(12)]).astype(np.float64)
        y = np.where((X[:, 0] > 2) & (X[:, 0] < 9), 1, -1)
        y[rng.choice(12, 2, replace=False)] *= -1
        if _least_error(X, y, np.full(12, 1 / 12)) > 0.01:
            return X, y


def _least_error(X: Any, y: Any, w: Any) -> float:
    wrong = [w[np.where(X[:, j] <= t, -1, 1) != y].sum() for j, t in _cuts(X)]
    return float(min(*wrong, *(w.sum() - v for v in wrong)))


@claim(
    "hw07.boost",
    kind="homework",
    section="lectures/13_ensemble.ipynb, section 4",
    statement=r"AdaBoost: each stump has the least weighted error under the weights that its predecessors "
    r"leave, $\alpha = \log\frac{1 - \mathrm{err}}{\mathrm{err}}$, and $\frac1n\sum_ie^{-y_iF(x_i)/2} = "
    r"\prod_m2\sqrt{\mathrm{err}_m(1 - \mathrm{err}_m)}$, a bound of the training error.",
)
def boost_is_adaboost(boost, rng) -> Iterator[Evidence]:
    """Replay the stumps on their training rows."""
    X, y = _boosting_rows(rng)
    yield from _replayed(boost, X, y)
    yield from _replayed(boost, X, -y)  # stumps of the other sign are the best


def _replayed(boost: Any, X: Any, y: Any) -> Iterator[Evidence]:
    features, thresholds, signs, votes = boost(X, y, 6)
    w, F, errors, least = np.full(12, 1 / 12), np.zeros(12), [], []
    for j, t, sign, alpha in zip(features, thresholds, signs, votes, strict=True):
        answers = np.where(X[:, int(j)] > t, sign, -sign)
        wrong = answers != y
        errors.append(min(max(w[wrong].sum(), 1e-9), 1 - 1e-9))
        least.append(_least_error(X, y, w))
        w = np.where(wrong, w * (1 - errors[-1]) / errors[-1], w)
        w, F = w / w.sum(), F + alpha * answers
    err = np.array(errors)
    yield at_most("error of each stump against the least", err, np.array(least), 1e-10, X=X, y=y)
    slack = rounding(600, 20)
    yield equal("votes", np.asarray(votes, dtype=float), np.log((1 - err) / err), slack, X=X, y=y)
    product = float(np.prod(2 * np.sqrt(err * (1 - err))))
    loss = float(np.exp(np.clip(-y * F / 2, -50, 50)).mean())
    yield equal("mean of exp(-yF/2) against the product", loss, product, 1e-10)
    yield within("training error", float((y * F <= 0).mean()), 0.0, product, 1e-10)


# ------------------------------------------------------------------- the same questions in other conventions


def _variant(number: int) -> Assignment:
    """Return variant 1 to 3: the sum of 1 (impurity of all rows) and 2 (an edge, and stumps turned round)."""
    if not 1 <= number <= 3:
        raise ValueError(f"hw07 has the variants 1 to 3, got {number}")
    parts = {part.name: part for part in assignment.parts}
    if number & 1:
        parts["decrease"] = _of_rows(parts["decrease"])
    if number & 2:
        parts["vote"], parts["boost"] = _of_the_edge(parts["vote"]), _answers_below(parts["boost"])
    return replace(assignment, parts=tuple(parts.values()))


def _of_rows(part: Part) -> Part:
    def adapt(student: Mapping[str, Any]) -> Mapping[str, Any]:
        def decrease(left: Any, right: Any) -> Any:
            return student["decrease"](left, right) / (left.sum() + right.sum())

        return {"decrease": decrease}

    returns = Value("f", (), meaning="decrease of rows times Gini index")
    doc = "Return rows times Gini index of both together less the same of each of the two."
    question = part.question.replace(
        "The decrease of the Gini index by a cut", "The decrease of rows *times* Gini index by a cut"
    )
    written = Function("decrease", part.writes[0].parameters, returns, doc)
    return replace(part, question=question, writes=(written,), adapt=adapt)


def _of_the_edge(part: Part) -> Part:
    edge = Value("f", (), minimum=-0.5, maximum=0.5, meaning="1/2 - err, -1/2 < edge < 1/2")
    question = part.question + r" Write it in the *edge* $\frac12 - \mathrm{err}$."
    return replace(
        part,
        question=question,
        writes=(Function("vote", {"edge": edge}, Value("f", (), meaning="beta"), "Return beta."),),
        adapt=lambda student: {"vote": lambda err: student["vote"](0.5 - err)},
    )


def _answers_below(part: Part) -> Part:
    def adapt(student: Mapping[str, Any]) -> Mapping[str, Any]:
        def boost(X: Any, y: Any, rounds: int) -> Any:
            features, thresholds, signs, votes = student["boost"](X, y, rounds)
            return features, thresholds, -np.asarray(signs), votes

        return {"boost": boost}

    question = part.question.replace("above the threshold", "*at most* the threshold")
    return replace(part, question=question, adapt=adapt)


# ------------------------------------------------------------------- the assignment

_X = Value("f", ("n", "d"), meaning="one row an observation")
_LABELS = Value("i", ("n",), minimum=0, maximum=1, meaning="0 or 1")

assignment = Assignment(
    id="hw07",
    title="Trees and boosting",
    lecture="lectures/12_tree.ipynb",
    variants=_variant,
    intro="You need NumPy and lectures 12 and 13, nothing else. Of equally good cuts any one is right, and "
    "so is any threshold between two neighbouring values.",
    parts=(
        Part(
            name="decrease",
            points=2,
            question="**Derive.** The decrease of the Gini index by a cut, from the class counts of the two "
            "children (lecture 12, section 2). With the same shares in both it is 0.",
            writes=(
                Function(
                    "decrease",
                    {
                        "left": Value("i", ("K",), minimum=0, meaning="rows of each class, at least one row"),
                        "right": Value(
                            "i", ("K",), minimum=0, meaning="rows of each class, at least one row"
                        ),
                    },
                    Value("f", (), meaning="decrease of the weighted Gini index"),
                    "Return the Gini index of both together less the weighted one of the two.",
                ),
            ),
            claims=(decrease_of_counts,),
        ),
        Part(
            name="cut",
            points=3,
            question="**Build.** The best cut by the Gini index (lecture 12, section 2.1). Mind the "
            "convention: here the *columns* are the observations, and the labels are 1, ..., K.",
            writes=(
                Function(
                    "cut",
                    {
                        "table": Value("f", ("d", "n"), meaning="one column an observation"),
                        "labels": Value("i", ("n",), minimum=1, meaning="1, ..., K"),
                    },
                    (
                        Value("i", (), minimum=0, below="d", meaning="row of the table, counted from 0"),
                        Value("f", (), meaning="threshold: values at most this go left"),
                    ),
                    "Return the pair (feature, threshold). Features may have repeated values; no child is "
                    "empty.",
                ),
            ),
            claims=(cut_is_best,),
        ),
        Part(
            name="Tree",
            points=5,
            question="**Write CART** by the Gini index, with at most k questions on a path (lecture 12, "
            "section 3). A node with two classes is cut wherever two of its rows differ, even if nothing is "
            "gained (an XOR). In a leaf with as many 0 as 1 either answer is right.",
            writes=(
                Class(
                    "Tree",
                    {"k": Value("i", (), minimum=0, meaning="most questions on a path")},
                    (
                        Function("learn", {"X": _X, "y": _LABELS}, None, "Grow on the rows of X."),
                        Function(
                            "answer",
                            {"X": _X},
                            Value("i", ("n",), minimum=0, maximum=1, meaning="0 or 1"),
                            "Return the majority of the leaf of each row.",
                        ),
                    ),
                    "A classification tree for two classes.",
                ),
            ),
            claims=(tree_is_cart,),
        ),
        Part(
            name="links",
            points=4,
            question="**Build.** The pruning sequence (lecture 12, section 6): the prices at which the best "
            "subtree changes, and its number of leaves from each price on. The full tree, best from price 0, "
            "is not listed. Node 0 is the root, children have larger numbers than their parents, a cut "
            "always lowers the risk, and no two links are equally weak.",
            writes=(
                Function(
                    "links",
                    {
                        "risk": Value("f", ("N",), minimum=0, meaning="R(t) of each node as a leaf"),
                        "left": Value("i", ("N",), minimum=-1, meaning="left child, -1 at a leaf"),
                        "right": Value("i", ("N",), minimum=-1, meaning="right child, -1 at a leaf"),
                    },
                    (
                        Value("f", ("m",), minimum=0, meaning="prices, ascending"),
                        Value("i", ("m",), minimum=1, meaning="leaves after each price; the last is 1"),
                    ),
                    "Return the pair (prices, leaves).",
                ),
            ),
            claims=(links_are_optimal,),
        ),
        Part(
            name="vote",
            points=2,
            question="**Derive.** In the other convention of AdaBoost the weights of wrong rows are "
            "multiplied by "
            r"$e^\beta$ *and* those of right rows by $e^{-\beta}$. Which $\beta$ makes the weighted error "
            r"$\frac12$ (lecture 13, section 4)?",
            writes=(
                Function(
                    "vote",
                    {"err": Value("f", (), minimum=0, maximum=1, meaning="weighted error, 0 < err < 1")},
                    Value("f", (), meaning="beta"),
                    "Return beta.",
                ),
            ),
            claims=(vote_makes_a_half,),
        ),
        Part(
            name="boost",
            points=4,
            question="**Write AdaBoost** with stumps of least weighted error, in the convention of the "
            "lecture "
            r"(lecture 13, section 4): the vote is $\alpha = \log\frac{1 - \mathrm{err}}{\mathrm{err}}$. "
            r"Stump m answers "
            "sign if the feature is above the threshold, and -sign otherwise. A threshold "
            "beyond all values makes it constant: allowed, not required. No stump is right on all rows.",
            writes=(
                Function(
                    "boost",
                    {
                        "X": _X,
                        "y": Value("i", ("n",), minimum=-1, maximum=1, meaning="-1 or 1"),
                        "rounds": Value("i", (), minimum=1, meaning="number of stumps, m"),
                    },
                    (
                        Value("i", ("m",), minimum=0, below="d", meaning="features"),
                        Value("f", ("m",), infinite=True, meaning="thresholds"),
                        Value("i", ("m",), minimum=-1, maximum=1, meaning="signs, -1 or 1"),
                        Value("f", ("m",), meaning="votes alpha"),
                    ),
                    "Return (features, thresholds, signs, votes), in the order of the rounds.",
                ),
            ),
            claims=(boost_is_adaboost,),
        ),
    ),
)
