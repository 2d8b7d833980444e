"""Pictures of models: what is drawn are the numbers of scikit-learn, for models of both libraries."""

import matplotlib as mpl
import numpy as np
import pytest
from sklearn import metrics
from sklearn.linear_model import LogisticRegression as Theirs
from sklearn.svm import LinearSVC

from book import pages
from mlnotes import PCA, SVC, DecisionTreeClassifier, LogisticRegression, NearestCentroid, show
from mlnotes.show import gallery, models, plots

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 2))
Y = np.where(X[:, 0] + RNG.normal(size=200) > 0, "yes", "no")
MODEL = LogisticRegression().fit(X, Y)
DRAWINGS = {
    "calibration": lambda **k: show.calibration(MODEL, X, Y, **k),
    "confusion": lambda **k: show.confusion(MODEL, X, Y, **k),
    "decision_regions": lambda **k: show.decision_regions(MODEL, X, Y, resolution=20, **k),
    "learning_curve": lambda **k: show.learning_curve(NearestCentroid(), X, Y, **k),
    "precision_recall": lambda **k: show.precision_recall(MODEL, X, Y, **k),
    "pruning_path": lambda **k: show.pruning_path(DecisionTreeClassifier(), X, Y, **k),
    "roc": lambda **k: show.roc(MODEL, X, Y, **k),
    "scree": lambda **k: show.scree(PCA().fit(X), **k),
    "tree_diagram": lambda **k: show.tree_diagram(DecisionTreeClassifier(max_depth=2).fit(X, Y), **k),
}


def line(figure, at):
    return figure.axes[0].lines[at].get_xydata()


def test_every_public_picture_is_drawn_here():
    assert set(DRAWINGS) == set(show._FUNCTIONS) - {"source", "watch"}


@pytest.mark.parametrize("draw", DRAWINGS.values(), ids=DRAWINGS)
def test_draws_on_its_own_figure_or_on_given_axes_and_leaves_settings_alone(draw):
    before = mpl.rcParams.copy()
    own = draw()
    assert isinstance(own, plots.Picture)
    figure, (_, right) = plots.panels(1, 2)
    assert draw(ax=right) is figure
    assert right.has_data()
    assert mpl.rcParams == before
    own.draw_without_rendering()


@pytest.mark.parametrize("model", [MODEL, Theirs(), LinearSVC(), SVC()], ids=repr)
def test_curves_of_scores_are_those_of_scikit_learn(model):
    model.fit(X, Y)
    positive, scores = Y == "yes", models_scores(model)
    false, true, _ = metrics.roc_curve(positive, scores, drop_intermediate=False)
    np.testing.assert_allclose(line(show.roc(model, X, Y), 1), np.column_stack([false, true]), atol=1e-15)
    precision, recall, _ = metrics.precision_recall_curve(positive, scores)
    drawn = line(show.precision_recall(model, X, Y), 1)
    np.testing.assert_allclose(drawn[::-1], np.column_stack([recall, precision])[:-1], atol=1e-15)


def models_scores(model):
    return model.predict_proba(X)[:, 1] if hasattr(model, "predict_proba") else model.decision_function(X)


def test_the_table_counts_answers_and_a_perfect_one_is_diagonal():
    ax = show.confusion(MODEL, X, Y).axes[0]
    counts = [int(text.get_text()) for text in ax.texts]
    assert counts == metrics.confusion_matrix(Y, MODEL.predict(X)).ravel().tolist()
    assert [label.get_text() for label in ax.get_yticklabels()] == ["no", "yes"]
    tree = DecisionTreeClassifier().fit(X, Y)
    assert [text.get_text() for text in show.confusion(tree, X, Y).axes[0].texts][1:3] == ["0", "0"]


def test_regions_of_a_model_are_those_of_its_answers():
    model, rule = (show.decision_regions(m, X, Y, resolution=30) for m in (MODEL, MODEL.predict))
    assert plots.picture_bytes(model, "png") == plots.picture_bytes(rule, "png")


def test_the_learning_curve_ends_at_the_errors_of_the_folds():
    counts = []

    class Counting(NearestCentroid):
        def fit(self, X, y):
            counts.append(len(y))
            return super().fit(X, y)

    figure = show.learning_curve(Counting(), X, Y, sizes=[10, 160], n_folds=5)
    assert counts == [10, 160] * 5
    training, other = (np.array(curve.get_ydata()) for curve in figure.axes[0].lines)
    assert training[1] == pytest.approx(np.mean(NearestCentroid().fit(X, Y).predict(X) != Y), abs=0.05)
    assert 0 < other[1] < 0.5
    with pytest.raises(ValueError, match="sizes must have entries <= 160, got 161"):
        show.learning_curve(NearestCentroid(), X, Y, sizes=[161])


def test_names_come_from_the_fit():
    words = {text.get_text().split("\n")[0] for text in DRAWINGS["tree_diagram"]().axes[0].texts}
    assert {"no", "yes"} <= words


def test_shares_of_the_scree_add_up_to_one():
    assert line(show.scree(PCA().fit(X)), 0)[-1] == pytest.approx([2.0, 1.0], abs=1e-15)


@pytest.mark.parametrize(
    ("draw", "sentence"),
    [
        (lambda: show.roc(LogisticRegression(), X, Y), "must be fitted, with two classes, got 0 classes"),
        (lambda: show.roc(NearestNothing(), X, Y), "model must have predict_proba or decision_function"),
        (lambda: show.roc(MODEL, X, np.where(Y == "no", "no", "ja")), "y has labels besides the classes of"),
        (lambda: show.decision_regions(MODEL, np.ones((3, 3))), "X must have 2 columns to be drawn"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_a_sentence(draw, sentence):
    with pytest.raises(ValueError, match=sentence):
        draw()


class NearestNothing:
    classes_ = ("no", "yes")


def test_a_table_with_names_is_drawn_without_a_warning():
    class Named(np.ndarray):
        columns = ("height", "weight")

    named = LogisticRegression().fit(X.view(Named), Y)
    assert named.feature_names_in_.tolist() == ["height", "weight"]
    show.decision_regions(named, X.view(Named), Y, resolution=10)
    assert models.roc(named, X.view(Named), Y)


def test_the_reference_shows_an_example_of_each_module_of_pictures():
    figures = gallery.load(gallery.PACKAGE.parent / "figures")
    page = pages.module_page("show.models", False, figures)
    assert len(pages.EXAMPLES["show.models"]) == 4
    for name, names in pages.EXAMPLES.items():
        assert all(example in figures for example in names), name
    assert page.index("## Examples") < page.index("../figures/pca-scree.png)](#figure-pca-scree)")
    assert page.endswith(".. automodule:: mlnotes.show.models\n```\n")
    assert "## Examples" not in pages.module_page("show.models", False, {})
