"""An assignment of another course, which needs the grader and nothing else of the library."""

from mlnotes.checking import claim, equal
from mlnotes.grading.assignment.parts import Assignment, Mutant
from mlnotes.grading.assignment.stubs import part


@claim("other.mean", kind="homework", section="Chapter 1", statement="The mean is the sum over n.")
def mean_of_a_sample(mean, rng):
    for n in (3, 5, 8):
        x = rng.integers(-9, 10, n) * 1.0
        yield equal("mean", mean(x), x.sum() / n, 1e-12)


@part(1, mean_of_a_sample)
def mean(x):
    """What is the mean?

    Return the mean of a sample.

    x (n,)
    returns
    """


WRONG = "def mean(x):\n    return x.sum() / (len(x) + 1)\n"
assignment = Assignment(
    id="other",
    title="Another course",
    parts=(mean,),
    solution="def mean(x):\n    return x.mean()\n",
    mutants=(Mutant("plus", WRONG, ("mean",), "Divides by n + 1."),),
)
