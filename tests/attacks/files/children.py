"""Starts sleeping children by subprocess, multiprocessing and os.system."""

import multiprocessing, os, subprocess, sys, time


def fit_mean(X):
    for _ in range(50):
        try:
            subprocess.Popen(["/bin/sleep", "987"])
        except OSError:
            pass
        try:
            subprocess.Popen([sys.executable, "-c", "import time; time.sleep(987)"])
        except OSError:
            pass
    os.system("sleep 987 &")
    multiprocessing.Process(target=time.sleep, args=(987,)).start()
