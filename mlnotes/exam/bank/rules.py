"""Lectures 1 to 5: rules, their risk, and classifiers from data."""

from __future__ import annotations

import numpy as np

from mlnotes import bayes, calibration, evaluation, logistic, neighbors, roc
from mlnotes import discriminant as da
from mlnotes.exam.bank.draws import between, listed, several, shares, symmetric, vectors
from mlnotes.exam.questions import question

# ---- 1 Bayes rule


@question("bayes", "3")
def least_risk(rng):
    r"""$X$ takes the values 1, 2, 3, 4 with the probabilities $«mu»$, and $\eta(x) = P(Y = 1 \mid X = x)$ has
    there the values $«eta»$. What is the Bayes risk for the 0-1 loss?

    Each value of $x$ contributes $P(X = x) \min(\eta(x), 1 - \eta(x))$: the sum of $«terms»$.

    The risk of the rule that always predicts 1."""
    mu, eta = shares(rng, 4), several(rng, 4, 0.1, 0.9, 0.05)
    joint = bayes.joint_table(mu, np.column_stack([1 - eta, eta]))
    answer, slip = bayes.bayes_risk(joint), bayes.risk(np.ones(4, dtype=int), joint)
    return {"mu": mu, "eta": eta, "terms": joint.min(axis=1), "answer": answer, "slip": slip}


@question("bayes", "2")
def positive_test(rng):
    r"""Of all people a proportion of $«ill»$ is ill. A test is positive for an ill person with probability
    $«hit»$ and for a healthy one with probability $«alarm»$. A person drawn at random has a positive test.
    With which probability is the person ill?

    Bayes' formula: $\pi_1 f_1 / (\pi_0 f_0 + \pi_1 f_1) = «ill» \cdot «hit» / («healthy» \cdot «alarm» +
    «ill» \cdot «hit»)$.

    Takes the probability of a positive test, given the illness, for the reverse."""
    ill, hit = between(rng, 0.01, 0.3, 0.01), between(rng, 0.7, 0.99, 0.01)
    alarm = between(rng, 0.02, 0.3, 0.01)
    answer = bayes.posterior([1 - ill, ill], np.log([[alarm, hit]]))[0, 1]
    return {"ill": ill, "hit": hit, "alarm": alarm, "healthy": 1 - ill, "answer": answer, "slip": hit}


@question("bayes", "5")
def cost_of_answer(rng):
    r"""A false alarm costs $«false»$, a miss costs $«miss»$, a right prediction nothing. At the points $x =
    1, 2, 3$, which have equal probability, $\eta(x) = P(Y = 1 \mid X = x)$ is $«eta»$. What is the smallest
    expected cost of a rule?

    The prediction 1 costs $«false» (1 - \eta)$ and 0 costs $«miss» \eta$; the smaller ones are $«least»$.
    Take their mean.

    Predicts 1 where $\eta \ge 1/2$, as for the 0-1 loss."""
    false, miss = several(rng, 2, 1, 20)
    eta = several(rng, 3, 0.1, 0.9, 0.05)
    loss = np.array([[0, miss], [false, 0]])
    joint = bayes.joint_table(np.full(3, 1 / 3), np.column_stack([1 - eta, eta]))
    least = 3 * bayes.conditional_risk(joint, loss).min(axis=1)
    slip = bayes.risk(bayes.bayes_rule_binary(eta), joint, loss)
    answer = bayes.bayes_risk(joint, loss)
    return {"false": false, "miss": miss, "eta": eta, "least": least, "answer": answer, "slip": slip}


# ---- 2 Evaluation


@question("evaluation", "3")
def test_interval(rng):
    r"""A classifier makes $«k»$ errors on $«n»$ test examples. Give the upper end of Hoeffding's 95 %
    confidence interval for its risk.

    $k/n + \sqrt{\ln(2 / 0.05) / (2n)} = «share» + «width»$.

    Forgets that the interval has two sides: $\ln(1 / 0.05)$."""
    k, n = between(rng, 5, 60), between(rng, 150, 900, 10)
    answer = evaluation.hoeffding_interval(k, n, 0.05).high
    slip = evaluation.hoeffding_interval(k, n, 0.1).high
    return {"k": k, "n": n, "share": k / n, "width": answer - k / n, "answer": answer, "slip": slip}


@question("evaluation", "5")
def roc_area(rng):
    r"""Four positive test examples have the scores $«up»$, five negative ones $«down»$. What is the area
    under the ROC curve?

    Of the 20 pairs of a positive and a negative example, «wins» have the larger score at the positive one,
    and «ties» tie and count one half.

    Counts ties as nothing."""
    up, down = several(rng, 4, 0.2, 0.95, 0.05), several(rng, 5, 0.05, 0.8, 0.05)
    wins, ties = (up[:, None] > down).sum(), (up[:, None] == down).sum()
    answer = roc.roc_curve(np.repeat([1, 0], [4, 5]), np.append(up, down)).area
    return {"up": up, "down": down, "wins": wins, "ties": ties, "answer": answer, "slip": wins / 20}


@question("evaluation", "6")
def brier(rng):
    r"""The forecasts of the probability of rain on five days were $«p»$; $y = «y»$ says on which it rained.
    What is the Brier score?

    The mean of $(p_i - y_i)^2$, that is, of $«squares»$.

    Takes the mean of $\left| p_i - y_i \right|$, without the squares."""
    p, y = several(rng, 5, 0.05, 0.95, 0.05), rng.permutation([0, 1, *rng.integers(0, 2, 3)])
    squares = (p - y) ** 2
    return {
        "p": p,
        "y": y,
        "squares": squares,
        "answer": calibration.brier_score(y, p),
        "slip": abs(p - y).mean(),
    }


# ---- 3 Nearest neighbours


@question("neighbors", "3")
def vote_of_three(rng):
    r"""At $x$ the label is 1 with probability $\eta = «eta»$, and three independent labels of the same
    distribution vote. With which probability is the vote not the label of a new observation at $x$?

    The vote is 1 with probability $q = \eta^3 + 3 \eta^2 (1 - \eta) = «q»$; the error is $\eta (1 - q) + (1 -
    \eta) q$.

    The error of a single neighbour, $2 \eta (1 - \eta)$."""
    eta = between(rng, 0.05, 0.45, 0.001)
    answer, slip = neighbors.k_neighbors_risk(eta, 3), neighbors.k_neighbors_risk(eta, 1)
    return {"eta": eta, "q": eta**3 + 3 * eta**2 * (1 - eta), "answer": answer, "slip": slip}


@question("neighbors", "3")
def cover_hart(rng):
    r"""With «K» classes the Bayes risk is $«risk»$. What is the largest risk that the nearest-neighbour rule
    can have with infinitely many observations?

    $R^* (2 - K R^* / (K - 1))$, the bound of Cover and Hart, which is attained.

    Twice the Bayes risk."""
    K, risk = between(rng, 2, 6), between(rng, 0.05, 0.45, 0.005)
    return {"K": K, "risk": risk, "answer": neighbors.cover_hart_bound(risk, K), "slip": 2 * risk}


@question("neighbors", "5")
def closest_average(rng):
    r"""The observations of class 0 are $«zero»$, those of class 1 are $«one»$. A rule predicts the class of
    the nearest mean. Where on the axis $x_2 = 0$ does its prediction change? Give $x_1$.

    The means are $\mu_0 = «m0»$ and $\mu_1 = «m1»$; $2 \langle \mu_1 - \mu_0, x \rangle = \left| \mu_1
    \right|^2 - \left| \mu_0 \right|^2$ at $x = (x_1, 0)$.

    The first coordinate of the middle between the means."""
    zeros = np.column_stack([several(rng, 3, -6, 2), several(rng, 3, -6, 4)])
    X = np.vstack([zeros, np.column_stack([several(rng, 3, 0, 6), several(rng, 3, -4, 6)])])
    rule = neighbors.NearestCentroid().fit(X, [0, 0, 0, 1, 1, 1])
    start, end = rule.decision_function(np.array([[0.0, 0], [1, 0]]))
    m0, m1 = rule.centroids_
    answer = start / (start - end) if start != end else np.inf
    zero, one = listed(X[:3]), listed(X[3:])
    return {"zero": zero, "one": one, "m0": m0, "m1": m1, "answer": answer, "slip": (m0[0] + m1[0]) / 2}


# ---- 4 Discriminant analysis


@question("discriminant", "4")
def pooled_variance(rng):
    r"""On the line, class 0 has the observations $«zero»$ and class 1 the observations $«one»$. What is the
    pooled estimate of the common variance, with divisor $n - K$?

    The sums of squared deviations from the class means, $«s0»$ and $«s1»$, divided by $7 - 2$.

    Divides by $n = 7$."""
    zero, one = several(rng, 4, 0, 12), several(rng, 3, 6, 20)
    X, y = np.append(zero, one)[:, None].astype(float), np.repeat([0, 1], [4, 3])
    answer = da.pooled_covariance(X, y)[0, 0]
    s0, s1 = (da.scatter(X[y == k])[0, 0] for k in (0, 1))
    return {"zero": zero, "one": one, "s0": s0, "s1": s1, "answer": answer, "slip": (s0 + s1) / 7}


@question("discriminant", "3")
def lda_cut(rng):
    r"""On the line, class 0 is $N(«m0», «v»)$ and class 1 is $N(«m1», «v»)$ (mean, variance), and $P(Y = 1) =
    «prior»$. At which $x$ are both classes equally probable?

    $x = \frac{\mu_0 + \mu_1}{2} + \frac{\sigma^2}{\mu_1 - \mu_0} \ln \frac{\pi_0}{\pi_1}$.

    The middle between the means, as if the classes were equally frequent."""
    m0, gap, v = between(rng, -5, 5), between(rng, 1, 8), between(rng, 1, 9)
    prior = between(rng, 0.05, 0.95, 0.05)
    means = np.array([[m0], [m0 + gap]], dtype=float)
    d = da.linear_discriminants(np.array([[0.0], [1]]), means, np.array([[v]]), np.array([1 - prior, prior]))
    start, end = d[:, 1] - d[:, 0]
    values = {"m0": m0, "m1": m0 + gap, "v": v, "prior": prior}
    return {**values, "answer": start / (start - end), "slip": m0 + gap / 2}


@question("discriminant", "3")
def lda_normal(rng):
    r"""Two Gaussian classes have the means $«m0»$ and $«m1»$ and the common covariance $«S»$. The Bayes rule
    compares $\langle w, x \rangle$ with a number. Give the vector $w = \Sigma^{-1} (\mu_1 - \mu_0)$.

    $\Sigma^{-1} = \frac{1}{«det»} «adjugate»$, times $\mu_1 - \mu_0 = «difference»$.

    $\mu_1 - \mu_0$ itself, as if the covariance were the identity."""
    S, (m0, m1) = symmetric(rng), vectors(rng, 2, 2, 6)
    places = np.vstack([np.eye(2), np.zeros(2)])
    scores = da.linear_discriminants(places, np.array([m0, m1]), S, np.full(2, 0.5))
    gain = scores[:, 1] - scores[:, 0]
    det, adjugate = S[0, 0] * S[1, 1] - S[0, 1] ** 2, np.array([[S[1, 1], -S[0, 1]], [-S[0, 1], S[0, 0]]])
    values = {"m0": m0, "m1": m1, "S": S, "det": det, "adjugate": adjugate, "difference": m1 - m0}
    return {**values, "answer": gain[:2] - gain[2], "slip": m1 - m0}


# ---- 5 Logistic regression


@question("logistic", "4")
def first_gradient(rng):
    r"""Logistic regression without an intercept has the observations $«rows»$ with the labels $y = «y»$ (0 or
    1). Give the gradient of the mean negative log-likelihood at $w = (0, 0)$.

    $\frac1n \sum_i (p_i - y_i) x_i$ with $p_i = 1/2$.

    The opposite sign, $y_i - p_i$: the direction in which one goes."""
    X, y = vectors(rng, 4, 2, 6), rng.permutation([0, 0, 1, 1])
    answer = logistic.binary_gradient(np.zeros(2), X, y)
    return {"rows": listed(X), "y": y, "answer": answer, "slip": -answer}


@question("logistic", "2")
def softmax_share(rng):
    r"""Three classes have the scores $\langle w_k, x \rangle = «scores»$ at $x$. Which probability does the
    softmax give the second class?

    $e^{s_2} / \sum_k e^{s_k}$; the exponentials are $«terms»$.

    The fraction $s_2 / \sum_k s_k$, without exponentials."""
    scores = several(rng, 3, 0.2, 3, 0.1)
    values = {"scores": scores, "terms": np.exp(scores), "answer": logistic.softmax(scores)[1]}
    return {**values, "slip": scores[1] / scores.sum()}


@question("logistic", "5")
def no_maximum(rng):
    r"""A friend says that the likelihood of logistic regression without an intercept has a maximum on the
    data $«rows»$ with the labels $y = «y»$ (0 or 1). Show that this is false: give a $w$ along which the
    likelihood rises for ever, with every observation strictly on its side.

    Every observation of label 1 must have $\langle w, x \rangle > 0$ and every one of label 0 $\langle w, x
    \rangle < 0$; then $t w$ is better the larger $t$ is. One such $w$ is $«answer»$.

    Takes the first coordinate for the score: $w = (1, 0)$."""
    w, y = vectors(rng, 1, 2, 3)[0], rng.permutation([0, 0, 1, 1])
    X = vectors(rng, 40, 2, 6)
    X = X[abs(X @ w) >= 2][:4]
    signs = 2 * y - 1
    X = X * (signs * np.sign(X @ w))[:, None]

    def accepts(given: np.ndarray) -> float:
        return (signs * (X @ given)).min() - 1e-9

    values = {"rows": listed(X), "y": y, "answer": w.astype(float)}
    return {**values, "slip": np.array([1, 0]), "accepts": accepts}
