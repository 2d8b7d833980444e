"""Makes the read-only system writable again and mounts its own."""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def fit_mean(X):
    for place in (b"/", b"/runtime", b"/tmp", b"/usr"):
        if (
            libc.mount(None, place, None, 32 | 4096, None) == 0
            or libc.mount(b"none", place, b"tmpfs", 0, None) == 0
        ):
            print("LEAK mount", place)
        if libc.umount2(place, 2) == 0:
            print("LEAK umount", place)
    if libc.chroot(b"/tmp") == 0:
        print("LEAK chroot")
    return 0 * X[0] + 7.0
