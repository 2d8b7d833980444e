"""Watching an algorithm: which states are shown, with which words, and the source of a function."""

import inspect
import re

import numpy as np
import pytest

from mlnotes import perceptron, show

Z = np.array([[2.0, 1.0], [-1.0, 1.0], [1.0, -0.5]])


def line(ax, states):
    ax.plot([len(states), states[-1][0][0]])


def line_of_numbers(ax, states):
    ax.plot(states)


def words(states):
    return f"{len(states)} visits."


def test_every_state_of_a_short_path_is_a_frame():
    path = list(perceptron.perceptron(Z, np.zeros(2)))
    slider = show.watch(perceptron.perceptron(Z, np.zeros(2)), line, words, name="visit")
    assert slider.labels == tuple(str(t) for t in range(1, len(path) + 1))
    assert slider.texts == tuple(f"{t} visits." for t in range(1, len(path) + 1))
    assert len(set(slider.pictures)) == len(path)
    before = show.watch(perceptron.perceptron(Z, np.zeros(2)), line, words, start=(np.zeros(2), None))
    assert before.labels[0] == "0"
    assert len(before.labels) == len(path) + 1


def test_a_long_path_is_thinned_and_an_endless_one_is_cut():
    endless = ((np.full(2, t), None) for t in iter(int, 1))
    slider = show.watch(endless, line, last=100, frames=8)
    places = [int(label) for label in slider.labels]
    assert len(places) == 8
    assert places[0] == 1
    assert places[-1] == 100
    assert places == sorted(set(places))


@pytest.mark.parametrize("n", [1, 2, 5, 24, 25, 60, 1000])
def test_moments_are_few_and_have_both_ends(n):
    places = show.watching.moments(n, 24)
    assert places[0] == 0
    assert places[-1] == n - 1
    assert len(places) == min(n, 24)


def test_refuses_a_path_without_states():
    with pytest.raises(ValueError, match="path has no state; a generator can be used only once"):
        show.watch(iter(()), line)


def test_states_may_have_labels():
    assert show.watch([1, 2], line_of_numbers, labels=["0.1", "10"]).labels == ("0.1", "10")
    with pytest.raises(ValueError, match="labels must be one for each of the 2 states, got 1"):
        show.watch([1, 2], line_of_numbers, labels=["0.1"])


def test_panels_are_handed_over_together():
    seen = []
    show.watch([1.0], lambda axes, states: seen.append(len(axes)), panels=3).draw(0)
    assert seen == [3]


def test_source_is_the_code_and_its_place():
    shown = show.source(perceptron.perceptron, perceptron.mistake_set)
    assert inspect.getsource(perceptron.perceptron).rstrip() in shown.code
    assert re.fullmatch(r"mlnotes/perceptron\.py, lines \d+ to \d+", shown.places[1])
    assert shown._repr_markdown_().startswith("```python\ndef perceptron")
    with pytest.raises(TypeError):
        show.source(3)
