"""Opens files to be written by paths that lie nowhere, that end nowhere, and that change while the grader reads them."""

import ctypes
import mmap
import threading

c = ctypes.CDLL(None, use_errno=True)
for address in (0, 1, 2**47 - 1, 2**63, 2**64 - 1, 0xFFFFFFFFFF600000):
    c.syscall(2, ctypes.c_ulong(address), 0o102, 0o600)
page = mmap.mmap(-1, 8192)
page[4000:4096] = b"/" * 96
place = ctypes.addressof(ctypes.c_char.from_buffer(page))
path = ctypes.create_string_buffer(b"/tmp/mlnotes-attack-canary/secret.key", 64)


def change():
    for k in range(200_000):
        path[0:5] = b"own\0p" if k % 2 else b"/tmp/"


def fit_mean(X):
    threading.Thread(target=change, daemon=True).start()
    for _ in range(300):
        if c.syscall(2, path, 0o1102, 0o600) >= 0 and path.value.startswith(b"/tmp/mlnotes"):
            continue
        c.syscall(2, ctypes.c_ulong(place + 4000), 0o102, 0o600)
    return X[0]


def classify(X, a, b):
    for name in (b"\xff\xfe", b"\x1b[31m", b"=1+1", b"a\nb", "\u202e".encode()):
        c.syscall(2, b"/etc/" + name, 0o102, 0o600)
    return [0] * len(X)
