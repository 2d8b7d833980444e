"""The slider under pictures: one picture for each position of a control.

A notebook and the book show all pictures, drawn beforehand, with a control in plain HTML that needs no
server and no running kernel; ``widget()`` returns an ipywidgets slider, which draws when it is moved.
"""

from __future__ import annotations

import base64
import html
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from typing import TYPE_CHECKING, Any

from PIL import Image

from mlnotes.show import plots

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Slider:
    """A picture for each position of a control.

    Attributes
    ----------
    name : str
        What the control changes, for its label: ``"bandwidth"``.
    labels : tuple of str
        The positions in order, as the reader sees them.
    texts : tuple of str
        What there is to see at each, in words.
    draw : callable
        From the index of a position to a Matplotlib figure.
    start : int, default 0
        The position shown first.
    """

    name: str
    labels: tuple[str, ...]
    texts: tuple[str, ...]
    draw: Callable[[int], Figure]
    start: int = 0

    @cached_property
    def pictures(self) -> tuple[bytes, ...]:
        """The frames as PNG files."""
        return tuple(self._png(k) for k in range(len(self.labels)))

    def _png(self, k: int) -> bytes:
        return _few_colours(plots.picture_bytes(self.draw(k), "png"))

    def _repr_html_(self) -> str:
        last, name = len(self.labels) - 1, html.escape(self.name, quote=True)
        said = html.escape(f"{self.name}: {self.labels[self.start]}. {self.texts[self.start]}", quote=True)
        frames = "".join(
            f"<div class='frame{' key' if k in (0, last // 2, last) else ''}' "
            f"{'' if k == self.start else 'hidden'}>"
            f"<img src='data:image/png;base64,{base64.b64encode(picture).decode()}' "
            f"alt='{html.escape(f'{self.name}: {label}. {text}', quote=True)}' "
            f"style='max-width:100%;width:528px;background:white'>"
            f"<p><b>{html.escape(self.name)}: {html.escape(label)}.</b> {html.escape(text)}</p></div>"
            for k, (label, text, picture) in enumerate(
                zip(self.labels, self.texts, self.pictures, strict=True)
            )
        )
        return (
            f"<div class='mlnotes-exhibit'>{_PRINT}{frames}<div>{_button('Back', 'stepDown')} "
            f"<input type='range' min='0' max='{last}' value='{self.start}' aria-label='{name}' "
            f"aria-valuetext='{said}' "
            f'oninput="{_SHOW}"> {_button("Next", "stepUp")}</div></div>'
        )

    def __repr__(self) -> str:
        return f"<Slider: {self.name} from {self.labels[0]} to {self.labels[-1]}>"

    def widget(self) -> Any:
        """Return the control as an ipywidgets slider, which draws the picture when it is moved.

        Raises
        ------
        ImportError
            If ipywidgets is not installed.
        """
        try:
            import ipywidgets
        except ImportError as error:
            raise ImportError("widget() needs ipywidgets: pip install ipywidgets, or make lab.") from error
        places = [(label, k) for k, label in enumerate(self.labels)]
        slider = ipywidgets.SelectionSlider(options=places, value=self.start, description=self.name)
        picture, words = ipywidgets.Image(format="png", width=528), ipywidgets.HTML()

        def show(k: int) -> None:
            picture.value, words.value = self._png(k), html.escape(self.texts[k])

        slider.observe(lambda change: show(change["new"]), names="value")
        show(self.start)
        return ipywidgets.VBox([slider, picture, words])


def _few_colours(picture: bytes) -> bytes:
    """Return a PNG file of at most 64 colours: 24 frames in place of 8 fit the same page."""
    stream = BytesIO()
    with Image.open(BytesIO(picture)) as image:
        few = image.convert("RGB").quantize(64, dither=Image.Dither.NONE)
    few.save(stream, "png", optimize=True)
    return stream.getvalue()


_PRINT = (  # on paper: the first, the middle and the last frame
    "<style>@media print{.mlnotes-exhibit .frame{display:none}.mlnotes-exhibit .key{display:block!important}"
    ".mlnotes-exhibit input,.mlnotes-exhibit button{display:none}}</style>"
)
_SHOW = (  # a screen reader says the words of the frame, not the number of the position
    "const frames = this.closest('.mlnotes-exhibit').querySelectorAll('.frame'); "
    "frames.forEach((frame, k) => { frame.hidden = k != this.value }); "
    "this.setAttribute('aria-valuetext', frames[this.value].textContent)"
)


def _button(words: str, step: str) -> str:
    moved = f"const range = this.parentNode.querySelector('input'); range.{step}(); range.oninput()"
    return f'<button type="button" onclick="{moved}">{words}</button>'
