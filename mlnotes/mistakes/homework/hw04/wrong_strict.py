"""Takes only negative products for mistakes: from zero it never moves. Loses: train,
average, counts."""


def wrong(product):
    return product < 0
