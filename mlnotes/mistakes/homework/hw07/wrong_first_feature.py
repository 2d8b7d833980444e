"""Looks at the first feature only. Loses: cut."""


def cut(table, labels):
    _, j, t = best_cut(table[:1].T, labels)  # noqa: F821
    return j, t
