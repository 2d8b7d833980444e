"""Replaces itself by a shell, by Python, and by a program in memory."""

import ctypes, os, sys


def fit_mean(X):
    libc = ctypes.CDLL(None, use_errno=True)
    for program in ("/bin/sh", "/usr/bin/env", sys.executable):
        try:
            os.execv(program, [program, "-c", "print('LEAK')"])
        except OSError:
            pass
    memory = libc.syscall(319, b"x", 0)
    if memory >= 0:
        print("LEAK memfd")
        libc.syscall(322, memory, b"", None, None, 0x1000)
    os.posix_spawn("/bin/sh", ["sh", "-c", "echo L''EAK"], {})
