"""What comes in: a folder or zip of submissions as Moodle, Canvas and Gradescope export them; the roster.

Layouts, told apart by the names alone:

- plain: ``ada.py``, or a folder a student, ``ada/hw01.py``;
- Moodle: ``Ada Lovelace_123_assignsubmission_file/hw01.py``, before version 4 with ``_`` before the ``/``, or
  ``_`` for it (123 is the participant's number in this assignment, as in the grading worksheet), and
  ``..._assignsubmission_onlinetext`` for what was typed in;
- Canvas: ``lovelaceada_LATE_123_456_hw01-1.py`` (123 is the student's number, 456 the file's), or
  ``LATE_anon_x7Y2k_456_hw01.py`` where grading is anonymous;
- Gradescope: ``submission_456/hw01.py`` and who handed it in, in ``submission_metadata.yml``.

References
----------
The code that writes the exports: Moodle, ``mod/assign/classes/downloader.php``; Canvas,
``lib/content_zipper.rb``. Gradescope's is not public; its layout is that of an export.
"""

from __future__ import annotations

import contextlib
import csv
import io
import math
import os
import re
import shutil
import stat
import unicodedata
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from mlnotes.grading.protocol.sources import MAX_BYTES, SUFFIXES, limit, suffix
from mlnotes.grading.results import clean, short

MAX_FILES = 20_000
MAX_TOTAL = 4 << 30  # bytes, when unpacked
MAX_RATIO = 200  # of one file; source text shrinks to a third, a bomb to a thousandth
MAX_METADATA = 64 << 20  # Gradescope's holds everything that the last autograder printed
MAX_DEPTH = 6
METADATA = "submission_metadata.yml"

# a folder's name ends with Moodle's words, whatever the student's name holds; where the file's name follows,
# the first such words are Moodle's, whatever the student called the file
_MOODLE = r"_(?P<number>\d+)_assignsubmission_(file|onlinetext)"
_MOODLE_FOLDER = re.compile(rf"(?P<name>.+){_MOODLE}_?", re.DOTALL)
_MOODLE_FILE = re.compile(rf"(?P<name>.+?){_MOODLE}_(?P<rest>.+)", re.DOTALL)
_CANVAS = re.compile(r"(?P<name>.+?)_(LATE_)?(?P<number>\d+)_\d+_(?P<rest>.+)", re.DOTALL)
_ANONYMOUS = re.compile(r"(LATE_)?(?P<name>anon)_(?P<number>[0-9A-Za-z]{5})_\d+_(?P<rest>.+)", re.DOTALL)
_GRADESCOPE = re.compile(r"submission_\d+")
_EXPORT = re.compile(r"assignment_\d+_export")
_LEADS_OUT = "its path leads out of the zip"
_AGAIN = re.compile(r"(?P<base>.*?)(-(?P<number>\d{1,4}))?(?P<suffix>\.\w+)", re.DOTALL)
_TRUE = ("1", "true", "yes", "y", "x")
_FALSE = ("", "0", "false", "no", "n")


# ------------------------------------------------------------------- the roster


class Student(NamedTuple):
    """One line of the roster; `late` and `extra_time` are days."""

    id: str
    name: str = ""
    email: str = ""
    late: float = 0.0
    excused: bool = False
    extra_time: float = 0.0


class Roster:
    """The students of a class, found by id, e-mail or name; a ValueError if an id occurs twice."""

    def __init__(self, students: Iterable[Student]) -> None:
        self.students: dict[str, Student] = {}
        self._keys: dict[str, set[str]] = {}
        for student in students:
            if student.id in self.students:
                raise ValueError(f"the roster lists the id {student.id!r} twice")
            self.students[student.id] = student
            for key in _keys(student):
                self._keys.setdefault(key, set()).add(student.id)

    def match(self, claims: Iterable[str]) -> str | None:
        """Return the one student whom the first telling claim (an id, an e-mail, a name) means, or None."""
        for claim in claims:
            if claim in self.students:
                return claim
            found = self._keys.get(plain(claim), set())
            if len(found) == 1:
                return next(iter(found))
        return None


def read_roster(path: Path) -> Roster:
    """Return the roster of a CSV file with the column `id` and any of name, email, late, excused, extra_time.

    A ValueError names the line that is wrong.
    """
    reader = csv.DictReader(io.StringIO(read_table(path), newline=""))
    columns = [(name or "").strip().lower() for name in reader.fieldnames or ()]
    if "id" not in columns:
        raise ValueError(f"{path} must have a column 'id', its columns are {', '.join(columns) or 'none'}")
    reader.fieldnames = columns
    filled = (row for row in reader if any(value for value in row.values()))
    return Roster(_student(row, f"{path}, line {reader.line_num}") for row in filled)


def read_table(path: Path) -> str:
    """Return the text of a table that a spreadsheet has saved, separated by commas.

    A ValueError says that there is no such file, or that it is neither UTF-8 nor UTF-16.
    """
    if not path.is_file():
        raise ValueError(f"no such file: {path}")
    data = path.read_bytes()
    try:
        text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except ValueError:
        raise ValueError(f"{path} is not in UTF-8: save it again as 'CSV UTF-8'") from None
    head = text.partition("\n")[0]
    separator = next((mark for mark in ";\t" if mark in head and "," not in head), ",")
    if separator == ",":
        return text
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    csv.writer(out := io.StringIO(), lineterminator="\n").writerows(rows)
    return out.getvalue()


def _student(row: dict[str, str | None], where: str) -> Student:
    cells = {key: (row.get(key) or "").strip() for key in Student._fields}
    if not cells["id"]:
        raise ValueError(f"{where}: the id is empty")
    word = cells["excused"].lower()
    if word not in (*_TRUE, *_FALSE):
        raise ValueError(f"{where}: excused must be yes or no, got {word!r}")
    late, extra = (
        at_least_zero(cells[name] or "0", f"{name} must be a number of days", where)
        for name in ("late", "extra_time")
    )
    return Student(
        clean(cells["id"]), clean(cells["name"]), clean(cells["email"]), late, word in _TRUE, extra
    )


def at_least_zero(text: str, must: str, where: str) -> float:
    """Return the finite number of at least 0 in a cell of a table, else raise a ValueError.

    `must` says of a wrong one what is asked for, `where` its line.
    """
    with contextlib.suppress(ValueError):
        if 0 <= (number := float(text)) < math.inf:
            return number
    raise ValueError(f"{where}: {must} of at least 0, got {text!r}")


def plain(text: str) -> str:
    """Return the letters and digits of a name, without case and accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", text).casefold() if c.isalnum())


def _keys(student: Student) -> set[str]:
    words = [plain(word) for word in student.name.replace(",", " ").split()]
    turns = {"".join(words[k:] + words[:k]) for k in range(len(words))}  # Canvas puts the last name first
    exact = {plain(key) for key in (student.id, student.email, student.email.partition("@")[0])}
    return (exact | turns) - {""}


# ------------------------------------------------------------------- files, wherever they lie


class File(NamedTuple):
    """One file that came in: its name in the folder or zip, and its bytes on disk or why there are none."""

    name: str
    path: Path
    problem: str = ""


def files_in(place: Path, scratch: Path) -> list[File]:
    """Return the files of a folder or a zip, which is unpacked into `scratch` under names of our own.

    A ValueError says that `place` is neither, or why a zip is refused as a whole.
    """
    if not place.is_dir() and not (place.is_file() and zipfile.is_zipfile(place)):
        raise ValueError(f"submissions must be a folder or a zip, got {str(place)!r}")
    files = _walk(place, "", os.path.realpath(scratch.parent)) if place.is_dir() else _unzip(place, scratch)
    try:
        return sorted(files, key=lambda file: file.name)
    except zipfile.BadZipFile as error:
        raise ValueError(f"{place} is damaged: {error}") from None


def _walk(folder: Path, prefix: str, own: str, depth: int = 0) -> Iterator[File]:
    """Yield the files of a folder, but for those in `own`: what an earlier run wrote is no submission."""
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if _ignored(entry.name):
            continue
        name = prefix + _readable(entry.name)
        if not entry.is_dir(follow_symlinks=False):
            yield File(name, Path(entry.path))
        elif os.path.realpath(entry.path) == own:
            continue
        elif depth < MAX_DEPTH:
            yield from _walk(Path(entry.path), f"{name}/", own, depth + 1)
        else:
            yield File(f"{name}/", Path(entry.path), f"it lies more than {MAX_DEPTH} folders deep")


def _readable(name: str) -> str:
    """Return a name on disk as text: bytes that are no UTF-8, as old zips leave them, are read as Latin-1."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return os.fsencode(name).decode("latin-1")
    return name


def _ignored(name: str) -> bool:
    return name.startswith(".") or name in ("__MACOSX", "__pycache__")


def _unzip(place: Path, scratch: Path) -> Iterator[File]:
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    with zipfile.ZipFile(place) as archive:
        members = [item for item in archive.infolist() if not item.is_dir()]
        _refuse_bombs(place, members)
        listed = Counter(item.filename for item in members)
        for number, item in enumerate(members):
            name = _inside(item.filename)
            if any(_ignored(part) for part in name.split("/")):
                continue
            problem = "the zip lists it twice" if listed[item.filename] > 1 else _refusal(item, name)
            target = scratch / f"{number}{PurePosixPath(name).suffix[:10] if not problem else ''}"
            if not problem and (suffix(name) or PurePosixPath(name).suffix == ".yml"):  # else the name is all
                problem = _extract(archive, item, target)
            yield File(name, target, problem)


def _refuse_bombs(place: Path, members: list[zipfile.ZipInfo]) -> None:
    total, packed = sum(item.file_size for item in members), sum(item.compress_size for item in members)
    if len(members) > MAX_FILES:
        raise ValueError(f"{place} lists {len(members)} files, at most {MAX_FILES} are unpacked")
    if total > MAX_TOTAL:
        raise ValueError(f"{place} unpacks to {total >> 20} MiB, at most {MAX_TOTAL >> 20} MiB are unpacked")
    if packed > place.stat().st_size:
        raise ValueError(f"{place} is refused: its files overlap")


def _refusal(item: zipfile.ZipInfo, name: str) -> str:
    """Return why a member of a zip, which is called `name` here, is not unpacked; empty if it is."""
    parts = item.filename.replace("\\", "/").split("/")
    kind = stat.S_IFMT(item.external_attr >> 16)
    if item.filename.startswith(("/", "\\")) or ".." in parts or ":" in parts[0]:
        return _LEADS_OUT
    if kind not in (0, stat.S_IFREG):
        return "it is a link or a device, not a regular file"
    if item.flag_bits & 1:
        return "it is encrypted"
    if item.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "it is packed by a method other than deflate"
    most = MAX_METADATA if PurePosixPath(name).name == METADATA else max(limit(name), MAX_BYTES)
    if item.file_size > most:
        return f"it has more than {most >> 20} MiB"
    if item.file_size > MAX_RATIO * max(item.compress_size, 100):
        return f"it unpacks to more than {MAX_RATIO} times its size"
    return ""


def _inside(name: str) -> str:
    """Return the name of a member without the steps that lead out, for telling whose it is."""
    return "/".join(part for part in name.replace("\\", "/").split("/") if part not in ("", ".", ".."))


def _extract(archive: zipfile.ZipFile, item: zipfile.ZipInfo, target: Path) -> str:
    try:
        with archive.open(item) as packed:
            data = packed.read(item.file_size + 1)  # zipfile gives no more than the size it checks
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError) as error:
        return f"it cannot be unpacked ({short(str(error))})"
    target.write_bytes(data)
    return ""


# ------------------------------------------------------------------- whose they are


class Owner(NamedTuple):
    """Whom a layout names: a label unique in the export, and what may stand in the roster, surest first."""

    label: str
    claims: tuple[str, ...]
    number: str = ""


class Submission(NamedTuple):
    """What one student handed in."""

    student: str  # the roster's id, else the label that the layout gives
    path: Path | None  # of the file to grade; None where `problem` says why there is none
    problem: str = ""
    number: str = ""  # that Moodle or Canvas knows the student by


class Intake(NamedTuple):
    """Every submission by student, in order; who is unknown or handed in nothing; what is dropped."""

    submissions: tuple[Submission, ...]
    unknown: tuple[str, ...]
    missing: tuple[str, ...]
    roster: Roster
    dropped: tuple[str, ...] = ()


def take_in(place: Path, scratch: Path, *, roster: Roster | None = None, prefer: str = "") -> Intake:
    """Return the submissions in a folder or zip; a ValueError if there is none such, or nothing in it.

    What a zip holds is unpacked into `scratch`, which is emptied first. Of several files that somebody handed
    in, those with `prefer` in their name count.
    """
    owned: dict[Owner, list[File]] = {}
    dropped: list[str] = []
    for owner, file in _owned(files_in(place, scratch), is_zip=place.is_file()):
        if owner is None:
            dropped.append(f"{file.name}: {file.problem}" if file.problem else file.name)
        else:
            owned.setdefault(owner, []).append(file)
    students: dict[str, list[Owner]] = {}
    unknown: list[str] = []
    for owner in owned:
        student = _whose(owner, roster) if roster else owner.label
        if student is None:
            student = owner.label
            unknown += [student] if student not in unknown else []
        students.setdefault(student, []).append(owner)
    if not students:
        only = f", only {', '.join(map(short, dropped[:5]))}" if dropped else ""
        raise ValueError(f"{place} holds no {' or '.join(SUFFIXES)} file{only}")
    submissions = tuple(
        _submission(student, [owned[owner] for owner in owners], prefer, owners[0].number)
        for student, owners in sorted(students.items())
    )
    absent = [student for student in roster.students if student not in students] if roster else []
    return Intake(submissions, tuple(unknown), tuple(absent), roster or Roster(()), tuple(dropped))


def _whose(owner: Owner, roster: Roster) -> str | None:
    """Return the id of the student, None if nobody is meant for certain.

    Moodle's and Canvas's numbers are theirs: where one happens to be the id of somebody who is called
    otherwise, it means nobody.
    """
    student = roster.match(owner.claims)
    if student is None or not owner.number or student != owner.number or not roster.students[student].name:
        return student
    return student if plain(owner.claims[0]) in _keys(roster.students[student]) else None


def handed_in(place: Path, *, prefer: str = "") -> Submission:
    """Return what one student handed in: the file to grade in a folder, or why there is none."""
    return _submission("submission", [files_in(place, place)], prefer)


def _submission(student: str, handed: list[list[File]], prefer: str, number: str = "") -> Submission:
    """Return what counts of the files that somebody handed in, in one place or several."""
    choices = [_chosen(files, prefer) for files in handed]
    usable = [file for files, _ in choices for file in files]
    if not usable:
        return Submission(student, None, choices[0][1], number=number)
    if len({file.path for file in usable}) > 1 and len({file.path.read_bytes() for file in usable}) > 1:
        names = ", ".join(map(_base, usable[:5]))
        sentence = f"several files were handed in ({names}); leave the one that counts"
        return Submission(student, None, sentence, number=number)
    return Submission(student, usable[0].path, number=number)


def _chosen(files: list[File], prefer: str) -> tuple[list[File], str]:
    """Return the files that may count, the latest of each name, and what is said if there is none."""
    scripts = [file for file in files if suffix(file.name)]
    usable = [file for file in scripts if not file.problem]
    if not usable:
        if scripts:
            return [], f"{_base(scripts[0])} is refused: {scripts[0].problem}"
        names = ", ".join(
            f"{_base(file)} ({file.problem})" if file.problem else _base(file) for file in files[:5]
        )
        inside = "; a zip inside is not opened" if any(f.name.endswith(".zip") for f in files) else ""
        return [], f"no {' or '.join(SUFFIXES)} file was handed in, only {names}{inside}"
    named = [file for file in usable if prefer and prefer in PurePosixPath(file.name).name]
    latest: dict[str, tuple[int, File]] = {}
    for file in named or usable:
        base, again = _attempt(file.name)
        if base not in latest or latest[base][0] < again:
            latest[base] = (again, file)
    return [file for _, file in latest.values()], ""


def _attempt(name: str) -> tuple[str, int]:
    """Return a name without the attempt that Canvas puts before its suffix (hw01-2.py), and the attempt."""
    canvas = _ANONYMOUS.fullmatch(name) or _CANVAS.fullmatch(name)
    match = canvas and _AGAIN.fullmatch(canvas["rest"])
    return (match["base"] + match["suffix"], int(match["number"] or 0)) if match else (name, 0)


def _base(file: File) -> str:
    return short(PurePosixPath(file.name).name)


def _owned(files: list[File], *, is_zip: bool) -> Iterator[tuple[Owner | None, File]]:
    """Yield each file with whose it is: None where it is nobody's, but for what an export itself adds."""
    if is_zip:
        names = _without_common_folder([file.name for file in files])
        files = [file._replace(name=name) for file, name in zip(files, names, strict=True)]
    handed = {
        key: owners
        for file in files
        if file.name == METADATA and not file.problem
        for key, owners in submitters(file.path.read_text(encoding="utf-8", errors="replace")).items()
    }
    stems = [PurePosixPath(file.name).stem for file in files if "/" not in file.name and suffix(file.name)]
    for file in files:
        nobodys = file.problem == _LEADS_OUT
        owners = () if nobodys else _owners(clean(file.name), handed, stems)
        for owner in owners:
            yield owner, file
        if not owners and file.name != METADATA:
            yield None, file._replace(name=clean(file.name))


def _without_common_folder(names: list[str]) -> list[str]:
    tops = {name.partition("/")[0] for name in names}
    top = next(iter(tops), "")
    inner = {name.partition("/")[2].partition("/")[0] for name in names}
    one_student = _MOODLE_FOLDER.fullmatch(top) or _GRADESCOPE.fullmatch(top) or len(inner) == 1
    if len(tops) != 1 or "" in inner or (one_student and not _EXPORT.fullmatch(top)):
        return names
    return [name.partition("/")[2] for name in names]


def _owners(name: str, handed: dict[str, tuple[Owner, ...]], stems: list[str]) -> tuple[Owner, ...]:
    """Return whose file a name is: several for a group, nobody for a file beside the submissions."""
    top, slash, _ = name.partition("/")
    match = (_MOODLE_FOLDER if slash else _MOODLE_FILE).fullmatch(top)
    match = match or (None if slash else _ANONYMOUS.fullmatch(top) or _CANVAS.fullmatch(top))
    if match:
        who, number = match["name"], match["number"]
        return (Owner(f"{who} {number}", (who, number), number),)
    if slash and _GRADESCOPE.fullmatch(top):
        return handed.get(top, (Owner(top, ()),))
    if slash:
        return (Owner(top, (top,)),)
    stem = PurePosixPath(name).stem
    if not suffix(name):
        return ()
    return (Owner(stem if stems.count(stem) == 1 else name, (stem,)),)


def submitters(metadata: str) -> dict[str, tuple[Owner, ...]]:
    """Return who handed in each submission of a Gradescope export, read from its metadata.

    Only the block ``:submitters:`` of each submission is read: what follows it holds students' output.
    """
    found: dict[str, list[dict[str, str]]] = {}
    people: list[dict[str, str]] | None = None
    inside = -1
    for line in metadata.splitlines():
        indent = len(line) - len(line.lstrip())
        if match := re.fullmatch(r"(submission_\d+):\s*", line):
            people = found.setdefault(match[1], [])
            inside = -1
        elif people is not None and indent == 2 and not line.lstrip().startswith("- "):
            inside = indent if line.strip() == ":submitters:" and not people else -1
        elif people is not None and inside >= 0:
            _person(line, people)
    return {key: tuple(map(_submitter, people)) for key, people in found.items() if people}


def _person(line: str, people: list[dict[str, str]]) -> None:
    # a line that goes on with the one before it, as those of long names do, is indented further
    match = re.fullmatch(r"  (?P<new>- |  ):(?P<key>name|sid|email):\s*(?P<value>.*?)\s*", line)
    if match is None:
        return
    if match["new"] == "- " or not people:
        people.append({})
    value = match["value"]
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
    people[-1].setdefault(match["key"], value[1:-1].replace("''", "'") if quoted else value)


def _submitter(person: dict[str, str]) -> Owner:
    claims = tuple(clean(person[key]) for key in ("sid", "email", "name") if person.get(key))
    return Owner(claims[0] if claims else "unnamed", claims)
