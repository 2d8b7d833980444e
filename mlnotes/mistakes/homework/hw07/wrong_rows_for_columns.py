"""Takes the rows of the table for the observations. Loses: cut."""


def cut(table, labels):
    n = min(table.shape)
    _, j, t = best_cut(table[:n, :], labels[:n] - 1) if n > 1 else (0, 0, table[0, 0])  # noqa: F821
    return (j, t) if j is not None else (0, table[0, 0])
