"""Multiplies the marginals, as if the class did not depend on the atom. Loses: errors."""


def error_probability(rule, joint):
    return 1 - (joint.sum(axis=1) * joint.sum(axis=0)[rule]).sum()
