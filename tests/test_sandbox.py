"""The levels of confinement: what a worker can reach, what its environment is, how it ends."""

import json
import os
import platform
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from mlnotes.grading import confine, sandbox, staging
from mlnotes.grading.faults import Fault
from mlnotes.grading.pipes import Threaded
from mlnotes.grading.sandbox import ENVIRONMENT, Sandbox, SandboxError

ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can change its root folder")
STRONG = [pytest.param(name, marks=pytest.mark.needs(name)) for name in ("bubblewrap", "landlock")]
STRONG += [pytest.param("jail", marks=[ROOT, pytest.mark.needs("jail")])]
EVERY = [*STRONG, "limits"]


@pytest.fixture(scope="module", params=[*EVERY, "threads"])
def level(request):
    """Each level, and the last one with the pipes of a system that cannot poll them."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "threads":
            patch.setattr(sandbox, "pipes", Threaded)
        with Sandbox("limits" if request.param == "threads" else request.param) as found:
            yield found


@pytest.fixture(scope="module", params=STRONG)
def strong(request):
    with Sandbox(request.param) as found:
        yield found


def run(found, source, *calls, megabytes=2048, seconds=20.0):
    """Load `source` in a fresh worker, call its functions and return what they give."""
    worker = found.worker(megabytes)
    try:
        notes = worker.ask("cell", ("submission.py", [source], []), seconds)["value"]
        assert notes == [], notes
        return [worker.ask("call", (name, ()), seconds) for name in calls]
    finally:
        worker.kill()


def value(found, source, **options):
    return run(found, source, "f", **options)[0]["value"]


# ------------------------------------------------------------------- what is inside


def test_the_environment_is_exactly_the_contract(strong):
    assert value(strong, "import os\ndef f(): return dict(os.environ)") == ENVIRONMENT


@pytest.mark.parametrize("module", ["mlnotes", "sklearn", "scipy", "pandas", "pip", "pytest"])
def test_only_numpy_and_the_standard_library_can_be_imported(level, module):
    source = f"import importlib.util\ndef f(): return importlib.util.find_spec({module!r}) is None"
    assert value(level, source)


def test_numpy_is_the_graders(level):
    assert value(level, "import numpy\ndef f(): return numpy.__version__") == np.__version__


STANDARD = [
    "abc", "asyncio", "bz2", "collections", "concurrent.futures", "csv", "ctypes", "dataclasses", "datetime",
    "decimal", "fractions", "functools", "hashlib", "heapq", "itertools", "json", "logging", "lzma", "math",
    "multiprocessing", "operator", "pathlib", "random", "re", "sqlite3", "statistics", "string", "textwrap",
    "threading", "time", "typing", "unicodedata", "unittest", "zlib", "numpy.fft", "numpy.linalg",
    "numpy.random",
]  # fmt: skip


def test_the_standard_library_is_there(level):
    source = "import importlib\ndef f():\n    return [importlib.import_module(n).__name__ for n in NAMES]"
    assert value(level, f"NAMES = {STANDARD!r}\n{source}") == STANDARD


def test_nothing_of_the_machine_is_in_reach(strong):
    source = """
import os
def f():
    found = []
    for path in ("/etc/passwd", "/proc/self/environ", "/proc/1/cmdline", "/usr/bin/env", "/home", HERE):
        try:
            os.close(os.open(path, os.O_RDONLY))
            found.append(path)
        except OSError:
            pass
    return found
"""
    assert value(strong, f"HERE = {__file__!r}\n{source}") == []


def test_no_descriptor_but_the_protocols(level):
    source = """
import os
def f():
    open_ones = []
    for k in range(256):
        try:
            os.fstat(k)
            open_ones.append(k)
        except OSError:
            pass
    return open_ones
"""
    descriptors = value(level, source)
    assert descriptors[:3] == [0, 1, 2]
    assert len(descriptors) == 5


def test_the_user_is_nobody_with_no_capability(strong):
    if os.geteuid() != 0:
        pytest.skip("started by an ordinary user")
    user, groups = value(strong, "import os\ndef f(): return os.getuid(), os.getgroups()")
    assert user != 0
    assert 0 not in groups


def test_workers_of_root_have_users_of_their_own():
    if os.geteuid() != 0:
        pytest.skip("only root can give user ids away")
    with Sandbox("limits") as found:
        assert found.user("C") is None
        assert found.user("B") != found.user("B")


def test_the_public_randomness_is_the_same_for_everyone(level):
    source = "import random, numpy as np\ndef f(): return [random.random(), np.random.rand()]"
    assert value(level, source) == value(level, source)


def test_a_scratch_file_may_be_written_and_is_gone_afterwards(level):
    source = "def f():\n    open('scratch', 'w').write('x')\n    return open('scratch').read()"
    assert value(level, source) == "x"
    gone = "import os\ndef f(): return os.path.exists('scratch') or os.listdir('.')"
    assert value(level, gone) == []


@pytest.mark.parametrize("call", ["socket.socket()", "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
                                  "socket.socket(socket.AF_UNIX)", "os.fork()", "os.kill(os.getppid(), 0)",
                                  "os.execv('/bin/sh', ['sh'])",
                                  "os.setpriority(0, 0, 0)", "subprocess.run(['true'])"])  # fmt: skip
def test_what_the_filter_refuses(strong, call):
    reply = run(strong, f"import os, socket, subprocess\ndef f(): return {call}", "f")[0]
    assert reply["raised"]["type"] in ("PermissionError", "FileNotFoundError")


def test_threads_and_asyncio_still_work(strong):
    source = """
import asyncio, threading
from concurrent.futures import ThreadPoolExecutor
async def g(): return 3
def f():
    with ThreadPoolExecutor(2) as pool: total = sum(pool.map(abs, [-1, -2]))
    return total + asyncio.run(g())
"""
    assert value(strong, source) == 6


# ------------------------------------------------------------------- limits


def test_memory(level):
    reply = run(level, "import numpy as np\ndef f(): return np.ones(10**9).sum()", "f", megabytes=1024)[0]
    assert reply["raised"]["type"] == "MemoryError"


def test_time(level):
    start = time.monotonic()
    with pytest.raises(Fault, match=r"no answer within 0\.5 s"):
        run(level, "def f():\n    while True: pass", "f", seconds=0.5)
    assert time.monotonic() - start < 5


def test_file_size(level):
    source = "def f():\n    with open('big', 'wb') as file:\n        file.write(bytes(100_000_000))"
    assert run(level, source, "f")[0]["raised"]["type"] == "OSError"


def test_cost_of_a_flood_is_bounded(level):
    worker = level.worker()
    worker.ask("cell", ("a", ["def f():\n    while True: print('x' * 100_000)"], []), 5)
    with pytest.raises(Fault):
        worker.ask("call", ("f", ()), 0.7)
    assert len(worker.prints.take()) < 3 * sandbox.KEPT_OUTPUT


def test_prints_come_with_the_answer_and_large_values_both_ways(level):
    worker = level.worker()
    try:
        source = "def f(X):\n    print('seen', X.shape)\n    return X + 1"
        assert worker.ask("cell", ("a", [source], []), 20)["value"] == []
        X = np.zeros((1000, 5000))
        assert (worker.ask("call", ("f", (X,)), 20)["value"] == 1).all()
        assert worker.prints.take() == "seen (1000, 5000)\n"
    finally:
        worker.kill()


def test_a_request_that_nobody_reads_ends_in_time(level):
    worker = level.worker()
    source = "import os, time\ndef f(X):\n    time.sleep(60)"
    worker.ask("cell", ("a", [source], []), 20)
    start = time.monotonic()
    with pytest.raises(Fault, match="no answer"):
        worker.ask("call", ("f", (np.zeros(10**6),)), 0.7)
    assert time.monotonic() - start < 8


def test_a_reply_is_matched_to_its_request(level):
    worker = level.worker()
    source = """
import __main__, sys
def f(): return 1
def g():
    for frame in sys._current_frames().values():
        while frame:
            if "self" in frame.f_locals and hasattr(frame.f_locals["self"], "request"):
                own = frame.f_locals["self"]
            frame = frame.f_back
    own.write(own.wire.pack({"id": "0-0", "value": 1}))
"""
    assert worker.ask("cell", ("a", [source], []), 5)["value"] == []
    assert worker.ask("call", ("f", ()), 5)["value"] == 1
    with pytest.raises(Fault, match="not the answer to the question"):
        worker.ask("call", ("g", ()), 5)


# ------------------------------------------------------------------- the end


def alive(folder):
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            command = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if str(folder) in command:
            found.append(int(pid))
    return found


def test_a_closed_sandbox_leaves_nothing():
    found = Sandbox("limits")
    folder, worker = found.folder, found.worker()
    assert alive(folder)
    worker.kill()
    found.close()
    assert not alive(folder)
    assert not folder.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's signal at the parent's death is Linux's")
@pytest.mark.parametrize("name", EVERY)
def test_workers_die_with_a_killed_grader_and_the_next_one_sweeps(name):
    source = f"""
import sys, time
from mlnotes.grading.sandbox import Sandbox
found = Sandbox({name!r})
worker = found.worker()
worker.ask("cell", ("a", ["import signal\\ndef f():\\n while True: pass"], []), 5)
print(found.folder, flush=True)
worker.ask("call", ("f", ()), 100)
"""
    grader = subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, text=True)
    folder = Path(grader.stdout.readline().strip())
    time.sleep(0.3)
    assert alive(folder)
    grader.send_signal(signal.SIGKILL)
    grader.wait()
    grader.stdout.close()
    end = time.monotonic() + 5
    while alive(folder) and time.monotonic() < end:
        time.sleep(0.05)
    assert not alive(folder)
    assert folder.exists()
    Sandbox("limits").close()
    assert not folder.exists()


# ------------------------------------------------------------------- probing


def test_the_best_level_is_taken_and_a_missing_one_is_named(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(
        SandboxError, match=r"bwrap is not installed.*apt-get install bubblewrap.*--sandbox limits"
    ):
        Sandbox("bubblewrap")
    first = sandbox.doctor()[0]
    assert (first.works, first.reason) == (False, "bubblewrap: bwrap is not installed")


@pytest.mark.needs("bubblewrap")
@pytest.mark.needs("landlock")
def test_a_worker_that_does_not_come_up_gives_way_to_the_next_level(monkeypatch):
    real = sandbox.Worker.await_ready

    def await_ready(self):
        if self.level == "A":
            self.kill()
            raise SandboxError("a mount is refused")
        real(self)

    monkeypatch.setattr(sandbox.Worker, "await_ready", await_ready)
    with Sandbox(wait=False) as found:
        assert found.name == "landlock"
        assert value(found, "def f(): return 1") == 1
    with Sandbox("bubblewrap", wait=False) as found, pytest.raises(SandboxError, match="a mount is refused"):
        found.worker()


def test_nothing_is_taken_in_its_place_when_no_level_works(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(staging, "_WORKER", ("worker.py", "wire.py"))  # then no worker comes up at all
    with pytest.raises(SandboxError, match="no sandbox works here"):
        Sandbox()


def test_an_unknown_level_is_a_usage_error():
    with pytest.raises(
        ValueError, match="sandbox must be auto, bubblewrap, landlock, jail, limits, got 'docker'"
    ):
        Sandbox("docker")


@pytest.mark.needs("landlock")
def test_a_worker_that_is_not_confined_is_not_used(monkeypatch):
    source = Path(staging.__file__).with_name("confine.py").read_text()
    weak = source.replace(
        "def seccomp() -> None:", "def seccomp() -> None:\n    return\n\n\ndef unused() -> None:"
    )

    def copy(src, dst, **options):
        Path(dst).write_text(weak if Path(src).name == "confine.py" else Path(src).read_text())

    real = staging.shutil.copy2
    monkeypatch.setattr(
        staging.shutil, "copy2", lambda s, d, **o: copy(s, d) if Path(s).suffix == ".py" else real(s, d, **o)
    )
    with pytest.raises(SandboxError, match=r"can still reach .*UDP"):
        Sandbox("landlock")


# ------------------------------------------------------------------- the filter, without the kernel


def decide(program, machine, number, *arguments, arch=None):
    """Run a seccomp program on one system call, as the kernel would (a BPF machine of twenty lines)."""
    words = struct.pack("<iIQ6Q", number, arch or confine._AUDIT[machine], 0, *(*arguments, *[0] * 6)[:6])
    code = [struct.unpack_from("<HBBI", program, start) for start in range(0, len(program), 8)]
    at, register = 0, 0
    while True:
        operation, true, false, k = code[at]
        at += 1
        if operation == 0x20:
            register = struct.unpack_from("<I", words, k)[0]
        elif operation == 0x06:
            return k
        else:
            test = {0x15: register == k, 0x25: register > k, 0x45: bool(register & k)}[operation]
            at += true if test else false


ALLOW, KILL, EPERM, ENOSYS = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter_on_each_architecture(machine):
    program, numbers = confine.seccomp_program(machine, 7), confine._NUMBERS[machine]
    refused = confine.PROCESSES + confine.NETWORK + confine.LASTING + confine.SYSTEM
    for name in refused:
        if name in numbers:
            assert decide(program, machine, numbers[name]) == EPERM, name
    missing = {name for name in refused if name not in numbers}
    only_x86 = {"fork", "vfork", "iopl", "ioperm", "modify_ldt"}
    assert missing == (set() if machine == "x86_64" else only_x86)
    assert decide(program, machine, numbers["clone"], 0x00010000) == ALLOW
    assert decide(program, machine, numbers["clone"], 17) == EPERM
    assert decide(program, machine, numbers["clone3"]) == ENOSYS
    assert decide(program, machine, 463) == ENOSYS
    assert decide(program, machine, numbers["kill"], 7) == ALLOW
    for other in (1, 0, 2**32 - 1, 2**32 - 7):
        assert decide(program, machine, numbers["kill"], other) == EPERM
    assert decide(program, machine, numbers["prctl"], 1) == EPERM
    assert decide(program, machine, numbers["prctl"], 22) == ALLOW
    assert decide(program, machine, numbers["fcntl"], 3, 1) == ALLOW
    assert decide(program, machine, numbers["fcntl"], 3, 8) == EPERM
    assert decide(program, machine, 63 if machine == "aarch64" else 0) == ALLOW
    assert decide(program, machine, 0, arch=0x40000003) == KILL
    if machine == "x86_64":
        assert decide(program, machine, 0x40000000 | 41) == KILL


def test_the_numbers_are_this_kernels(tmp_path):
    """Compare the table of this machine with the C library's headers, where they are installed."""
    header = next((p for p in (Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
                               Path("/usr/include/asm-generic/unistd.h")) if p.exists()), None)  # fmt: skip
    if header is None or platform.machine() != "x86_64" or "unistd_64" not in header.name:
        pytest.skip("no kernel headers of this architecture")
    words = [line.split() for line in header.read_text().splitlines() if line.startswith("#define __NR_")]
    known = {w[1].removeprefix("__NR_"): int(w[2]) for w in words if len(w) == 3 and w[2].isdigit()}
    ours = confine._NUMBERS["x86_64"]
    assert {name: number for name, number in ours.items() if name in known} == {
        name: known[name] for name in ours if name in known
    }


# ------------------------------------------------------------------- staging


def test_staging_keeps_file_times_and_brings_the_libraries(tmp_path):
    staged = staging.stage(tmp_path, interpreter=True)
    found = next((tmp_path / "packages" / "numpy").glob("__init__.py"))
    assert found.stat().st_mtime == Path(np.__file__).stat().st_mtime
    names = {path.name for path in (tmp_path / "lib").iterdir()}
    assert {"libc.so.6", "libm.so.6"} <= names
    assert not list(tmp_path.rglob("site-packages"))
    assert not list(tmp_path.rglob("mlnotes"))
    code = "import sys, json; print(json.dumps([sys.version_info[:3], sys.path]))"
    command = [*staged.command[:-1], "-c", code]
    version, path = json.loads(subprocess.run(command, capture_output=True, env={}).stdout)
    assert tuple(version) == sys.version_info[:3]
    assert all(str(tmp_path) in entry for entry in path)


def test_the_stage_moves_with_its_mount(tmp_path):
    staged = staging.Stage(tmp_path, (f"{tmp_path}/a", "-I", f"{tmp_path}/b"), f"{tmp_path}/packages")
    assert staged.at("/runtime").command == ("/runtime/a", "-I", "/runtime/b")
    assert staged.at("/runtime").packages == "/runtime/packages"
