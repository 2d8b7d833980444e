"""Counts classes from 0 and leaves the last one out of the index. Loses: cut."""


def gini(counts):
    return 1 - ((counts[:-1] / counts.sum()) ** 2).sum()


def luck(counts, left):
    return (1 - ((counts / counts.sum()) ** 2).sum()) / (counts.sum() - 1)
