"""What a worker gives up before it runs a student's code: limits, system calls, files.

Runs inside the worker, on Linux through ``ctypes``; it needs no privilege and no package. A system call
that is given up fails with EPERM, an unknown one with ENOSYS; neither can be taken back (``no_new_privs``).
"""

from __future__ import annotations

import ctypes
import errno
import os
import re
import struct
import sys
from collections.abc import Iterable

PROCESSES = (
    "fork", "vfork", "execve", "execveat", "ptrace", "unshare", "setns", "process_vm_readv",
    "process_vm_writev", "kcmp", "pidfd_open", "pidfd_getfd", "pidfd_send_signal",
    "process_madvise", "process_mrelease", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "setpriority",
    "sched_setparam", "sched_setscheduler", "sched_setaffinity", "sched_setattr", "ioprio_set",
    "mbind", "set_mempolicy", "migrate_pages", "move_pages", "personality",
    "set_mempolicy_home_node",
)  # fmt: skip
FILES = (  # what outlives or hides a file, or changes one that may only be read: Landlock lets all of it pass
    "chmod", "fchmod", "fchmodat", "chown", "fchown", "lchown", "fchownat", "utime", "utimes",
    "futimesat", "utimensat", "setxattr", "lsetxattr", "fsetxattr", "removexattr", "lremovexattr",
    "fremovexattr", "link", "linkat", "mknod", "mknodat", "fallocate", "inotify_init", "inotify_init1",
    "truncate",
)  # fmt: skip
MESSAGES = ("sendmsg", "sendmmsg", "recvmsg", "recvmmsg")  # they carry descriptors out of sight
NETWORK = (
    "socket", "connect", "bind", "listen", "accept", "accept4", "io_uring_setup", "io_uring_enter",
    "io_uring_register",
)  # fmt: skip
LASTING = (
    "shmget", "shmat", "shmctl", "semget", "semop", "semtimedop", "semctl", "msgget", "msgsnd", "msgrcv",
    "msgctl", "mq_open", "mq_unlink", "memfd_create", "memfd_secret", "add_key", "request_key", "keyctl",
)  # fmt: skip
SYSTEM = (
    "mount", "umount2", "pivot_root", "chroot", "open_tree", "move_mount", "fsopen", "fsconfig",
    "fsmount", "fspick", "mount_setattr", "name_to_handle_at", "open_by_handle_at", "bpf",
    "perf_event_open", "userfaultfd", "fanotify_init", "kexec_load", "kexec_file_load",
    "init_module", "finit_module", "delete_module", "reboot", "swapon", "swapoff", "acct",
    "quotactl", "settimeofday", "clock_settime", "adjtimex", "clock_adjtime", "sethostname",
    "setdomainname", "syslog", "iopl", "ioperm", "modify_ldt", "lookup_dcookie", "vhangup",
)  # fmt: skip

WRITES = {"open": 1, "creat": None, "openat": 2}  # and which argument holds the flags
_FILTERED = (
    "clone", "clone3", "openat2", "kill", "tkill", "tgkill", "prlimit64", "prctl", "fcntl", "ioctl",
    "seccomp",
)  # fmt: skip
NAMED = (*PROCESSES, *NETWORK, *LASTING, *SYSTEM, *FILES, *MESSAGES, *WRITES, *_FILTERED)
_LAST_KNOWN = 450  # what a newer kernel adds is not there for a worker

# written by tests/syscalls.py from the kernel's headers: do not edit
_TABLE = {
    "x86_64": """
        open 2 ioctl 16 shmget 29 shmat 30 shmctl 31 socket 41 connect 42 accept 43 sendmsg 46 recvmsg
        47 bind 49 listen 50 clone 56 fork 57 vfork 58 execve 59 kill 62 semget 64 semop 65 semctl 66
        msgget 68 msgsnd 69 msgrcv 70 msgctl 71 fcntl 72 truncate 76 creat 85 link 86 chmod 90 fchmod
        91 chown 92 fchown 93 lchown 94 ptrace 101 syslog 103 rt_sigqueueinfo 129 utime 132 mknod 133
        personality 135 setpriority 141 sched_setparam 142 sched_setscheduler 144 vhangup 153
        modify_ldt 154 pivot_root 155 prctl 157 adjtimex 159 chroot 161 acct 163 settimeofday 164
        mount 165 umount2 166 swapon 167 swapoff 168 reboot 169 sethostname 170 setdomainname 171 iopl
        172 ioperm 173 init_module 175 delete_module 176 quotactl 179 setxattr 188 lsetxattr 189
        fsetxattr 190 removexattr 197 lremovexattr 198 fremovexattr 199 tkill 200 sched_setaffinity
        203 lookup_dcookie 212 semtimedop 220 clock_settime 227 tgkill 234 utimes 235 mbind 237
        set_mempolicy 238 mq_open 240 mq_unlink 241 kexec_load 246 add_key 248 request_key 249 keyctl
        250 ioprio_set 251 inotify_init 253 migrate_pages 256 openat 257 mknodat 259 fchownat 260
        futimesat 261 linkat 265 fchmodat 268 unshare 272 move_pages 279 utimensat 280 fallocate 285
        accept4 288 inotify_init1 294 rt_tgsigqueueinfo 297 perf_event_open 298 recvmmsg 299
        fanotify_init 300 prlimit64 302 name_to_handle_at 303 open_by_handle_at 304 clock_adjtime 305
        sendmmsg 307 setns 308 process_vm_readv 310 process_vm_writev 311 kcmp 312 finit_module 313
        sched_setattr 314 seccomp 317 memfd_create 319 kexec_file_load 320 bpf 321 execveat 322
        userfaultfd 323 pidfd_send_signal 424 io_uring_setup 425 io_uring_enter 426 io_uring_register
        427 open_tree 428 move_mount 429 fsopen 430 fsconfig 431 fsmount 432 fspick 433 pidfd_open 434
        clone3 435 openat2 437 pidfd_getfd 438 process_madvise 440 mount_setattr 442 memfd_secret 447
        process_mrelease 448 set_mempolicy_home_node 450
    """,
    "aarch64": """
        setxattr 5 lsetxattr 6 fsetxattr 7 removexattr 14 lremovexattr 15 fremovexattr 16
        lookup_dcookie 18 fcntl 25 inotify_init1 26 ioctl 29 ioprio_set 30 mknodat 33 linkat 37
        umount2 39 mount 40 pivot_root 41 truncate 45 fallocate 47 chroot 51 fchmod 52 fchmodat 53
        fchownat 54 fchown 55 openat 56 vhangup 58 quotactl 60 utimensat 88 acct 89 personality 92
        unshare 97 kexec_load 104 init_module 105 delete_module 106 clock_settime 112 syslog 116
        ptrace 117 sched_setparam 118 sched_setscheduler 119 sched_setaffinity 122 kill 129 tkill 130
        tgkill 131 rt_sigqueueinfo 138 setpriority 140 reboot 142 sethostname 161 setdomainname 162
        prctl 167 settimeofday 170 adjtimex 171 mq_open 180 mq_unlink 181 msgget 186 msgctl 187 msgrcv
        188 msgsnd 189 semget 190 semctl 191 semtimedop 192 semop 193 shmget 194 shmctl 195 shmat 196
        socket 198 bind 200 listen 201 accept 202 connect 203 sendmsg 211 recvmsg 212 add_key 217
        request_key 218 keyctl 219 clone 220 execve 221 swapon 224 swapoff 225 mbind 235 set_mempolicy
        237 migrate_pages 238 move_pages 239 rt_tgsigqueueinfo 240 perf_event_open 241 accept4 242
        recvmmsg 243 prlimit64 261 fanotify_init 262 name_to_handle_at 264 open_by_handle_at 265
        clock_adjtime 266 setns 268 sendmmsg 269 process_vm_readv 270 process_vm_writev 271 kcmp 272
        finit_module 273 sched_setattr 274 seccomp 277 memfd_create 279 bpf 280 execveat 281
        userfaultfd 282 kexec_file_load 294 pidfd_send_signal 424 io_uring_setup 425 io_uring_enter
        426 io_uring_register 427 open_tree 428 move_mount 429 fsopen 430 fsconfig 431 fsmount 432
        fspick 433 pidfd_open 434 clone3 435 openat2 437 pidfd_getfd 438 process_madvise 440
        mount_setattr 442 memfd_secret 447 process_mrelease 448 set_mempolicy_home_node 450
    """,
}  # fmt: skip
# end of what is written
_NUMBERS = {
    machine: {name: int(number) for name, number in zip(words[::2], words[1::2], strict=True)}
    for machine, words in ((machine, text.split()) for machine, text in _TABLE.items())
}
_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

_LOAD, _EQUAL, _ABOVE, _SET, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
_ALLOW, _KILL, _ERRNO, _NOTIFY = 0x7FFF0000, 0x80000000, 0x00050000, 0x7FC00000
_NR, _ARCH, _ARGUMENT = 0, 4, (16, 24, 32)  # offsets in struct seccomp_data; low halves of the arguments
CLONE_THREAD, _X32 = 0x00010000, 0x40000000
_F_SETOWN, _F_SETSIG, _F_SETOWN_EX, _FIOSETOWN, _SIOCSPGRP = 8, 10, 15, 0x8901, 0x8902
_F_SETLEASE, _F_NOTIFY, _F_SETPIPE_SZ = 1024, 1026, 1031
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS = 1, 4, 38
_FILTER, _NEW_LISTENER, _OLDEST_WATCHED = 1, 8, (5, 6)  # Linux that can let a watched call go on
_TO_WRITE = 0o103  # O_WRONLY, O_RDWR, O_CREAT

_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
_FS_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}  # number of file rights an ABI knows
_READ = 0b1101  # execute, read file, read directory
_OF_FILES = 0b100000000000111  # execute, write, read, truncate


def supported() -> bool:
    """Whether the seccomp filter is written for this machine."""
    return sys.platform == "linux" and os.uname().machine in _AUDIT


def _statement(code: int, value: int, true: int = 0, false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, true, false, value)


def _refuse(action: int = _ERRNO | errno.EPERM) -> bytes:
    return _statement(_RETURN, action)


def _when(number: int, block: bytes) -> bytes:
    return _statement(_EQUAL, number, 0, len(block) // 8) + block


def _by(argument: int, values: Iterable[int], hit: bytes, otherwise: bytes) -> bytes:
    """Return the block that gives `hit` where an argument is one of `values`."""
    checks = [_statement(_EQUAL, value, 0, 1) + hit for value in values]
    return _statement(_LOAD, _ARGUMENT[argument]) + b"".join(checks) + otherwise


def seccomp_program(machine: str, pid: int, *, watched: bool = False) -> bytes:
    """Return the BPF program that refuses what lets code out of, or outlive, the process `pid`.

    Parameters
    ----------
    machine : {"x86_64", "aarch64"}
    pid : int
        Signals may go to this process only.
    watched : bool, default False
        Whether the listener of the filter refuses, and counts; it is also told of new threads and of files
        opened to be written.
    """
    numbers, allow = _NUMBERS[machine], _refuse(_ALLOW)
    refuse = _refuse(_NOTIFY) if watched else _refuse()
    program = [
        _statement(_LOAD, _ARCH),
        _statement(_EQUAL, _AUDIT[machine], 1, 0) + _refuse(_KILL),
        _statement(_LOAD, _NR),
    ]
    if machine == "x86_64":
        program.append(_statement(_SET, _X32, 0, 1) + _refuse(_KILL))
    program.append(_statement(_ABOVE, _LAST_KNOWN, 0, 1) + _refuse(_ERRNO | errno.ENOSYS))
    for call in ("clone3", "openat2"):  # the older calls do the same, with flags that a filter can see
        program.append(_when(numbers[call], _refuse(_ERRNO | errno.ENOSYS)))
    thread = _statement(_LOAD, _ARGUMENT[0]) + _statement(_SET, CLONE_THREAD, 0, 1)
    thread += refuse if watched else allow
    program.append(_when(numbers["clone"], thread + refuse))
    program += [_when(numbers[call], _by(0, [pid], allow, refuse)) for call in ("kill", "tkill", "tgkill")]
    program.append(_when(numbers["prlimit64"], _by(0, [0, pid], allow, refuse)))
    for call, argument, values in (
        ("prctl", 0, [_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE]),
        ("fcntl", 1, [_F_SETOWN, _F_SETSIG, _F_SETOWN_EX, _F_SETLEASE, _F_NOTIFY, _F_SETPIPE_SZ]),
        ("ioctl", 1, [_FIOSETOWN, _SIOCSPGRP]),
    ):
        program.append(_when(numbers[call], _by(argument, values, refuse, allow)))
    if watched:
        for call, place in WRITES.items():
            flags = _statement(_LOAD, _ARGUMENT[place or 0]) + _statement(_SET, _TO_WRITE, 1, 0) + allow
            if call in numbers:
                program.append(_when(numbers[call], refuse if place is None else flags + refuse))
    refused = (numbers[name] for name in PROCESSES + NETWORK + LASTING + SYSTEM + FILES if name in numbers)
    program += [_when(number, refuse) for number in refused]
    return b"".join(program) + allow


def _without_messages(machine: str) -> bytes:
    """Return the program that is put on top once the listener has been sent by such a message."""
    refused = [_when(_NUMBERS[machine][name], _refuse()) for name in MESSAGES]
    return _statement(_LOAD, _NR) + b"".join(refused) + _refuse(_ALLOW)


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def _prctl(*arguments: int) -> None:
    padded = [ctypes.c_ulong(a) for a in (*arguments, 0, 0, 0, 0)[:5]]
    _checked(_libc().prctl(*padded), f"prctl {arguments[0]}")


def die_with_parent() -> None:
    """Have the kernel end this process when the grader ends (SIGKILL included)."""
    parent = os.getppid()
    _prctl(_PR_SET_PDEATHSIG, 9)
    if os.getppid() != parent:
        os._exit(1)


def no_new_privileges() -> None:
    """Give up set-uid programs for good; seccomp and Landlock require it."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def seccomp(channel: int = -1) -> None:
    """Install the filter in this process and every thread that it will start.

    Parameters
    ----------
    channel : int
        A socket to send the listener of the filter through, which then refuses and counts; without one, or
        where the kernel has none, the filter refuses by itself and nobody counts.

    Raises
    ------
    OSError
        If the kernel refuses it.
    """
    machine = os.uname().machine
    if channel >= 0:
        listener = _installed(seccomp_program(machine, os.getpid(), watched=True), _NEW_LISTENER)
        if listener >= 0:
            _send(channel, listener)
            os.close(listener)
        os.close(channel)
        channel = listener
    if channel < 0:
        _checked(_installed(seccomp_program(machine, os.getpid())), "seccomp")
    _checked(_installed(_without_messages(machine)), "seccomp")


def _installed(code: bytes, flags: int = 0) -> int:
    """Install a program; return 0 or its listener, -1 where it is refused."""
    release = tuple(int(number) for number in re.findall(r"\d+", os.uname().release)[:2])
    if flags and release < _OLDEST_WATCHED:
        return -1
    program, number = _Program(len(code) // 8, code), _NUMBERS[os.uname().machine]["seccomp"]
    arguments = ctypes.c_ulong(_FILTER), ctypes.c_ulong(flags), ctypes.byref(program)
    return int(_libc().syscall(ctypes.c_long(number), *arguments))


def _send(channel: int, descriptor: int) -> None:
    import _socket  # the module above it would take a tenth of the time in which a worker starts

    link = _socket.socket(fileno=os.dup(channel))
    link.sendmsg([b"L"], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, struct.pack("i", descriptor))])
    link.close()


def landlock_version() -> int:
    """Return the version of Landlock that the kernel offers, 0 if it has none."""
    if sys.platform != "linux":
        return 0
    return max(0, _libc().syscall(_LANDLOCK_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(1)))


def landlock(readable: Iterable[str], writable: Iterable[str]) -> int:
    """Make every file and folder outside the two lists unreachable for this process; return the version used.

    Raises
    ------
    OSError
        If the kernel has no Landlock or refuses the rules.
    """
    version = landlock_version()
    if not version:
        raise OSError(errno.ENOSYS, "the kernel has no Landlock")
    every = (1 << _FS_RIGHTS.get(version, 16)) - 1
    network = 0b11 if version >= 4 else 0
    scoped = 0b11 if version >= 6 else 0  # abstract sockets, signals
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    libc, attributes = _libc(), struct.pack("<QQQ", every, network, scoped)[:size]
    rules = _checked(
        libc.syscall(_LANDLOCK_CREATE, attributes, ctypes.c_size_t(size), ctypes.c_uint32(0)), "Landlock"
    )
    for path, rights in [(p, _READ & every) for p in readable] + [(p, every) for p in writable]:
        _allow(libc, rules, path, rights)
    _checked(libc.syscall(_LANDLOCK_RESTRICT, rules, ctypes.c_uint32(0)), "Landlock")
    os.close(rules)
    return version


def _allow(libc: ctypes.CDLL, rules: int, path: str, rights: int) -> None:
    target = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rights &= -1 if os.path.isdir(path) else _OF_FILES
        rule = struct.pack("<Qi", rights, target)
        _checked(libc.syscall(_LANDLOCK_ADD, rules, 1, rule, ctypes.c_uint32(0)), f"Landlock rule for {path}")
    finally:
        os.close(target)


def limits(*, megabytes: int, cpu: int, file_megabytes: int) -> None:
    """Limit this process for good: address space, processor time, file size, open files."""
    import resource

    wanted = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: file_megabytes << 20,
        resource.RLIMIT_NOFILE: 64,
        resource.RLIMIT_CPU: cpu,
        resource.RLIMIT_AS: megabytes << 20,
    }
    for kind, value in wanted.items():
        hard = resource.getrlimit(kind)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        try:
            resource.setrlimit(kind, (value, value))
        except (ValueError, OSError):  # macOS knows RLIMIT_AS and refuses it
            if kind != resource.RLIMIT_AS:
                raise
