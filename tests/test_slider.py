"""Sliders: the HTML and the ipywidgets control show every picture with its words."""

import builtins
import re
from io import BytesIO

import pytest
from PIL import Image

from mlnotes.show import plots
from mlnotes.show.slider import Slider


def toy(n=3, start=1):
    def draw(k):
        figure, ax = plots.panels()
        ax.plot([0, k + 1], [0, 1])
        return figure

    return Slider("n <of> it", tuple("abc"[:n]), tuple(f"frame {k} & <so>" for k in range(n)), draw, start)


def test_html_holds_every_frame_and_shows_the_first():
    page = toy()._repr_html_()
    assert re.findall(r"<div class='frame key' (hidden)?>", page) == ["hidden", "", "hidden"]
    assert page.count("src='data:image/png;base64,iVBOR") == 3
    assert "frame 2 &amp; &lt;so&gt;'" in page  # after name and label
    assert "<b>n &lt;of&gt; it: c.</b>" in page
    assert "min='0' max='2' value='1' aria-label='n &lt;of&gt; it'" in page
    assert "aria-valuetext='n &lt;of&gt; it: b. frame 1 &amp; &lt;so&gt;'" in page
    assert page.count("aria-valuetext") == 2  # at the start, and whenever the slider moves
    assert page.count("<button") == 2
    assert repr(toy()) == "<Slider: n <of> it from a to c>"


def test_frames_are_drawn_once_and_differ():
    slider = toy()
    assert slider.pictures is slider.pictures
    assert len(set(slider.pictures)) == 3


def test_a_frame_has_few_colours():
    with Image.open(BytesIO(toy().pictures[0])) as image:
        assert image.mode == "P"
        assert len(image.getcolors()) <= 64


def test_widget_draws_where_the_slider_is():
    ipywidgets = pytest.importorskip("ipywidgets")
    slider = toy()
    control, picture, words = slider.widget().children
    assert isinstance(control, ipywidgets.SelectionSlider)
    assert bytes(picture.value) == slider.pictures[1]
    control.value = 2
    assert bytes(picture.value) == slider.pictures[2]
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
