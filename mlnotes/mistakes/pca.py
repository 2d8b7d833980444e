"""Wrong principal components, one typical mistake each."""

import numpy as np

from mlnotes import PCA
from mlnotes import pca as right
from mlnotes.mistakes import Mistakes

mistake = MISTAKES = Mistakes("pca")


# ------------------------------------------------------------------- formulas


@mistake("mean_and_covariance", kills=("pca.mean-cov",))
def _(X):
    """Divides by n."""
    mean, S = right.mean_and_covariance(X)
    return mean, S * (len(X) - 1) / len(X)


@mistake("mean_and_covariance", kills=("pca.mean-cov",))
def _(X):
    """Forgets to centre."""
    return np.mean(X, axis=0), np.transpose(X) @ X / (len(X) - 1)


@mistake("mean_and_covariance", kills=("pca.mean-cov",))
def _(X):
    """Takes features for rows."""
    return np.mean(X, axis=1), np.cov(X)


@mistake("eigenpairs", kills=("pca.eig",))
def _(S):
    """Leaves the eigenvalues in ascending order."""
    return np.linalg.eigh(S)


@mistake("eigenpairs", kills=("pca.eig",))
def _(S):
    """Returns the eigenvectors as rows."""
    values, V = right.eigenpairs(S)
    return values, V.T


@mistake("eigenpairs", kills=("pca.eig",))
def _(S):
    """Sorts the eigenvalues, and forgets the eigenvectors."""
    values, V = np.linalg.eigh(S)
    return values[::-1], V


@mistake("eigenpairs", kills=("pca.eig",))
def _(S):
    """Scales the eigenvectors by the eigenvalues."""
    values, V = right.eigenpairs(S)
    return values, V * values


@mistake("components_for", kills=("pca.fraction",))
def _(explained_variance, fraction):
    """Asks for more than the fraction."""
    shares = np.cumsum(explained_variance) / np.sum(explained_variance)
    return int(np.searchsorted(shares, fraction + 1e-12)) + 1


@mistake("components_for", kills=("pca.fraction",))
def _(explained_variance, fraction):
    """Compares rounded shares, which may miss the one that they reach."""
    return int(np.argmax(np.cumsum(explained_variance / np.sum(explained_variance)) >= fraction)) + 1


@mistake("components_for", kills=("pca.fraction",))
def _(explained_variance, fraction):
    """Compares with a rounded product, which may lie above the sum that it equals."""
    sums = np.cumsum(explained_variance)
    return int(np.argmax(sums >= fraction * sums[-1])) + 1


@mistake("components_for", kills=("pca.fraction",))
def _(explained_variance, fraction):
    """Counts from 0."""
    return right.components_for(explained_variance, fraction) - 1


@mistake("components_for", kills=("pca.fraction",))
def _(explained_variance, fraction):
    """Adds up standard deviations."""
    return right.components_for(np.sqrt(explained_variance), fraction)


@mistake("captured_variance", kills=("pca.erratum-t13",))
def _(S, W):
    """Accepts columns of any length."""
    return float(np.trace(np.transpose(W) @ S @ W))


# ------------------------------------------------------------------- the procedure


@mistake("PCA", kills=("pca.project",))
class _(PCA):
    """Centres the test rows with their own mean."""

    def transform(self, X):
        return (X - np.mean(X, axis=0)) @ self.components_.T


@mistake("PCA", kills=("pca.project",))
class _(PCA):
    """Forgets to centre the test rows."""

    def transform(self, X):
        return np.asarray(X) @ self.components_.T


@mistake("PCA", kills=("pca.optimal-k", "pca.max-variance", "pca.erratum-t14"))
class _(PCA):
    """Keeps the components of least variance."""

    def fit(self, X):
        every = PCA().fit(X).components_
        super().fit(X)
        self.components_ = every[::-1][: self.n_components_]
        return self


@mistake("PCA", kills=("pca.optimal-k", "pca.max-variance", "pca.eckart-young", "pca.gram"))
class _(PCA):
    """Keeps the first k features, whatever their variance."""

    def fit(self, X):
        super().fit(X)
        self.components_ = np.eye(np.shape(X)[1])[-self.n_components_ :]
        return self


@mistake("PCA", kills=("pca.optimal-k", "pca.max-variance", "pca.project", "pca.whitening"))
class _(PCA):
    """Always whitens."""

    def transform(self, X):
        return ((np.asarray(X) - self.mean_) @ self.components_.T) / np.sqrt(self.explained_variance_)


@mistake("PCA", kills=("pca.whitening",))
class _(PCA):
    """Divides by the variance in place of the standard deviation."""

    def transform(self, X):
        Z = (np.asarray(X) - self.mean_) @ self.components_.T
        return Z / self.explained_variance_ if self.whiten else Z


@mistake("PCA", kills=("pca.eckart-young",))
class _(PCA):
    """Forgets the mean when it goes back."""

    def inverse_transform(self, Z):
        return np.asarray(Z) @ self.components_


@mistake("PCA", kills=("pca.eckart-young", "pca.optimal-k"))
class _(PCA):
    """Takes the components of the rows that were not centred."""

    def fit(self, X):
        super().fit(X)
        self.components_ = np.linalg.svd(X)[2][: self.n_components_]
        return self


@mistake("PCA", kills=("pca.gram",))
class _(PCA):
    """Forgets to divide X'u by its length."""

    def fit(self, X):
        super().fit(X)
        if self.solver == "gram":
            self.components_ = self.components_ * self.singular_values_[:, None]
        return self


@mistake("PCA", kills=("pca.purpose", "pca.erratum-t14"))
class _(PCA):
    """Divides every feature by its variance first."""

    def fit(self, X):
        super().fit(X)
        self.components_ = np.linalg.svd((X - self.mean_) / np.var(X, axis=0))[2][: self.n_components_]
        return self


@mistake("PCA", kills=("pca.erratum-t12",))
class _(PCA):
    """Repeats the first direction: it does not leave the subspace of those before."""

    def fit(self, X):
        super().fit(X)
        self.components_ = np.repeat(self.components_[:1], self.n_components_, axis=0)
        return self


@mistake("PCA", kills=("pca.certificate",))
class _(PCA):
    """Divides the variances by n."""

    def fit(self, X, y=None):
        super().fit(X)
        self.explained_variance_ = self.explained_variance_ * (len(X) - 1) / len(X)
        return self


@mistake("PCA", kills=("pca.certificate",))
class _(PCA):
    """Certifies without a look at its directions."""

    def fit(self, X, y=None):
        super().fit(X)
        self.certificate_ = dict(self.certificate_) | {"lost_variance": 0.0, "eckart_young": 0.0}
        return self


@mistake("power_iteration", kills=("pca.power",))
def _(S, w, before=(), tol=1e-13, steps=100_000):
    """Forgets the directions before."""
    return right.power_iteration(S, w, (), tol, steps)


@mistake("power_iteration", kills=("pca.power",))
def _(S, w, before=(), tol=1e-13, steps=100_000):
    """Forgets to shorten the direction."""
    for unit, variance in right.power_iteration(S, w, before, tol, steps):
        yield 2 * unit, variance
