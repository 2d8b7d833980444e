"""What comes in: layouts of other systems, hostile zips, the roster."""

import os
import struct
import zipfile

import pytest

from mlnotes.grading.cohort import submissions
from mlnotes.grading.cohort.submissions import Roster, Student, read_roster, submitters, take_in

CODE = b"def answer(): return 1\n"
METADATA = """---
submission_11:
  :submitters:
  - :name: Ada Lovelace
    :sid: '7'
    :email: ada@uni.example
  - :name: 'Bob O''Neill'
    :sid: ''
    :email: bob@uni.example
  :created_at: 2026-01-01 10:00:00.000000000 Z
  :results:
    :output: |
      :submitters:
      - :name: Eve
        :sid: '7'
submission_12:
  :submitters:
  - :name: Eve
    :sid: "9"
    :email: eve@uni.example
  :score: 10.0
"""


def zipped(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def taken(tmp_path, files, **options):
    place = zipped(tmp_path / "class.zip", files)
    return {s.student: s for s in take_in(place, tmp_path / "scratch", **options).submissions}


@pytest.fixture
def roster():
    return Roster(
        [
            Student("a1", "Ada Lovelace", "ada@uni.example"),
            Student("b2", "Bob O'Neill", "bob@uni.example"),
            Student("e3", "Ève King Smith", "eve@uni.example"),
        ]
    )


# ------------------------------------------------------------------- layouts

MOODLE = {
    "Ada Lovelace_501_assignsubmission_file_/hw.py": CODE,
    "Bob O'Neill_502_assignsubmission_file/hw.py": CODE,
    "Eve Smith_503_assignsubmission_file_hw.py": CODE,
    "Ada Lovelace_501_assignsubmission_onlinetext_/onlinetext.html": b"",
}
CANVAS = {
    "lovelaceada_501_9001_hw.py": CODE,
    "oneillbob_LATE_502_9002_hw-1.py": b"1",
    "oneillbob_LATE_502_9007_hw-2.py": CODE,
    "kingsmitheve_503_9003_hw.py": CODE,
}
ANONYMOUS = {"anon_x7Y2k_9001_hw.py": CODE, "LATE_anon_q1Rs5_9002_hw-1.py": CODE}
GRADESCOPE = {
    "assignment_3_export/submission_metadata.yml": METADATA,
    "assignment_3_export/submission_11/hw.py": CODE,
    "assignment_3_export/submission_12/hw.py": CODE,
}


@pytest.mark.parametrize(
    ("files", "labels"),
    [
        ({"ada.py": CODE, "bob.ipynb": CODE}, ["ada", "bob"]),
        ({"ada.py": CODE, "ada.ipynb": CODE}, ["ada.ipynb", "ada.py"]),
        ({"hw01/ada.py": CODE, "hw01/bob.py": CODE}, ["ada", "bob"]),
        ({"ada/hw.py": CODE, "bob/sub/hw.py": CODE, "__MACOSX/ada/._hw.py": b"x"}, ["ada", "bob"]),
        ({"ada/hw.py": CODE}, ["ada"]),
        (CANVAS, ["kingsmitheve 503", "lovelaceada 501", "oneillbob 502"]),
        (ANONYMOUS, ["anon q1Rs5", "anon x7Y2k"]),
        (GRADESCOPE, ["7", "9", "bob@uni.example"]),
    ],
)
def test_layouts_without_a_roster(tmp_path, files, labels):
    found = taken(tmp_path, files)
    assert sorted(found) == labels
    assert all(item.path.read_bytes() == CODE for item in found.values())


def test_moodle(tmp_path):
    found = taken(tmp_path, MOODLE)
    assert {k: s.number for k, s in found.items()} == {
        "Ada Lovelace 501": "501", "Bob O'Neill 502": "502", "Eve Smith 503": "503"
    }  # fmt: skip


@pytest.mark.parametrize("files", [MOODLE, CANVAS, GRADESCOPE])
def test_the_roster_tells_whose_a_file_is(tmp_path, files, roster):
    files = {name: data for name, data in files.items() if "metadata" not in name}
    if files.keys() & GRADESCOPE.keys():
        files["assignment_3_export/submission_metadata.yml"] = METADATA
    place = zipped(tmp_path / "class.zip", files)
    found = take_in(place, tmp_path / "scratch", roster=roster)
    known = {s.student for s in found.submissions}
    assert {"a1", "b2"} <= known
    assert len(found.submissions) == 3
    assert bool(found.missing) == bool(found.unknown)


def test_export_numbers_are_not_matched_with_ids(tmp_path):
    people = Roster([Student("501", "Bob O'Neill"), Student("7", "Ada Lovelace"), Student("503")])
    files = MOODLE | {"Eve Smith_501_assignsubmission_file_/hw.py": CODE}
    place = zipped(tmp_path / "class.zip", files)
    found = take_in(place, tmp_path / "scratch", roster=people)
    assert {s.student: s.number for s in found.submissions} == {
        "501": "502", "7": "501", "503": "503", "Eve Smith 501": "501"
    }  # fmt: skip
    assert found.unknown == ("Eve Smith 501",)


def test_a_number_tells_two_of_one_name_apart(tmp_path):
    people = Roster([Student("501", "Ada Lovelace"), Student("502", "Ada Lovelace")])
    files = {"lovelaceada_501_1_hw.py": CODE, "lovelaceada_502_2_hw.py": CODE}
    assert sorted(taken(tmp_path, files, roster=people)) == ["501", "502"]


def test_an_unpacked_export_is_a_folder(tmp_path, roster):
    zipfile.ZipFile(zipped(tmp_path / "c.zip", GRADESCOPE)).extractall(tmp_path / "x")
    found = take_in(tmp_path / "x" / "assignment_3_export", tmp_path / "s", roster=roster)
    assert [s.student for s in found.submissions] == ["a1", "b2", "e3"]
    assert found.missing == found.unknown == ()


def test_the_output_of_a_student_cannot_name_a_submitter():
    found = submitters(METADATA)
    assert [o.claims for o in found["submission_11"]] == [
        ("7", "ada@uni.example", "Ada Lovelace"), ("bob@uni.example", "Bob O'Neill")
    ]  # fmt: skip
    assert [o.label for o in found["submission_12"]] == ["9"]
    assert submitters("submission_1:\n  :submitters:\n") == {}


def test_a_long_name_cannot_hold_the_number_of_somebody_else():
    """Ruby's YAML folds it beyond column 80: what follows is indented further than a key."""
    folded = "submission_1:\n  :submitters:\n  - :name: Eve Evil vvvvvvvv\n      :sid: 123\n    :sid: 666\n"
    assert [owner.claims for owner in submitters(folded)["submission_1"]] == [("666", "Eve Evil vvvvvvvv")]


def test_files_that_are_equal_are_one_submission(tmp_path):
    """As after a second download."""
    found = taken(tmp_path, {"ada/hw.py": CODE, "ada/hw (1).py": CODE, "bob/hw.py": CODE})
    assert found["ada"].path.read_bytes() == CODE


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_roster_may_come_from_any_spreadsheet(tmp_path, encoding, mark):
    text = "id,name\nm1,Müller\n,\n".replace(",", mark)
    (tmp_path / "roster.csv").write_bytes(text.encode(encoding))
    assert list(read_roster(tmp_path / "roster.csv").students.values()) == [Student("m1", "Müller")]


def test_a_table_in_another_encoding_is_named_with_the_remedy(tmp_path):
    (tmp_path / "roster.csv").write_bytes("id,name\nm1,Müller\n".encode("cp1252"))
    with pytest.raises(ValueError, match=r"roster\.csv is not in UTF-8: save it again as 'CSV UTF-8'"):
        read_roster(tmp_path / "roster.csv")


def test_several_files_are_for_the_instructor_to_decide(tmp_path):
    found = taken(tmp_path, {"ada/a.py": CODE, "ada/b.py": b"other", "bob/hw01.py": CODE, "bob/old.py": b""},
                  prefer="hw01")  # fmt: skip
    assert found["ada"].path is None
    assert found["ada"].problem == "several files were handed in (a.py, b.py); leave the one that counts"
    assert found["bob"].path.read_bytes() == CODE


def test_two_exports_of_one_student_are_undecided(tmp_path, roster):
    files = {"Ada Lovelace_1_assignsubmission_file_/a.py": CODE,
             "Ada Lovelace_2_assignsubmission_file_/a.py": b"other"}  # fmt: skip
    found = taken(tmp_path, files, roster=roster)
    assert found["a1"].path is None
    assert "several files" in found["a1"].problem


def test_other_files_of_a_student_are_named(tmp_path):
    found = taken(tmp_path, {"ada/essay.pdf": b"", "bob/all.zip": b"PK", "eve/hw.py": CODE})
    assert found["ada"].problem == "no .py or .ipynb file was handed in, only essay.pdf"
    assert found["bob"].problem.endswith("only all.zip; a zip inside is not opened")


# ------------------------------------------------------------------- hostile zips


def member(name, mode=0o100644):
    item = zipfile.ZipInfo(name)
    item.external_attr = mode << 16
    item.compress_type = zipfile.ZIP_DEFLATED
    return item


@pytest.mark.parametrize(
    ("name", "mode", "data", "words"),
    [
        ("eve/../../escape.py", 0o100644, CODE, "its path leads out of the zip"),
        ("/eve/absolute.py", 0o100644, CODE, "its path leads out of the zip"),
        ("..\\eve\\x.py", 0o100644, CODE, "its path leads out of the zip"),
        ("C:/eve/x.py", 0o100644, CODE, "its path leads out of the zip"),
        ("eve/link.py", 0o120777, b"/etc/passwd", "a link or a device"),
        ("eve/fifo.py", 0o010644, b"", "a link or a device"),
        ("eve/bomb.py", 0o100644, b"#" * (4 << 20), "unpacks to more than 200 times its size"),
        ("eve/big.py", 0o100644, b"x = 1\n" * (2 << 20), "it has more than 8 MiB"),
    ],
)
def test_a_hostile_member_is_refused_and_touches_nothing(tmp_path, name, mode, data, words):
    place = tmp_path / "in" / "class.zip"
    place.parent.mkdir()
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr(member(name, mode), data)
        archive.writestr("ada/hw.py", CODE)
        archive.writestr("bob/hw.py", CODE)
    scratch = tmp_path / "in" / "scratch"
    came = take_in(place, scratch)
    found = {s.student: s for s in came.submissions}
    assert found["ada"].path.read_bytes() == CODE
    if "leads out" in words:  # it names nobody: no student is made of it, who would have no points
        assert set(found) == {"ada", "bob"}
        assert words in came.dropped[0]
    else:
        (hostile,) = (s for s in found.values() if s.path is None)
        assert words in hostile.problem
    everything = [p for p in tmp_path.rglob("*") if p.is_file()]
    assert sorted(everything) == sorted([place, found["ada"].path, found["bob"].path])


def test_a_zip_that_is_a_bomb_as_a_whole_is_refused(tmp_path, monkeypatch):
    place = zipped(tmp_path / "c.zip", {f"{k}.py": CODE for k in range(4)})
    monkeypatch.setattr(submissions, "MAX_FILES", 3)
    with pytest.raises(ValueError, match="lists 4 files, at most 3 are unpacked"):
        take_in(place, tmp_path / "s")
    monkeypatch.setattr(submissions, "MAX_FILES", 5)
    monkeypatch.setattr(submissions, "MAX_TOTAL", 50)
    with pytest.raises(ValueError, match="at most 0 MiB are unpacked"):
        take_in(place, tmp_path / "s")


def test_files_that_overlap_are_refused(tmp_path):
    """Two entries of the directory point at the same packed bytes: the usual bomb without nesting."""
    place = zipped(tmp_path / "c.zip", {"a.py": bytes(range(256)) * 400, "b.py": b""})
    raw = bytearray(place.read_bytes())
    central = raw.index(b"PK\1\2")
    second = raw.index(b"PK\1\2", central + 4)
    raw[second + 20 : second + 28] = raw[central + 20 : central + 28]  # sizes
    raw[second + 42 : second + 46] = struct.pack("<I", 0)  # offset
    packed = struct.unpack("<I", raw[central + 20 : central + 24])[0]
    place.write_bytes(raw)
    if 2 * packed <= len(raw):
        pytest.fail("the case does not overlap")
    with pytest.raises(ValueError, match="its files overlap"):
        take_in(place, tmp_path / "s")


def test_damage_and_encryption_cost_their_file(tmp_path):
    place = zipped(tmp_path / "c.zip", {"a.py": b"a" * 50 + CODE, "b.py": CODE, "c.py": CODE})
    raw = bytearray(place.read_bytes())
    raw[raw.index(b"a.py") + 6] ^= 0xFF
    central = raw.rindex(b"PK\1\2")
    raw[central + 8] |= 1
    place.write_bytes(raw)
    found = {s.student: s for s in take_in(place, tmp_path / "s").submissions}
    assert "it cannot be unpacked" in found["a"].problem
    assert found["b"].path.read_bytes() == CODE
    assert "it is encrypted" in found["c"].problem


def test_a_name_listed_twice_is_refused(tmp_path):
    place = tmp_path / "c.zip"
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr("a.py", b"1")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a.py", b"2")
    (only,) = take_in(place, tmp_path / "s").submissions
    assert only.problem == "a.py is refused: the zip lists it twice"


def test_submissions_must_be_a_folder_or_zip(tmp_path):
    (tmp_path / "x.zip").write_bytes(b"no zip")
    with pytest.raises(ValueError, match="submissions must be a folder or a zip"):
        take_in(tmp_path / "x.zip", tmp_path / "s")
    with pytest.raises(ValueError, match=r"holds no \.py or \.ipynb file"):
        take_in(zipped(tmp_path / "e.zip", {"readme.txt": b""}), tmp_path / "s")


def test_terminal_escapes_in_a_name_go(tmp_path):
    assert list(taken(tmp_path, {"\x1b[2Jeve/hw.py": CODE, "ada/hw.py": CODE})) == ["ada", "eve"]


# ------------------------------------------------------------------- the roster


def test_a_roster_is_read(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("\ufeffID,Name,Email,Late,Excused,Extra_Time,Group\n7,Ada,a@b,1.5,,2,x\n8,Bob,,,yes,,\n")
    people = read_roster(path).students
    assert people["7"] == Student("7", "Ada", "a@b", 1.5, False, 2.0)
    assert people["8"] == Student("8", "Bob", "", 0.0, True, 0.0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name\nAda\n", "must have a column 'id', its columns are name"),
        ("id\n7\n7\n", "lists the id '7' twice"),
        ("id,name\n,Ada\n", "line 2: the id is empty"),
        ("id,late\n7,soon\n", "line 2: late must be a number of days of at least 0, got 'soon'"),
        ("id,extra_time\n7,-1\n", "extra_time must be a number"),
        ("id,excused\n7,maybe\n", "excused must be yes or no, got 'maybe'"),
    ],
)
def test_a_wrong_roster_is_a_sentence(tmp_path, text, words):
    path = tmp_path / "r.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=words):
        read_roster(path)


def test_a_name_that_ends_in_a_backslash_is_unpacked_under_the_name_that_it_gets(tmp_path):
    found = taken(tmp_path, {"submission_metadata.yml\\": METADATA, "submission_11/hw.py\\": CODE})
    assert {item.path.read_bytes() for item in found.values()} == {CODE}


def test_a_damaged_zip_is_a_sentence(tmp_path):
    place = tmp_path / "class.zip"
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr("ada.py", CODE)
    place.write_bytes(place.read_bytes().replace(b"PK\x01\x02", b"XXXX"))
    with pytest.raises(ValueError, match=r"class\.zip is damaged: Bad magic number"):
        take_in(place, tmp_path / "scratch")


def test_a_name_without_letters_matches_nobody():
    """Not that of the one student without an e-mail address."""
    roster = Roster([Student("1", "Ada"), Student("2", "Bob", "bob@example.org")])
    assert roster.match(["_", "--"]) is None


def test_names_match_in_any_turn_and_never_by_guess():
    roster = Roster([Student("1", "Ève King Smith"), Student("2", "Bo Li"), Student("3", "Li Bo")])
    assert roster.match(["kingsmitheve"]) == roster.match(["Smith, Eve King"]) == "1"
    assert roster.match(["Bo Li"]) is None, "two students could be meant"
    assert roster.match(["nobody", "3"]) == "3"
    assert roster.match([]) is None


# ------------------------------------------------------------------- odd names


def test_a_file_cannot_claim_another_participants_number(tmp_path):
    """Moodle's flat export: the first of its words are Moodle's, what follows is the student's file name."""
    files = {
        "Eve Evil_123_assignsubmission_file_a_456_assignsubmission_file_hw01.py": CODE,
        "Bob O'Neill_456_assignsubmission_file_hw01.py": CODE,
    }
    for people in (None, Roster([Student("123"), Student("456")])):
        found = taken(tmp_path, files, roster=people)
        assert {item.number for item in found.values()} == {"123", "456"}
        assert all(item.path for item in found.values())


def test_a_students_name_cannot_claim_another_participants_number(tmp_path):
    files = {"Eve_456_assignsubmission_file_123_assignsubmission_file_/hw.py": CODE,
             "Bob_456_assignsubmission_file/hw.py": CODE}  # fmt: skip
    found = taken(tmp_path, files)
    assert sorted(item.number for item in found.values()) == ["123", "456"]


def test_suffixes_in_capitals(tmp_path):
    files = {"anna/HW01.PY": CODE, "ben/HW.IPYNB": CODE, "carla.PY": CODE, "dora.Py": CODE}
    found = taken(tmp_path, files)
    assert sorted(found) == ["anna", "ben", "carla", "dora"]
    assert all(item.path.read_bytes() == CODE for item in found.values())


def test_what_is_dropped_is_said(tmp_path):
    place = tmp_path / "class"
    (place / "deep" / "/".join("abcdefg")).mkdir(parents=True)
    (place / "deep" / "/".join("abcdefg") / "hw.py").write_bytes(CODE)
    (place / "ada.py").write_bytes(CODE)
    (place / "notes.txt").write_bytes(b"")
    found = take_in(place, tmp_path / "s")
    assert found.dropped == ("notes.txt",)
    deep = {item.student: item for item in found.submissions}["deep"]
    assert "lies more than 6 folders deep" in deep.problem


def test_a_name_that_is_no_utf8_is_read_as_latin_1(tmp_path):
    place = tmp_path / "class"
    place.mkdir()
    with open(os.fsencode(place) + b"/m\xfcller.py", "wb") as file:
        file.write(CODE)
    (found,) = take_in(place, tmp_path / "s").submissions
    assert found.student == "müller"
    assert found.path.read_bytes() == CODE


def test_a_large_notebook_in_a_zip_is_not_refused_for_its_plots(tmp_path):
    data = os.urandom(9 << 20)
    found = taken(tmp_path, {"ada/hw.ipynb": data, "bob/hw.py": data})
    assert found["ada"].path.read_bytes() == data
    assert "more than 8 MiB" in found["bob"].problem
