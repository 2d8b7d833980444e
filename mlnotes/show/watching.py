"""Watch an algorithm: a slider over the states that a generator yields; and show the source of a function.

::

    show.source(perceptron.perceptron)
    show.watch(perceptron.perceptron(Z, np.zeros(3)), draw, words)

where ``draw(axes, states)`` draws the last of the states so far, and may draw how a quantity came there.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mlnotes.checks import check_scalar
from mlnotes.show import plots
from mlnotes.show.slider import Slider

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PACKAGE = Path(__file__).parents[1]


def watch(
    path: Iterable[Any],
    draw: Callable[[Any, Sequence[Any]], None],
    words: Callable[[Sequence[Any]], str] = lambda states: "",
    *,
    name: str = "step",
    labels: Sequence[str] | None = None,
    start: Any = None,
    last: int = 500,
    frames: int = 24,
    panels: int = 1,
    height: float | None = None,
) -> Slider:
    """Return a slider that steps through the states of an algorithm.

    Parameters
    ----------
    path : iterable
        Such as a generator of a reference module; no state may be changed after it was yielded.
    draw : callable
        ``draw(axes, states)`` draws the last of `states`; the earlier ones are there too. `axes` is one
        Axes, or an array of them if `panels` is more than 1.
    words : callable, optional
        ``words(states)`` returns a sentence on what there is to see, for those who do not see the picture.
    name : str
        What a step is called on the label.
    labels : sequence of str, optional
        One for each state, such as the values of a parameter; by default states are numbered.
    start : object, optional
        A state to show before the first step.
    last : int, default 500
        The largest number of states that are taken from the path.
    frames : int, default 24
        The largest number of pictures: of a longer path the first states, then ever fewer, and the last are
        shown.
    panels : int, default 1
        Pictures side by side.
    height : float, optional
        Of the picture, in inches.

    Raises
    ------
    ValueError
        If the path has no state, or another number of states than there are labels.
    """
    check_scalar(frames, name="frames", kind=int, minimum=2)
    states = [] if start is None else [start]
    states += islice(path, check_scalar(last, name="last", kind=int, minimum=1))
    if not states:
        raise ValueError("path has no state; a generator can be used only once: make a new one.")
    if labels is None:
        labels = [str(t + (start is None)) for t in range(len(states))]
    if len(labels) != len(states):
        raise ValueError(f"labels must be one for each of the {len(states)} states, got {len(labels)}.")
    shown = moments(len(states), frames)

    def picture(k: int) -> Figure:
        figure, axes = plots.panels(1, panels, height=height)
        draw(axes, states[: shown[k] + 1])
        return figure

    texts = tuple(words(states[: t + 1]) for t in shown)
    return Slider(name, tuple(labels[t] for t in shown), texts, picture)


def moments(n: int, frames: int) -> list[int]:
    """Return at most `frames` of n moments: all, or the first ones and then in equal ratios, and the last.

    Examples
    --------
    >>> moments(4, 6), moments(1000, 6)
    ([0, 1, 2, 3], [0, 3, 15, 62, 250, 999])
    """
    if n <= frames:
        return list(range(n))
    dense = frames
    while len(spread := sorted({*np.round(np.geomspace(1, n, dense)).astype(int).tolist()})) < frames:
        dense += 1
    return [t - 1 for t in spread[: frames - 1]] + [n - 1]


@dataclass(frozen=True)
class Source:
    """The source of functions or classes, with the place where it stands.

    Attributes
    ----------
    code : str
    places : tuple of str
        Such as ``"mlnotes/perceptron.py, lines 48 to 58"``.
    """

    code: str
    places: tuple[str, ...]

    def _repr_markdown_(self) -> str:
        return f"```python\n{self.code}\n```\n*{'; '.join(self.places)}*"

    def __repr__(self) -> str:
        return f"# {'; '.join(self.places)}\n{self.code}"


def source(*objects: Any) -> Source:
    """Return the source of functions or classes of mlnotes, highlighted in a notebook.

    Raises
    ------
    TypeError
        If something has no source in Python.
    """
    codes, places = [], []
    for item in objects:
        lines, first = inspect.getsourcelines(item)
        file = Path(inspect.getsourcefile(item) or "")
        where = file.relative_to(PACKAGE.parent).as_posix() if file.is_relative_to(PACKAGE) else file.name
        codes.append("".join(lines).rstrip())
        places.append(f"{where}, lines {first} to {first + len(lines) - 1}")
    return Source("\n\n\n".join(codes), tuple(places))
