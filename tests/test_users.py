"""What a user of the estimators sees: refusals of extreme numbers, frames, HTML, progress."""

import math
import os
import re
import subprocess
import sys
import warnings
from importlib.machinery import ModuleSpec
from types import ModuleType

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import mlnotes
from mlnotes.engines import progress as engine
from mlnotes.estimators import evaluation
from mlnotes.estimators.base import Classifier, ConvergenceWarning, LimitWarning

ON_TABLES = sorted(set(mlnotes.ESTIMATORS) - {"Histogram", "MultinomialNaiveBayes"})
REFUSE = ("KernelPerceptron", "LogisticRegression", "OneClassSVM", "Perceptron", "PlugInClassifier", "SVC")


def two_classes(n=60, d=3):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    return X, np.where(X[:, 0] + 0.3 * rng.normal(size=n) > 0, "yes", "no")


def fit(model, X, y):
    return model.fit(X, y) if isinstance(model, Classifier) else model.fit(X)


@pytest.mark.parametrize("size", [1e300, 1e155, 1e-200, 1e-310])
@pytest.mark.parametrize("name", ON_TABLES)
def test_extreme_numbers_are_used_or_refused_in_one_sentence(name, size):
    X, y = two_classes()
    model = getattr(mlnotes, name)()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", LimitWarning)
        if name in REFUSE:
            with pytest.raises(ValueError, match=r"\.$"):
                fit(model, X * size, y)
            return
        refusal = None
        try:
            fit(model, X * size, y)
            answer = next(m for m in ("predict", "transform", "score_samples") if hasattr(model, m))
            getattr(model, answer)(X * size)
        except ValueError as error:
            refusal = type(error)
        assert refusal in (None, ValueError)  # a LinAlgError is a ValueError, and no sentence


@pytest.mark.parametrize("name", REFUSE)
@pytest.mark.parametrize(("size", "what"), [(1e155, "overflow"), (1e-200, "underflow")])
def test_squares_that_leave_float64_are_named(name, size, what):
    X, y = two_classes()
    remedy = r"rescale the features, so that the largest lies between \S+ and \S+\."
    powers = "fourth powers" if name.endswith("Perceptron") else "squares"
    sentence = rf"^X has entries up to \de[+-]\d+, whose {powers} {what}: {remedy}$"
    with pytest.raises(ValueError, match=sentence):
        fit(getattr(mlnotes, name)(), np.sign(X) * 2 * size, y)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("name", REFUSE)
def test_numbers_near_the_limit_cause_no_numpy_warning(name, sign):
    X, y = two_classes()
    model = getattr(mlnotes, name)()
    size = 10.0 ** (sign * (74 if name.endswith("Perceptron") else 149))  # a mistake bound has fourth powers
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ConvergenceWarning)
        fit(model, X * size, y).predict(X * size)


@pytest.mark.parametrize("sign", [1, -1])
def test_linear_svm_accepts_up_to_fourth_roots_of_the_limits(sign):
    X, _ = two_classes()
    y, size = X[:, 0] > 0, 10.0 ** (sign * 74)
    for C in (math.inf, size**-2.0, 1.0):
        model = mlnotes.SVC(kernel="linear", C=C)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            if C == 1:  # next to nothing, or nearly a hard margin
                warnings.filterwarnings("ignore", "the relative duality gap")
            model.fit(X * size, y)
        if C != 1:
            assert model.certificate_["gap"] < 1e-8
            assert (
                model.predict(X * size) == mlnotes.SVC(kernel="linear", C=C * size**2).fit(X, y).predict(X)
            ).all()
    what = "overflow" if sign > 0 else "underflow"
    for model in (mlnotes.SVC(kernel="linear"), mlnotes.OneClassSVM(kernel="linear")):
        with pytest.raises(ValueError, match=rf"X has entries up to \S+, whose fourth powers {what}"):
            fit(model, np.sign(X) * 10.0 ** (sign * 75.1), y)


def test_a_kernel_that_overflows_is_refused():
    with pytest.raises(ValueError, match="a value of the kernel exceeds the largest float64"):
        mlnotes.SVC(kernel="poly", gamma=1.0).fit([[1e60], [2e60]], [0, 1])


# --- data frames out


class Frames(ModuleType):
    """A package of data frames that returns its arguments."""

    @staticmethod
    def DataFrame(values, **kwargs):
        return values.shape, {key: value if value is None else list(value) for key, value in kwargs.items()}


class Row3:
    columns, index, iloc = ["a", "b", "c"], ["u", "v", "w", "x"], None

    def __array__(self, dtype=None, copy=None):
        return np.array([[1.0, 0, 0], [0, 2, 0], [0, 0, 3], [0, 1, 1]])


def test_transformers_return_the_chosen_container(monkeypatch):
    frames = Frames("pandas")
    frames.__spec__ = ModuleSpec("pandas", None)
    monkeypatch.setitem(sys.modules, "pandas", frames)
    model = mlnotes.PCA(n_components=2).set_output(transform="pandas")
    names = {"index": Row3.index, "columns": ["pca0", "pca1"]}
    assert model.fit_transform(Row3()) == ((4, 2), names)
    assert clone(model).fit(Row3()).transform(Row3()) == ((4, 2), names)
    assert model.set_output().fit([[1.0, 2.0], [3.0, 5.0], [4.0, 4.0]]).transform([[1, 2]]) == (
        (1, 2),
        {"index": None, "columns": ["pca0", "pca1"]},
    )
    assert model.set_output(transform="default").transform([[1.0, 2.0]]).shape == (1, 2)
    with sklearn.config_context(transform_output="pandas"):
        assert mlnotes.PCA(n_components=2).fit_transform(Row3()) == ((4, 2), names)
        assert isinstance(model.transform([[1.0, 2.0]]), np.ndarray)  # its own choice comes first


def test_missing_frame_package_is_refused_before_any_work(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(
        ValueError, match=r"^transform='polars' needs the package polars: pip install polars$"
    ):
        mlnotes.PCA().set_output(transform="polars")
    with pytest.raises(ValueError, match="transform must be one of 'default', 'pandas', 'polars', got 'csv'"):
        mlnotes.PCA().set_output(transform="csv")


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_pipeline_returns_data_frames(kind):
    frames = pytest.importorskip(kind)
    X, y = two_classes()
    table = frames.DataFrame(dict(zip("abc", X.T, strict=True)))
    lda = mlnotes.LinearDiscriminantAnalysis()
    pipe = make_pipeline(StandardScaler(), mlnotes.PCA(n_components=2), lda).set_output(transform=kind)
    answer = pipe.fit(table, y).transform(table)
    assert isinstance(answer, frames.DataFrame)
    assert list(answer.columns) == ["lineardiscriminantanalysis0"]
    assert lda.feature_names_in_.tolist() == ["pca0", "pca1"]
    assert pipe.predict(table).shape == (60,)


# --- HTML


def test_pipeline_diagram_shows_parameters_and_certificate():
    X, y = two_classes()
    pipe = make_pipeline(mlnotes.PCA(n_components=2), mlnotes.SVC(C=0.1234)).fit(X, y)
    page = pipe._repr_html_()
    assert "0.1234" in page
    assert {"Certificate", "primal", "gap", "explained_variance_"} <= set(re.findall(r">(\w+)</", page))
    alone = pipe[-1]._repr_html_()
    assert "sk-container" in alone
    assert alone.count(">primal</th>") == 1


@pytest.mark.parametrize("name", mlnotes.ESTIMATORS)
def test_every_estimator_has_a_diagram(name):
    model = getattr(mlnotes, name)()
    assert "Certificate" not in model._repr_html_()
    X, y = two_classes()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        fit(model, X[:, 0] if name == "Histogram" else abs(X), y)
    page = model._repr_html_()
    assert ("Certificate" in page) == bool(getattr(model, "certificate_", {}))
    assert "n_features_in_" in page


WITHOUT = """
import sys
from mlnotes import SVC
model = SVC(kernel="linear", C=0.1234)
assert "(not fitted)" in model._repr_html_() and "0.1234" in model._repr_html_()
page = model.fit([[0.0], [1.0]], ["<b>", "&"])._repr_html_()
assert page.startswith("<details open><summary><b>SVC</b> (fitted)")
assert "&lt;b&gt;" in page and "<b>'" not in page
assert ">gap</th>" in page and ">coef_</th>" in page
assert "sklearn" not in sys.modules and "pandas" not in sys.modules
"""


def test_without_scikit_learn_a_small_table_is_shown():
    run = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


# --- progress

LONG = {
    "SVC": {},
    "OneClassSVM": {},
    "RandomForestClassifier": {"n_estimators": 12, "random_state": 0},
    "BaggingClassifier": {"n_estimators": 12, "random_state": 0, "estimator": mlnotes.NearestCentroid()},
    "AdaBoostClassifier": {"n_estimators": 12},
    "DensityThreshold": {},
}


@pytest.mark.parametrize("name", LONG)
def test_long_fit_reports_progress_and_can_be_stopped(name):
    X, y = two_classes(300)
    heard = []
    model = getattr(mlnotes, name)(**LONG[name], verbose=lambda *report: heard.append(report))
    fit(model, X, y)
    shares = [share for share, _ in heard if share is not None]
    assert heard
    assert shares == sorted(shares)
    assert all(0 <= share <= 1 for share in shares)
    assert all(re.search(r"\d", words) for _, words in heard)
    silent = fit(getattr(mlnotes, name)(**LONG[name]), X, y)
    assert np.array_equal(silent.predict(X), model.predict(X))

    def stop(share, words):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit(model.set_params(verbose=stop), X, y)
    with pytest.raises(
        ValueError, match=r"^verbose must be True, False or a function \(fraction, text\), got 2\.$"
    ):
        fit(model.set_params(verbose=2), X, y)


def test_cross_validation_reports_each_fold():
    X, y = two_classes(12)
    heard = []
    folds = evaluation.leave_one_out(12)
    evaluation.cross_validate(
        mlnotes.NearestCentroid(), X, y, folds, verbose=lambda share, words: heard.append((share, words))
    )
    assert heard == [((k + 1) / 12, f"{k + 1} of 12 folds") for k in range(12)]


def test_text_progress_starts_after_a_second_and_slows_down(monkeypatch, capsys):
    clock = [0.0]
    monkeypatch.setattr(engine.time, "perf_counter", lambda: clock[0])
    with engine.progress("SVC", True) as tell:
        for second in range(100):
            clock[0] = second + 0.5
            tell(None if second < 3 else second / 100, f"pair {second}")
    lines = capsys.readouterr().err.splitlines()
    assert lines[:3] == [
        "SVC: pair 1, 2 s", "SVC: 3%, pair 3, 4 s", "SVC: 7%, pair 7, 8 s",
    ]  # fmt: skip
    assert lines[-1] == "SVC: 99.5 s"
    assert len(lines) == 13
    with engine.progress("SVC", True) as tell:
        tell(0.5, "short")
    assert capsys.readouterr().err == ""


def test_terminal_shows_a_progress_bar():
    pty = pytest.importorskip("pty")
    program = (
        "import time; from mlnotes.engines import progress as p; p.PATIENCE = 0.0\n"
        "with p.progress('SVC', True) as tell:\n"
        "    for k in range(4): tell(k / 4, f'machine {k}'); time.sleep(0.15)\n"
    )
    main, other = pty.openpty()
    run = subprocess.run([sys.executable, "-c", program], stderr=other, env={**os.environ, "TERM": "xterm"})
    os.close(other)
    shown = os.read(main, 65536).decode()
    os.close(main)
    assert run.returncode == 0
    assert "machine 3" in shown
    assert "━" in shown
    assert re.search(r"SVC: \d+\.\d s", shown)
