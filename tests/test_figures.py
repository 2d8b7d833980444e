"""The gallery: its figures are reproducible, described and readable, and only stale ones are drawn."""

import functools
import io
import itertools
import json
import math
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import matplotlib.image
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from mlnotes import PlugInClassifier, bayes, laws
from mlnotes.show import gallery, plots

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "figures"
GALLERY = FOLDER / "gallery"
PLATES = gallery.load(FOLDER)
INDEX = json.loads((GALLERY / "gallery.json").read_text("utf-8"))

# Perturbing every number that the figures draw by 1e-13, as another BLAS might, changed at most 3 pixels of
# a figure by more than 16 of 255 levels. The smallest changes a reader could see change more: a marker that
# moves by one pixel 11, another digit in a title 165.
VISIBLE, MAX_PIXELS = 16 / 255, 8


@functools.cache
def drawn(name: str) -> Figure:
    return PLATES[name].draw()


def files_of(picture: Figure) -> dict[str, bytes]:
    return {extension: plots.picture_bytes(picture, extension) for extension in gallery.STORED}


@functools.cache
def rendered(name: str) -> tuple[dict[str, bytes], dict[int, tuple[str, Any]]]:
    """The files of a figure, and the texts on the last of them, its png, with their boxes."""
    texts: dict[int, tuple[str, Any]] = {}
    draw = Text.draw

    def record(text, renderer):
        draw(text, renderer)
        if text.get_visible() and text.get_text().strip():
            texts[id(text)] = text.get_text(), text.get_window_extent(renderer)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Text, "draw", record)
        return files_of(drawn(name)), texts


def pixels(png: bytes) -> np.ndarray:
    return matplotlib.image.imread(io.BytesIO(png))[..., :3]


# ------------------------------------------------------------------- the figures of the course


@pytest.mark.parametrize("name", PLATES)
def test_figure_is_drawn_the_same_twice_and_as_stored(name):
    first, _ = rendered(name)
    assert not re.search(rb"\d{4}-\d\d-\d\d|dc:date|dc:creator", first["svg"])
    stored = {extension: (GALLERY / f"{name}.{extension}").read_bytes() for extension in gallery.STORED}
    if first == stored:  # drawn the same twice: once by another process
        return
    assert first == files_of(PLATES[name].draw())
    if INDEX[name]["drawn_with"] != gallery.drawn_with():
        pytest.skip(f"stored with {INDEX[name]['drawn_with']}, whose letters have other shapes")
    assert pixels(stored["png"]).shape == pixels(first["png"]).shape
    difference = abs(pixels(stored["png"]) - pixels(first["png"])).max(axis=2)
    assert (difference > VISIBLE).sum() <= MAX_PIXELS, "run `make figures` and look at the picture"


def test_a_fresh_process_writes_the_same_bytes(tmp_path):
    for file in FOLDER.glob("*.py"):
        shutil.copy(file, tmp_path)
    code = (
        f"from mlnotes.show import gallery; gallery.render(['bayes-traffic-signs'], folder={str(tmp_path)!r})"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "17", "MPLBACKEND": "svg"}
    subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, check=True, capture_output=True
    )
    here, _ = rendered("bayes-traffic-signs")
    written = {e: (tmp_path / "gallery" / f"bayes-traffic-signs.{e}").read_bytes() for e in gallery.STORED}
    assert written == here


@pytest.mark.parametrize("name", PLATES)
def test_every_axis_has_a_label_and_no_text_is_cut_or_covered(name):
    picture, (_, texts) = drawn(name), rendered(name)
    width, height = picture.get_size_inches() * plots.STYLE["savefig.dpi"]
    for text, box in texts.values():
        assert box.x0 >= 0 and box.y0 >= 0 and box.x1 <= width and box.y1 <= height, f"{text!r} is cut"  # noqa: PT018
    for (text, box), (other, its_box) in itertools.combinations(texts.values(), 2):
        assert not box.padded(-1).overlaps(its_box.padded(-1)), f"{text!r} covers {other!r}"
    for axis in (axis for ax in picture.axes if ax.axison for axis in (ax.xaxis, ax.yaxis)):
        has_numbers = any(id(tick.label1) in texts for tick in axis.get_major_ticks())
        assert axis.get_label().get_text() or not has_numbers, "an axis has numbers and no label"


def test_the_stored_gallery_is_complete():
    files = {f"{name}.{extension}" for name in PLATES for extension in gallery.STORED}
    assert {path.name for path in GALLERY.iterdir() if path.suffix != ".pdf"} == {*files, "gallery.json"}
    assert list(INDEX) == list(PLATES)
    for name, plate in PLATES.items():  # but for the digest: other code may draw the same picture
        entry = {key: INDEX[name][key] for key in ("topic", "source", "caption", "alt")}
        source = plate.file.relative_to(ROOT).as_posix()
        assert entry == {"topic": plate.topic, "source": source, "caption": plate.caption, "alt": plate.alt}


@pytest.mark.parametrize("plate", PLATES.values(), ids=PLATES)
def test_every_figure_is_described(plate):
    assert plate.name.startswith(plate.topic.replace("_", "-") + "-")
    assert len(plate.alt) > 40
    assert plate.alt not in plate.caption
    assert "$" not in plate.alt  # read aloud
    assert len(plate.caption) > 40
    assert plate.caption.count("$") % 2 == 0
    assert plate.caption.endswith(f"Seed {plate.seed}." if plate.seed is not None else ".")
    definition = plate.file.read_text("utf-8").splitlines()[plate.line - 1 :]
    assert definition[0] == "@figure("
    assert plate.name in definition[1]


# ------------------------------------------------------------------- the numbers that the figures show


@pytest.fixture
def helpers():
    """The functions of figures/bayes.py."""
    return next(p for p in PLATES.values() if p.topic == "bayes").function.__globals__


def test_likelihood_rule_loses_what_the_recitation_example_says(helpers):
    law = laws.recitation_example()
    risk = law.bayes_risk() + helpers["excess_of_likelihood_rule"](law)
    assert risk == pytest.approx(0.0229850105, abs=5e-6)  # shown with 4 decimals


def test_threshold_risk_is_least_at_the_bayes_rule(helpers):
    risk, best = helpers["threshold_risk"], 7 - math.log(2)
    assert float(risk(np.array(best))) == pytest.approx(laws.beers().bayes_risk(), abs=1e-15)
    t = np.linspace(0, 20, 20_001)
    assert t[risk(t).argmin()] == pytest.approx(best, abs=1e-3)
    assert risk(np.array([0.0, 7.0])) == pytest.approx([1 - 32.5 * math.exp(-7), 24.5 * math.exp(-7)])
    s = np.linspace(0, 60, 600_001)
    eta, density = np.clip(1 - np.exp(s - 7), 0, 1), s * np.exp(-s)
    for threshold in (3.0, 6.5, 9.0):
        errors = density * np.where(s <= threshold, 1 - eta, eta)
        assert float(risk(np.array(threshold))) == pytest.approx(errors.sum() * 1e-4, abs=1e-4)


def test_chow_rates_are_those_of_the_least_risk(helpers):
    law = laws.gaussian_pair(2.0, d=1)
    x = np.linspace(-8, 10, 18_001)[:, None]
    mass = (law.prior * np.exp(law.log_density(x))).sum(axis=1) * 1e-3
    for cost in (0.05, 0.3, 0.5, 0.7):
        error, rejected = (float(rate) for rate in helpers["chow_rates"](2.0, np.array(cost)))
        best = bayes.conditional_risk(law.posterior(x), bayes.reject_loss(2, cost)).min(axis=1)
        assert error + cost * rejected == pytest.approx(float(mass @ best), abs=1e-6)
    assert (error, rejected) == pytest.approx((law.bayes_risk(), 0))


def test_exact_excess_of_a_fitted_rule_agrees_with_a_sum_over_the_line(helpers):
    law = laws.gaussian_pair(2.0, d=1)
    rng = np.random.default_rng(3)
    x = np.linspace(-12, 14, 520_001)[:, None]
    joint = law.prior * np.exp(law.log_density(x)) * 5e-5
    for n in (6, 20, 100):
        X, y = law.sample(n, rng)
        model = PlugInClassifier().fit(X, y)
        wrong = joint[np.arange(len(x)), 1 - model.predict(x)].sum()
        excess = helpers["excess_of_quadratic_rule"](model, law)
        assert excess == pytest.approx(wrong - law.bayes_risk(), abs=2e-4)
        assert excess >= 0


def test_halved_posteriors_attain_the_plugin_bound(helpers):
    law = laws.random_finite_law(np.random.default_rng(0), 6, 2)
    for eta in helpers["halved"](law.conditional()[:, 1]):
        pair = np.column_stack([1 - eta, eta])
        bound = bayes.plugin_bound(law.conditional(), pair, law.marginal())
        assert bayes.excess_risk(bayes.bayes_rule_binary(eta), law.exact_table()) == bound


# ------------------------------------------------------------------- the machine, on figures of its own

MODULE = '''
"""Figures of a test."""

from mlnotes.show import plots
from mlnotes.show.gallery import figure


@figure("toy-line", alt="A line that rises.")
def line():
    """A line has one slope."""
    picture, ax = plots.panels()
    ax.plot([0, 1], [0, 1])  # the diagonal
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


def render(folder: Path, *names: str, **options) -> list[str]:
    return gallery.render(names, folder=folder, quiet=True, **options)


def test_render_draws_once_and_describes(folder):
    assert render(folder) == ["toy-line", "toy-dots"]
    assert render(folder) == []
    assert render(folder, "toy-dots", force=True) == ["toy-dots"]
    entry = json.loads((folder / "gallery" / "gallery.json").read_text())["toy-dots"]
    assert entry.pop("digest") == gallery.digest(folder / "toy.py")
    assert entry == {
        "topic": "toy",
        "source": f"{folder.name}/toy.py",
        "caption": "Dots are random. Seed 7.",
        "alt": "Three dots.",
        "drawn_with": gallery.drawn_with(),
    }
    assert gallery.load(folder)["toy-dots"].line == 16


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("[0, 1])  #", "[1, 0])  #", ["toy-line", "toy-dots"]),  # all of a module share its code
        ("A line that rises.", "A rising line.", ["toy-line", "toy-dots"]),
        ("seed=7", "seed=8", ["toy-line", "toy-dots"]),
        ("A line has one slope.", "A line has a slope.", ["toy-line"]),  # its caption
        ('"""Figures of a test."""', '"""Other words."""\n\n# and a remark\n', []),
    ],
)
def test_what_makes_a_figure_out_of_date(folder, old, new, expected):
    render(folder)
    edit(folder, old, new)
    assert gallery.stale(folder) == expected
    assert render(folder) == expected
    assert gallery.stale(folder) == []


def test_digest_covers_the_modules_that_a_figure_uses():
    names = {path.name for path in gallery._sources(FOLDER / "bayes.py")}
    assert {"bayes.py", "gaussian.py", "shapes.py", "base.py", "plots.py", "gallery.py"} <= names


def test_a_missing_file_is_drawn_again_and_a_deleted_figure_is_removed(folder):
    render(folder)
    (folder / "gallery" / "toy-line.svg").unlink()
    assert render(folder) == ["toy-line"]
    edit(folder, '"toy-line"', '"toy-stroke"')
    assert "toy-stroke" in render(folder)
    assert sorted(path.stem for path in (folder / "gallery").glob("*.svg")) == ["toy-dots", "toy-stroke"]
    assert list(json.loads((folder / "gallery" / "gallery.json").read_text())) == ["toy-stroke", "toy-dots"]


def test_pdf_comes_on_request_the_same_each_time_and_is_not_recorded(folder):
    pdf = folder / "gallery" / "toy-line.pdf"
    assert render(folder, "toy-line", formats=("pdf",)) == ["toy-line"]
    first = pdf.read_bytes()
    assert render(folder, "toy-line", formats=("pdf",)) == ["toy-line"]
    assert pdf.read_bytes() == first
    assert first.startswith(b"%PDF")
    assert b"CreationDate" not in first
    assert gallery.stale(folder) == ["toy-line", "toy-dots"]


def test_a_failing_figure_is_named_and_leaves_the_others(folder):
    edit(folder, "rng.random(3)", "rng.random(3) / nothing")
    with pytest.raises(RuntimeError, match=r"figure toy-dots \(toy\.py, line 16\) failed: NameError"):
        render(folder)
    assert gallery.stale(folder) == ["toy-dots"]
    assert not list((folder / "gallery").glob(".*"))


@pytest.mark.parametrize("terminal", [False, True])
def test_progress_is_a_line_for_each_figure_or_a_bar(folder, terminal, monkeypatch, capsys):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    gallery.render(folder=folder)
    gallery.render(folder=folder)
    out = capsys.readouterr().out
    assert re.search(r"2 of 2 figures drawn in \d+\.\d s\.", out)
    assert "0 of 2 figures drawn in 0.0 s, the others were up to date." in out
    assert bool(re.search(r"^toy-line$", out, re.MULTILINE)) != terminal


def test_two_processes_write_the_same_files(folder):
    files = {}
    for jobs in (1, 2):
        assert render(folder, force=True, jobs=jobs) == ["toy-line", "toy-dots"]
        files[jobs] = {path.name: path.read_bytes() for path in (folder / "gallery").iterdir()}
    assert len(files[1]) == 5
    assert files[1] == files[2]


def test_a_failing_figure_of_another_process_is_named(folder):
    edit(folder, "rng.random(3)", "rng.random(3) / nothing")
    with pytest.raises(RuntimeError, match=r"figure toy-dots \(toy\.py, line 16\) failed: NameError"):
        render(folder, jobs=2)


def test_errors_of_the_gallery_say_what_to_do(folder, tmp_path):
    with pytest.raises(ValueError, match=r"no figure toy-x, toy-y; there are toy-line, toy-dots\."):
        render(folder, "toy-x", "toy-line", "toy-y")
    with pytest.raises(ValueError, match=r"formats must be one of 'svg', 'png', 'pdf', got 'gif'\."):
        render(folder, formats=("gif",))
    with pytest.raises(ValueError, match=r"holds no modules; it must be the folder of figures/\*\.py\."):
        gallery.load(tmp_path / "nowhere")
    (folder / "zoo.py").write_text(MODULE)
    with pytest.raises(
        ValueError, match=r"two figures are called 'toy-line': toy\.py, line 8, and zoo\.py, line 8\."
    ):
        gallery.load(folder)


def test_a_figure_must_have_a_name_a_caption_and_a_text():
    def drawn():
        """Something."""

    def bare():
        pass

    with pytest.raises(ValueError, match=r"lower-case words joined by hyphens, got 'Toy_line'\."):
        gallery.figure("Toy_line", alt="A line.")
    with pytest.raises(ValueError, match=r"figure toy-line has no caption \(docstring\)"):
        gallery.figure("toy-line", alt="A line.")(bare)
    with pytest.raises(ValueError, match=r"figure toy-line has no alternative text"):
        gallery.figure("toy-line", alt=" ")(drawn)
