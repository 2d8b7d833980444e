"""Time, memory, threads, output and the disk."""

import ctypes, mmap, os, signal, struct, sys, threading, time


# %% array_bomb: Asks NumPy for a terabyte, and for many touched gigabytes.
import numpy as np

def fit_mean(X):
    return np.ones((10**6, 10**6)).mean(axis=0)

def classify(X, a, b):
    return [np.ones(10**8) for _ in range(100)]

# %% blind_the_disk: Makes itself unreadable and swaps folders for links, so that nobody sees what it holds.
c = ctypes.CDLL(None)
c.prctl(4, 0, 0, 0, 0)

def swap():
    while True:
        try:
            os.mkdir("place")
            open("place/x", "w").close()
            os.rename("place", "was")
            os.symlink("/tmp/mlnotes-attack-canary", "place")
            time.sleep(0.0001)
            os.unlink("place")
            os.unlink("was/x")
            os.rmdir("was")
        except OSError:
            for rest in ("place", "was/x"):
                try:
                    os.unlink(rest)
                except OSError:
                    pass

def fit_mean(X):
    threading.Thread(target=swap, daemon=True).start()
    time.sleep(0.4)
    return X[0]

def classify(X, a, b):
    for k in range(3):
        os.symlink("/tmp/mlnotes-attack-canary", f"link{k}")
        os.symlink("..", f"up{k}")
    os.abort()

# %% compile_bomb: Source that takes the compiler for ever or to its end: nesting, folding, long lines.
power = 10**10**10
shift = 1 << (1 << 40)
text = "x" * (1 << 45)
nested = eval("(" * 10**6 + "1" + ")" * 10**6)

# %% exit_at_import: Leaves with exit status 0, which some graders read as success.
os._exit(0)

# %% exit_in_functions: Leaves with exit status 0 from inside each function.
def fit_mean(X):
    os._exit(0)

def classify(X, a, b):
    sys.exit(0)

def argmin(f):
    raise SystemExit(0)

def describe(X):
    quit(0)

# %% fill_disk: Writes to its folder until the disk is full.
def fit_mean(X):
    block = b"x" * (1 << 20)
    for k in range(100_000):
        with open(f"big{k}", "wb") as file:
            for _ in range(63):
                file.write(block)

def classify(X, a, b):
    with open("/tmp/one", "wb") as file:
        while True:
            file.write(b"x" * (1 << 20))

# %% fill_the_pipes: Makes pipes and socket pairs as large as they go, which count for the user and not the process.
import fcntl
import socket
kept = []
for k in range(25):
    try:
        r, w = os.pipe()
        if fcntl.fcntl(w, 1031, 1 << 20) >= 1 << 20:
            print("LEAK: a pipe of 1 MiB")
    except OSError:
        pass
    try:
        os.set_blocking(w, False)
        os.write(w, bytes(1 << 20))
        kept.append((r, w))
    except OSError:
        break

def fit_mean(X):
    left, right = socket.socketpair()
    left.setblocking(False)
    try:
        while True:
            left.send(bytes(1 << 16))
    except OSError:
        pass
    return X[0]

# %% flood: Prints gigabytes, with and without newlines, on both streams.
def fit_mean(X):
    while True:
        print("x" * 10**6)
        sys.stderr.write("y" * 10**6)

for _ in range(200):
    print("z" * 10**6)

# %% hang_at_exit: Registers work that never ends for the end of the process.
import atexit
atexit.register(lambda: time.sleep(1000))
threading.Thread(target=time.sleep, args=(1000,)).start()

class Sticky:
    def __del__(self):
        time.sleep(1000)

keep = Sticky()

# %% hold_removed_files: Fills the disk with files that it has removed and holds open, mapped or in a message.
import socket
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

# %% long_reading: Makes the grader read costly progress for nearly all of its seconds, answer after answer, so that the claim's own time runs out.
import json
import __main__ as worker

def frame(tree, arrays=(), payload=b""):
    """Return a frame of our own making, whatever the grader's writer would refuse."""
    header = json.dumps([tree, list(arrays)]).encode()
    return struct.pack("<4sIQ", b"mln1", len(header), len(payload)) + header + payload

def reply(self, operation, arguments):
    if operation.__name__ in ("do_call", "do_method", "do_reset"):
        line = ["l", [["t", [k, ["q", "1", "3"]]] for k in range(2_000)]]
        data, end = frame(["d", [["id", self.request], ["at", 1], ["line", line]]]), time.monotonic() + 0.8
        while time.monotonic() < end:
            self.write(data)
    honest(self, operation, arguments)

honest = worker.Submission.reply
worker.Submission.reply = reply

def describe(X):
    return {"n": 0, "d": 0}

# %% loop_at_import: Hangs while it is loaded, so that a grader without a clock never comes back.
while True:
    pass

# %% loop_ignoring_signals: Ignores every signal that can be ignored and then loops in the function.
def fit_mean(X):
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass

# %% many_files: Makes files and folders until there are no inodes left.
def fit_mean(X):
    k = 0
    while True:
        k += 1
        try:
            os.makedirs(f"d{k % 97}/e{k}")
            open(f"d{k % 97}/f{k}", "w").close()
        except OSError:
            pass

# %% many_small_threads: Starts threads with small stacks, as many as the kernel gives, so that neighbours can start none.
threading.stack_size(32 << 10)
for _ in range(30_000):
    try:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    except Exception:
        break
if threading.active_count() > 1_000:
    print("LEAK:", threading.active_count(), "threads")

# %% memory_bomb: Takes memory until the machine gives up.
def fit_mean(X):
    kept = []
    while True:
        kept.append(bytearray(50_000_000))

# %% move_folders_about: Moves and exchanges folders while they are counted, so that what lies in them is never seen.
c = ctypes.CDLL(None)

def move():
    while True:
        c.renameat2(-100, b"one", -100, b"two", 2)
        c.renameat2(-100, b"two/in", -100, b"in", 0)
        c.renameat2(-100, b"in", -100, b"two/in", 0)

def fit_mean(X):
    for name in ("one", "two", "two/in"):
        os.makedirs(name, exist_ok=True)
    threading.Thread(target=move, daemon=True).start()
    for k in range(60):
        os.symlink("../one", f"one/link{k}")
        with open("in/f" if os.path.isdir("in") else "two/in/f", "ab") as file:
            for _ in range(50):
                file.write(bytes(1 << 20))
        os.rename("two/in/f" if os.path.exists("two/in/f") else "in/f", f"two/{k}")
    return X[0]

# %% nest_folders: Nests folders deeper than paths and recursion go, dark and closed ones among them.
def fit_mean(X):
    while True:
        os.mkdir("d")
        os.chdir("d")

def classify(X, a, b):
    os.umask(0o777)
    for k in range(100):
        os.mkdir(f"dark{k}")

def argmin(f):
    os.mkdir("locked", 0o500)
    os.mkdir("blind", 0o300)
    os.chdir("blind")
    for k in range(20):
        os.mkdir("n" * 250)
        os.chdir("n" * 250)
    open("file", "w").write("x" * 10**6)
    os.chmod("..", 0)

# %% recursion: Overflows the stack, in Python and in C.
sys.setrecursionlimit(10**9)

def fit_mean(X):
    return fit_mean(X)

def classify(X, a, b):
    value = []
    for _ in range(10**6):
        value = [value]
    return value

def describe(X):
    value = {}
    value["self"] = value
    return value

# %% reserve_blocks: Reserves space without writing, in files that look empty, and punches holes in what is counted.
c = ctypes.CDLL(None, use_errno=True)

def fit_mean(X):
    for k in range(60):
        with open(str(k), "wb") as file:
            c.fallocate(file.fileno(), 1, 0, ctypes.c_int64(60 << 20))
            try:
                os.posix_fallocate(file.fileno(), 0, 60 << 20)
            except OSError:
                pass
    time.sleep(0.5)
    return X[0]

# %% segfault: Dies of SIGSEGV, SIGABRT, SIGBUS and SIGKILL.
def fit_mean(X):
    ctypes.string_at(0)

def classify(X, a, b):
    os.abort()

def argmin(f):
    os.kill(os.getpid(), signal.SIGKILL)

def describe(X):
    os.kill(os.getpid(), signal.SIGBUS)

# %% slow_answers: Takes nearly the whole limit for every answer, and sleeps for ever in one.
def fit_mean(X):
    time.sleep(0.9)
    return 0 * X[0] + 7.0

def classify(X, a, b):
    time.sleep(10**6)

# %% stop_itself: Stops itself, and answers the signal that lets it go on by stopping again, so that the grader waits for ever.
def stop():
    os.kill(os.getpid(), signal.SIGSTOP)

def fit_mean(X):
    stop()
    return 0 * X[0] + 7.0

def classify(X, a, b):
    threading.Thread(target=lambda: [stop() for _ in iter(int, 1)], daemon=True).start()
    return [0] * len(X)

def describe(X):
    signal.signal(signal.SIGCONT, lambda *_: stop())
    return {"n": 0, "d": 0}

# %% thread_flood: Starts threads without end, each busy.
def spin():
    while True:
        pass

def fit_mean(X):
    while True:
        threading.Thread(target=spin, daemon=False).start()

# %% write_while_nobody_looks: Opens its files while it is asked, and a thread fills them while the grader thinks.
files = [open(f"f{k}", "wb") for k in range(40)]

def fill():
    data = bytes(60 << 20)
    for file in files:
        try:
            file.write(data)
            file.flush()
        except OSError:
            pass

def fit_mean(X):
    threading.Thread(target=fill, daemon=True).start()
    return X[0]

def classify(X, a, b):
    return [1] * len(X)
