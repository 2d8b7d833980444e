"""Lecture 1: Bayes rule."""

from __future__ import annotations

import numpy as np

from mlnotes import bayes
from mlnotes.exam.bank.draws import between, proportions, several
from mlnotes.exam.questions import question


@question("bayes", "3")
def least_risk(rng):
    r"""$X$ takes the values 1, 2, 3, 4 with the probabilities $«mu»$, and $\eta(x) = P(Y = 1 \mid X = x)$ has
    there the values $«eta»$. What is the Bayes risk for the 0-1 loss?

    Each value of $x$ contributes $P(X = x) \min(\eta(x), 1 - \eta(x))$: the sum of $«terms»$.

    The risk of the rule that always predicts 1."""
    mu, eta = proportions(rng, 4), several(rng, 4, 0.1, 0.9, 0.05)
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
