"""The gallery: its pictures are as stored, described and readable, and only those out of date are drawn."""

import functools
import itertools
import math
import os
import random
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from mlnotes import PlugInClassifier, bayes, datasets
from mlnotes.cli import main
from mlnotes.show import gallery, plots

ROOT = Path(__file__).resolve().parents[1]
STORED = ROOT / "figures/gallery"
FIGURES = gallery.load(ROOT / "figures")
DRAWN_WITH = "3.11."  # the Matplotlib of the stored pictures: another one draws letters with other pixels

# A sample is redrawn: in CI the commit chooses it, MLNOTES_FIGURES=all draws all.
CHOICE = os.environ.get("MLNOTES_FIGURES", "0")
SAMPLE = list(FIGURES) if CHOICE == "all" else random.Random(CHOICE).sample(list(FIGURES), 12)


@functools.cache
def drawn(name: str) -> tuple[Figure, bytes, dict[int, tuple[str, Any]]]:
    """A figure, its PNG file, and the texts in that with their boxes."""
    texts: dict[int, tuple[str, Any]] = {}
    draw = Text.draw

    def record(text, renderer):
        draw(text, renderer)
        if text.get_visible() and text.get_text().strip():
            texts[id(text)] = text.get_text(), text.get_window_extent(renderer)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Text, "draw", record)
        picture = FIGURES[name].draw()
        texts.clear()  # of the layout
        return picture, plots.picture_bytes(picture, "png"), texts


# ------------------------------------------------------------------- the figures of the course


@pytest.mark.skipif(not matplotlib.__version__.startswith(DRAWN_WITH), reason="letters have other pixels")
@pytest.mark.parametrize("name", SAMPLE)
def test_stored_picture_is_what_the_code_draws(name):
    _, png, _ = drawn(name)
    stored = (STORED / f"{name}.png").read_bytes()
    n = gallery.n_visible_differences(stored, png)
    assert n <= gallery.MAX_PIXELS, f"{n} pixels differ: run `mlnotes figures {name}` and look at it"


@pytest.mark.parametrize("name", SAMPLE)
def test_every_axis_has_a_label_and_no_text_is_clipped_or_covered(name):
    picture, _, texts = drawn(name)
    width, height = picture.get_size_inches() * plots.STYLE["savefig.dpi"]
    for text, box in texts.values():
        inside = box.x0 >= 0 and box.y0 >= 0 and box.x1 <= width and box.y1 <= height
        assert inside, f"{text!r} is clipped"
    for (text, box), (other, its_box) in itertools.combinations(texts.values(), 2):
        assert not box.padded(-1).overlaps(its_box.padded(-1)), f"{text!r} covers {other!r}"
    for axis in (axis for ax in picture.axes if ax.axison for axis in (ax.xaxis, ax.yaxis)):
        has_numbers = any(id(tick.label1) in texts for tick in axis.get_major_ticks())
        assert axis.get_label().get_text() or not has_numbers, "an axis has numbers and no label"


def test_gallery_holds_one_picture_for_each_figure():
    assert {path.name for path in STORED.glob("*.png")} == {f"{name}.png" for name in FIGURES}


@pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)
def test_every_figure_is_described(figure):
    assert figure.name.startswith(figure.topic.replace("_", "-") + "-")
    assert len(figure.alt) > 40
    assert figure.alt not in figure.caption
    assert "$" not in figure.alt  # read aloud
    assert len(figure.caption) > 40
    assert figure.caption.count("$") % 2 == 0
    assert figure.caption.endswith(f"Seed {figure.seed}." if figure.seed is not None else ".")


# ------------------------------------------------------------------- the numbers that the figures show


@pytest.fixture
def helpers():
    """The functions of figures/bayes.py."""
    return next(f for f in FIGURES.values() if f.topic == "bayes").function.__globals__


def test_likelihood_rule_has_the_excess_risk_of_the_recitation_example(helpers):
    distribution = datasets.recitation_example()
    risk = distribution.bayes_risk() + helpers["excess_of_likelihood_rule"](distribution)
    assert risk == pytest.approx(0.0229850105, abs=5e-6)  # shown with 4 decimals


def test_threshold_risk_is_minimal_at_the_bayes_rule(helpers):
    risk, best = helpers["threshold_risk"], 7 - math.log(2)
    assert float(risk(np.array(best))) == pytest.approx(datasets.beers().bayes_risk(), abs=1e-15)
    t = np.linspace(0, 20, 20_001)
    assert t[risk(t).argmin()] == pytest.approx(best, abs=1e-3)
    assert risk(np.array([0.0, 7.0])) == pytest.approx([1 - 32.5 * math.exp(-7), 24.5 * math.exp(-7)])
    s = np.linspace(0, 60, 600_001)
    eta, density = np.clip(1 - np.exp(s - 7), 0, 1), s * np.exp(-s)
    for threshold in (3.0, 6.5, 9.0):
        errors = density * np.where(s <= threshold, 1 - eta, eta)
        assert float(risk(np.array(threshold))) == pytest.approx(errors.sum() * 1e-4, abs=1e-4)


def test_chow_rates_attain_the_minimum_risk(helpers):
    distribution = datasets.gaussian_pair(2.0, d=1)
    x = np.linspace(-8, 10, 18_001)[:, None]
    mass = (distribution.prior * np.exp(distribution.log_density(x))).sum(axis=1) * 1e-3
    for cost in (0.05, 0.3, 0.5, 0.7):
        error, rejected = (float(rate) for rate in helpers["chow_rates"](2.0, np.array(cost)))
        best = bayes.conditional_risk(distribution.posterior(x), bayes.reject_loss(2, cost)).min(axis=1)
        assert error + cost * rejected == pytest.approx(float(mass @ best), abs=1e-6)
    assert (error, rejected) == pytest.approx((distribution.bayes_risk(), 0))


def test_excess_risk_of_a_fitted_rule_agrees_with_a_sum_over_a_grid(helpers):
    distribution = datasets.gaussian_pair(2.0, d=1)
    rng = np.random.default_rng(3)
    x = np.linspace(-12, 14, 520_001)[:, None]
    joint = distribution.prior * np.exp(distribution.log_density(x)) * 5e-5
    for n in (6, 20, 100):
        X, y = distribution.sample(n, rng)
        model = PlugInClassifier().fit(X, y)
        wrong = joint[np.arange(len(x)), 1 - model.predict(x)].sum()
        excess = helpers["excess_of_quadratic_rule"](model, distribution)
        assert excess == pytest.approx(wrong - distribution.bayes_risk(), abs=2e-4)
        assert excess >= 0


def test_halved_posteriors_attain_the_plugin_bound(helpers):
    distribution = datasets.random_finite_distribution(np.random.default_rng(0), 6, 2)
    for eta in helpers["halved"](distribution.conditional()[:, 1]):
        pair = np.column_stack([1 - eta, eta])
        bound = bayes.plugin_bound(distribution.conditional(), pair, distribution.marginal())
        assert bayes.excess_risk(bayes.bayes_rule_binary(eta), distribution.exact_table()) == bound


# ------------------------------------------------------------------- drawing what is out of date

MODULE = '''
"""Figures of a test."""

from mlnotes.show import plots
from mlnotes.show.gallery import figure


@figure("toy-line", alt="A line that rises.")
def line():
    """A line has one slope."""
    picture, ax = plots.panels()
    ax.plot([0, 1], [0, 1])
    return picture


@figure("toy-dots", alt="Three dots.", seed=7)
def dots(rng):
    """Dots are random."""
    picture, ax = plots.panels()
    ax.plot(rng.random(3), "o")
    return picture
'''


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "toy.py").write_text(MODULE)
    return tmp_path


def edit(folder: Path, old: str, new: str) -> None:
    text = (folder / "toy.py").read_text()
    assert old in text
    (folder / "toy.py").write_text(text.replace(old, new))
    gallery.load.cache_clear()


def test_only_figures_out_of_date_are_drawn(folder, capsys):
    assert gallery.render(folder=folder) == ["toy-line", "toy-dots"]
    assert gallery.render(folder=folder) == []
    assert gallery.render(["toy-dots"], folder=folder, force=True) == ["toy-dots"]
    (folder / "gallery/toy-line.png").unlink()
    assert gallery.render(folder=folder) == ["toy-line"]
    os.utime(folder / "toy.py", (0, 4e9))
    assert gallery.render(folder=folder) == ["toy-line", "toy-dots"]
    assert "toy-dots\n2 of 2 figures drawn, the others were up to date.\n" in capsys.readouterr().out


def test_picture_that_looks_the_same_is_not_written_again(folder):
    gallery.render(folder=folder)
    picture = folder / "gallery/toy-line.png"
    stored = picture.read_bytes() + b"the same picture"
    picture.write_bytes(stored)
    gallery.render(folder=folder, force=True)
    assert picture.read_bytes() == stored
    edit(folder, "[0, 1])", "[1, 0])")
    gallery.render(folder=folder, force=True)
    assert picture.read_bytes() != stored


def test_picture_of_a_deleted_figure_is_removed(folder):
    gallery.render(folder=folder)
    edit(folder, '"toy-line"', '"toy-stroke"')
    gallery.render(folder=folder)
    assert {path.stem for path in (folder / "gallery").iterdir()} == {"toy-dots", "toy-stroke"}


def test_sources_are_the_modules_and_data_that_a_figure_really_uses():
    def used(topic):
        return {path.name for path in gallery.sources(ROOT / f"figures/{topic}.py")}

    assert {"bayes.py", "gaussian.py", "shapes.py", "base.py", "plots.py", "style.py"} <= used("bayes")
    assert {"pca.py", "models.py", "wine.npz"} <= used("pca")
    assert "perceptron.py" not in used("pca") | used("bayes") | used("tree")
    assert "perceptron.py" in used("perceptron")


def test_command_writes_other_formats_on_request_the_same_each_time(folder):
    for extension, start in (("pdf", b"%PDF"), ("svg", b"<?xml")):
        command = ["figures", "toy-line", "--folder", str(folder), "--format", extension, "--all"]
        files = []
        for _ in range(2):
            assert main(command) == 0
            files.append((folder / f"gallery/toy-line.{extension}").read_bytes())
        assert files[0] == files[1]
        assert files[0].startswith(start)


@pytest.mark.parametrize("jobs", [1, 2])
def test_failing_figure_is_named_and_leaves_the_others(folder, jobs):
    edit(folder, "rng.random(3)", "rng.random(3) / nothing")
    with pytest.raises(RuntimeError, match=r"figure toy-dots \(toy\.py, line 16\) failed: NameError"):
        gallery.render(folder=folder, jobs=jobs)
    assert [path.name for path in (folder / "gallery").iterdir()] == ["toy-line.png"]


def test_errors_of_the_gallery_say_what_to_do(folder, tmp_path):
    with pytest.raises(ValueError, match=r"no figure toy-x, toy-y; there are toy-line, toy-dots\."):
        gallery.render(["toy-x", "toy-line", "toy-y"], folder=folder)
    with pytest.raises(ValueError, match=r"format must be one of 'png', 'svg', 'pdf', got 'gif'\."):
        gallery.render(folder=folder, format="gif")
    with pytest.raises(ValueError, match=r"holds no modules; it must be the folder of figures/\*\.py\."):
        gallery.load(tmp_path / "nowhere")
    (folder / "zoo.py").write_text(MODULE)
    gallery.load.cache_clear()
    with pytest.raises(
        ValueError, match=r"two figures are called 'toy-line': toy\.py, line 8, and zoo\.py, line 8\."
    ):
        gallery.load(folder)


def test_a_figure_must_have_a_name_a_caption_and_a_text():
    def described():
        """Something."""

    with pytest.raises(ValueError, match=r"lower-case words joined by hyphens, got 'Toy_line'\."):
        gallery.figure("Toy_line", alt="A line.")
    with pytest.raises(ValueError, match=r"figure toy-line has no caption \(docstring\)"):
        gallery.figure("toy-line", alt="A line.")(lambda: None)
    with pytest.raises(ValueError, match=r"figure toy-line has no alternative text"):
        gallery.figure("toy-line", alt=" ")(described)
