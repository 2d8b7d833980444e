"""An estimator in a notebook: its parameters, its certificate and what it learnt, as HTML."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from html import escape
from typing import Any

import numpy as np


class Table:
    """A titled table of names and values, in the form that scikit-learn's diagram asks its parts for."""

    def __init__(self, title: str, rows: Mapping[str, Any]) -> None:
        self.title, self.rows = title, rows

    def __len__(self) -> int:
        return len(self.rows)

    def _repr_html_inner(self) -> str:
        if not self.rows:
            return ""
        body = "".join(
            f'<tr><th scope="row" style="text-align:left;font-weight:normal">{escape(name)}</th>'
            f'<td style="text-align:left"><code>{escape(_short(value))}</code></td></tr>'
            for name, value in self.rows.items()
        )
        return (
            '<table style="margin:0.3em 0"><caption style="text-align:left;font-weight:bold">'
            f"{escape(self.title)}</caption><tbody>{body}</tbody></table>"
        )


def _short(value: Any) -> str:
    if isinstance(value, np.ndarray) and value.size > 6:
        return f"{value.dtype} of shape {value.shape}"
    if isinstance(value, (float, np.floating)):
        return f"{value:.6g}"
    text = repr(value.tolist() if isinstance(value, np.ndarray) else value)
    return text if len(text) <= 80 else f"{text[:77]}..."


class Results:
    """The certificate of a fit, and its other public attributes."""

    def __init__(self, fitted: Mapping[str, Any]) -> None:
        attributes = {name: value for name, value in fitted.items() if not name.startswith("_")}
        self.tables = (
            Table("Certificate", attributes.pop("certificate_", {})),
            Table("Fitted attributes", attributes),
        )

    def __len__(self) -> int:
        return sum(map(len, self.tables))

    def _repr_html_inner(self) -> str:
        return "".join(table._repr_html_inner() for table in self.tables)


def html(estimator: Any) -> str:
    """Return scikit-learn's diagram of an estimator where scikit-learn is loaded, else a folding box."""
    results = estimator._get_fitted_attr_html()._repr_html_inner()
    if "sklearn" in sys.modules:
        from sklearn.utils import estimator_html_repr

        diagram = str(estimator_html_repr(estimator))
        return diagram if results in diagram else diagram + results  # before 1.9 it has no place for it
    parameters = estimator._get_params_html()._repr_html_inner()
    state = "fitted" if results else "not fitted"
    return (
        f"<details open><summary><b>{escape(type(estimator).__name__)}</b> ({state})</summary>"
        f"{parameters}{results}</details>"
    )
