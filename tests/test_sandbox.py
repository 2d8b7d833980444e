"""The levels of confinement: what a worker can reach, what its environment is, how it ends."""

import importlib.util
import json
import os
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from mlnotes.grading.protocol import worker
from mlnotes.grading.results import Fault
from mlnotes.grading.sandbox import clocks, confinement, disk, levels, packages, process, staging
from mlnotes.grading.sandbox.levels import Sandbox
from mlnotes.grading.sandbox.pipes import Threaded, pipes
from mlnotes.grading.sandbox.process import ENVIRONMENT, SandboxError

_spec = importlib.util.spec_from_file_location("syscalls", Path(__file__).with_name("syscalls.py"))
syscalls = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(syscalls)
ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can change its root folder")
STRONG = [pytest.param(name, marks=pytest.mark.needs(name)) for name in ("bubblewrap", "landlock")]
STRONG += [pytest.param("jail", marks=[ROOT, pytest.mark.needs("jail")])]
EVERY = [*STRONG, "limits"]
LONG = 120.0  # seconds for what must end: a machine may be busy


@pytest.fixture(scope="module", params=[*EVERY, "threads"])
def level(request):
    """Each level, and the last one with the pipes of a system that cannot poll them."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "threads":
            # the other levels, which have a filter to hear, are used by tests between those of this fixture
            patch.setattr(process, "pipes", lambda *a: pipes(*a) if a[-1] else Threaded(*a))
        with Sandbox("limits" if request.param == "threads" else request.param) as found:
            yield found


@pytest.fixture(scope="module", params=STRONG)
def strong(request):
    with Sandbox(request.param) as found:
        yield found


def run(found, source, *calls, megabytes=2048, seconds=LONG):
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


@pytest.mark.parametrize("name", EVERY)
def test_what_an_assignment_allows_can_be_imported_and_nothing_else(name):
    source = (
        "import importlib.util\nfrom scipy import linalg, stats\n"
        "def f(): return float(linalg.norm([3.0, 4.0])), float(stats.norm.cdf(0.0))\n"
        "def absent(): return [name for name in ('mlnotes', 'sklearn', 'joblib', 'pytest', 'pip')"
        " if importlib.util.find_spec(name)]"
    )
    with Sandbox(name, packages=("scipy",)) as found:
        worker = found.worker()
        assert worker.ask("cell", ("submission.py", [source], []), LONG)["value"] == []
        answers = [worker.ask("call", (called, ()), LONG)["value"] for called in ("f", "absent")]
        assert worker.watch is None or not worker.watch.tried, "an honest import is no attempt"
        worker.kill()
        inside = Path(found.staged(found.level).packages)
    assert answers == [(5.0, 0.5), []]
    tops = {path.name.partition(".")[0].partition("-")[0] for path in inside.iterdir()}
    assert tops == {"numpy", "scipy"}
    assert not [path for path in inside.rglob("*") if path.name in ("direct_url.json", "RECORD")]
    assert all(path.stat().st_mode & 0o444 == 0o444 for path in inside.iterdir())


@pytest.mark.parametrize(
    ("package", "words"),
    [
        ("no_such_thing", "allows the package 'no_such_thing', which is not installed here"),
        ("mlnotes", "mlnotes cannot be among the packages of an assignment: it has the answers"),
    ],
)
def test_a_package_that_cannot_be_allowed(package, words):
    with pytest.raises(ValueError, match=words):
        Sandbox("limits", packages=(package,))


def test_what_a_package_needs_comes_with_it_and_nothing_of_its_extras():
    names = {item.metadata["Name"] for item in packages.distributions(("sklearn",))}
    assert {"scikit-learn", "scipy", "joblib", "threadpoolctl"} <= names
    assert names.isdisjoint({"numpy", "pytest", "matplotlib"})


def test_numpy_has_the_graders_version(level):
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


def test_files_of_the_machine_cannot_be_opened(strong):
    source = """
import os
import random
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


def test_only_protocol_descriptors_are_open(level):
    source = """
import os
import random
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


def test_random_is_seeded_when_imported_late(level):
    source = "from importlib.util import find_spec\nfind_spec('random')\nimport random\nX = random.random()"
    assert value(level, f"{source}\ndef f(): return X") == random.Random(worker.SEED).random()


def test_modules_are_loaded_lazily_and_completely(level):
    """What few submissions use takes a quarter of the time in which a worker starts."""
    slow = ["ast", "dataclasses", "fractions", "inspect", "linecache", "pickle", "platform", "random"]
    assert value(level, f"import sys\ndef f(): return [n for n in {slow} if n in sys.modules]") == []
    source = """
import ast, datetime, fractions, inspect, pickle, numpy as np
def own(): return 1  # a comment
def f():
    day = np.datetime64("2024-02-29").astype(object)
    return [inspect.getsource(own), pickle.loads(np.arange(3).dumps()).tolist(), ast.literal_eval("[1]"),
            isinstance(day, datetime.date), fractions.Fraction(1, 3), np.matrix("1 2").tolist()]
"""
    whole = ["def own(): return 1  # a comment\n", [0, 1, 2], [1], True, Fraction(1, 3), [[1, 2]]]
    assert value(level, source) == whole


def test_a_scratch_file_may_be_written_and_is_gone_afterwards(level):
    source = "def f():\n    open('scratch', 'w').write('x')\n    return open('scratch').read()"
    assert value(level, source) == "x"
    gone = "import os\ndef f(): return os.path.exists('scratch') or os.listdir('.')"
    assert value(level, gone) == []


@pytest.mark.parametrize("call", ["socket.socket()", "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
                                  "socket.socket(socket.AF_UNIX)", "os.fork()", "os.kill(os.getppid(), 0)",
                                  "os.execv('/bin/sh', ['sh'])",
                                  "os.setpriority(0, 0, 0)", "subprocess.run(['true'])"])  # fmt: skip
def test_filter_refuses_system_calls(strong, call):
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
    worker = level.worker()
    worker.ask("cell", ("a", ["def f():\n    while True: pass"], []), LONG)
    start = time.monotonic()
    with pytest.raises(Fault, match=r"no answer within 0\.5 s"):
        worker.ask("call", ("f", ()), 0.5)
    assert time.monotonic() - start < LONG
    assert worker.process.poll() is not None


def test_waiting_for_a_processor_does_not_count_as_time(level, monkeypatch):
    """Four fifths of the time the worker waits for a processor."""
    monkeypatch.setattr(clocks, "had", lambda pid: (0.8 * time.monotonic(), 0.0))
    worker = level.worker()
    worker.ask("cell", ("a", ["import time"], []), LONG)
    worker.ask("cell", ("b", ["time.sleep(1.0)"], []), 0.5)
    with pytest.raises(Fault, match=r"no answer within 0\.5 s"):
        worker.ask("cell", ("c", ["time.sleep(600)"], []), 0.5)


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="the system tells of no waits")
def test_waiting_and_processor_time_are_read_from_proc():
    core, loop = {min(os.sched_getaffinity(0))}, "while True: pass"
    others = [subprocess.Popen([sys.executable, "-S", "-c", loop]) for _ in range(2)]
    try:
        for other in others:
            os.sched_setaffinity(other.pid, core)
        give_up = time.monotonic() + LONG
        while not all(min(clocks.had(other.pid)) > 0.1 for other in others):
            assert time.monotonic() < give_up
            time.sleep(0.05)
    finally:
        for other in others:
            other.kill()
            other.wait()


def test_threads_cannot_stop_the_clock(monkeypatch):
    moments = iter([(0.0, 0.0), (50.0, 9.0), (50.0, 11.0), (0.0, 0.0)])
    monkeypatch.setattr(clocks, "had", lambda pid: next(moments))
    monkeypatch.setattr(clocks.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(clocks.time, "monotonic", iter([0.0, 0.125, *[50.0] * 6]).__next__)
    clock = clocks.Clock(1)
    assert clock.left(5.0) == 5.0 - clocks.MOMENT
    assert clock.left(5.0) == 5.0 - 9.0 / 2  # it waited all the time, as threads of its own had two cores
    assert clock.left(5.0) < 0
    assert clock.passed() == 11.0 / 2, "what is gone has had what it had"


def test_progress_messages_do_not_extend_the_time(monkeypatch):
    """Whatever comes in between: the process is looked at after a moment, and again when the time is up."""
    now, looks = [0.0], []
    monkeypatch.setattr(clocks, "had", lambda pid: looks.append(now[0]) or (0.0, 0.0))
    monkeypatch.setattr(clocks.time, "monotonic", lambda: now[0])
    clock = clocks.Clock(1)
    while clock.left(1.0) > 0:
        now[0] += 1 / 64
    assert 1 <= now[0] < 1 + 1 / 16
    assert looks == [7 / 64, now[0]]


def test_a_worker_that_does_not_come_up_is_started_again(monkeypatch, caplog):
    """Where a level has worked, that a start fails says something of the machine and nothing of the file."""
    with Sandbox("limits") as found:
        found.worker().kill()
        real, fails = levels.Worker.await_ready, [True]

        def await_ready(self):
            if fails and fails.pop():
                monkeypatch.setattr(process, "START_SECONDS", 0.0)
            try:
                real(self)
            finally:
                monkeypatch.setattr(process, "START_SECONDS", LONG)

        monkeypatch.setattr(levels.Worker, "await_ready", await_ready)
        assert value(found, "def f(): return 1") == 1
        assert "no answer within 0 s" in caplog.text


@pytest.mark.needs("bubblewrap")
def test_a_level_is_tried_again_before_a_lower_one_where_it_was_only_slow(monkeypatch):
    real, started = levels.Worker.await_ready, []

    def await_ready(self):
        started.append(self.level)
        if len(started) == 1:
            self.kill()
            raise process.NoAnswer("no answer within 60 s")
        real(self)

    monkeypatch.setattr(levels.Worker, "await_ready", await_ready)
    with Sandbox() as found:
        assert (found.name, started) == ("bubblewrap", ["A", "A"])


def test_numpy_docstrings_and_typing_are_available(level):
    source = """
import numpy as np
import numpy.typing as npt
def f():
    vectors: npt.NDArray[np.float64] = np.linalg.eigh(np.eye(2)).eigenvectors
    return [np.ndarray.sum.__doc__, np.float64.__doc__, repr(npt.NDArray[np.float64]), vectors.tolist()]
"""
    hints = np.typing.NDArray[np.float64]
    assert value(level, source) == [
        np.ndarray.sum.__doc__,
        np.float64.__doc__,
        repr(hints),
        np.eye(2).tolist(),
    ]


def test_masked_arrays_are_loaded_on_use(level):
    source = """
import sys
import numpy as np
early = "numpy.ma" in sys.modules
def f():
    held, gave = np.ma, [np.unique([2, 1, 2]).tolist(), ("numpy.ma" in sys.modules) == early]
    x = held.masked_equal([2, 1, 2, 0], 1)
    gave += [held.is_masked(x), np.ma.is_masked(x), held.is_masked(x.data), str(np.unique(x))]
    from numpy.ma import masked_array
    import numpy.lib.recfunctions
    return [*gave, isinstance(x, masked_array), held.MaskedArray is masked_array]
"""
    unique = str(np.unique(np.ma.masked_equal([2, 1, 2, 0], 1)))
    assert value(level, source) == [[1, 2], True, True, True, False, unique, True, True]


def test_file_size(level):
    source = "def f():\n    with open('big', 'wb') as file:\n        file.write(bytes(100_000_000))"
    assert run(level, source, "f")[0]["raised"]["type"] == "OSError"


def test_cost_of_a_flood_is_bounded(level):
    worker = level.worker()
    worker.ask("cell", ("a", ["def f():\n    while True: print('x' * 100_000)"], []), LONG)
    with pytest.raises(Fault):
        worker.ask("call", ("f", ()), 0.7)
    assert len(worker.prints.take()) < 3 * process.KEPT_OUTPUT


def test_prints_come_with_the_answer_and_large_values_both_ways(level):
    worker = level.worker()
    try:
        source = "def f(X):\n    print('seen', X.shape)\n    return X + 1"
        assert worker.ask("cell", ("a", [source], []), LONG)["value"] == []
        X = np.zeros((1000, 5000))
        assert (worker.ask("call", ("f", (X,)), LONG)["value"] == 1).all()
        end = time.monotonic() + LONG
        while isinstance(worker.pipes, Threaded) and not worker.prints.size and time.monotonic() < end:
            worker.pipes.drain()  # of threads what was printed may come a moment later
        assert worker.prints.take() == "seen (1000, 5000)\n"
    finally:
        worker.kill()


def test_a_request_that_nobody_reads_ends_in_time(level):
    worker = level.worker()
    worker.ask("cell", ("a", ["import time\ndef f(X):\n    time.sleep(600)"], []), LONG)
    start = time.monotonic()
    with pytest.raises(Fault, match=r"no answer within 0\.7 s"):
        worker.ask("call", ("f", (np.zeros(10**6),)), 0.7)
    assert time.monotonic() - start < LONG
    assert worker.process.poll() is not None


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


@pytest.fixture
def own_place(monkeypatch):
    """A folder for runs that no other process sweeps, open to the user ids of workers as /tmp is."""
    with tempfile.TemporaryDirectory(prefix="runs-") as name:
        os.chmod(name, 0o755)
        monkeypatch.setattr(tempfile, "tempdir", name)
        yield name


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's signal at the parent's death is Linux's")
@pytest.mark.parametrize("name", EVERY)
def test_workers_die_with_a_killed_grader_and_the_next_one_sweeps(name, own_place):
    source = f"""
import sys, time
from mlnotes.grading.sandbox.levels import Sandbox
found = Sandbox({name!r})
worker = found.worker()
worker.ask("cell", ("a", ["import signal\\ndef f():\\n while True: pass"], []), {LONG})
print(found.folder, flush=True)
worker.ask("call", ("f", ()), 1000)
"""
    environment = os.environ | {"TMPDIR": own_place}
    grader = subprocess.Popen(
        [sys.executable, "-c", source], stdout=subprocess.PIPE, text=True, env=environment
    )
    folder = Path(grader.stdout.readline().strip())
    time.sleep(0.3)  # most often it is in the loop then
    assert alive(folder)
    grader.send_signal(signal.SIGKILL)
    grader.wait()
    grader.stdout.close()
    end = time.monotonic() + LONG
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
    first = levels.doctor()[0]
    assert (first.works, first.reason) == (False, "bubblewrap: bwrap is not installed")


@pytest.mark.needs("bubblewrap")
@pytest.mark.needs("landlock")
def test_a_worker_that_does_not_come_up_gives_way_to_the_next_level(monkeypatch):
    real = levels.Worker.await_ready

    def await_ready(self):
        if self.level == "A":
            self.kill()
            raise SandboxError("a mount is refused")
        real(self)

    monkeypatch.setattr(levels.Worker, "await_ready", await_ready)
    with Sandbox(wait=False) as found:
        assert found.name == "landlock"
        assert value(found, "def f(): return 1") == 1
    with Sandbox("bubblewrap", wait=False) as found, pytest.raises(SandboxError, match="a mount is refused"):
        found.worker()


def test_no_level_works_is_an_error(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(staging, "_WORKER", ("protocol/worker.py",))  # then no worker comes up
    monkeypatch.setattr(levels, "shared", lambda **_: None)
    with pytest.raises(SandboxError, match="no sandbox works here"):
        Sandbox()


def test_an_unknown_level_is_a_usage_error():
    with pytest.raises(
        ValueError, match="sandbox must be auto, bubblewrap, landlock, jail, limits, got 'docker'"
    ):
        Sandbox("docker")


@pytest.mark.needs("landlock")
def test_a_worker_that_is_not_confined_is_not_used(monkeypatch):
    source = Path(confinement.__file__).read_text()
    weak = source.replace(
        "def seccomp(channel: int = -1) -> None:",
        "def seccomp(channel: int = -1) -> None:\n    os.close(channel)\n    return\n\n\ndef unused():",
    )

    def copy(src, dst, **options):
        Path(dst).write_text(weak if Path(src).name == "confinement.py" else Path(src).read_text())

    real = staging.shutil.copy2
    monkeypatch.setattr(levels, "shared", lambda **_: None)
    monkeypatch.setattr(
        staging.shutil, "copy2", lambda s, d, **o: copy(s, d) if Path(s).suffix == ".py" else real(s, d, **o)
    )
    with pytest.raises(SandboxError, match=r"can still reach .*UDP"):
        Sandbox("landlock")


# ------------------------------------------------------------------- the filter, without the kernel


def decide(program, machine, number, *arguments, arch=None):
    """Run a seccomp program on one system call, as the kernel would (a BPF machine of twenty lines)."""
    words = struct.pack("<iIQ6Q", number, arch or confinement._AUDIT[machine], 0, *(*arguments, *[0] * 6)[:6])
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
@pytest.mark.parametrize("watched", [False, True])
def test_the_filter_on_each_architecture(machine, watched):
    program, numbers = confinement.seccomp_program(machine, 7, watched=watched), confinement._NUMBERS[machine]
    refusal = 0x7FC00000 if watched else EPERM
    refused = (
        confinement.PROCESSES
        + confinement.NETWORK
        + confinement.LASTING
        + confinement.SYSTEM
        + confinement.FILES
    )
    for name in refused:
        if name in numbers:
            assert decide(program, machine, numbers[name]) == refusal, name
    missing = {name for name in refused if name not in numbers}
    only_x86 = {"fork", "vfork", "iopl", "ioperm", "modify_ldt", "chmod", "chown", "lchown", "utime",
                "utimes", "futimesat", "link", "mknod", "inotify_init"}  # fmt: skip
    assert missing == (set() if machine == "x86_64" else only_x86)
    assert decide(program, machine, numbers["clone"], 0x00010000) == (refusal if watched else ALLOW)
    assert decide(program, machine, numbers["clone"], 17) == refusal
    assert decide(program, machine, numbers["clone3"]) == ENOSYS
    assert decide(program, machine, numbers["openat2"]) == ENOSYS
    assert decide(program, machine, confinement._LAST_KNOWN + 1) == ENOSYS
    assert decide(program, machine, numbers["kill"], 7) == ALLOW
    for other in (1, 0, 2**32 - 1, 2**32 - 7):
        assert decide(program, machine, numbers["kill"], other) == refusal
    assert decide(program, machine, numbers["prctl"], 22) == ALLOW
    assert decide(program, machine, numbers["fcntl"], 3, 1) == ALLOW
    for call, arguments in {
        "prctl": [(1,), (4,)],
        "fcntl": [(3, 8), (3, 1024), (3, 1026), (3, 1031)],
    }.items():
        for values in arguments:
            assert decide(program, machine, numbers[call], *values) == refusal
    assert decide(program, machine, 63 if machine == "aarch64" else 0) == ALLOW
    assert decide(program, machine, numbers["openat"], 3, 0, 0) == ALLOW
    assert decide(program, machine, numbers["openat"], 3, 0, os.O_WRONLY) == (refusal if watched else ALLOW)
    assert decide(program, machine, 0, arch=0x40000003) == KILL
    if machine == "x86_64":
        assert decide(program, machine, 0x40000000 | 41) == KILL


@pytest.mark.parametrize("machine", syscalls.HEADERS)
def test_system_call_numbers_match_the_kernel_headers(machine):
    if syscalls.header(machine) is None:
        if os.environ.get("MLNOTES_CI") == "1":
            pytest.fail("no kernel headers (linux-libc-dev); with MLNOTES_CI=1 nothing may be skipped")
        pytest.skip("no kernel headers here (linux-libc-dev)")
    assert syscalls.numbers(machine) == confinement._NUMBERS[machine]
    assert syscalls.block() in Path(confinement.__file__).read_text(), "python tests/syscalls.py writes it"


# ------------------------------------------------------------------- what it is told


TRIES = """
import os, socket
def f():
    refused = 0
    for attempt in [os.fork] * 50 + [socket.socket] * 3 + [lambda: os.chmod("..", 0)] * 2 + [
        lambda: open("/etc/hosts", "a"), lambda: os.utime("/etc/hosts"), lambda: os.link("own", "other")
    ]:
        try:
            attempt()
        except OSError:
            refused += 1
    return refused
open("own", "w").close()
"""


def test_refused_calls_are_counted(strong):
    worker = strong.worker()
    try:
        notes = worker.ask("cell", ("a", [TRIES], []), LONG)["value"]
        assert notes == []
        assert worker.ask("call", ("f", ()), LONG)["value"] == 58
        assert worker.watch.tried == {
            "change the mode, owner, times or links of a file": 4, "start a process": 50,
            "use the network": 3, "write outside its folder": 1,
        }  # fmt: skip
    finally:
        worker.kill()


def test_honest_file_operations_work_and_are_not_counted(strong):
    source = """
import io, json, numpy as np, os, pathlib, pickle, shelve, shutil, sqlite3, tempfile, zipfile
def f():
    np.savetxt("a.txt", np.eye(2)); np.save("a", np.eye(2))
    with zipfile.ZipFile("a.zip", "w") as file: file.write("a.npy")
    zipfile.ZipFile("a.zip").extractall("out")
    with tempfile.TemporaryDirectory() as place: open(f"{place}/x", "w").write("x")
    base = sqlite3.connect("base.db"); base.execute("create table t (x)"); base.commit(); base.close()
    open("/dev/null", "w").write("x")
    shutil.copy("a.txt", "b.txt"); shutil.copytree("out", "out2"); os.chmod("b.txt", 0o600); os.utime("b.txt")
    pathlib.Path("c.txt").touch()
    with shelve.open("shelf") as shelf: shelf["x"] = 1
    return float(np.load("out/a.npy").sum() + np.loadtxt("a.txt").sum())
"""
    worker = strong.worker()
    try:
        assert worker.ask("cell", ("a", [source], []), LONG)["value"] == []
        assert worker.ask("call", ("f", ()), LONG)["value"] == 4
        assert not worker.watch.tried
    finally:
        worker.kill()


def test_modes_and_times_of_own_files_stay_unchanged(strong):
    source = """
import os
import random
def f():
    with open("own", "w"): pass
    before = os.stat("own")
    os.chmod("own", 0); os.utime("own", (1, 1))
    after = os.stat("own")
    return before.st_mode == after.st_mode, before.st_mtime == after.st_mtime
"""
    assert value(strong, source) == (True, True)


def test_a_path_may_lie_across_two_pages_of_memory(strong):
    source = """
import os
import random
def f():
    with open("own", "w"): pass
    same = [bytes(bytearray(b"./" * 50 + b"own")) for _ in range(1000)]
    for path in same: os.chmod(path, 0o600)
    return len(same)
"""
    assert value(strong, source) == 1000


def test_chmod_through_a_link_reveals_nothing(strong):
    """The grader sees more of the machine than the submission does."""
    source = """
import os
import random
def f():
    try:
        os.symlink("/", "out")
    except OSError:
        return "refused"
    errors = []
    for name in ("etc/passwd", "etc/nothing"):
        try:
            os.chmod(f"out/{name}", 0)
        except OSError as error:
            errors.append(error.errno)
    return "alike" if len(errors) == 2 and errors[0] == errors[1] else "told"
"""
    assert value(strong, source) in ("refused", "alike")


def test_the_number_of_threads_is_limited_and_reported(strong):
    source = """
import threading
def f(n):
    threading.stack_size(32 << 10)
    stop, started = threading.Event(), []
    try:
        for _ in range(n):
            started.append(threading.Thread(target=stop.wait))
            started[-1].start()
    except RuntimeError:
        started.pop()
    stop.set()
    for thread in started: thread.join()
    return len(started)
"""
    worker = strong.worker()
    try:
        assert worker.ask("cell", ("a", [source], []), LONG)["value"] == []
        assert [worker.ask("call", ("f", (n,)), LONG)["value"] for n in (200, 1000, 200)] == [200, 255, 200]
        assert worker.watch.tried == {"start more than 256 threads": 1}
    finally:
        worker.kill()


def test_an_idle_worker_is_stopped(strong):
    """At level A it goes on, on a disk of its own."""
    source = """
import threading
files = [open(f"f{k}", "wb") for k in range(40)]
count = [0]
def go_on():
    for file in files:
        file.write(bytes(10 << 20))
    while True: count[0] += 1
def f(): threading.Thread(target=go_on, daemon=True).start()
"""
    worker = strong.worker()
    try:
        assert worker.ask("cell", ("a", [source], []), 20)["value"] == []
        worker.ask("call", ("f", ()), 20)
        if strong.level == "A":
            return
        place = Path(f"/proc/{worker.process.pid}/stat")
        end = time.monotonic() + 10
        while (fields := place.read_text().rpartition(")")[2].split())[0] != "T":
            assert time.monotonic() < end, "it goes on"
        time.sleep(1)
        later = place.read_text().rpartition(")")[2].split()
        assert later[0] == "T", "stopped"
        # In hundredths of a second: its threads stop a moment apart, and one that goes on needs 100.
        assert int(later[11]) - int(fields[11]) < 20, "it needs the processor"
        assert sum(path.stat().st_blocks * 512 for path in worker.private.iterdir()) <= 64 << 20
    finally:
        worker.kill()


@pytest.mark.needs("landlock")
def test_truncation_is_refused_without_landlock_support(tmp_path):
    """As on Linux before 6.2, whose Landlock does not know of truncation."""
    here = Path(confinement.__file__).parent
    code = f"""
import sys; sys.path[:0] = [{str(here)!r}]
import confinement, os
confinement.landlock_version = lambda: 2
confinement.no_new_privileges()
confinement.landlock(["/usr", "/lib", {sys.prefix!r}], [])
confinement.seccomp()
try: os.truncate({str(tmp_path / "file")!r}, 0)
except OSError as error: print(type(error).__name__)
"""
    (tmp_path / "file").write_text("whole")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "PermissionError\n", done.stderr
    assert (tmp_path / "file").read_text() == "whole"


def test_without_a_listener_the_filter_still_refuses(monkeypatch):
    """As where the kernel has none: the worker gets no channel to send it through."""
    with Sandbox("limits") as found:
        here = Path(confinement.__file__).parent
        code = (
            f"import sys; sys.path[:0] = [{str(here)!r}]; import confinement, os; "
            "confinement.no_new_privileges(); confinement.seccomp(); os.fork()"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert found.name == "limits"
    if not confinement.supported():
        pytest.skip("no filter is written for this machine")
    assert "PermissionError" in done.stderr


# ------------------------------------------------------------------- the disk, and what is left on it


HELD = {
    "removed while open": """
def f():
    for k in range(8):
        kept.append(open(str(k), "wb")); os.unlink(str(k)); kept[-1].write(bytes(60 << 20)); kept[-1].flush()
""",
    "mapped, removed and closed": """
def f():
    for k in range(8):
        file = open(str(k), "w+b"); os.unlink(str(k)); file.truncate(60 << 20)
        kept.append(mmap.mmap(file.fileno(), 60 << 20)); file.close(); kept[-1][:] = bytes(60 << 20)
""",
    "beyond the longest path": """
def f():
    for k in range(20): os.mkdir("n" * 250); os.chdir("n" * 250)
    for k in range(8): open(str(k), "wb").write(bytes(60 << 20))
""",
    "in a dark folder": """
def f():
    os.mkdir("dark", 0o300); os.chdir("dark")
    for k in range(8): open(str(k), "wb").write(bytes(60 << 20))
""",
    "without ever having a name": """
def f():
    for k in range(8):
        kept.append(os.open(".", os.O_TMPFILE | os.O_RDWR)); os.write(kept[-1], bytes(60 << 20))
""",
    "deeper than Python recurses": """
def f():
    for k in range(100_000): os.mkdir("d"); os.chdir("d")
""",
}


@pytest.mark.parametrize("how", HELD)
def test_the_disk_is_limited_however_it_is_held(strong, how):
    if strong.level == "A" and "deeper" in how:
        return  # its own file system ends with it
    worker = strong.worker()
    source = f"import mmap, os, time\nkept = []\n{HELD[how]}    time.sleep(60)"
    worker.ask("cell", ("a", [source], []), LONG)
    try:
        kind = worker.ask("call", ("f", ()), LONG)["raised"]["type"]
    except Fault as fault:
        kind = f"{fault}"
    if strong.level == "A":  # ENOSPC, or SIGBUS of a mapping that finds no room
        assert kind == "OSError" or "SIGBUS" in kind
    else:
        assert "OUTPUT" in kind
        assert "were written" in kind or "look into" in kind
    worker.kill()
    assert worker.private is None or not os.path.lexists(worker.private)


def test_removal_ends_whatever_is_there(tmp_path):
    place = tmp_path / "place"
    place.mkdir()
    here = os.open(place, os.O_RDONLY)
    for _ in range(3_000):
        os.mkdir("d", dir_fd=here)
        inner = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)
    (place / "dark").mkdir()
    (place / "dark" / "file").write_text("x")
    (place / "dark" / "within").mkdir(mode=0o500)
    (place / "link").symlink_to(tmp_path)
    (tmp_path / "kept").write_text("x")
    (place / "dark").chmod(0o300)
    disk.remove(place)
    assert not place.exists()
    assert (tmp_path / "kept").exists()
    disk.remove(place)  # not there: nothing to say


def test_failing_removal_is_ignored(monkeypatch, tmp_path):
    def fails(*_, **__):
        raise RecursionError

    monkeypatch.setattr(disk, "_emptied", fails)
    disk.remove(tmp_path)
    monkeypatch.undo()
    assert tmp_path.exists()


# ------------------------------------------------------------------- talk


@pytest.mark.parametrize("identity", ["'0-0'", "numpy.zeros(2)", "[1]", "None", "0", "{'a': numpy.ones(3)}"])
def test_a_reply_of_another_identity_ends_the_worker(level, identity):
    worker = level.worker()
    source = """
import sys, numpy
def f():
    for frame in sys._current_frames().values():
        while frame:
            if "self" in frame.f_locals and hasattr(frame.f_locals["self"], "request"):
                own = frame.f_locals["self"]
            frame = frame.f_back
    own.write(own.wire.pack({"id": ID, "value": 1}))
"""
    worker.ask("cell", ("a", [source.replace("ID", identity)], []), LONG)
    with pytest.raises(Fault, match="OUTPUT"):
        worker.ask("call", ("f", ()), LONG)
    assert worker.process.poll() is not None


def test_errors_while_reading_a_reply_are_output_faults(monkeypatch):
    with Sandbox("limits") as found:
        worker = found.worker()

        def fails(*_):
            raise OverflowError

        monkeypatch.setattr(worker.reader, "next", fails)
        with pytest.raises(Fault, match=r"OUTPUT: the answer is not one that can be read \(OverflowError\)"):
            worker.ask("names", (), LONG)
        assert worker.process.poll() is not None


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


def test_staged_files_are_copies(strong):
    staged = strong.staged(strong.level)
    for path in (Path(np.__file__), Path(os.__file__), Path(sys.executable).resolve()):
        (copy,) = [p for p in staged.folder.rglob(path.name) if p.stat().st_size == path.stat().st_size][:1]
        assert copy.stat().st_ino != path.stat().st_ino


def test_a_stage_is_made_once_and_only_by_its_owner(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() or 1)  # as a user: in the own cache
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(staging, "_tree", lambda source, target: os.makedirs(target, exist_ok=True))
    monkeypatch.setattr(staging, "_compiled", lambda numpy: None)
    assert staging.shared(interpreter=False) is None or os.getuid(), "a folder of somebody else's"
    monkeypatch.setattr(os, "geteuid", os.getuid)
    if os.getuid() == 0:
        return
    first = staging.shared(interpreter=False)
    assert first == staging.shared(interpreter=False)
    assert len(list(first.folder.parent.iterdir())) == 1
    first.folder.chmod(0o777)
    assert staging.shared(interpreter=False) is None


def test_the_stage_moves_with_its_mount(tmp_path):
    staged = staging.Stage(tmp_path, (f"{tmp_path}/a", "-I", f"{tmp_path}/b"))
    assert staged.at("/runtime").command == ("/runtime/a", "-I", "/runtime/b")
    assert staged.at("/runtime").packages == "/runtime/packages"
