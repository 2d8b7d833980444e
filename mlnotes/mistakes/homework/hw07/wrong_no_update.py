"""Never updates the weights. Loses: boost."""


def update(w, wrong, alpha):
    return w
