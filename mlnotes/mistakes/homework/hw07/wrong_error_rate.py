"""Takes the error rate for the Gini index. Loses: cut, Tree."""


def gini(counts):
    return 1 - counts.max() / counts.sum()


def luck(counts, left):
    return (1 - ((counts / counts.sum()) ** 2).sum()) / (counts.sum() - 1)
