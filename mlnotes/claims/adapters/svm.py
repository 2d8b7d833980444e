"""The estimators in the language of `mlnotes.svm` and `mlnotes.svm_one_class`: a kernel is a function."""

from mlnotes.estimators import svm as estimators

EstimatorSVC = estimators.SVC
EstimatorOneClassSVM = estimators.OneClassSVM
KERNELS = {"polynomial_kernel": "poly", "rbf_kernel": "rbf"}


def _options(kernel):
    """Return the estimators' options for `partial(rbf_kernel, gamma=2.0)`, say; None is the linear kernel."""
    if kernel is None:
        return {"kernel": "linear"}
    return {"kernel": KERNELS[kernel.func.__name__], **kernel.keywords}


class SVC:
    def __init__(self, C=1.0, kernel=None):
        self.model = estimators.SVC(C, **_options(kernel))

    def fit(self, X, y):
        self.model.fit(X, y)
        self.support_ = self.model.support_
        self.dual_coef_ = self.model.dual_coef_[0]
        self.intercept_ = self.model.intercept_[0]
        return self

    def normal_vector(self):
        return self.model.coef_[0]

    def decision_function(self, X):
        return self.model.decision_function(X)

    def predict(self, X):
        return self.model.predict(X)


class OneClassSVM:
    def __init__(self, nu, kernel):
        self.model = estimators.OneClassSVM(nu, **_options(kernel))

    def fit(self, X):
        self.model.fit(X)
        self.scale = self.model.nu * len(X)  # the estimator's weights add up to nu n, as in scikit-learn
        self.support_ = self.model.support_
        self.dual_coef_ = self.model.dual_coef_[0] / self.scale
        self.intercept_ = self.model.intercept_[0] / self.scale
        return self

    def decision_function(self, X):
        return self.model.decision_function(X) / self.scale

    def predict(self, X):
        return self.model.predict(X)
