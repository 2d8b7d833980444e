"""The smallest counterexample: it fails alike, on no more numbers; it can be typed, saved and run again."""

import io
import json
import time
import zipfile

import numpy as np
import pytest

from mlnotes import cli, grading, homework
from mlnotes.checking import claim, equal
from mlnotes.grading import engine, results
from mlnotes.grading.assignment import handouts
from mlnotes.grading.assignment.solutions import defined
from mlnotes.grading.feedback import counterexample, replay
from mlnotes.grading.protocol import instances
from mlnotes.grading.protocol.instances import CHECK_SECRET, Draw
from mlnotes.grading.protocol.session import InProcessSession
from mlnotes.homework import Assignment, Function, Part, Value
from mlnotes.mistakes.homework import solved
from tests.yardsticks import at_most, loop

MISTAKES = [
    ("hw01", "decide", "least_likely"), ("hw01", "decide", "value_for_place"),
    ("hw01", "errors", "unweighted"), ("hw01", "least", "best_constant"), ("hw01", "choose", "ignores_cost"),
    ("hw01", "threshold", "no_prior"), ("hw01", "beers", "fails_instead"), ("hw01", "plugin", "pooled"),
    ("hw02", "within", "divides_by_n"), ("hw02", "line", "no_half"), ("hw02", "quadric", "not_symmetric"),
    ("hw02", "centres", "not_twice"), ("hw02", "merge", "averages"), ("hw03", "shares", "clips"),
    ("hw03", "slope", "mean"), ("hw03", "limit", "trace"), ("hw03", "Logistic", "no_bias"),
    ("hw03", "descend", "one_short"), ("hw04", "train", "strict"), ("hw04", "average", "last_weights"),
    ("hw05", "squared", "hinge_dual"), ("hw05", "program", "no_box"), ("hw05", "thin", "one_step_only"),
    ("hw04", "lift", "appends_one"),
    ("hw06", "estimate", "ignores_weights"), ("hw06", "search", "approximate_form"),
    ("hw06", "Sorter", "nearest_mean"), ("hw07", "cut", "first_feature"), ("hw07", "boost", "no_update"),
    ("hw07", "links", "rounded_prices"), ("hw08", "moments", "rows_for_columns"),
    ("hw08", "directions", "smallest"), ("hw08", "coordinates", "unit_columns"),
    ("hw08", "Reduction", "own_mean"),
]  # fmt: skip


SECONDS = counterexample.SECONDS


@pytest.fixture(autouse=True)
def time_enough(monkeypatch):
    """A slow machine shows what it has after half a second; here it is asked how small it gets."""
    monkeypatch.setattr(counterexample, "SECONDS", 4 * SECONDS)


@pytest.fixture
def no_more_time(time_enough, monkeypatch):
    monkeypatch.setattr(counterexample, "SECONDS", SECONDS)


def wrong(id, mutant):
    source = next(m.source for m in solved(id).mutants if m.name == f"wrong_{mutant}")
    return f"{solved(id).solution}\n{source.replace('from __future__ import annotations', '')}"


def checked(id, name, source):
    """Return the part's result with its smallest instances, and the claims that fail with their trials."""
    assignment, session = homework.load(id), InProcessSession(defined(source))
    part, draw = assignment.part(name), Draw(CHECK_SECRET, assignment, "")
    plain = engine.grade_part(part, session, draw, instances=True)
    result = counterexample.with_smallest(plain, session, draw)
    decided = [[r.verdict, r.earned, *(c.verdict for c in r.claims)] for r in (result, plain)]
    assert decided[0] == decided[1], "what is shown decides nothing"
    trials = {
        c.id: counterexample.Trial(c, part, InProcessSession(defined(source)), draw) for c in part.claims
    }
    return result, trials


def entries(arguments):
    return sum(np.size(value) for value in arguments.values())


@pytest.mark.parametrize(("id", "name", "mutant"), MISTAKES)
def test_the_smallest_instance_of_a_mistake(id, name, mutant, tmp_path):
    source = wrong(id, mutant)
    runs = []
    real = counterexample.Trial.run
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counterexample.Trial, "run", lambda *a, **o: runs.append(a[0]) or real(*a, **o))
        result, trials = checked(id, name, source)
    assert len(runs) <= 2 * (counterexample.RUNS + len(trials))
    found = [c.smallest for c in result.claims if c.smallest]
    assert found
    path = tmp_path / "mine.py"
    path.write_text(source)
    for k, small in enumerate(found):
        trial = trials[small.claim]
        alike = trial.run({}, 0, (), wanted=lambda r, kind=small.kind: r.kind == kind)
        first = counterexample.instance(alike, small.claim)
        run = trial.run(small.sizes, small.stream, small.draws, wanted=lambda r, k=small.place: r.place == k)
        again = counterexample.instance(run, small.claim)
        assert (again.kind, again.lines) == (small.kind, small.lines), "the recorded draws make it again"
        assert entries(small.arguments) <= entries(first.arguments)
        assert counterexample._NUMBERS.sub("#", first.evidence.get("what", "").partition(" (")[0]) == (
            counterexample._NUMBERS.sub("#", small.evidence.get("what", "").partition(" (")[0])
        )
        told = [line for line in small.lines if "gave" not in line]
        assert not any("array (" in line or "..." in line for line in told), "it can be typed"
        save_to = tmp_path / f"{k}.npz"
        assignment = homework.load(id)
        replay.save(save_to, assignment, name, small)
        saved = replay.load(save_to)
        with np.load(save_to, allow_pickle=False) as file:
            for key, value in small.arguments.items():
                assert np.array_equal(file[key], value), key
        if k == 0:
            part = replay.replay(saved, assignment, path)
            assert part.verdict == small.kind
            assert part.claims[0].smallest.lines == tuple(
                line.replace("<known solution>", "mine.py") for line in small.lines
            )
            path.write_text(solved(id).solution)
            assert replay.replay(saved, assignment, path).verdict == "OK"


def test_mistakes_are_shown_on_a_third_of_the_numbers_or_less():
    for id, name, mutant in [("hw03", "slope", "mean"), ("hw04", "average", "last_weights"),
                             ("hw05", "squared", "times_price"), ("hw06", "estimate", "no_width"),
                             ("hw08", "moments", "divides_by_n")]:  # fmt: skip
        result, trials = checked(id, name, wrong(id, mutant))
        small = next(c.smallest for c in result.claims if c.smallest)
        first = counterexample.instance(trials[small.claim].run({}, 0, ()), small.claim)
        assert entries(small.arguments) <= entries(first.arguments) / 3, name


def test_adapter_messages_refer_to_the_shown_instance():
    result, _ = checked("hw03", "descend", wrong("hw03", "a_column_short"))
    said = [claim for claim in result.claims if "n_steps = " in claim.sentence]
    assert len(said) == 2
    assert all(f"n_steps = {claim.smallest.arguments['n_steps']}" in claim.sentence for claim in said)


def test_a_right_solution_has_no_instance_and_a_grade_shows_none(tmp_path):
    result, _ = checked("hw02", "line", solved("hw02").solution)
    assert not any(c.smallest for c in result.claims)
    path = tmp_path / "mine.py"
    path.write_text(wrong("hw02", "no_half"))
    with grading.Sandbox("C") as sandbox:
        graded = grading.grade_submission(homework.load("hw02"), path, secret=b"s", sandbox=sandbox)
    assert not any(c.smallest or c.calls for part in graded.parts for c in part.claims)
    record = graded.as_dict()
    assert "smallest" not in record["parts"][1]["claims"][0]
    assert results.Result.from_dict(json.loads(json.dumps(record))) == graded


def test_verdicts_are_the_same_with_and_without(tmp_path, monkeypatch):
    """A file with a state of its own: to be asked more often must not change what the next part earns."""
    path = tmp_path / "mine.py"
    counter = "\n_asked = [0]\n_error = error\ndef error(*a):\n    _asked[0] += 1\n    return _error(*a)\n"
    late = "\n_switch = switch\ndef switch(s):\n    return _switch(s) if _asked[0] <= 8 else 0.0\n"
    path.write_text(wrong("hw02", "no_half") + counter + late)
    shown = grading.check_file(homework.load("hw02"), path)
    monkeypatch.setattr(counterexample, "instances", lambda *a: {})
    plain = grading.check_file(homework.load("hw02"), path)
    assert shown == plain
    assert any(c.smallest for part in shown.parts for c in part.claims)


# ------------------------------------------------------------------- a search that goes wrong


def own(check, solution, source, **declared):
    value = Value("f", ("n",))
    made = claim("own.asked", kind="homework", section="a book", statement="...")(check)
    part = Part(
        "asked", 1, "?", (made,), (Function("asked", {"x": value}, Value("f", ()), "..."),), **declared
    )
    assignment = Assignment("own", "Own", (part,), solution=solution)
    session = InProcessSession(defined(source))
    draw = Draw(b"s", assignment, "")
    result = engine.grade_part(part, session, draw, instances=True)
    return result, counterexample.instances(result, session, draw), session


def sums(asked, rng, *, n=9):
    x = rng.integers(-20, 21, n) / 4
    yield equal("the sum", asked(x), float(x.sum()), 1e-9, x=x)


def test_instances_refused_by_the_model_solution_are_skipped():
    right = "def asked(x):\n    if len(x) < 4 or x[0] == 0: raise ValueError\n    return x.sum()"
    _, found, _ = own(sums, right, "def asked(x): return x.sum() + 1")
    x = found["own.asked"].arguments["x"]
    assert len(x) == 4
    assert x[0] != 0
    assert not x[1:].any()


def test_without_a_model_solution_only_discrete_draws_shrink():
    def spread(asked, rng, *, n=9):
        x = np.append(rng.integers(-20, 21, n) / 4, rng.normal(size=2))
        yield equal("the sum", asked(x), float(x.sum()), 1e-9, x=x)

    _, found, _ = own(spread, "", "def asked(x): return x.sum() + 1")
    x = found["own.asked"].arguments["x"]
    assert len(x) == 11
    assert not x[:9].any()
    assert (x[9:] % 1 != 0).all()


def test_shrinking_keeps_the_same_failure():
    """Short rows make it raise, which is not how it failed."""
    right = "def asked(x): return x.sum()"
    _, found, _ = own(sums, right, "def asked(x):\n    x[5]\n    return x.sum() + 1")
    assert len(found["own.asked"].arguments["x"]) == 6
    assert found["own.asked"].kind == "CLAIM FAILS"


def ends_in_half_a_second(check, right, wrong):
    """Whether it takes at most what a deadline of a fifth more ends, and two gradings."""
    assert SECONDS == 0.5
    graded = lambda: own(check, right, right)  # noqa: E731
    return at_most(lambda: own(check, right, wrong), loop(0.6), graded, graded)


@pytest.mark.usefixtures("no_more_time")
def test_an_answer_that_does_not_end_ends_the_search():
    right, hangs = "def asked(x): return x.sum()", "\n    while len(x) < 5: pass\n    return x.sum() + 1"
    result, found, _ = own(sums, right, f"def asked(x):{hangs}")
    assert ends_in_half_a_second(sums, right, f"def asked(x):{hangs}")
    assert result.verdict == "CLAIM FAILS"
    assert len(found["own.asked"].arguments["x"]) == 9


@pytest.mark.usefixtures("no_more_time")
def test_a_claim_that_does_not_end_on_less_ends_the_search():
    def endless(asked, rng, *, n=9):
        while n < 5:
            rng.integers(3)
        yield from sums(asked, rng, n=n)

    right, wrong = "def asked(x): return x.sum()", "def asked(x): return x.sum() + 1"
    _, found, _ = own(endless, right, wrong)
    assert ends_in_half_a_second(endless, right, wrong)
    assert len(found["own.asked"].arguments["x"]) == 9


@pytest.mark.usefixtures("no_more_time")
def test_a_claim_that_takes_all_the_time_is_run_once():
    runs = []

    def slow(asked, rng, *, n=9):
        runs.append(n)
        start = time.process_time()
        while time.process_time() - start < counterexample.SECONDS:
            pass
        yield from sums(asked, rng, n=n)

    _, found, _ = own(slow, "def asked(x): return x.sum()", "def asked(x): return x.sum() + 1")
    assert runs == [9, 9], "once for the verdict, once for the recorded draws"
    assert found["own.asked"].sizes == {}


def test_the_search_leaves_prints_notes_and_time_alone(capsys):
    prints = "def asked(x):\n    print('asked')\n    return x.sum() + 1"
    _, _, session = own(sums, "def asked(x): return x.sum()", prints)
    assert session.seconds_left == 300.0
    assert capsys.readouterr().out.count("asked") == 1, "the verdict's call"


# ------------------------------------------------------------------- recorded draws


def everything(rng):
    return [
        rng.integers(-5, 6, (3, 2)), rng.integers(7), rng.integers([1, 2], [5, 9]), rng.uniform(2, 3),
        rng.uniform([0, 1], [1, 9], (4, 2)), rng.random(3), rng.normal(1, 3, 4), rng.standard_normal((2, 2)),
        rng.exponential(2.0, 3), rng.dirichlet([2.0, 1.0, 1.0]), rng.permutation(6),
        rng.permutation([3, 1, 1]), rng.choice([0.5, 2.0]), rng.choice(9, 3, replace=False),
        rng.choice([-1, 1], 5),
    ]  # fmt: skip


def test_recorded_draws_repeat_their_generator():
    first = instances.Recorder(np.random.default_rng(5))
    one, plain = everything(first), everything(np.random.default_rng(5))
    assert [np.shape(a) for a in one] == [np.shape(b) for b in plain]
    assert all(np.array_equal(a, b) for a, b in zip(one, plain, strict=True))
    again = everything(instances.Recorder(np.random.default_rng(6), first.drawn))
    assert all(np.array_equal(a, b) for a, b in zip(one, again, strict=True))
    assert isinstance(first, np.random.Generator)


def test_recorded_draws_stay_within_the_generators_range():
    def fits(values):
        x, k, pair, u, V, r, _, _, e, p, order, bag, half, three, signs = values
        bounds = [abs(x).max() <= 5, 0 <= k < 7, 2 <= u <= 3, 1 <= pair[0] < 5, 2 <= pair[1] < 9,
                  (V[:, 1] >= 1).all(), (V <= [1, 9]).all(), (r >= 0).all(), (r < 1).all(), (e >= 0).all(),
                  (p > 0).all(), abs(p.sum() - 1) < 1e-12]  # fmt: skip
        assert all(bounds)
        assert sorted(order) == list(range(6))
        assert sorted(bag) == [1, 1, 3]
        assert half in (0.5, 2.0)
        assert len(set(three)) == 3
        assert {*three} <= set(range(9))
        assert {*signs} <= {-1, 1}

    seen = instances.Recorder(np.random.default_rng(5))
    everything(seen)
    for place, draw in enumerate(seen.drawn):
        for ways in (draw.smaller, draw.single):
            for other in ways():
                assert other.admits(draw.value)
                recorded = [*seen.drawn[:place], other, *seen.drawn[place + 1 :]]
                fits(everything(instances.Recorder(np.random.default_rng(5), recorded)))
    junk = [np.full((3, 2), 99), np.array(np.nan), np.zeros(2), np.array(7.0), np.zeros((4, 2)), np.ones(3),
            np.full(4, np.inf), "text", np.full(3, -1.0), np.ones(3), np.arange(1, 7), np.arange(3),
            np.array(7.0), np.zeros(3, int), np.zeros(5, int)]  # fmt: skip
    fits(everything(instances.Recorder(np.random.default_rng(5), [np.asarray(v) for v in junk])))


# ------------------------------------------------------------------- files


@pytest.fixture
def mine(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(wrong("hw02", "negative_root"))
    return tmp_path


def said(capsys, *arguments):
    status = cli.main(list(arguments))
    told = capsys.readouterr()
    return status, told.out + told.err


def test_save_and_replay(mine, capsys):
    status, text = said(capsys, "check", "hw02", "mine.py", "--save", "a.npz")
    assert status == cli.FAILS
    assert "saved the failing instance of switch in a.npz" in text
    status, text = said(capsys, "replay", "a.npz", "mine.py")
    assert status == cli.FAILS
    assert "switch: the instance still fails" in text
    assert "scale = " in text
    (mine / "mine.py").write_text(solved("hw02").solution)
    status, text = said(capsys, "replay", "a.npz", "mine.py")
    assert status == cli.OK
    assert "hw02.switch holds on it. Now check all of mine.py" in text
    assert said(capsys, "check", "hw02", "mine.py", "--save", "b.npz")[0] == cli.OK
    assert not (mine / "b.npz").exists()


def test_the_handout_says_how_to_save_and_replay():
    text = handouts.handout_text(homework.load("hw02"))
    assert "--save a.npz" in text
    assert "`mlnotes replay a.npz FILE.ipynb` asks it again" in text


def test_the_file_that_was_checked_is_asked_in_a_closed_sandbox(mine, capsys, monkeypatch):
    """Its name is in the saved file, which somebody else may have written."""
    levels, real = [], replay.Sandbox
    monkeypatch.setattr(replay, "Sandbox", lambda level, packages: levels.append(level) or real("C"))
    said(capsys, "check", "hw02", "mine.py", "--save", "a.npz")
    assert "the instance still fails" in said(capsys, "replay", "a.npz")[1]
    assert "the instance still fails" in said(capsys, "replay", "a.npz", "mine.py")[1]
    assert levels == ["auto", "C"]


def test_an_own_homework_is_saved_and_replayed(mine, capsys):
    written = (
        "import numpy as np\nfrom mlnotes.checking import claim, equal\n"
        "from mlnotes.homework import Assignment, Function, Part, Value\n"
        "@claim('sums.total', kind='homework', section='a book', statement='It is the sum.')\n"
        "def total(add, rng, *, n=9):\n    x = rng.integers(1, 9, n)\n"
        "    yield equal('sum', add(x), x.sum(), x=x)\n"
        "part = Part('total', 1, '?', (total,), (Function('add', {'x': Value('i', ('n',))},\n"
        "    Value('i'), '.'),))\n"
        "assignment = Assignment('sums', 'Sums', (part,), solution='def add(x): return sum(x)')\n"
    )
    (mine / "sums.py").write_text(written)
    (mine / "mine.py").write_text("def add(x): return max(x)\n")
    status, text = said(capsys, "check", "sums.py", "mine.py", "--save", "a.npz")
    assert status == cli.FAILS
    assert "x = [1, 1]" in text
    status, text = said(capsys, "replay", "a.npz", "mine.py", "--assignment", "sums.py")
    assert status == cli.FAILS
    assert "sum: expected 2, got 1" in text


def test_a_replay_has_the_packages_of_the_assignment(mine, capsys):
    """In a closed sandbox a package that is not staged cannot be imported."""
    (mine / "roots.py").write_text(
        "from mlnotes.checking import claim, equal\n"
        "from mlnotes.homework import Assignment, Function, Part, Value\n"
        "@claim('roots.one', kind='homework', section='a book', statement='One is one.')\n"
        "def one(answer, rng):\n    yield equal('answer', answer(), 1.0)\n"
        "part = Part('one', 1, '?', (one,), (Function('answer', {}, Value('f'), '.'),))\n"
        "assignment = Assignment('roots', 'Roots', (part,), packages=('scipy',))\n"
    )
    (mine / "mine.py").write_text("from scipy.special import gamma\ndef answer(): return float(gamma(3))\n")
    said(capsys, "check", "roots.py", "mine.py", "--save", "a.npz")
    assert "answer: expected 1, got 2" in said(capsys, "replay", "a.npz", "--assignment", "roots.py")[1]


def test_a_bad_name_or_file_gets_one_sentence(mine, capsys):
    said(capsys, "check", "hw02", "mine.py", "--save", "a.npz")
    (mine / "zip.npz").write_bytes(b"PK")
    np.savez(mine / "other.npz", x=np.arange(3))
    np.savez(mine / "pickled.npz", about=np.array([{"form": 1}], dtype=object))
    about = json.loads(str(np.load(mine / "a.npz")["about"]))
    others = {"old": {"version": "0"}, "gone": {"claim": "hw02.none"}, "own": {"assignment": "o.py"},
              "live": {"submission": ""}, "size": {"sizes": {"n": -1}},
              "large": {"sizes": {"n": 1000}}}  # fmt: skip
    for name, changed in others.items():
        np.savez(mine / f"{name}.npz", about=np.array(json.dumps(about | changed)))
    (mine / "hw01.py").write_text(solved("hw01").solution)
    (mine / "broken.ipynb").write_text("{")
    for arguments, sentence in {
        ("check", "hw02", "mine.py", "--save", "a.npz"): "a.npz is there already",
        ("check", "hw02", "mine.py", "--save", "a.txt"): "an instance is saved in a .npz file, got 'a.txt'",
        ("check", "hw02", "mine.py", "--save", "b.npz", "--part", "none"): "hw02 has no part 'none'",
        ("check", "hw02", "mine.py", "--save", "b.npz", "--part", "line"): "no instance of line fails",
        ("replay", "none.npz", "mine.py"): "no such file: none.npz",
        ("replay", "mine.py", "mine.py"): "mine.py holds no instance that 'mlnotes check --save' wrote",
        ("replay", "zip.npz", "mine.py"): "zip.npz holds no instance",
        ("replay", "other.npz", "mine.py"): "other.npz holds no instance",
        ("replay", "pickled.npz", "mine.py"): "pickled.npz holds no instance",
        ("replay", "size.npz", "mine.py"): "size.npz holds no instance",
        ("replay", "old.npz", "mine.py"): "is of hw02, version 0; it says nothing of hw02, version 1",
        ("replay", "gone.npz", "mine.py"): "hw02 has changed since: switch does not ask hw02.none so",
        ("replay", "large.npz", "mine.py"): "hw02 has changed since: switch does not ask hw02.switch so",
        ("replay", "own.npz", "mine.py"): "of a homework of its own: name it, --assignment o.py",
        ("replay", "live.npz"): "saved in a notebook: name the file",
        ("replay", "a.npz", "none.py"): "no such file: none.py",
        ("replay", "a.npz", "a.npz"): "a.npz is not a submission",
        ("replay", "a.npz", "broken.ipynb"): "broken.ipynb",
        ("replay", "a.npz", "mine.py", "--assignment", "hw01"): "it says nothing of hw01",
    }.items():
        status, text = said(capsys, *arguments)
        assert status == cli.USAGE, arguments
        assert sentence in text.splitlines()[-1], text
    status, text = said(capsys, "replay", "a.npz", "hw01.py")
    assert status == cli.FAILS
    assert "hw01.py does not define switch, which switch asks for" in text
    assert said(capsys, "check", "hw02", "mine.py", "--save", "a.npz", "--force")[0] == cli.FAILS


def test_a_file_that_unpacks_to_too_much_is_not_read(tmp_path):
    with zipfile.ZipFile(tmp_path / "big.npz", "w", zipfile.ZIP_DEFLATED) as packed:
        data = io.BytesIO()
        np.save(data, np.zeros(1 << 24))
        packed.writestr("about.npy", data.getvalue())
    with pytest.raises(ValueError, match="holds no instance"):
        replay.load(tmp_path / "big.npz")


def test_a_notebook_holds_the_instance_and_saves_it(tmp_path):
    report = grading.check_live("hw05.squared", defined(wrong("hw05", "hinge_dual")))
    assert list(report.instance) == ["X", "labels", "C", "alpha"]
    assert 'check("hw05.squared").instance' in repr(report)
    assert 'check("hw05.squared").instance' in report._repr_html_()
    report.save(tmp_path / "a.npz")
    with pytest.raises(ValueError, match="there already"):
        report.save(tmp_path / "a.npz")
    path = tmp_path / "mine.py"
    path.write_text(wrong("hw05", "hinge_dual"))
    again = replay.replay(replay.load(tmp_path / "a.npz"), homework.load("hw05"), path)
    assert again.verdict == "CLAIM FAILS"
    right = grading.check_live("hw05.squared", defined(solved("hw05").solution))
    assert right.instance == {}
    with pytest.raises(ValueError, match="nothing to save"):
        right.save(tmp_path / "b.npz")


# ------------------------------------------------------------------- what the lines say


def test_an_affine_map_is_asked_of_the_students_own_answers():
    result, _ = checked("hw02", "merge", wrong("hw02", "divides_by_all"))
    broken = {
        item["what"].partition(" (")[0] for c in result.claims for item in c.evidence if not item["holds"]
    }
    assert "posterior against the formula" in broken
    assert not any("affine" in what for what in broken), "a wrong divisor is as invariant as the right one"


def test_several_returned_values_are_listed_one_by_one():
    names = defined(solved("hw02").solution, "def quadric(*a): return np.eye(len(a[0])), 0 * a[0], 1.0")
    text = repr(grading.check_live("hw02.quadric", names))
    for name in ("A", "b", "c"):
        assert f"gave {name}: " in text


@pytest.mark.parametrize("kind", ["np.float32(value)", "float(np.float32(value))"])
def test_single_precision_is_named_and_hidden_digits_are_told(kind):
    source = f"_cautious = cautious\ndef cautious(*a):\n    value = _cautious(*a)\n    return {kind}"
    text = repr(grading.check_live("hw04.cautious", defined(solved("hw04").solution, source)))
    assert "float32" in text
    assert "off by" in text


def test_short_answers_far_from_the_right_ones_are_not_called_single_precision():
    name = "wrong_weights_do_not_sum_to_one"
    source = next(mutant.source for mutant in solved("hw06").mutants if mutant.name == name)
    text = repr(grading.check_live("hw06.estimate", defined(solved("hw06").solution, source)))
    assert "CLAIM FAILS" in text
    assert "float32" not in text
