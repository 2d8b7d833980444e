r"""Drawing: one style, the pictures that lectures share, and the gallery.

A drawing function takes its data first and ``ax=`` last. With ``ax`` it draws there; without, it makes a
figure of its own. Either way it returns the figure, so that in a notebook one line is a picture::

    plots.decision_regions(distribution.posterior, X, y)

and two panels are three lines::

    figure, (left, right) = plots.panels(1, 2)
    plots.decision_regions(distribution.posterior, X, y, ax=left)
    plots.contour_posterior(distribution.posterior, X, ax=right)

Colours are those of Okabe and Ito, which readers with any common colour blindness tell apart; each class also
has its marker and each curve its dashes, so that nothing is lost in a black-and-white print.
"""

from __future__ import annotations

from mlnotes.show.curves import bound_scatter, curves, density_1d, risk_curve, sorted_risks
from mlnotes.show.plane import (
    barycentric,
    contour_posterior,
    decision_regions,
    frame,
    labelled_points,
    level_line,
    simplex_regions,
)
from mlnotes.show.style import (
    BLACK,
    BLUE,
    COLORS,
    DASHES,
    GREEN,
    GREY,
    MARKERS,
    METADATA,
    ORANGE,
    PURPLE,
    SKY,
    STYLE,
    VERMILLION,
    Picture,
    panels,
    picture_bytes,
    style,
    tint,
)

__all__ = [
    "BLACK", "BLUE", "COLORS", "DASHES", "GREEN", "GREY", "MARKERS", "METADATA", "ORANGE", "PURPLE", "SKY",
    "STYLE", "VERMILLION", "Picture", "barycentric", "bound_scatter", "contour_posterior", "curves",
    "decision_regions", "density_1d", "frame", "labelled_points", "level_line", "panels", "picture_bytes",
    "risk_curve", "simplex_regions", "sorted_risks", "style", "tint",
]  # fmt: skip
