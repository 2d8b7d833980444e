"""Fills the disk with files that it has removed and holds open, mapped or in a message."""

import mmap
import os
import socket
import time

held = []


def fit_mean(X):
    for k in range(50):
        file = open(str(k), "w+b")
        os.unlink(str(k))
        file.write(bytes(50 << 20))
        file.flush()
        held.append(mmap.mmap(file.fileno(), 50 << 20))
    time.sleep(1)
    return X[0]


def classify(X, a, b):
    left, right = socket.socketpair()
    for k in range(50):
        file = open(f"m{k}", "w+b")
        os.unlink(f"m{k}")
        file.write(bytes(50 << 20))
        file.flush()
        socket.send_fds(left, [b"x"], [file.fileno()])
        file.close()
    time.sleep(1)
    return [0] * len(X)
