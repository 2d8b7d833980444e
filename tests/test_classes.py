"""Grading a class: killed and resumed, regraded, anonymous, with a roster, on any executor."""

import contextlib
import hashlib
import json
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from threading import Timer

import pytest

from mlnotes import cli, grading
from mlnotes.grading.cohort import executors, folder, tasks
from mlnotes.grading.feedback import output_files
from mlnotes.grading.sandbox import levels

HERE = Path(__file__).parent
ONE = str(HERE / "crashing_homework.py")  # answer() is to be 1; 13 and more do harm
SMALL = str(HERE / "small_homework.py")


def make_class(place, size):
    place.mkdir()
    for k in range(size):
        (place / f"s{k:03}.py").write_text(f"def answer():\n    print({k})\n    return {k % 3}\n")
    return place


def results(out):
    return {path.name: path.read_bytes() for path in sorted((out / "results").iterdir())}


def everything(out):
    """All that a run writes but the times."""
    files = [p for p in sorted(out.rglob("*")) if p.is_file() and p.name not in ("timing.json", ".lock")]
    return {str(p.relative_to(out)): p.read_bytes() for p in files}


@pytest.fixture
def three(tmp_path):
    return make_class(tmp_path / "class", 3)


def run(place, out, *options):
    return cli.main(["grade", ONE, str(place), "--out", str(out), "--sandbox", "limits", *options])


# ------------------------------------------------------------------- killed and resumed


def kill_at(command, seconds):
    """Start a run and kill the grader itself, and only it, after some seconds."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        child.wait(seconds)
    except subprocess.TimeoutExpired:
        child.send_signal(signal.SIGKILL)
        child.wait()


def marked(mark):
    """The processes with a mark in the environment that they were started with."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if mark.encode() in (place / "environ").read_bytes():
                found.append((place / "cmdline").read_bytes().replace(b"\0", b" ").decode())
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_a_killed_grader_leaves_no_process(tmp_path):
    """Not the one that removes the semaphores of a pool either: when it ends, they are gone."""
    place = make_class(tmp_path / "class", 30)
    words = ["grade", ONE, str(place), "--out", str(tmp_path / "out"), "--jobs", "2", "--sandbox", "limits"]
    mark = f"MARK_OF_{tmp_path.name}"
    grader = subprocess.Popen(
        [sys.executable, "-m", "mlnotes.cli", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env=os.environ | {mark: "1"},
    )  # fmt: skip
    while not list((tmp_path / "out").glob("results/*.json")):
        time.sleep(0.02)
    assert len(marked(mark)) > 3
    grader.send_signal(signal.SIGKILL)
    grader.wait()
    end = time.monotonic() + 120  # on a busy machine
    while marked(mark) and time.monotonic() < end:
        time.sleep(0.05)
    assert marked(mark) == []


def test_a_class_killed_at_any_instant_ends_as_if_it_had_not_been(tmp_path):
    """MLNOTES_KILLS and MLNOTES_CLASS make it longer: 20 kills of a class of 50 by hand."""
    kills, size = int(os.environ.get("MLNOTES_KILLS", 3)), int(os.environ.get("MLNOTES_CLASS", 8))
    place = make_class(tmp_path / "class", size)
    (tmp_path / "key").write_bytes(b"the same secret\n" * 2)

    def command(out):
        options = f"--jobs 2 --sandbox limits --secret {tmp_path}/key --format junit,gradescope"
        words = ["grade", ONE, str(place), "--out", str(out), *options.split()]
        return [sys.executable, "-m", "mlnotes.cli", *words]

    start = time.monotonic()
    subprocess.run(command(tmp_path / "calm"), check=True, capture_output=True)
    seconds = time.monotonic() - start
    expected = everything(tmp_path / "calm")
    draw = random.Random(0)
    for number in range(kills):
        out = tmp_path / f"killed{number}"
        kill_at(command(out), draw.uniform(0, seconds))
        subprocess.run(command(out), check=True, capture_output=True)
        assert everything(out) == expected
        shutil.rmtree(out)


def test_missing_moodle_numbers_are_reported_and_long_lists_cut(three, tmp_path, capsys):
    (tmp_path / "roster.csv").write_text("id\nnobody\n")
    for k in range(30):
        shutil.copy(three / "s000.py", three / f"t{k:02}.py")
    run(three, tmp_path / "out", "--format", "moodle", "--roster", str(tmp_path / "roster.csv"))
    said = capsys.readouterr().out
    assert "moodle.csv has no participants' numbers" in said
    assert "not in the roster: s000, s001, s002, t00" in said
    assert "t16 and 13 more\n" in said


def test_half_written_files_of_a_killed_run_are_removed(three, tmp_path):
    run(three, tmp_path / "out")
    before = everything(tmp_path / "out")
    for place in ("", "results", "feedback"):
        (tmp_path / "out" / place / ".left.tmp").write_text("half")
    run(three, tmp_path / "out")
    assert everything(tmp_path / "out") == before


def test_two_runs_do_not_share_a_folder(three, tmp_path, capsys):
    assignment = folder.load(ONE)
    with folder.Book(assignment, tmp_path / "out").held():
        assert run(three, tmp_path / "out") == cli.USAGE
    assert "another run is at work in" in capsys.readouterr().err


def test_a_resumed_run_grades_nothing_again_and_keeps_what_is_not_marked_yet(tmp_path):
    place = tmp_path / "class"
    place.mkdir()
    (place / "ada.py").write_text("def row_means(X): return X.mean(axis=1)\n")
    first = grading.grade_folder(SMALL, place, tmp_path / "out", sandbox="limits")
    again = grading.grade_folder(SMALL, place, tmp_path / "out", sandbox="limits")
    assert (first.graded, again.graded, again.reused) == (1, 0, 1)
    assert again.undecided == ["ada"]
    (tmp_path / "out" / "manual.csv").write_text("student,part,points\nada,essay,4\n")
    marked = grading.grade_folder(SMALL, place, tmp_path / "out", sandbox="limits")
    assert (marked.graded, marked.undecided, marked.exit_status) == (0, [], 0)
    assert "ada,3,0,0,0,0,0,0,4,7,21,GRADED" in (tmp_path / "out" / "gradebook.csv").read_text()


def test_watched_calls_of_earlier_files_are_dropped(three, tmp_path):
    out = tmp_path / "out"
    run(three, out)
    assert not (out / "watched.csv").exists()
    path = out / "results" / "s001.json"
    clean = path.read_text()
    path.write_text(json.dumps(json.loads(clean) | {"tried": ["open a socket: 2 times"]}))
    run(three, out)
    assert (out / "watched.csv").read_text() == "student,tried\ns001,open a socket: 2 times\n"
    path.write_text(clean)
    run(three, out)
    assert (out / "watched.csv").read_text() == "student,tried\n"


def test_results_inside_the_submissions_folder_are_ignored(three, monkeypatch):
    """Whoever calls the command in the folder of the submissions has the default --out there."""
    monkeypatch.chdir(three)
    for _ in range(2):
        run(".", "grades")
        rows = (three / "grades" / "gradebook.csv").read_text().splitlines()
        assert [row.partition(",")[0] for row in rows] == ["student", "s000", "s001", "s002"]


def test_parts_that_changed_are_graded_again_under_the_same_version(three, tmp_path):
    own, out = tmp_path / "own.py", tmp_path / "out"
    for name, points, now in (("number", 1, 3), ("answer", 1, 3), ("answer", 2, 3), ("answer", 2, 0)):
        text = Path(ONE).read_text().replace('"number", 1', f'"{name}", {points}')
        own.write_text(text)
        summary = grading.grade_folder(str(own), three, out, sandbox="limits")
        assert summary.graded == now
        assert [row[2:4] for row in summary.rows] == [
            ["0", f"{points}"],
            [f"{points}"] * 2,
            ["0", f"{points}"],
        ]


def test_a_missing_canvas_gradebook_is_reported_first(three, tmp_path, capsys):
    out = tmp_path / "out"
    assert run(three, out, "--canvas", str(tmp_path / "none.csv")) == cli.USAGE
    assert "none.csv" in capsys.readouterr().err
    assert not out.exists()


def test_a_changed_file_is_graded_again(three, tmp_path):
    run(three, tmp_path / "out")
    (three / "s000.py").write_text("def answer(): return 1\n")
    assert grading.grade_folder(ONE, three, tmp_path / "out", sandbox="limits").graded == 1


def test_a_file_that_changes_during_the_run_needs_a_person(three, tmp_path):
    task = tasks.Task(ONE, three / "s000.py", "0" * 64, ("s000",), b"s", "C")
    (result,) = tasks.attempt(task, None)
    assert result.status == "NEEDS YOU"
    assert "changed while the class was graded" in result.parts[0].sentence


# ------------------------------------------------------------------- regrade


def test_a_regrade_shows_what_would_change_before_it_writes(three, tmp_path, capsys):
    out = tmp_path / "out"
    run(three, out)
    right = everything(out)
    record = json.loads((out / "results" / "s001.json").read_text())
    record["earned"] = record["parts"][0]["earned"] = 0.0  # as tests with a mistake would have left it
    (out / "results" / "s001.json").write_text(json.dumps(record))
    wrong = results(out)
    capsys.readouterr()
    assert run(three, out, "--regrade") == cli.OK
    text = capsys.readouterr().out
    assert "s001: 0 -> 1 (number 0 -> 1)\n1 grade would change\n" in text
    assert "nothing was written" in text
    assert results(out) == wrong
    assert run(three, out, "--regrade", "--yes") == cli.OK
    assert everything(out) == right


def test_a_regrade_keeps_the_marks_of_people(three, tmp_path):
    out = tmp_path / "out"
    run(three, out)
    (out / "overrides.csv").write_text("student,part,points,reason\ns000,number,0.5,see mail\n")
    run(three, out, "--regrade", "--yes")
    assert "s000,0.5,0.5,1,GRADED" in (out / "gradebook.csv").read_text()
    assert "set by the instructor: see mail" in (out / "feedback" / "s000.txt").read_text()
    assert json.loads((out / "results" / "s000.json").read_text())["earned"] == 0


def test_fingerprint_covers_the_file_of_a_variant(tmp_path):
    own = tmp_path / "own.py"
    own.write_text("assignment = 1")
    before = folder._fingerprint(f"{own}-v2")
    own.write_text("assignment = 2")
    assert folder._fingerprint(f"{own}-v2") != before


def test_the_change_of_a_grade_in_words():
    assert str(folder.Change("ada", None, 2.5, (("a", None, 2.5),))) == "ada: - -> 2.5 (a - -> 2.5)"


# ------------------------------------------------------------------- rosters and pseudonyms


def test_a_name_that_the_terminal_cannot_show_ends_no_run(tmp_path):
    place = make_class(tmp_path / "class", 1)
    (place / "李雷.py").write_text("def answer(): return 1\n")
    words = ["grade", ONE, str(place), "--out", str(tmp_path / "out"), "--sandbox", "limits"]
    environment = os.environ | {"PYTHONIOENCODING": "cp1252"}
    done = subprocess.run([sys.executable, "-m", "mlnotes", *words], capture_output=True, env=environment)
    assert (done.returncode, b"gradebook.csv" in done.stdout) == (0, True), done.stderr


def test_a_roster_brings_lateness_excuses_and_absence(three, tmp_path):
    roster = tmp_path / "roster.csv"
    roster.write_text(
        "id,name,late,excused,extra_time\ns000,Ada,,yes,\ns001,=Bob(),1.5,,\ns009,Gus,,,\ns010,Hal,,y,\n"
    )
    assert run(three, tmp_path / "out", "--roster", str(roster), "--late-per-day", "0.25") == cli.OK
    head, *rows = (tmp_path / "out" / "gradebook.csv").read_text().splitlines()
    assert head == "student,name,email,number,total,points,status,sandbox,file"
    cells = {row.split(",")[0]: row.split(",")[3:7] for row in rows}
    assert cells == {
        "s000": ["0", "", "1", "EXCUSED"],
        "s001": ["1", "0.5", "1", "GRADED"],
        "s002": ["0", "0", "1", "GRADED"],
        "s009": ["", "", "1", "NO SUBMISSION"],
        "s010": ["", "", "1", "EXCUSED"],
    }
    assert "'=Bob()" in rows[1]


def test_formulas_in_names_are_escaped(tmp_path):
    place = make_class(tmp_path / "class", 1)
    (place / "=1+1.py").write_text("def answer(): return 1\n")
    run(place, tmp_path / "out", "--anonymous")
    assert ",'=1+1\n" in (tmp_path / "out" / "names.csv").read_text()


def test_names_appear_in_one_private_file_only(three, tmp_path, capsys):
    (tmp_path / "roster.csv").write_text("id,name\ns000,Ada Lovelace\ns077,Gus\n")
    (three / "Gus.txt").write_text("not a submission")
    run(
        three,
        tmp_path / "out",
        "--anonymous",
        "--roster",
        str(tmp_path / "roster.csv"),
        "--format",
        "junit,moodle",
    )
    text = capsys.readouterr().out
    assert "left out, no submission: 1 of the files\n" in text
    names = tmp_path / "out" / "names.csv"
    assert names.stat().st_mode & 0o777 == 0o600
    assert len(names.read_text().splitlines()) == 5
    for path in (tmp_path / "out").rglob("*"):
        if path.is_file() and path != names:
            text += f"{path.name}\n{path.read_text()}"
    for name in ("s000", "s001", "s077", "Ada", "Gus"):
        assert name not in text
    assert run(three, tmp_path / "out", "--anonymous") == cli.OK
    assert "0 graded, 3 kept" in capsys.readouterr().out


def test_an_id_never_leads_out_of_the_folder():
    for name in ("../../x", "/etc/passwd", ".hidden", "a\x00b", "x" * 400, "..", "con\n"):
        stem = output_files.file_stem(name)
        assert not set(stem) & set("/\\\0\n")
        assert not stem.startswith(".")
        assert len(stem) <= 200
    assert len({output_files.file_stem("x" * k) for k in (250, 251)}) == 2


def test_several_files_of_one_student_are_undecided(tmp_path, capsys):
    for name in ("ada/a.py", "ada/b.py", "bob/a.py"):
        (tmp_path / "class" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "class" / name).write_text(f"def answer(): return 1 # {name}")
    assert run(tmp_path / "class", tmp_path / "out") == cli.UNGRADED
    assert "undecided, which is not a zero: ada" in capsys.readouterr().out


def test_a_file_of_another_homework_needs_a_person(three, tmp_path):
    (three / "s000.py").write_text(
        "from mlnotes.grading import check\ndef decide(x): ...\ncheck('hw07.links')\n"
    )
    summary = grading.grade_folder(ONE, three, tmp_path / "out", sandbox="limits")
    assert summary.undecided == ["s000"]
    text = (tmp_path / "out" / "feedback" / "s000.txt").read_text()
    assert "this is a file of hw07: it defines nothing of what crash asks for" in text


def test_notices_report_dropped_files_and_unused_marks(three, tmp_path, capsys):
    out = tmp_path / "out"
    assert run(three, out) == cli.OK
    (three / "s002.py").unlink()
    with open(os.fsencode(three) + b"/m\xfcller.py", "wb") as file:
        file.write(b"def answer(): return 1\n")
    (three / "readme.txt").write_text("")
    (out / "overrides.csv").write_text("student,part,points,reason\ns777,number,1,see mail\n")
    capsys.readouterr()
    assert run(three, out) == cli.OK
    text = capsys.readouterr().out
    assert "left out, no submission: readme.txt" in text
    assert "overrides.csv names s777, who handed in nothing: no mark was changed" in text
    assert "s002 has a result of an earlier run and no submission now: it counts no more" in text
    assert "müller" in (out / "gradebook.csv").read_text()
    assert (out / "results" / "s002.json").exists(), "nothing that was decided is thrown away"


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT for one process")
def test_ctrl_c_ends_at_once_with_one_sentence(tmp_path):
    """While two submissions hang; measured is how long the run goes on, which is what is promised."""
    place = make_class(tmp_path / "class", 3)
    for name in ("t0", "t1"):
        (place / f"{name}.py").write_text(f"def answer():\n    while True: pass  # {name}\n")
    words = ["grade", ONE, str(place), "--out", str(tmp_path / "out"), "--jobs", "2", "--sandbox", "limits"]

    def hear():
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # what a shell starts in the background ignores it

    grader = subprocess.Popen(
        [sys.executable, "-m", "mlnotes.cli", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=hear,
    )
    while len(list((tmp_path / "out").glob("results/*.json"))) < 3:
        time.sleep(0.02)
    start = time.monotonic()
    os.killpg(grader.pid, signal.SIGINT)  # as a terminal does, to everybody
    _, said = grader.communicate(timeout=290)
    seconds = time.monotonic() - start
    assert grader.returncode == cli.INTERRUPTED
    assert said.count("\n") == 1
    assert "interrupted; what is graded is kept in" in said
    assert seconds < 100, "2 s are promised on a machine that is not busy; an answer may take 300 s"
    assert len(list((tmp_path / "out").glob("results/*.json"))) == 3


def interrupt(*_):
    raise KeyboardInterrupt


def test_interrupt_waits_for_processes_before_removing_their_folder(tmp_path, monkeypatch):
    """Else one that a busy machine has not ended yet would start a worker where the folder was."""
    place = make_class(tmp_path / "class", 3)
    for name in ("t0", "t1"):
        (place / f"{name}.py").write_text(f"def answer():\n    while True: pass  # {name}\n")
    alive, remove, kill = [], levels.remove, multiprocessing.Process.kill

    def look(folder):
        alive.append(multiprocessing.active_children())
        remove(folder)

    monkeypatch.setattr(multiprocessing.process.BaseProcess, "kill", lambda p: Timer(1, kill, (p,)).start())
    monkeypatch.setattr(levels, "remove", look)
    with pytest.raises(KeyboardInterrupt):
        grading.grade_folder(ONE, place, tmp_path / "out", sandbox="limits", jobs=2, progress=interrupt)
    assert alive == [[]]


def test_interrupt_does_not_wait_for_a_single_task(tmp_path, monkeypatch):
    file = make_class(tmp_path / "class", 1) / "s000.py"
    file.write_text("def answer():\n    while True: pass\n")
    task = tasks.Task(ONE, file, hashlib.sha256(file.read_bytes()).hexdigest(), ("s000",), b"s", "C")
    monkeypatch.setattr(Future, "result", interrupt)
    start = time.monotonic()
    with grading.Sandbox("limits") as limits, pytest.raises(KeyboardInterrupt):
        executors._alone(task, limits)
    assert not multiprocessing.active_children()
    assert time.monotonic() - start < 100, "the answer would have 300 s"


def test_interrupt_cancels_waiting_tasks_of_an_executor(tmp_path):
    place, made = make_class(tmp_path / "class", 9), []

    class Noting(ThreadPoolExecutor):
        def submit(self, *call):
            made.append(super().submit(*call))
            return made[-1]

    with Noting(1) as executor, pytest.raises(KeyboardInterrupt):
        grading.grade_folder(
            ONE, place, tmp_path / "out", sandbox="limits", executor=executor, progress=interrupt
        )
    assert [future.cancelled() for future in made[-6:]] == [True] * 6, "one thread begins one or two more"


def test_a_folder_that_cannot_be_written_is_named_before_anything_runs(three, tmp_path, capsys, monkeypatch):
    (tmp_path / "file").write_text("")
    assert run(three, tmp_path / "file" / "out") == cli.USAGE
    assert f"{tmp_path}/file/out cannot be written: Not a directory" in capsys.readouterr().err

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(output_files.os, "fsync", full)
    assert run(three, tmp_path / "out") == cli.USAGE
    assert f"{tmp_path}/out/.room cannot be written: No space left on device" in capsys.readouterr().err
    assert not list((tmp_path / "out" / "results").iterdir())


# ------------------------------------------------------------------- executors


def two_threads():
    return ThreadPoolExecutor(2)


def not_an_executor():
    return 3


class Broken(Executor):
    """An executor that refuses all work."""

    def submit(self, fn, /, *args, **kwargs):
        from concurrent.futures import BrokenExecutor

        raise BrokenExecutor


def test_any_executor_gives_the_same(three, tmp_path, monkeypatch, capsys):
    monkeypatch.syspath_prepend(str(HERE))
    (tmp_path / "key").write_bytes(b"s" * 16)
    options = ("--secret", str(tmp_path / "key"))
    assert run(three, tmp_path / "a", *options) == cli.OK
    (tmp_path / "key").write_bytes(b"s" * 16 + b"\n")  # an editor ends the line
    assert run(three, tmp_path / "b", *options, "--executor", "test_classes:two_threads") == cli.OK
    assert everything(tmp_path / "a") == everything(tmp_path / "b")
    for name, words in {
        "test_classes": "executor must be module:factory, got 'test_classes'",
        "no_such_module:x": "there is no executor 'no_such_module:x'",
        "test_classes:nothing": "there is no executor",
        "test_classes:not_an_executor": "must return a concurrent.futures.Executor, it gave int",
        "test_classes:Broken": "the executor broke (BrokenExecutor); what is graded is kept",
    }.items():
        assert run(three, tmp_path / "c", "--executor", name) == cli.USAGE
        assert words in capsys.readouterr().err


class Losing(ThreadPoolExecutor):
    """An executor that loses what the first calls gave."""

    def __init__(self, losses):
        super().__init__(2)
        self.losses = losses

    def submit(self, fn, /, *args, **kwargs):
        future = super().submit(fn, *args, **kwargs)
        if self.losses:
            self.losses -= 1
            future.result()
            future = Future()
            future.set_exception(ValueError("not enough values to unpack"))
        return future


def test_results_lost_by_an_executor_are_graded_again(tmp_path):
    place = make_class(tmp_path / "class", 3)
    calm = grading.grade_folder(ONE, place, tmp_path / "a", sandbox="limits", secret=b"s")
    for losses in (1, 3, 4):
        with Losing(losses) as executor:
            lost = grading.grade_folder(
                ONE, place, tmp_path / f"{losses}", sandbox="limits", secret=b"s", executor=executor
            )
        wrong = [row for row, own in zip(lost.rows, calm.rows, strict=True) if row != own]
        assert [row[4] for row in wrong] == ["GRADER ERROR"] * (losses - 3)


def test_a_dask_cluster_that_loses_one_of_two_processes_gives_the_same(tmp_path):
    import distributed

    place = make_class(tmp_path / "class", 8)
    calm = grading.grade_folder(ONE, place, tmp_path / "a", sandbox="limits", secret=b"s")
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    )
    with cluster, executors.dask(cluster.scheduler_address) as executor:
        victim = next(iter(cluster.workers.values())).process.pid
        far = grading.grade_folder(
            ONE, place, tmp_path / "b", sandbox="limits", secret=b"s", executor=executor,
            progress=lambda done, *_: os.kill(victim, signal.SIGKILL) if done == 2 else None,
        )  # fmt: skip
    assert far.rows == calm.rows
    assert results(tmp_path / "a") == results(tmp_path / "b")


def test_without_dask_the_sentence_names_the_package(three, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert run(three, tmp_path / "out", "--dask", "tcp://127.0.0.1:1") == cli.USAGE
    assert "pip install 'mlnotes[dask]'" in capsys.readouterr().err


def test_an_unknown_format_is_wrong_usage(three, tmp_path, capsys):
    assert run(three, tmp_path / "out", "--format", "xlsx") == cli.USAGE
    assert "format must be one of html, moodle" in capsys.readouterr().err
