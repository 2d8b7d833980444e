"""Leaves the priors out of the centres. Loses: centres."""


def of_class(prior):
    return 0 * prior
