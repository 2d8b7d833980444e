"""Homework 7: trees and boosting. Six questions, 20 points; decided by the theorems of lectures 12 and 13."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np

from mlnotes import ensemble
from mlnotes.claims import Evidence, at_most, claim, equal, rounding
from mlnotes.claims import ensemble as ensemble_claims
from mlnotes.claims import tree as tree_claims
from mlnotes.homework.core import Assignment, Class, Function, Part, Value, changing, converted, replaced

# ------------------------------------------------------------------- instances, and the truth in fractions


def _grow(X: Any, y: Any, depth: int) -> Any:
    """Return the answers of CART to its own rows, or None if two cuts or two majorities tie on the way."""
    counts = np.bincount(y, minlength=2)
    if depth == 0 or (counts > 0).sum() == 1:
        return np.full(len(y), counts.argmax()) if counts[0] != counts[1] else None
    (best, j, t), *others = sorted(tree_claims._weighed_cuts(X, y))
    if others and others[0][0] == best:
        return None
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
    "hw07.luck",
    kind="homework",
    section="lectures/12_tree.ipynb, section 2",
    statement=r"Where all orders of the labels are equally likely, the decrease of the Gini index by a cut "
    r"has an expectation that the counts of the classes and the sizes of the children determine.",
)
def expected_decrease(luck, rng, *, children=2) -> Iterator[Evidence]:
    """Sum over all counts that a child may get: the lecture says only that no cut raises the index."""
    tables = [[3, 1], [1, 1, 1], [6, 2, 1], *rng.integers(2, 6, (3, 3)).tolist()]
    for counts in tables:
        n, gini = sum(counts), tree_claims._gini
        sizes = rng.integers(1, n // children + 1, children - 1).tolist()
        left = Fraction(0)
        for size in (*sizes, n - sum(sizes)):
            pairs = 0  # of rows of the child in different classes, over all children of this size
            for part in itertools.product(*(range(c + 1) for c in counts)):
                if sum(part) == size:
                    ways = math.prod(map(math.comb, counts, part))
                    pairs += ways * (size * size - sum(c * c for c in part))
            left += Fraction(pairs, n * size * math.comb(n, size))
        truth = float(gini(counts) - left)
        answer = float(luck(np.array(counts), *sizes))
        yield equal("expected decrease", answer, truth, rounding(24), counts=counts, sizes=sizes)


@claim(
    "hw07.cut",
    kind="homework",
    section="lectures/12_tree.ipynb, section 2",
    statement="The best cut is the best by the Gini index of all classes, of all cuts: also of those that "
    "part one row from the others.",
)
def cut_of_all(cut, rng) -> Iterator[Evidence]:
    """Ask where the lecture's instances leave it to chance: the first cut, the last, one class of three."""
    lone = [0, 1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 0, 1]
    # by the class of one row against the others another cut is the best
    blocks = [0, 0, 0, 1, 1, 1, 2], [1, 1, 1, 2, 2, 2, 0], [0, 0, 0, 2, 2, 2, 1]
    errors = [2, 0, 1, 2, 2, 1, 1, 2]  # would be the least after five rows
    for labels in (*lone, *blocks, errors):
        order = np.array([0, *rng.permutation(np.arange(1, len(labels)))])
        X, y = order[:, None] * 1.0, np.array(labels)[order]
        value, best = tree_claims._cut_impurity(X, y, cut(X, y)), tree_claims._least(X, y)
        yield equal("weighted Gini index of the children (2: one is empty)", value, best, X=X, y=y)


@claim(
    "hw07.tree",
    kind="homework",
    section="lectures/12_tree.ipynb, section 3",
    statement=r"CART with at most $k$ questions on a path answers its training rows as the recursion of "
    r"best cuts does; without a limit that matters it errs only where equal rows carry different labels.",
)
def tree_is_cart(Tree, rng, *, n=12, m=20) -> Iterator[Evidence]:
    """Compare answers where no two cuts tie: the lecture's claims on growing ask for a tree's nodes."""
    X, y, answers = _without_ties(rng, max(n, 5), 2)
    model = Tree(2)
    model.learn(X, y)
    found = np.asarray(model.answer(X))
    yield equal("answers of a tree of depth 2", found.astype(float), answers.astype(float), X=X, y=y)
    # without weights the best cut of the first would isolate one row, by the entropy that of the second
    ten = np.arange(10)[:, None] * 1.0, np.array([0, 1, 1, 1, 1, 1, 1, 0, 0, 1]), np.arange(10) < 7
    # by the error rate, not by the entropy, the best cut would be after eight rows
    twelve = np.arange(12)[:, None] * 1.0, np.array([1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 1, 0]), np.arange(12) < 3
    for X, y, ones in (_minority_first(rng), ten, twelve):
        model = Tree(1)
        model.learn(X, y)
        yield equal("answers of one question on a line", np.asarray(model.answer(X)) == 1, ones, X=X, y=y)
    X, y = tree_claims._equal_values(rng, 1)
    model = Tree(1)
    model.learn(X, y)
    answers = np.asarray(model.answer(X)).astype(float)
    yield equal("answers where rows have equal values", answers, _grow(X, y, 1).astype(float), X=X, y=y)
    X, y = _rows(rng, m)
    X, y = np.vstack([X, X[:3], X[:3]]), np.concatenate([y, y[:3], 1 - y[:3]])  # two against one
    model = Tree(25)
    model.learn(X, y)
    errors = int((np.asarray(model.answer(X)) != y).sum())
    yield equal("errors of a full tree with three contradictory rows", errors, 3, X=X, y=y)
    alone = int(np.asarray(model.answer(X[:1]))[0])
    yield equal("answer to a single row", alone, int(y[0]), row=X[0])
    corners = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 2) * rng.integers(1, 9, 2).astype(np.float64)
    xor = np.array([0, 1, 1, 0] * 2)
    model = Tree(2)  # no first cut of an XOR gains anything
    model.learn(corners, xor)
    errors = int((np.asarray(model.answer(corners)) != xor).sum())
    yield equal("errors on an XOR with at most k = 2 questions on a path", errors, 0)


def _shape(rng: np.random.Generator, leaves: int) -> tuple[Any, Any, Any]:
    """Return left and right children and risks of a random tree, numbered in preorder."""
    left, right, risk = [-1], [-1], [1.0]
    for _ in range(leaves - 1):
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
def links_are_optimal(links, rng, *, most=6) -> Iterator[Evidence]:
    """Enumerate all pruned subtrees: the lecture's claim asks for trees, not for prices and sizes."""
    # the link at node 1 is weaker than that at node 3 below it, which would come next
    left, right = np.array([1, 3, 7, 5, -1, -1, -1, -1, -1]), np.array([2, 4, 8, 6, -1, -1, -1, -1, -1])
    one = left, right, rng.integers(1, 9) * np.array([100, 17, 22, 12, 1, 1, 1, 1, 1]) / 128
    for left, right, risk in (one, *(_shape(rng, most) for _ in range(3))):
        true_prices, true_leaves = _sequence(_subtrees(0, left, right, risk))
        prices, leaves = links(risk, left, right)
        yield equal("leaves after each price", np.asarray(leaves, dtype=float), true_leaves)
        yield equal("prices", np.asarray(prices, dtype=float), true_prices, rounding(64, 8))


def _boosting_rows(rng: np.random.Generator, n: int) -> tuple[Any, Any]:
    """Return n >= 4 rows with different values whose labels -1, 1 no stump gets right."""
    while True:
        X = np.column_stack([rng.permutation(n), rng.permutation(n)]).astype(np.float64)
        y = np.where((X[:, 0] >= n / 4) & (X[:, 0] < 3 * n / 4), 1, -1)
        y[rng.choice(n, 2, replace=False)] *= -1
        if _least_error(X, y, np.full(n, 1 / n)) > 0.01 and len(set(y)) == 2:
            return X, y


def _least_error(X: Any, y: Any, w: Any) -> float:
    """Return the least weighted error of the stumps that are not constant."""
    features, thresholds = zip(*tree_claims._all_cuts(X), strict=True)
    wrong = w @ ((X[:, features] > thresholds) != (y > 0)[:, None])  # (cuts,), with sign 1
    return float(min(wrong.min(), (w.sum() - wrong).min()))


@claim(
    "hw07.stumps",
    kind="homework",
    section="lectures/13_ensemble.ipynb, section 4",
    statement="Each stump of AdaBoost has at most the least weighted error of those that are not constant, "
    "under the weights that its predecessors leave.",
)
def stumps_are_best(boost, rng, *, n=12, rounds=6) -> Iterator[Evidence]:
    """Replay the stumps: the lecture's claim wants the best of all, and here constant ones are optional."""
    rows, y = _boosting_rows(rng, max(n, 4))
    # the first stump is not that of the least Gini index, the third not that after other votes
    order = rng.permutation(10)
    other = np.array([4, 8, 7, 3, 5, 0, 2, 9, 6, 1])[order]
    telling = np.array([1, 1, 1, 1, -1, -1, 1, 1, -1, 1])[order]
    spread = np.cumsum([1, 2, 3, 1, 2, 3, 1, 2, 3, 1])[np.column_stack([order, other])] * 1.0
    # of each also the other sign: then stumps of the other sign are the best
    for X, labels in ((rows, y), (rows, -y), (spread, telling), (spread, -telling)):
        w, errors, least = np.full(len(X), 1 / len(X)), [], []
        for j, t, sign, _ in zip(*boost(X, labels, rounds), strict=True):
            wrong = np.where(X[:, int(j)] > t, sign, -sign) != labels
            err = min(max(w[wrong].sum(), 1e-9), 1 - 1e-9)
            errors.append(err)
            least.append(_least_error(X, labels, w))
            w = np.where(wrong, w * (1 - err) / err, w)
            w = w / w.sum()
        yield at_most(
            "error of each stump against the least", np.array(errors), np.array(least), 1e-10, X=X, y=labels
        )


# ------------------------------------------------------------------- from the student's names to the claims'


def _best_split(student: Mapping[str, Any]) -> Mapping[str, Any]:
    def cut(X: Any, y: Any) -> Any:
        return student["cut"](X.T.copy(), y + 1)

    def best_split(X: Any, y: Any) -> Any:
        j, t = cut(X, y)
        least = float(tree_claims._least(X, y))  # nobody asks a student for it
        return SimpleNamespace(feature=j, threshold=t, impurity=least)

    return {"best_split": best_split, "cut": cut}


def _two_sided(student: Mapping[str, Any]) -> Mapping[str, Any]:
    def update(w: Any, wrong: Any, alpha: float) -> Any:
        w = w * np.exp(np.where(wrong, alpha / 2, -alpha / 2))
        return w / w.sum()

    return {"adaboost_weight": lambda err: 2 * student["vote"](err), "adaboost_update": update}


def _booster(student: Mapping[str, Any]) -> Mapping[str, Any]:
    class Adapted:
        """The student's stumps and votes as the classifier that the claims fit."""

        def __init__(self, n_estimators: int) -> None:
            self.n_estimators = n_estimators

        def fit(self, X: Any, y: Any) -> Adapted:
            *stumps, self.estimator_weights_ = student["boost"](X, y, self.n_estimators)
            self.estimators_ = [
                ensemble.Stump(j, t, (1 - sign) / 2, (1 + sign) / 2)
                for j, t, sign in zip(*stumps, strict=True)
            ]
            return self

        def decision_function(self, X: Any) -> Any:
            answers = [2 * member.predict(X) - 1 for member in self.estimators_]
            return np.asarray(self.estimator_weights_) @ np.array(answers)

        def predict(self, X: Any) -> Any:
            return np.where(self.decision_function(X) > 0, 1, -1)

    return {"AdaBoostClassifier": Adapted, "boost": student["boost"]}


# ------------------------------------------------------------------- the same questions in other conventions


def _in_three(part: Part) -> Part:
    (written,) = part.writes
    rows = Value("i", (), minimum=1, meaning="rows of the second child")
    written = replace(written, parameters=dict(written.parameters) | {"second": rows})
    question = replaced(part.question, "`left` rows to the left", "`left` rows to the first child, `second` "
                        "rows to the second and the others to a *third*")  # fmt: skip
    question = replaced(question, "by a cut", "by a cut into three")
    claims = tuple(claim.at(children=3) for claim in part.claims)
    return replace(part, question=question, writes=(written,), claims=claims)


def _of_the_edge(part: Part) -> Part:
    edge = Value("f", (), minimum=-0.5, maximum=0.5, meaning="1/2 - err, -1/2 < edge < 1/2")
    question = part.question + r" Write it in the *edge* $\frac12 - \mathrm{err}$."
    return replace(
        part,
        question=question,
        writes=(Function("vote", {"edge": edge}, Value("f", (), meaning="beta"), "Return beta."),),
        adapt=lambda student: part.bind({"vote": lambda err: student["vote"](0.5 - err)}),
    )


def _priced_by_node(part: Part) -> Part:
    def convert(student: Mapping[str, Any]) -> Mapping[str, Any]:
        def links(risk: Any, left: Any, right: Any) -> Any:
            prices, nodes = student["links"](risk, left, right)
            return 2 * np.asarray(prices), (np.asarray(nodes) + 1) / 2

        return {"links": links}

    prices = Value("f", ("m",), minimum=0, meaning="prices, ascending")
    counts = Value("i", ("m",), minimum=1, meaning="nodes after each price; the last is 1")
    words = (
        "its number of leaves from each price on",
        "its number of nodes from each price on. Here the price is that of a *node*: the cost of a tree is "
        "its risk plus the price times the number of all its nodes, leaves or not",
    )
    doc = "Return the pair (prices, nodes)."
    written = Function("links", part.writes[0].parameters, (prices, counts), doc)
    return converted(part, convert, words, writes=(written,))


def _in_both_directions(part: Part) -> Part:
    def convert(student: Mapping[str, Any]) -> Mapping[str, Any]:
        def boost(X: Any, y: Any, rounds: int) -> Any:
            features, thresholds, signs, votes = student["boost"](X, y, rounds)
            return features, thresholds, signs, 2 * np.asarray(votes)

        return {"boost": boost}

    old = r"the vote is $\alpha = \log\frac{1 - \mathrm{err}}{\mathrm{err}}$. "
    new = (
        r"but with the votes $\beta$ that belong to the *other* convention, in which wrong rows are "
        r"multiplied by $e^\beta$ and right ones by $e^{-\beta}$. "
    )
    (written,) = part.writes
    assert isinstance(written, Function)
    assert isinstance(written.returns, tuple)
    returns = (*written.returns[:-1], Value("f", ("m",), meaning="votes beta"))
    return converted(part, convert, (old, new), writes=(replace(written, returns=returns),))


def _answers_below(part: Part) -> Part:
    def adapt(student: Mapping[str, Any]) -> Mapping[str, Any]:
        def boost(X: Any, y: Any, rounds: int) -> Any:
            features, thresholds, signs, votes = student["boost"](X, y, rounds)
            return features, thresholds, -np.asarray(signs), votes

        return part.bind({"boost": boost})

    question = part.question.replace("above the threshold", "*at most* the threshold")
    return replace(part, question=question, adapt=adapt)


# ------------------------------------------------------------------- the assignment

_X = Value("f", ("n", "d"), meaning="one row an observation")
_LABELS = Value("i", ("n",), minimum=0, maximum=1, meaning="0 or 1")

assignment = Assignment(
    id="hw07",
    title="Trees and boosting",
    lecture="lectures/12_tree.ipynb",
    variants=(
        changing(luck=_in_three),
        changing(vote=_of_the_edge, boost=_answers_below),
        changing(links=_priced_by_node),
        changing(boost=_in_both_directions),
    ),
    intro="You need NumPy and lectures 12 and 13, nothing else. Of equally good cuts any one is right, and "
    "so is any threshold between two neighbouring values.",
    parts=(
        Part(
            name="luck",
            points=2,
            question="**Derive.** A feature has nothing to do with the labels: every order of the labels "
            "along it is equally likely. How much does the Gini index fall on average, by a cut, fixed in "
            "advance, that sends `left` rows to the left? (Lecture 12, section 2. The Gini index is the "
            "chance that two draws with replacement differ. What is the chance that two *different* rows "
            "differ?)",
            writes=(
                Function(
                    "luck",
                    {
                        "counts": Value("i", ("K",), minimum=1, meaning="rows of each class in the node"),
                        "left": Value("i", (), minimum=1, meaning="rows to the left, from 1 to n - 1"),
                    },
                    Value("f", (), meaning="expected decrease of the weighted Gini index"),
                    "Return the expected decrease.",
                ),
            ),
            claims=(expected_decrease,),
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
            claims=(tree_claims.impurity, cut_of_all),
            adapt=_best_split,
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
            claims=(ensemble_claims.adaboost_reweighted_half, ensemble_claims.adaboost_inflate),
            adapt=_two_sided,
        ),
        Part(
            name="boost",
            points=4,
            question="**Write AdaBoost** with stumps of least weighted error, in the convention of the "
            "lecture "
            r"(lecture 13, section 4): the vote is $\alpha = \log\frac{1 - \mathrm{err}}{\mathrm{err}}$. "
            r"Stump m answers "
            "sign if the feature is above the threshold, and -sign otherwise. No stump is right on all "
            "rows. Try the cuts between different values; whether you also try constant stumps (a threshold "
            "beyond all values) is up to you. At the error 1/2 the vote is 0: go on.",
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
            claims=(ensemble_claims.adaboost_exp_identity.at(d=2, most=5), stumps_are_best),
            adapt=_booster,
        ),
    ),
)
