"""Hostile submissions, each graded in a class with honest ones: no point, no trace, no harm to a neighbour.

Each says in one sentence what it tries (``attacks/table.py``). What prints the word LEAK got somewhere.
"""

import ast
import contextlib
import ctypes
import fcntl
import fnmatch
import json
import multiprocessing.util
import os
import re
import shutil
import socket
import stat
import tempfile
import threading
import time
from pathlib import Path

import pytest

from mlnotes import grading, homework
from mlnotes.grading.results import STUDENT
from tests.attacks.table import attacks

HERE = Path(__file__).parent / "attacks"
ATTACKS = attacks()
CANARY = Path("/tmp/mlnotes-attack-canary")
LEFT = ("/dev/shm", "/var/tmp", "/run")

ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can change its root folder")
LEVELS = [
    pytest.param("bubblewrap", marks=pytest.mark.needs("bubblewrap")),
    pytest.param("landlock", marks=pytest.mark.needs("landlock")),
    pytest.param("jail", marks=[ROOT, pytest.mark.needs("jail")]),
]


def traces(runs):
    """What a submission might leave behind: files, System V objects, processes of workers.

    The class's own runs live in the folder ``runs``: those that other tests kill leave theirs in /tmp.
    """
    files = {f"{place}/{name}" for place in LEFT if os.path.isdir(place) for name in os.listdir(place)}
    files |= {name for name in os.listdir("/tmp") if "mlnotes" in name and "mlnotes-run-" not in name}
    files |= set(os.listdir(runs))
    for kind in ("shm", "msg", "sem"):
        with contextlib.suppress(OSError):
            files |= set(Path(f"/proc/sysvipc/{kind}").read_text().splitlines()[1:])
    return files | {
        f"process {pid}: {command}"
        for pid, command in processes()
        if re.search(r"sleep[ (]987\b", command) or str(runs) in command
    }


def lasting(runs, known, seconds=240):
    """The traces that stay. Other tests come and go at the same time; what is left behind stays."""
    left, deadline = traces(runs) - known, time.monotonic() + seconds
    while left and time.monotonic() < deadline:
        time.sleep(1)
        left &= traces(runs)
    return left


def processes():
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            yield pid, Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")


@contextlib.contextmanager
def open_folder(name):
    """The descriptor of a folder: a lock on it is anybody's, root's and users', and leaves no file."""
    descriptor = os.open(name, os.O_RDONLY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def shared_things():
    """A message queue with a message, shared memory and a semaphore, open to all; their ids."""
    kernel, everybody = ctypes.CDLL(None, use_errno=True), 0o1666
    text = b"\1" + bytes(7) + b"LEAK of a message".ljust(60)
    queue, memory = kernel.msgget(0, everybody), kernel.shmget(0, 4096, everybody)
    semaphore = kernel.semget(0, 1, everybody)
    assert kernel.msgsnd(queue, text, 60, 0) == 0

    def untouched():
        there = [kernel.shmctl(memory, 2, bytes(512)), kernel.semctl(semaphore, 0, 12)]  # IPC_STAT, GETVAL
        return there == [0, 0] and kernel.msgrcv(queue, bytes(512), 500, 1, 0o4000) == 60

    try:
        yield untouched
    finally:
        for call, identity in ((kernel.msgctl, queue), (kernel.shmctl, memory)):
            call(identity, 0, None)
        kernel.semctl(semaphore, 0, 0)


class Listener:
    """Hears what comes by TCP or UDP at the port that the attacks try."""

    def __init__(self):
        self.heard, self.stopped = [], False
        self.threads = [threading.Thread(target=self.hear, args=(kind,)) for kind in (1, 2)]
        for thread in self.threads:
            thread.start()

    def hear(self, kind):
        with socket.socket(socket.AF_INET, kind) as found:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            found.bind(("127.0.0.1", 49321))
            found.settimeout(0.1)
            if kind == socket.SOCK_STREAM:
                found.listen()
            while not self.stopped:
                with contextlib.suppress(TimeoutError):
                    self.heard.append(found.accept() if kind == socket.SOCK_STREAM else found.recvfrom(1000))

    def close(self):
        self.stopped = True
        for thread in self.threads:
            thread.join()


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder of runs of our own, open to the user ids of the workers as /tmp is."""
    tmp_path_factory.getbasetemp()  # of this session, made before the variable says otherwise
    multiprocessing.util.get_temp_dir()  # lasts as long as this process: not to be made in ours
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory(prefix="attacks-") as name:
        os.chmod(name, 0o755)
        patch.setenv("TMPDIR", name)
        patch.setattr(tempfile, "tempdir", None)
        yield Path(name)


@pytest.fixture(scope="module", params=LEVELS)
def graded(request, shared, runs):
    """The whole class, graded once a level: results by name, the output, what was left, what was heard."""
    place = shared / f"attacks-{request.param}"
    place.mkdir(exist_ok=True)
    told = place / "told.json"
    with open_folder(place) as lock:  # by whichever process is first
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not told.exists():
            told.write_text(json.dumps(grade_all(request.param, place, runs)))
    left, heard = json.loads(told.read_text())
    results = {p.stem: json.loads(p.read_text()) for p in (place / "out/results").glob("*.json")}
    return request.param, results, place / "out", left, heard


def grade_all(level, place, runs):
    """What was left behind, and what was heard."""
    folder = place / "submissions"
    folder.mkdir(exist_ok=True)
    for name, source in ATTACKS.items():
        (folder / f"{name}.py").write_text(source)
    for name in ("a_honest", "k_honest", "z_honest"):
        (folder / f"{name}.py").write_text((HERE / "honest.py").read_text() + f"\n# {name}\n")
    # one run at a time: the attacks share a port, a canary and an eye on the machine
    with open_folder("/tmp") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        CANARY.mkdir(exist_ok=True)
        (CANARY / "secret.key").write_text("LEAK of the secret")
        canary = stat.S_IMODE(CANARY.stat().st_mode)
        before, listener = traces(runs), Listener()
        try:
            with shared_things() as untouched:
                grading.grade_folder(
                    str(HERE / "target.py"), folder, place / "out", sandbox=level, secret=b"of these tests",
                    jobs=6,
                )  # fmt: skip
                assert untouched(), "an attack took a message, or removed what is shared"
            assert (CANARY / "secret.key").read_text() == "LEAK of the secret", "an attack changed it"
            assert stat.S_IMODE(CANARY.stat().st_mode) == canary
        finally:
            listener.close()
            shutil.rmtree(CANARY)
        left = lasting(runs, before | {CANARY.name})
    return sorted(left), [repr(message) for message in listener.heard]


@pytest.mark.parametrize("name", ATTACKS)
def test_no_attack_gains_a_point_or_learns_anything(graded, name):
    level, results, out, _, _ = graded
    result = results[name]
    assert result["sandbox"] == level
    assert [part["earned"] for part in result["parts"]] == [0.0] * 5, result["parts"]
    for part in result["parts"]:
        assert part["verdict"] in STUDENT, part
        assert part["sentence"]
    everything = json.dumps(result) + (out / "feedback" / f"{name}.txt").read_text()
    assert "LEAK" not in everything
    assert "\\u001b" not in everything
    assert "\x1b" not in everything
    assert len(everything) < 200_000


@pytest.mark.parametrize("name", ["a_honest", "k_honest", "z_honest"])
def test_honest_neighbours_get_everything(graded, name):
    assert graded[1][name]["earned"] == 5


def test_nothing_is_left_behind_and_nothing_was_sent(graded):
    _, _, _, left, heard = graded
    assert left == []
    assert heard == []


def test_the_instructor_learns_who_tried_what(graded):
    """Counted by the filter; of what had to be ended there is no number that would be the same again."""
    tried = {name: result["tried"] for name, result in graded[1].items() if result["tried"]}
    assert "start a process: until it was ended" in tried["fork_bomb"]
    assert any(line.startswith("use the network: ") for line in tried["tcp"])
    assert any(line.startswith("change the mode, owner") for line in tried["change_modes"])
    assert any(line.startswith("leave something in the system") for line in tried["use_shared_things"])
    assert "start more than 256 threads: 1 time" in tried["many_small_threads"]
    assert "start a process: until it was ended" in tried["lose_the_count"]
    assert not {"a_honest", "k_honest", "z_honest"} & set(tried)


SEARCHED = ("one_face_for_the_search", "poison_the_diagnosis", "feign_a_mistake", "costly_questions")


@pytest.mark.parametrize("name", SEARCHED)
def test_attacks_cannot_stall_the_search_for_smaller_instances(name, monkeypatch, tmp_path):
    """In a check of one's own, which searches where a class is only graded."""
    monkeypatch.setattr(grading.engine, "_SMALLEST_SECONDS", 2)
    (tmp_path / "attack.py").write_text(ATTACKS[name])
    start = time.process_time()
    result = grading.check_file(homework.load(str(HERE / "target.py")), tmp_path / "attack.py")
    assert time.process_time() - start < 30
    assert [part.earned for part in result.parts] == [0.0] * 5
    assert {part.verdict for part in result.parts} <= set(STUDENT)
    assert len(grading.feedback_text(result)) < 100_000


def test_every_attack_says_what_it_tries():
    assert len(ATTACKS) >= 153
    for source in ATTACKS.values():
        sentence = ast.get_docstring(ast.parse(source))
        assert sentence.endswith(".")
        assert "\n" not in sentence


def test_the_page_on_security_names_attacks_that_there_are():
    page = (HERE.parents[1] / "SECURITY.md").read_text()
    named = re.findall(r"`([a-z]+_[a-z_]*\*?|daemon|tcp|udp|markup|trace)`", page)
    assert len(named) >= 30
    for name in named:
        assert fnmatch.filter(ATTACKS, name), name
