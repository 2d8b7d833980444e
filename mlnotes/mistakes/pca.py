"""Wrong principal components, one typical mistake each."""

import numpy as np

from mlnotes import PCA
from mlnotes import pca as right
from mlnotes.mistakes import Mistakes, shifted

mistake = MISTAKES = Mistakes("pca")


# ------------------------------------------------------------------- formulas


@mistake("mean_and_covariance", kills="mean-cov")
def _(X):
    """Divides by n."""
    mean, S = right.mean_and_covariance(X)
    return mean, S * (len(X) - 1) / len(X)


mistake.rows("mean_and_covariance",
    ("Forgets to centre.", "mean-cov", lambda X: (np.mean(X, axis=0), np.transpose(X) @ X / (len(X) - 1))),
    ("Takes features for rows.", "mean-cov", lambda X: (np.mean(X, axis=1), np.cov(X))),
)  # fmt: skip
mistake.rows("eigenpairs", ("Leaves the eigenvalues in ascending order.", "eig", lambda S: np.linalg.eigh(S)))


@mistake("eigenpairs", kills="eig")
def _(S):
    """Returns the eigenvectors as rows."""
    values, V = right.eigenpairs(S)
    return values, V.T


@mistake("eigenpairs", kills="eig")
def _(S):
    """Sorts the eigenvalues, and forgets the eigenvectors."""
    values, V = np.linalg.eigh(S)
    return values[::-1], V


@mistake("eigenpairs", kills="eig")
def _(S):
    """Scales the eigenvectors by the eigenvalues."""
    values, V = right.eigenpairs(S)
    return values, V * values


@mistake("components_for", kills="fraction")
def _(explained_variance, fraction):
    """Asks for more than the fraction."""
    shares = np.cumsum(explained_variance) / np.sum(explained_variance)
    return int(np.searchsorted(shares, fraction + 1e-12)) + 1


@mistake("components_for", kills="fraction")
def _(explained_variance, fraction):
    """Compares with a rounded product, which may lie above the sum that it equals."""
    sums = np.cumsum(explained_variance)
    return int(np.argmax(sums >= fraction * sums[-1])) + 1


mistake.rows("components_for",
    ("Compares rounded shares, which may miss the one that they reach.", "fraction",
     lambda explained_variance, fraction:
        int(np.argmax(np.cumsum(explained_variance / np.sum(explained_variance)) >= fraction)) + 1),
    ("Counts from 0.", "fraction", shifted(-1)),
    ("Adds up standard deviations.", "fraction",
     lambda explained_variance, fraction: right.components_for(np.sqrt(explained_variance), fraction)),
)  # fmt: skip
mistake.rows("captured_variance", ("Accepts columns of any length.", "erratum-t13",
    lambda S, W: float(np.trace(np.transpose(W) @ S @ W))))  # fmt: skip


# ------------------------------------------------------------------- the procedure


@mistake("PCA.fit", kills="optimal-k max-variance erratum-t14")
def _(self, X):
    """Keeps the components of least variance."""
    every = PCA().fit(X).components_
    PCA.fit(self, X)
    self.components_ = every[::-1][: self.n_components_]
    return self


@mistake("PCA.fit", kills="optimal-k max-variance eckart-young gram")
def _(self, X):
    """Keeps the first k features, whatever their variance."""
    PCA.fit(self, X)
    self.components_ = np.eye(np.shape(X)[1])[-self.n_components_ :]
    return self


mistake.rows("PCA.transform",
    ("Centres the test rows with their own mean.", "project",
     lambda self, X: (X - np.mean(X, axis=0)) @ self.components_.T),
    ("Forgets to centre the test rows.", "project", lambda self, X: np.asarray(X) @ self.components_.T),
    ("Always whitens.", "optimal-k max-variance project whitening",
     lambda self, X: (np.asarray(X) - self.mean_) @ self.components_.T / np.sqrt(self.explained_variance_)),
)  # fmt: skip


@mistake("PCA.transform", kills="whitening")
def _(self, X):
    """Divides by the variance in place of the standard deviation."""
    Z = (np.asarray(X) - self.mean_) @ self.components_.T
    return Z / self.explained_variance_ if self.whiten else Z


mistake.rows("PCA.inverse_transform", ("Forgets the mean when it goes back.", "eckart-young",
    lambda self, Z: np.asarray(Z) @ self.components_))  # fmt: skip


@mistake("PCA.fit", kills="eckart-young optimal-k")
def _(self, X):
    """Takes the components of the rows that were not centred."""
    PCA.fit(self, X)
    self.components_ = np.linalg.svd(X)[2][: self.n_components_]
    return self


@mistake("PCA.fit", kills="gram")
def _(self, X):
    """Forgets to divide X'u by its length."""
    PCA.fit(self, X)
    if self.solver == "gram":
        self.components_ = self.components_ * self.singular_values_[:, None]
    return self


@mistake("PCA.fit", kills="purpose erratum-t14")
def _(self, X):
    """Divides every feature by its variance first."""
    PCA.fit(self, X)
    self.components_ = np.linalg.svd((X - self.mean_) / np.var(X, axis=0))[2][: self.n_components_]
    return self


@mistake("PCA.fit", kills="erratum-t12")
def _(self, X):
    """Repeats the first direction: it does not leave the subspace of those before."""
    PCA.fit(self, X)
    self.components_ = np.repeat(self.components_[:1], self.n_components_, axis=0)
    return self


@mistake("PCA.fit", kills="certificate")
def _(self, X, y=None):
    """Divides the variances by n."""
    PCA.fit(self, X)
    self.explained_variance_ = self.explained_variance_ * (len(X) - 1) / len(X)
    return self


@mistake("PCA.fit", kills="certificate")
def _(self, X, y=None):
    """Certifies without a look at its directions."""
    PCA.fit(self, X)
    self.certificate_ = dict(self.certificate_) | {"lost_variance": 0.0, "eckart_young": 0.0}
    return self


mistake.rows("power_iteration",
    ("Forgets the directions before.", "power",
     lambda S, w, before=(), tol=1e-13, steps=100000: right.power_iteration(S, w, (), tol, steps)),
)  # fmt: skip


@mistake("power_iteration", kills="power")
def _(S, w, before=(), tol=1e-13, steps=100_000):
    """Forgets to shorten the direction."""
    for unit, variance in right.power_iteration(S, w, before, tol, steps):
        yield 2 * unit, variance
