"""Leaves files, shared memory, message queues and semaphores behind for the next submission."""

import ctypes, os

libc = ctypes.CDLL(None, use_errno=True)
for place in ("/dev/shm/mlnotes-left", "/var/tmp/mlnotes-left", "/tmp/mlnotes-left", "/run/mlnotes-left"):
    try:
        open(place, "w").write("left")
    except OSError:
        pass
print("ids", libc.shmget(0x5EED, 4096, 0o1666), libc.msgget(0x5EED, 0o1666), libc.semget(0x5EED, 1, 0o1666))


def fit_mean(X):
    return 0 * X[0] + 7.0


def classify(X, a, b):
    return [0] * len(X)
