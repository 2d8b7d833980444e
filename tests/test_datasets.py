"""Bundled tables against published facts, and readers against files that the tests write."""

import dataclasses
import gzip
import importlib.util
import io
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest
import sklearn.datasets

from mlnotes import datasets
from mlnotes.datasets import ADULT_CATEGORIES, read_adult, read_cifar10, read_cifar100, read_csv, read_mnist

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "mlnotes" / "datasets" / "data"
LOADERS = [name for name in datasets.__all__ if name.startswith("load_")]


# ------------------------------------------------------------------- bundled tables


@pytest.mark.parametrize("name", LOADERS)
def test_every_loader_returns_a_frozen_table(name):
    data = getattr(datasets, name)()
    assert data.X.dtype == np.float64
    assert np.isfinite(data.X).all()
    assert len(data.feature_names) == data.X.shape[1] == len(set(data.feature_names))
    if data.y is None:
        assert data.target_names == ()
    else:
        assert (data.y.dtype, data.y.shape) == (np.int64, (len(data.X),))
        assert sorted(set(data.y.tolist())) == list(range(len(data.target_names)))
        assert not data.y.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        data.X[0, 0] = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        data.X = None
    assert len(repr(data)) < 200
    assert str(data.X.shape) in repr(data)


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("iris", [50, 50, 50]),
        ("wine", [59, 71, 48]),
        ("breast_cancer", [212, 357]),
        ("digits", [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]),
        ("saheart", [302, 160]),
        ("adult", [24720, 7841]),
        ("mnist_subset", [451, 591, 501, 511, 480, 458, 499, 519, 466, 524]),
    ],
)
def test_class_counts(name, counts):
    assert np.bincount(getattr(datasets, f"load_{name}")().y).tolist() == counts


@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer", "digits"])
def test_tables_of_scikit_learn(name):
    ours, theirs = getattr(datasets, f"load_{name}")(), getattr(sklearn.datasets, f"load_{name}")()
    np.testing.assert_array_equal(ours.X, theirs.data)
    np.testing.assert_array_equal(ours.y, theirs.target)
    assert list(ours.feature_names) == list(theirs.feature_names)
    assert list(ours.target_names) == [str(name) for name in theirs.target_names]


def test_adult_codes():
    data = datasets.load_adult()
    assert data.X.shape == (32561, 13)
    assert "fnlwgt" not in data.feature_names
    assert (data.X == -1).any(axis=1).sum() == 2399
    missing = dict(zip(data.feature_names, (data.X == -1).sum(axis=0).tolist(), strict=True))
    assert {name: n for name, n in missing.items() if n} == {
        "workclass": 1836,
        "occupation": 1843,
        "native-country": 583,
    }
    for name, words in ADULT_CATEGORIES.items():  # every category occurs
        seen = set(data.X[:, data.feature_names.index(name)].astype(int).tolist()) - {-1}
        assert seen == set(range(len(words)))
    first = dict(zip(data.feature_names, data.X[0], strict=True))
    assert ADULT_CATEGORIES["workclass"][int(first["workclass"])] == "State-gov"
    assert ADULT_CATEGORIES["education"][int(first["education"])] == "Bachelors"
    assert (first["age"], first["capital-gain"], first["hours-per-week"]) == (39, 2174, 40)


def test_faithful_and_galaxies():
    geyser = datasets.load_faithful()
    assert geyser.X.shape == (272, 2)
    assert geyser.X.mean(axis=0).round(3).tolist() == [3.488, 70.897]
    ours, printed = datasets.load_galaxies().X[:, 0], datasets.load_galaxies(as_printed=True).X[:, 0]
    assert ours.shape == (82,)
    assert (np.diff(ours) > 0).all()
    assert np.flatnonzero(ours != printed).tolist() == [77]
    assert (ours[77], printed[77]) == (26960, 26690)


def test_halley():
    data = datasets.load_halley()
    age, living, deaths = data.X.T
    assert data.feature_names == ("age", "living", "deaths")
    assert age.tolist() == list(range(1, 85))
    np.testing.assert_array_equal(deaths, -np.diff(living, prepend=1238))
    assert (living[0], living[-1]) == (1000, 20)


def test_the_bundled_files_are_small_need_no_pickle_and_are_accounted_for():
    files = sorted(DATA.glob("*.npz"))
    readme = (DATA / "README.md").read_text("utf-8")
    assert len(files) == len(LOADERS)
    assert sum(path.stat().st_size for path in files) < 1.5e6
    for path in files:
        assert f"`{path.name}`" in readme
        with np.load(path, allow_pickle=False) as arrays:
            assert {arrays[name].dtype.kind for name in arrays.files} <= set("iufU")


# ------------------------------------------------------------------- the script that rebuilds them


@pytest.fixture(scope="module")
def export():
    spec = importlib.util.spec_from_file_location("export_data", ROOT / "scripts" / "export_data.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.main


def members(path):
    with zipfile.ZipFile(path) as archive:
        return [(entry.filename, entry.date_time, archive.read(entry)) for entry in archive.infolist()]


def test_tables_of_scikit_learn_are_rebuilt_byte_for_byte(export, tmp_path):
    export(["--scikit-learn", "--out", str(tmp_path)])
    rebuilt = sorted(path.name for path in tmp_path.iterdir())
    assert rebuilt == ["breast_cancer.npz", "digits.npz", "iris.npz", "wine.npz"]
    for name in rebuilt:
        assert members(tmp_path / name) == members(DATA / name)


def test_the_script_reads_the_original_formats(export, tmp_path):
    heart = table(tmp_path / "heart.csv", "sbp,famhist,chd\n160,Present,1\n144,Absent,0\n")
    geyser = table(tmp_path / "geyser.csv", "eruptions,waiting\n3.6,79\n1.8,54\n")
    galaxies = table(tmp_path / "galaxies.csv", "get(o)\n9172\n26690\n")
    halley = table(tmp_path / "halley.csv", "age,deaths,number,ratio\n1,238,1000,0.855\n2,145,855,\n")
    ages = table(tmp_path / "ages.csv", "age,sex,prob\n0,Male,0.2\n1,Male,0.5\n0,Female,0.1\n1,Female,0.4\n")
    adult = table(tmp_path / "adult.data", ADULT)
    images, labels = idx(tmp_path, np.arange(12).reshape(3, 2, 2), [7, 8, 9])
    out = tmp_path / "out"
    words = ["--saheart", heart, "--faithful", geyser, "--galaxies", galaxies, "--halley", halley]
    words += ["--ages-at-death", ages, "--adult", adult, "--mnist", images, labels, "--out", out]
    export([str(word) for word in words])
    stored = {path.stem: np.load(path) for path in out.iterdir()}
    assert stored["saheart"]["X"].tolist() == [[160, 1], [144, 0]]
    assert stored["saheart"]["y"].tolist() == [1, 0]
    assert stored["faithful"]["X"].tolist() == [[3.6, 79], [1.8, 54]]
    assert stored["galaxies"]["X"].tolist() == [[9172], [26690]]
    assert stored["halley"]["X"].tolist() == [[1, 1000, 238], [2, 855, 145]]
    assert stored["ages_at_death"]["X"].tolist() == [[0, 0.2, 0.1], [1, 0.5, 0.4]]
    assert stored["adult"]["X"].shape == (2, 13)
    assert stored["mnist"]["X"].tolist() == [[0, 1, 2, 3], [8, 9, 10, 11]]
    assert stored["mnist"]["y"].tolist() == [7, 9]


def test_the_script_refuses_ages_that_differ(export, tmp_path):
    ages = table(tmp_path / "ages.csv", "age,sex,prob\n0,Male,0.2\n1,Female,0.1\n")
    with pytest.raises(ValueError, match="the ages of men and women differ"):
        export(["--ages-at-death", str(ages), "--out", str(tmp_path)])


# ------------------------------------------------------------------- MNIST files


def table(path, text):
    path.write_text(text, "utf-8")
    return path


def idx(folder, images, labels):
    images = np.asarray(images, dtype=np.uint8)
    paths = folder / "images-idx3-ubyte", folder / "labels-idx1-ubyte"
    paths[0].write_bytes(struct.pack(">4I", 2051, *images.shape) + images.tobytes())
    paths[1].write_bytes(struct.pack(">2I", 2049, len(labels)) + bytes(labels))
    return paths


def pack(path):
    packed = path.with_suffix(".gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    return packed


def test_read_mnist_plain_and_gzipped(tmp_path):
    images = np.random.default_rng(0).integers(0, 256, (5, 3, 4))
    paths = idx(tmp_path, images, [0, 9, 1, 1, 5])
    for pair in (paths, [pack(path) for path in paths], [str(path) for path in paths]):
        data = read_mnist(*pair)
        assert data.X.dtype == np.uint8
        np.testing.assert_array_equal(data.X, images.reshape(5, 12))
        assert data.y.tolist() == [0, 9, 1, 1, 5]
        assert data.y.dtype == np.int64
        assert data.feature_names[:2] == ("pixel_0_0", "pixel_0_1")
        assert data.feature_names[-1] == "pixel_2_3"
        assert data.target_names == tuple("0123456789")


def test_refuses_bad_mnist_files(tmp_path):
    images, labels = idx(tmp_path, np.zeros((2, 3, 4)), [0, 9])
    whole = images.read_bytes()

    def refused(sentence, content=None, target=images):
        if content is not None:
            target.write_bytes(content)
        with pytest.raises(ValueError, match=sentence):
            read_mnist(images, labels)

    with pytest.raises(
        ValueError, match=r"magic number 2051 \(images\) expected, 2049 found, that of labels: are"
    ):
        read_mnist(labels, images)
    for n in (0, 3, 10):
        refused(rf"images-idx3-ubyte: {n} bytes found, at least {16 if n > 3 else 4} expected", whole[:n])
    refused(r"magic number 2051 \(images\) expected, 7 found\.", struct.pack(">I", 7) + whole[4:])
    for content in (whole[:-1], whole + b"x"):
        sentence = (
            f"images-idx3-ubyte: {len(content)} bytes found, 40 expected for a header and 2 x 3 x 4 bytes"
        )
        refused(sentence, content)
    refused("bytes found, 16 expected .* the file is empty", struct.pack(">4I", 2051, 0, 3, 4))
    # a header that asks for 2^96 bytes is refused before anything is allocated
    refused("expected for a header and 4294967295 x 4294967295", struct.pack(">4I", 2051, *[2**32 - 1] * 3))
    images.write_bytes(whole)
    refused("label 10 found, labels 0 to 9 expected", struct.pack(">2I", 2049, 2) + bytes([0, 10]), labels)
    refused(
        "2 images found in .*images-idx3-ubyte, but 1 labels in .*labels-idx1-ubyte",
        struct.pack(">2I", 2049, 1) + b"\0",
        labels,
    )


def test_refuses_damaged_gzip_files(tmp_path):
    images, labels = idx(tmp_path, np.random.default_rng(0).integers(0, 256, (50, 3, 4)), [0] * 50)
    packed = pack(images)
    whole = packed.read_bytes()
    for content in (whole[:-20], whole[:100] + b"\xff\xff" + whole[102:]):
        packed.write_bytes(content)
        with pytest.raises(ValueError, match="a whole gzip file expected, a damaged one found"):
            read_mnist(packed, labels)
    with pytest.raises(FileNotFoundError):
        read_mnist(tmp_path / "nowhere", labels)


# ------------------------------------------------------------------- CIFAR files


def cifar(path, heads, seed):
    pixels = np.random.default_rng(seed).integers(0, 256, (len(heads), 3072), dtype=np.uint8)
    path.write_bytes(np.hstack([np.array(heads, dtype=np.uint8), pixels]).tobytes())
    return path, pixels


def test_read_cifar10(tmp_path):
    one, first = cifar(tmp_path / "data_batch_1.bin", [[3], [9]], 1)
    two, second = cifar(tmp_path / "data_batch_2.bin", [[0]], 2)
    data = read_cifar10([one, pack(two)])
    np.testing.assert_array_equal(data.X, np.vstack([first, second]))
    assert (data.X.dtype, data.y.tolist()) == (np.uint8, [3, 9, 0])
    assert [data.target_names[k] for k in data.y] == ["cat", "truck", "airplane"]
    assert (data.feature_names[0], data.feature_names[1024], data.feature_names[-1]) == (
        "red_0_0",
        "green_0_0",
        "blue_31_31",
    )
    np.testing.assert_array_equal(read_cifar10(str(one)).X, first)


def test_read_cifar100(tmp_path):
    path, pixels = cifar(tmp_path / "train.bin", [[19, 99], [0, 5]], 1)
    fine, coarse = read_cifar100(path), read_cifar100(path, coarse=True)
    np.testing.assert_array_equal(fine.X, pixels)
    np.testing.assert_array_equal(coarse.X, pixels)
    assert (fine.y.tolist(), len(fine.target_names)) == ([99, 5], 100)
    assert (coarse.y.tolist(), len(coarse.target_names)) == ([19, 0], 20)


def test_refuses_bad_cifar_files(tmp_path):
    path, _ = cifar(tmp_path / "a.bin", [[3], [9]], 1)
    with pytest.raises(
        ValueError, match=r"a.bin: 6146 bytes found, a positive multiple of 3074 expected: a CIFAR-100"
    ):
        read_cifar100(path)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ValueError, match=r"a.bin: 6145 bytes found, a positive multiple of 3073 expected"):
        read_cifar10(path)
    path.write_bytes(b"")
    with pytest.raises(ValueError, match="0 bytes found, a positive multiple"):
        read_cifar10(path)
    with pytest.raises(ValueError, match=r"label 10 found, labels 0 to 9 expected"):
        read_cifar10(cifar(path, [[0], [10]], 1)[0])
    with pytest.raises(ValueError, match=r"label 20 found, labels 0 to 19 expected"):
        read_cifar100(cifar(path, [[20, 0]], 1)[0])
    with pytest.raises(ValueError, match=r"label 100 found, labels 0 to 99 expected"):
        read_cifar100(cifar(path, [[0, 100]], 1)[0])
    with pytest.raises(ValueError, match="paths is empty; at least one file is required"):
        read_cifar10([])


# ------------------------------------------------------------------- Adult files

ADULT = (
    "39, State-gov, 77516, Bachelors, 13, Never-married, Adm-clerical, Not-in-family, White, Male, 2174, 0, "
    "40, United-States, <=50K\n"
    "52, ?, 287927, HS-grad, 9, Married-civ-spouse, ?, Wife, White, Female, 15024, 0, 40, ?, >50K\n\n"
)


def test_read_adult_training_and_test_layout(tmp_path):
    plain = read_adult(table(tmp_path / "adult.data", ADULT))
    test = "|1x3 Cross validator\n" + ADULT.replace("50K\n", "50K.\n")
    for data in (plain, read_adult(pack(table(tmp_path / "adult.test", test)))):
        assert data.X.tolist() == [
            [39, 5, 0, 13, 2, 8, 3, 0, 1, 2174, 0, 40, 0],
            [52, -1, 3, 9, 0, -1, 0, 0, 0, 15024, 0, 40, -1],
        ]
        assert data.y.tolist() == [0, 1]
        assert data.feature_names == datasets.load_adult().feature_names
        assert data.target_names == ("<=50K", ">50K")


def test_read_adult_with_the_census_weight(tmp_path):
    data = read_adult(table(tmp_path / "adult.data", ADULT), fnlwgt=True)
    assert data.X.shape == (2, 14)
    assert data.X[:, 2].tolist() == [77516, 287927]
    assert data.feature_names[2] == "fnlwgt"


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (", <=50K", "", r"adult.data, line 1: 14 fields found, 15 expected"),
        ("39,", "39, 40,", r"line 1: 16 fields found, 15 expected"),
        ("52", "old", r"line 2: age is 'old', a finite number expected"),
        ("52", "?", r"line 2: age is '\?', a finite number expected"),
        ("52", "inf", r"line 2: age is 'inf', a finite number expected"),
        ("Female", "F", r"line 2: sex is 'F', one of Female, Male expected"),
        (">50K", "50K", r"line 2: income is '50K', one of <=50K, >50K expected"),
        (">50K", "?", r"line 2: income is '\?', one of"),
    ],
)
def test_refuses_bad_adult_lines(tmp_path, old, new, sentence):
    path = table(tmp_path / "adult.data", ADULT.replace(old, new))
    with pytest.raises(ValueError, match=sentence):
        read_adult(path)


def test_refuses_adult_files_without_rows_or_of_another_kind(tmp_path):
    with pytest.raises(ValueError, match="no rows found"):
        read_adult(table(tmp_path / "adult.data", "|only a comment\n\n"))
    images, _ = idx(tmp_path, np.full((2, 3, 4), 200), [0, 1])
    with pytest.raises(ValueError, match=r"text in UTF-8 expected, byte \d+ is none"):
        read_adult(images)


# ------------------------------------------------------------------- csv files


def test_read_csv(tmp_path):
    text = '"age", kind ,size\r\n1,"b",2.5\r\n-3e1,a,0\r\n\r\n4, b,7\r\n'
    for path in (table(tmp_path / "t.csv", text), pack(tmp_path / "t.csv")):
        data = read_csv(path, target="kind")
        assert data.X.tolist() == [[1, 2.5], [-30, 0], [4, 7]]
        assert data.feature_names == ("age", "size")
        assert (data.y.tolist(), data.target_names) == ([1, 0, 1], ("a", "b"))
        data = read_csv(path, categories={"kind": ["a", "b"]})
        assert data.X.tolist() == [[1, 1, 2.5], [-30, 0, 0], [4, 1, 7]]
        assert data.y is None


def test_labels_that_are_integers_are_sorted_as_numbers(tmp_path):
    data = read_csv(table(tmp_path / "t.csv", "\ufeffx,y\n1,10\n2,9\n3,-1\n"), target="y")
    assert data.target_names == ("-1", "9", "10")
    assert data.y.tolist() == [2, 1, 0]
    assert data.feature_names == ("x",)
    data = read_csv(table(tmp_path / "signs.csv", "x,y\n1,--1\n2,10\n3,9\n"), target="y")  # "--1" is text
    assert data.target_names == ("--1", "10", "9")


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        ("a,b\n1,2\n3\n", {}, r"t.csv, line 3: 1 fields found, 2 expected as in the header"),
        ("a,b\n1,2,3\n", {}, r"line 2: 3 fields found, 2 expected"),
        ("a,b\n1,x\n", {}, r"line 2: b is 'x', a finite number expected"),
        ("a,b\n1,\n", {}, r"line 2: b is '', a finite number expected"),
        ("a,b\n1,nan\n", {}, r"line 2: b is 'nan', a finite number expected"),
        ("a,b\n1,x\n", {"categories": {"b": ("y", "z")}}, r"line 2: b is 'x', one of y, z expected"),
        ("a,b\n1,2\n", {"target": "c"}, r"column 'c' found 0 times, once expected; the header is a, b"),
        ("a,a\n1,2\n", {"target": "a"}, r"column 'a' found 2 times, once expected"),
        ("a,b\n1,2\n", {"categories": {"c": ()}}, r"column 'c' found 0 times"),
        ("a,b\n", {}, r"1 lines found, a header and at least one row expected"),
        ("", {}, r"0 lines found, a header and at least one row expected"),
        ('a,b\n1,"2\n', {}, r"line 2: unexpected end of data"),
    ],
)
def test_refuses_bad_csv_files(tmp_path, text, options, sentence):
    path = table(tmp_path / "t.csv", text)
    with pytest.raises(ValueError, match=sentence):
        read_csv(path, **options)


def test_saved_arrays_survive_the_reader(tmp_path):
    X = np.random.default_rng(0).normal(size=(20, 3))
    text = io.StringIO()
    np.savetxt(text, X, fmt="%.17g", delimiter=",", header="a,b,c", comments="")
    np.testing.assert_array_equal(read_csv(table(tmp_path / "t.csv", text.getvalue())).X, X)
