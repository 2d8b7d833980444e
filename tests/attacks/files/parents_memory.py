"""Reads the parent's memory by /proc, process_vm_readv and ptrace."""

import ctypes, os

libc = ctypes.CDLL(None, use_errno=True)


class Piece(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]


def fit_mean(X):
    parent = os.getppid()
    buffer = ctypes.create_string_buffer(4096)
    mine, theirs = Piece(ctypes.addressof(buffer), 4096), Piece(0x400000, 4096)
    if libc.process_vm_readv(parent, ctypes.byref(mine), 1, ctypes.byref(theirs), 1, 0) > 0:
        print("LEAK memory")
    if libc.ptrace(16, parent, 0, 0) == 0 or libc.syscall(101, 16, parent, 0, 0) == 0:
        print("LEAK ptrace")
    try:
        print("LEAK", open(f"/proc/{parent}/mem", "rb").read(10))
    except OSError:
        pass
    return 0 * X[0] + 7.0
