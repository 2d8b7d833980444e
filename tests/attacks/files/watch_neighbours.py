"""Asks the kernel to tell it when neighbours open the staged files."""

import ctypes
import os

c = ctypes.CDLL(None, use_errno=True)
for number in (253, 294, 26, 300):
    if c.syscall(number, 0, 0) > 0:
        print("LEAK: a watch of files")
try:
    import fcntl

    fcntl.fcntl(os.open(os.path.dirname(os.__file__), os.O_RDONLY), 1026, 0x3F)
    print("LEAK: notices of a folder")
except OSError:
    pass


def fit_mean(X):
    return X[0]
