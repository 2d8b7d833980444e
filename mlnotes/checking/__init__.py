"""What a claim is: a statement with an executable check. This package knows no topic."""

from mlnotes.checking.claims import Claim, Verdict, claim, correction, hard_cases, misprint, statement
from mlnotes.checking.evidence import (
    Evidence,
    at_least,
    at_most,
    bernstein,
    equal,
    hoeffding,
    rounding,
    within,
)

__all__ = [
    "Claim", "Evidence", "Verdict", "at_least", "at_most", "bernstein", "claim", "correction", "equal",
    "hard_cases", "hoeffding", "misprint", "rounding", "statement", "within",
]  # fmt: skip
