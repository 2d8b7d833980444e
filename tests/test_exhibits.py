"""Exhibits: their frames say what is seen, their numbers are right, and both controls show every frame."""

import builtins
import re
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from mlnotes import Perceptron, datasets
from mlnotes.estimators import density
from mlnotes.show import exhibits, plots
from mlnotes.show.exhibits import Exhibit

X = np.array([[0.0, 1.0], [1.0, 2.0], [2.0, -1.0], [3.0, 0.5]])
y = np.array([-1.0, -1.0, 1.0, 1.0])


def toy(n=3, start=1):
    def draw(k):
        figure, ax = plots.panels()
        ax.plot([0, k + 1], [0, 1])
        return figure

    return Exhibit("n <of> it", tuple("abc"[:n]), tuple(f"frame {k} & <so>" for k in range(n)), draw, start)


def test_html_holds_every_frame_and_shows_the_first():
    page = toy()._repr_html_()
    assert re.findall(r"<div class='frame key' (hidden)?>", page) == ["hidden", "", "hidden"]
    assert page.count("src='data:image/png;base64,iVBOR") == 3
    assert "alt='frame 2 &amp; &lt;so&gt;'" in page
    assert "<b>n &lt;of&gt; it: c.</b>" in page
    assert "min='0' max='2' value='1' aria-label='n &lt;of&gt; it'" in page
    assert "aria-valuetext='n &lt;of&gt; it: b. frame 1 &amp; &lt;so&gt;'" in page
    assert page.count("aria-valuetext") == 2  # at the start, and whenever the slider moves
    assert page.count("<button") == 2
    assert repr(toy()) == "<Exhibit: n <of> it from a to c>"


def test_frames_are_drawn_once_and_differ():
    exhibit = toy()
    assert exhibit.pictures is exhibit.pictures
    assert len(set(exhibit.pictures)) == 3


def test_a_frame_has_few_colours():
    with Image.open(BytesIO(toy().pictures[0])) as image:
        assert image.mode == "P"
        assert len(image.getcolors()) <= 64


def test_widget_draws_where_the_slider_is():
    ipywidgets = pytest.importorskip("ipywidgets")
    exhibit = toy()
    slider, picture, words = exhibit.widget().children
    assert isinstance(slider, ipywidgets.SelectionSlider)
    assert bytes(picture.value) == exhibit.pictures[1]
    slider.value = 2
    assert bytes(picture.value) == exhibit.pictures[2]
    assert words.value == "frame 2 &amp; &lt;so&gt;"


def test_without_ipywidgets_the_error_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def without(name, *rest, **more):
        if name == "ipywidgets":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(
        ImportError, match=r"widget\(\) needs ipywidgets: pip install ipywidgets, or make lab\."
    ):
        toy().widget()


def test_perceptron_steps_follow_the_updates():
    exhibit = exhibits.perceptron_steps(X, y)
    rows = Perceptron().fit(X, y).mistakes_
    assert exhibit.labels == tuple(str(t) for t in range(len(rows) + 1))
    assert exhibit.texts[0] == "The circled row is wrong and is added next. Wrong in all: 4."
    assert exhibit.texts[-1] == "No row is wrong: the perceptron stops."
    last = exhibit.draw(len(rows)).axes[0]
    assert last.get_title() == f"after {len(rows)} updates"
    assert len(exhibit.draw(0).axes[0].lines) == 0  # w = 0 is no line
    assert len(last.lines) == 1


def test_the_line_of_a_step_is_where_the_score_is_zero():
    w = np.array([3.0, -4.0, 5.0])
    for point in exhibits._two_points(w):
        assert w[:2] @ point + w[2] == pytest.approx(0, abs=1e-12)


def test_default_rows_give_a_path_worth_showing():
    exhibit = exhibits.perceptron_steps()
    assert 8 <= len(exhibit.labels) <= 20
    assert exhibit.texts[-1].startswith("No row is wrong")


def test_at_most_thirty_updates_are_shown():
    cross = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    exhibit = exhibits.perceptron_steps(cross, [1, 1, -1, -1])
    assert len(exhibit.labels) == 31
    assert re.fullmatch(r"Wrong in all: [1-4]\.", exhibit.texts[-1])


def test_bandwidths_start_at_the_one_that_cross_validation_picks():
    exhibit = exhibits.bandwidths()
    picked = density.select_bandwidth(datasets.load_galaxies().X[:, 0] / 1000).best
    assert float(exhibit.labels[exhibit.start]) == pytest.approx(picked, rel=0.01)
    assert exhibit.texts[exhibit.start].endswith("Cross-validation picks this bandwidth.")
    peaks = [int(re.search(r"has (\d+) peaks?\.", text)[1]) for text in exhibit.texts]
    assert peaks == sorted(peaks, reverse=True)  # a Gaussian kernel loses peaks as h grows (Silverman 1981)
    assert peaks[-1] == 1


def test_peaks_are_counted():
    exhibit = exhibits.bandwidths([0.0, 0.2, 9.0, 9.1, 20.0], [0.5, 50.0])
    assert [text.partition(". ")[0] for text in exhibit.texts] == [
        "The estimate has 3 peaks", "The estimate has 1 peak",
    ]  # fmt: skip
    assert "times the bandwidth that cross-validation picks" in exhibit.texts[0]


def test_larger_penalty_narrows_the_margin():
    exhibit = exhibits.penalties()
    widths = [float(re.search(r"is ([\d.]+) wide", text)[1]) for text in exhibit.texts]
    assert widths == sorted(widths, reverse=True)
    assert len(exhibit.draw(exhibit.start).axes[0].lines) == 3


def test_margin_of_two_points_lies_between_them():
    exhibit = exhibits.penalties([[0.0, 0.0], [4.0, 0.0]], [-1, 1], [100.0])
    expected = "is 4 wide. Of 2 points 2 are support vectors (circled) and 0 are on the wrong side."
    assert exhibit.texts[0].endswith(expected)
