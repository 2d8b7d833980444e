"""Races against scikit-learn and SciPy: ``python -m benchmarks``. Their history is that of `results.json`.

Why neither pyperf nor asv runs them: each would replace `run` and what it calls, 35 lines of `harness.py`,
and neither takes the two sides in turn, which keeps a ratio steady while the load changes. The sides share
their data and have to agree first; pyperf starts some processes a side, and each would do all that again. On
a loaded machine its fast mode had not finished one race of the perceptron in 240 s (19 s of processor time);
the harness took 4 s. asv builds an environment for every commit, from an index.
"""
