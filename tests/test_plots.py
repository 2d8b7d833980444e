"""The drawing functions: what ends up on the axes, on the caller's or on new ones, and the errors."""

import subprocess
import sys
from fractions import Fraction

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb

from mlnotes.show import plots

X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
Y = np.array([0, 1, 0, 1])
BOX = (-1.0, 2.0, -1.0, 2.0)


def eta(Z):
    return 1 / (1 + np.exp(1 - 2 * Z[:, 0]))


def both(Z):
    return np.column_stack([1 - eta(Z), eta(Z)])


DRAWINGS = {
    "labelled_points": lambda **k: plots.labelled_points(X, Y, **k),
    "decision_regions": lambda **k: plots.decision_regions(both, X, Y, resolution=20, **k),
    "level_line": lambda **k: plots.level_line(eta, 0.5, box=BOX, resolution=20, label="boundary", **k),
    "contour_posterior": lambda **k: plots.contour_posterior(both, X, resolution=20, **k),
    "simplex_regions": lambda **k: plots.simplex_regions(lambda p: p, corners="abc", resolution=20, **k),
    "density_1d": lambda **k: plots.density_1d([0, 1, 2], X[:3] + 1, overlap="overlap", **k),
    "curves": lambda **k: plots.curves([0, 1, 2], {"a": [1, 2, 3], "b": [3, np.nan, 1]}, **k),
    "sorted_risks": lambda **k: plots.sorted_risks([0.5, 0.25, 0.25, 1.0], **k),
    "bound_scatter": lambda **k: plots.bound_scatter([1, 2], [0, 2], **k),
    "risk_curve": lambda **k: plots.risk_curve([10, 100], [[0.2, 0.1], [0.3, 0.1]], **k),
}


def labels(ax):
    return ax.get_legend_handles_labels()[1]


# ------------------------------------------------------------------- every drawing function


def test_every_drawing_function_is_tested_here():
    takes_axes = {
        name
        for name, value in vars(plots).items()
        if callable(value) and not name.startswith("_") and "ax" in getattr(value, "__annotations__", {})
    }
    assert takes_axes == {*DRAWINGS, "frame"}


@pytest.mark.parametrize("draw", DRAWINGS.values(), ids=DRAWINGS)
def test_draws_on_its_own_figure_or_on_given_axes(draw):
    own = draw()
    assert isinstance(own, plots.Picture)
    picture, (left, right) = plots.panels(1, 2)
    assert draw(ax=right) is picture
    assert right.has_data()
    assert not left.has_data()


@pytest.mark.parametrize("draw", DRAWINGS.values(), ids=DRAWINGS)
def test_leaves_the_settings_of_the_user_and_ignores_them(draw):
    before = plots.picture_bytes(draw(), "png")
    with mpl.rc_context({"font.family": "monospace", "axes.facecolor": "red", "lines.linewidth": 9}):
        settings = dict(mpl.rcParams)
        assert plots.picture_bytes(draw(), "png") == before
        assert dict(mpl.rcParams) == settings


@pytest.mark.parametrize("draw", DRAWINGS.values(), ids=DRAWINGS)
def test_input_is_not_modified(draw):
    X.flags.writeable = Y.flags.writeable = False
    try:
        draw()
    finally:
        X.flags.writeable = Y.flags.writeable = True


def test_nothing_touches_pyplot():
    code = (
        "import sys; from mlnotes.show import plots; plots.panels(); "
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# ------------------------------------------------------------------- the style


def luminance(color):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(color)]
    return np.dot([0.2126, 0.7152, 0.0722], linear)


def test_points_stand_out_from_the_region_of_their_class():
    for k, color in enumerate(plots.COLORS[:4]):
        ground = luminance(plots.tint(color, white=(0.72, 0.85)[k % 2]))
        assert (ground + 0.05) / (luminance(color) + 0.05) > 2


def test_tint_mixes_with_white():
    assert plots.tint("#000000", white=0.5) == (0.5, 0.5, 0.5)
    assert plots.tint(plots.BLUE, white=0) == to_rgb(plots.BLUE)
    assert plots.tint(plots.BLUE, white=1) == (1, 1, 1)


def test_a_notebook_shows_a_figure_as_a_sharp_picture():
    data, metadata = plots.labelled_points(X, Y)._repr_mimebundle_()
    assert data["image/png"].startswith(b"\x89PNG")
    width = int.from_bytes(data["image/png"][16:20], "big")
    assert 1.5 < width / metadata["image/png"]["width"] < 2.5


@pytest.mark.parametrize("extension", ["svg", "png", "pdf"])
def test_bytes_depend_on_the_picture_only(extension):
    first, second = (plots.picture_bytes(plots.curves([0, 1], {"a": [0, 1]}), extension) for _ in range(2))
    assert first == second
    assert first != plots.picture_bytes(plots.curves([0, 1], {"a": [1, 0]}), extension)


def test_words_look_the_same_whoever_writes_them():
    drawn, ax = plots.panels()[1], plots.panels()[1]
    plots.curves([0, 1], {"a": [0, 1]}, ax=drawn)
    ax.plot([0, 1], label="a")
    with mpl.rc_context({"font.family": "monospace", "legend.fontsize": 20}):
        texts = [*drawn.get_legend().get_texts(), *ax.legend().get_texts(), ax.text(0, 0, "a")]
    assert {text.get_fontfamily()[0] for text in texts} == {"STIXGeneral"}
    assert len({text.get_fontsize() for text in texts[:2]}) == 1


def test_panels_have_the_size_and_shape_asked_for():
    picture, ax = plots.panels()
    assert picture.get_size_inches().tolist() == [4.8, 3.2]
    picture, axes = plots.panels(2, 3, width=6, height=5, sharex=True)
    assert picture.get_size_inches().tolist() == [6, 5]
    assert axes.shape == (2, 3)
    assert ax.xaxis.get_tick_params()["labelfontfamily"] == plots.STYLE["font.family"]


# ------------------------------------------------------------------- points and regions


def test_each_class_has_its_colour_marker_and_name():
    (ax,) = plots.labelled_points(X, ["b", "a", "b", "a"]).axes
    first, second = ax.collections
    assert first.get_offsets().tolist() == [[1, 0], [1, 1]]
    assert to_hex(first.get_facecolor()[0]) == plots.BLUE.lower()
    assert to_hex(second.get_facecolor()[0]) == plots.VERMILLION.lower()
    assert first.get_paths()[0].vertices.shape != second.get_paths()[0].vertices.shape
    assert labels(ax) == ["class a", "class b"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("$x_1$", "$x_2$")


def test_a_class_keeps_its_colour_when_an_earlier_one_is_absent():
    (ax,) = plots.labelled_points(X, [2, 1, 2, 1], classes=[0, 1, 2], names=["u", "v", "w"]).axes
    assert [len(points.get_offsets()) for points in ax.collections] == [0, 2, 2]
    assert labels(ax) == ["u", "v", "w"]
    scores = plots.decision_regions(
        lambda Z: np.column_stack([Z, 0 * Z[:, 0]]), X, [2, 1, 2, 1], resolution=9
    )
    assert labels(scores.axes[0]) == ["class 0", "class 1", "class 2"]


def areas(ax):
    """Area of each shaded region, by the shoelace formula."""
    total = []
    for region in ax.collections:
        if region.get_facecolor().size:
            polygons = [p for path in region.get_paths() for p in path.to_polygons()]
            total.append(sum(shoelace(p) for p in polygons))
    return total


def shoelace(polygon):
    x, y = polygon.T
    return abs(x[:-1] @ y[1:] - x[1:] @ y[:-1]) / 2


@pytest.mark.parametrize("kind", ["scores", "labels", "words", "bool"])
def test_regions_are_where_the_rule_gives_each_answer(kind):
    def rule(Z):
        right = Z[:, 0] >= 0.5
        forms = {"labels": right.astype(int), "words": np.where(right, "yes", "no"), "bool": right}
        return both(Z) if kind == "scores" else forms[kind]

    (ax,) = plots.decision_regions(rule, box=BOX, resolution=30).axes
    assert areas(ax) == pytest.approx([4.5, 4.5], abs=1e-9)
    assert (ax.get_xlim(), ax.get_ylim()) == (BOX[:2], BOX[2:])


def test_one_answer_everywhere_needs_no_boundary():
    (ax,) = plots.decision_regions(lambda Z: np.ones(len(Z)), box=BOX, resolution=9).axes
    assert areas(ax) == pytest.approx([9])
    assert len(ax.collections) == 1


def test_three_classes_cover_the_box_without_overlap():
    centres = np.array([[0, 0], [1, 0], [0, 1]])
    (ax,) = plots.decision_regions(lambda Z: Z @ centres.T - (centres**2).sum(axis=1) / 2, box=BOX).axes
    assert sum(areas(ax)) == pytest.approx(9, abs=0.01)
    assert areas(ax)[0] == pytest.approx(2.25, abs=0.01)  # x < 1/2 and y < 1/2


def test_the_box_holds_the_points_with_a_margin():
    (ax,) = plots.decision_regions(both, [[0, 5], [2, 5]], [0, 1], resolution=9).axes
    assert ax.get_xlim() == pytest.approx((-0.12, 2.12))
    assert ax.get_ylim() == pytest.approx((4, 6))


def test_level_line_is_where_the_score_has_the_level():
    (ax,) = plots.level_line(lambda Z: Z.sum(axis=1), 1.5, box=BOX, label="sum").axes
    (line,) = ax.collections
    assert np.concatenate([p.vertices for p in line.get_paths()]).sum(axis=1) == pytest.approx(1.5)
    assert labels(ax) == ["sum"]


def test_posterior_may_be_one_column_or_two():
    one, two = (plots.contour_posterior(rule, box=BOX, resolution=25) for rule in (eta, both))
    assert plots.picture_bytes(one, "png") == plots.picture_bytes(two, "png")
    ax, bar = one.axes
    boundary = next(lines for lines in ax.collections if not lines.get_facecolor().size).get_paths()[2]
    assert boundary.vertices[:, 0] == pytest.approx(0.5)
    assert bar.get_ylabel() == r"$P(Y = 1 \mid X = x)$"


def test_simplex_is_cut_as_the_rule_says():
    whole = np.sqrt(3) / 4
    (ax,) = plots.simplex_regions(lambda p: p, corners=["a", "b", "c"]).axes
    assert areas(ax) == pytest.approx([whole / 3] * 3, rel=0.01)
    assert [text.get_text() for text in ax.texts] == ["a", "b", "c"] * 2
    (ax,) = plots.simplex_regions(
        lambda p: np.column_stack([p, np.full(len(p), 0.9)]), corners="abc", answers=["a", "b", "c", "?"]
    ).axes
    assert areas(ax) == pytest.approx([whole / 100] * 3 + [0.97 * whole], rel=0.05)
    assert [text.get_text() for text in ax.texts] == ["?", "a", "b", "c"]  # slivers get no text
    codes = plots.simplex_regions(lambda p: (p[:, 0] < 0.5).astype(int), corners="abc")
    assert areas(codes.axes[0]) == pytest.approx([whole / 4, 3 * whole / 4], rel=0.05)


def test_corners_of_the_simplex_are_an_equilateral_triangle():
    corners = plots.barycentric(np.eye(3))
    assert np.linalg.norm(corners - corners[[1, 2, 0]], axis=1) == pytest.approx(1)
    assert plots.barycentric([[1 / 3] * 3])[0] == pytest.approx(corners.mean(axis=0))


def test_frame_is_the_outline_of_a_box():
    _, ax = plots.panels()
    plots.frame(BOX, ax=ax)
    assert shoelace(ax.lines[0].get_xydata()) == 9


# ------------------------------------------------------------------- curves


def test_overlap_is_all_but_the_largest_density():
    (ax,) = plots.density_1d([0.0, 2.0], [[1, 2, 4], [1, 2, 4]], overlap="R").axes
    (area,) = ax.collections
    assert shoelace(area.get_paths()[0].to_polygons()[0]) == 2 * (1 + 2)
    assert labels(ax) == ["R", r"$\pi_0 f_0$", r"$\pi_1 f_1$", r"$\pi_2 f_2$"]


def test_curves_differ_in_colour_and_in_dashes():
    (ax,) = plots.curves([0, 1], {name: [0, 1] for name in "abcde"}).axes
    assert len({line.get_color() for line in ax.lines}) == 5
    assert len({str(line._unscaled_dash_pattern) for line in ax.lines}) == 5


def test_ties_of_exact_risks_are_ties():
    third = Fraction(1, 3)
    (ax,) = plots.sorted_risks([1 - 2 * third, third, Fraction(2, 3), third + Fraction(1, 10**20)]).axes
    others, best = ax.lines
    assert best.get_xydata()[:, 0].tolist() == [1, 2]
    assert others.get_xydata()[:, 0].tolist() == [3, 4]
    assert labels(ax) == ["other rules", "2 Bayes rules"]
    assert labels(plots.sorted_risks([0.1, 0.2]).axes[0])[1] == "1 Bayes rule"


def test_bound_scatter_holds_all_points_and_the_diagonal():
    (ax,) = plots.bound_scatter([1, 2, 3], [0, 1, 3], groups=[0, 0, 1], names=["u", "v"]).axes
    assert [len(points.get_offsets()) for points in ax.collections] == [2, 1]
    assert labels(ax) == ["u", "v"]
    start, end = ax.lines[0].get_xydata()
    assert start.tolist() == [0, 0]
    assert end[0] == end[1] > 3


def test_risk_curve_shows_the_mean_and_the_middle_of_the_runs():
    runs = np.arange(1, 12.0)[:, None] * [1, 0.1]
    (ax,) = plots.risk_curve([10, 100], runs).axes
    assert ax.lines[0].get_xydata().tolist() == [[10, 6], [100, pytest.approx(0.6)]]
    band = ax.collections[0].get_paths()[0].vertices
    assert (band[:, 1].max(), band[:, 1].min()) == (10, pytest.approx(0.2))
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")


# ------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: plots.labelled_points(np.ones((3, 3)), [0, 1, 1]), r"X must have 2 columns.* got 3\."),
        (lambda: plots.labelled_points(X, [0, 1]), r"y has 2 labels, but X has 4 rows\."),
        (lambda: plots.labelled_points(X, Y, names=["one"]), r"names has 1 entries for 2 classes\."),
        (lambda: plots.labelled_points(X * np.nan, Y), r"X contains NaN"),
        (lambda: plots.decision_regions(both), r"box and X are both missing"),
        (
            lambda: plots.decision_regions(both, box=(1, 0, 0, 1)),
            r"left < right and bottom < top, got \(1, 0",
        ),
        (lambda: plots.decision_regions(both, box=(0, 1, 0)), r"box must be a 1-D array of shape \(4,\)"),
        (lambda: plots.decision_regions(lambda Z: Z, X, [0, 1, 2, 2]), r"2 scores a point for 3 classes\."),
        (lambda: plots.decision_regions(lambda Z: Z / 0, box=BOX), r"the scores of the rule contains"),
        (
            lambda: plots.simplex_regions(lambda p: p[:, :2], corners="abc"),
            r"2 scores a point for 3 classes\.",
        ),
        (
            lambda: plots.curves([0, 1], {"a": [0, 1, 2]}),
            r"'a' must have the shape of x, \(2,\), got \(3,\)\.",
        ),
        (lambda: plots.bound_scatter([1, 2], [1]), r"values must be a 1-D array of shape \(2,\)"),
        (lambda: plots.bound_scatter([-1], [1]), r"bounds must have entries >= 0, got -1"),
    ],
)
@pytest.mark.filterwarnings("ignore:.*encountered in divide:RuntimeWarning")
def test_errors_say_what_is_wrong(call, message):
    with pytest.raises(ValueError, match=message):
        call()
