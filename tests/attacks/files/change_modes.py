"""Changes modes, owners, times, attributes and links of what it can reach, by every call there is."""

import ctypes
import os
import sys

c = ctypes.CDLL(None, use_errno=True)
places = [os.__file__, os.path.dirname(os.__file__), "..", ".", sys.executable, "/tmp/mlnotes-attack-canary"]
for place in places:
    name = place.encode()
    for attempt in (
        lambda: os.chmod(place, 0),
        lambda: os.utime(place, (1, 1)),
        lambda: os.chown(place, os.getuid(), -1),
        lambda: os.link(place, "linked"),
        lambda: os.setxattr(place, "user.answers", b"x"),
        lambda: os.fchmod(os.open(place, os.O_RDONLY), 0),
    ):
        try:
            attempt()
            print("LEAK: it worked on", place)
        except OSError:
            pass
    for number in (90, 91, 268, 452, 92, 260, 132, 235, 280, 188, 189, 190, 463, 86, 265, 133):
        if c.syscall(number, name, 0, 0, 0, 0) == 0:
            print("LEAK: call", number, "worked on", place)


def fit_mean(X):
    return X[0]
