"""Homework in their variants: what is turned is asked for, and answers in old conventions lose it.

A mistake loses its part whatever is drawn: most by a question that stands in every draw, the others at the
public draw and 20 more; ``MLNOTES_SECRETS=1000`` asks at as many.
"""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from mlnotes import LECTURES, grading, homework
from mlnotes.checking.evidence import precision
from mlnotes.grading import engine
from mlnotes.grading.assignment import handouts
from mlnotes.grading.assignment.solutions import defined
from mlnotes.grading.protocol import transcript
from mlnotes.grading.protocol.instances import CHECK_SECRET, Draw
from mlnotes.grading.protocol.session import InProcessSession
from mlnotes.grading.sandbox.levels import Sandbox
from mlnotes.mistakes import homework as known

FOLDER = Path(known.__file__).parent
TURNED = {  # what a student of the variant writes instead
    ("hw02", 1): (
        "def of_zero(base):\n    return lambda *a: tuple(-v for v in base(*a))\n"
        "line, quadric = of_zero(line), of_zero(quadric)\n",
        {"line", "quadric"},
        "*of class 0*",
    ),
    ("hw02", 2): (
        "def of_power(base):\n    return lambda *a: (lambda A, C: (A[:-1], C[:, :-1], 40 - C[:, -1] ** 2))"
        "(*base(*a))\ncentres = of_power(centres)\n",
        {"centres"},
        "least *power*",
    ),
    ("hw03", 1): (
        "def of_mean(base):\n    return lambda X, s: base(X, s * len(X)) * len(X)\nlimit = of_mean(limit)\n",
        {"limit"},
        "the *mean* of the log losses",
    ),
    ("hw03", 2): (
        "def last(base):\n    return lambda B, X, y: base(B, X, (y + 1) % (1 + len(B)))\n"
        "slope = last(slope)\n",
        {"slope"},
        "the last class as reference",
    ),
    ("hw04", 1): (
        "def rolled(base):\n    return lambda p, l: (lambda u, w: (u, np.roll(w, -1)))(*base(p, l))\n"
        "train = rolled(train)\n",
        {"train"},
        "the intercept *last*",
    ),
    ("hw04", 2): (
        "def of_factor(base):\n    return lambda *a: (lambda c, t: (1 / c, t))(*base(*a))\n"
        "lift = of_factor(lift)\n",
        {"lift"},
        "multiply the features by",
    ),
    ("hw05", 1): (
        "def of_twice(base):\n    return lambda X, l, C, a: base(X, l, 2 * C, a)\n"
        "squared = of_twice(squared)\n"
        "def bare(base):\n    return lambda X, labels: base(X, labels)[:, :-1]\nvectors = bare(vectors)\n",
        {"squared", "thin"},
        "*without an offset*",
    ),
    ("hw05", 2): (
        "def maximum(base):\n"
        "    return lambda *a: (lambda P, q, G, h, A, b: (P, -q, -G, -h, A, b))(*base(*a))\n"
        "program = maximum(program)\n"
        "def subtracted(base):\n    return lambda *a: tuple(-v for v in base(*a)[::-1])\n"
        "offsets = subtracted(offsets)\n",
        {"program", "offsets"},
        "*subtracted*",
    ),
    ("hw06", 1): (
        "def of_widths(base):\n    return lambda c, w: base(c, np.concatenate([[0.0], np.cumsum(w)]))\n"
        "uneven = of_widths(uneven)\n",
        {"uneven"},
        "*widths*",
    ),
    ("hw06", 2): (
        "def of_squares(base):\n"
        "    return lambda x, s: (lambda v, b: (v, s[v.argmin()]))(*base(x, 1 / np.sqrt(s)))\n"
        "search = of_squares(search)\n",
        {"search"},
        "*squares*",
    ),
    ("hw07", 1): (
        "def in_three(base):\n    return lambda c, left, second: 2 * base(c, left)\nluck = in_three(luck)\n",
        {"luck"},
        "to a *third*",
    ),
    ("hw07", 2): (
        "def of_edge(base):\n    return lambda edge: base(0.5 - edge)\n"
        "vote = of_edge(vote)\n"
        "def turned(base):\n    return lambda *a: (lambda j, t, s, v: (j, t, -s, v))(*base(*a))\n"
        "boost = turned(boost)\n",
        {"vote", "boost"},
        "*at most* the threshold",
    ),
    ("hw08", 1): (
        "def rows(base):\n    return lambda X, k: base(X, k).T\n"
        "columns = directions\ndirections = rows(directions)\n"
        "class Reduction(Reduction):\n    def learn(self, X):\n"
        "        self.mean, self.V = X.mean(axis=0), columns(X, self.k)\n",
        {"directions"},
        "as *rows*",
    ),
    ("hw08", 2): (
        "def of_distances(base):\n    return lambda D, k: base(-D / 2, k)\n"
        "coordinates = of_distances(coordinates)\n",
        {"coordinates"},
        "distances[i, j]",
    ),
}
TURNED |= {
    ("hw02", 4): (
        "def of_n(base):\n    return lambda p, k: base(p, k) * (1 - max(k) / len(k))\n"
        "within = of_n(within)\n",
        {"within"},
        "of largest likelihood",
    ),
    ("hw02", 8): (
        "import math\ndef switch(scale):\n    return math.log(scale) / (1 - 1 / scale)\n",
        {"switch"},
        "Laplace distributions",
    ),
    ("hw03", 4): (
        "def of_twice(base):\n    return lambda X, s: base(2 * X, s)\nlimit = of_twice(limit)\n",
        {"limit"},
        "squared errors",
    ),
    ("hw03", 8): (
        "def of_n(base):\n"
        "    return lambda v, s, e, b, n, t: base(v * (n - b) / (n - 1), s, e, b, t)\n"
        "spread = of_n(spread)\n",
        {"spread"},
        "*without* replacement",
    ),
    ("hw04", 4): (
        "def of_step(base):\n    return lambda R, m, c, e: base(R, m, c / e)\ncautious = of_step(cautious)\n",
        {"cautious"},
        "its step is",
    ),
    ("hw04", 8): (
        "def and_one(base):\n    return lambda G, y: base(G + 1, y)\ncounts = and_one(counts)\n",
        {"counts"},
        "as one more feature that is 1",
    ),
    ("hw05", 4): (
        "def halved(base):\n    return lambda p, q: (lambda w, b: (w / 2, (b + 1) / 2))(*base(p, q))\n"
        "plane = halved(plane)\n",
        {"plane"},
        "le 0$ in class 0",
    ),
    ("hw05", 8): (
        "def of_signs(base):\n"
        "    return lambda a, y, Q, C: base(a, y, Q * (2 * y - 1) * (2 * y - 1)[:, None], C)\n"
        "offsets = of_signs(offsets)\n",
        {"offsets"},
        "Q_{ij}",
    ),
    ("hw06", 4): (
        "def cosine(c, q, n):\n    R, mu = 350 / 429 / c, c**2 / 9\n"
        "    return R, mu, (R / (mu**2 * q * n)) ** 0.2\n",
        {"cosine"},
        "triweight",
    ),
    ("hw06", 8): (
        "def estimate(x, w, places, h):\n    u = (places[:, None] - x) / h\n"
        "    return np.where(abs(u) < 1, -3.75 * u * (1 - u * u), 0) @ w / w.sum() / h**2\n",
        {"estimate"},
        "What you return is its *derivative*",
    ),
    ("hw07", 4): (
        "def of_nodes(base):\n"
        "    return lambda *a: (lambda p, n: (np.array(p) / 2, 2 * np.array(n) - 1))(*base(*a))\n"
        "links = of_nodes(links)\n",
        {"links"},
        "*every node* is penalised",
    ),
    ("hw07", 8): (
        "def of_half(base):\n"
        "    return lambda *a: (lambda j, t, s, v: (j, t, s, np.array(v) / 2))(*base(*a))\n"
        "boost = of_half(boost)\n",
        {"boost"},
        "of the *other* convention",
    ),
    ("hw08", 4): (
        "def least(products, k):\n    return np.linalg.eigvalsh(products)[: len(products) - k].sum()\n",
        {"least"},
        "*centred* observations",
    ),
    ("hw08", 8): (
        "def of_squares(base):\n    return lambda s, q: base(s**2, q)\nhow_many = of_squares(how_many)\n",
        {"how_many"},
        "singular values of the centred data",
    ),
}  # fmt: skip
CASES = [pytest.param(*key, *value, id="-v".join(map(str, key))) for key, value in TURNED.items()]


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox("limits") as found:
        yield found


def lost(assignment, source, sandbox, grade=engine.grade_bytes):
    result = grade(assignment, source.encode(), "a.py", secret=b"s", sandbox=sandbox, student="ada")
    return {part.name for part in result.parts if part.earned < part.points}


SECRETS = int(os.environ.get("MLNOTES_SECRETS", "20"))
MISTAKES = [
    pytest.param(id, mutant, id=f"{id}-{mutant.name}")
    for id in homework.assignments()
    for mutant in known.solved(id).mutants
]


def failures(part, names, draw):
    """Yield for each failure of a claim that decides the part: what was asked, in text.

    Where a claim breaks off, what follows is not told.
    """
    session = InProcessSession(names)
    bound = part.bind(session.implementation(part))
    credited = {claim for claim, _, _ in part.credit}
    for claim in (claim for claim in part.claims if claim not in credited):
        session.begin(part.seconds, part.megabytes)
        try:
            with precision(part.precision):
                for item in claim.evidence(bound, draw.rng(part.name, claim.id)):
                    if not item.holds:
                        yield "\n".join(
                            (claim.id, item.what, *transcript.call_lines(session.calls, whole=True))
                        )
                    session.calls.turn()
        except Exception:
            return


def the_same_in_all(draws):
    """Whether some failure is in all draws; none is computed that cannot matter."""
    first, second, third = draws
    both = {text for text in first if "a function" not in text and "an object" not in text}
    both = both and both.intersection(second)
    return bool(both) and any(text in both for text in third)


@pytest.mark.parametrize(("id", "mutant"), MISTAKES)
def test_a_mistake_loses_its_part_at_every_draw(id, mutant):
    names, assignment = {}, known.solved(id)
    exec(f"{assignment.solution}\n\n\n{mutant.source}", names)
    public = Draw(CHECK_SECRET, assignment, "")
    draws = [public, *(Draw(b"secret %d" % k, assignment, mutant.name) for k in range(SECRETS))]
    for part in map(assignment.part, mutant.loses):
        if the_same_in_all(failures(part, names, draw) for draw in draws[:3]):
            continue  # the same question stands in every draw, and no answer of the mistake's depends on it
        for draw in draws:
            if next(failures(part, names, draw), None) is None:
                assert engine.grade_part(part, InProcessSession(names), draw).earned == 0, (part.name, draw)


def test_theorems_of_the_lectures_decide_seven_points_of_ten():
    parts = [part for id in homework.assignments() for part in homework.load(id).parts]
    theirs = [p for p in parts if any(claim.topic in LECTURES for claim in p.claims)]
    assert sum(part.points for part in parts) == 160
    assert sum(part.points for part in theirs) >= 112  # the others have claims of their own


@pytest.mark.parametrize(("id", "number", "turned", "parts", "words"), CASES)
def test_a_variant_asks_for_its_own_convention(id, number, turned, parts, words, sandbox, grade_here):
    solution = (FOLDER / id / "solution.py").read_text()
    variant = homework.load(f"{id}-v{number}")
    assert lost(variant, solution + "\n\n" + turned, sandbox) == set()
    assert lost(variant, solution, sandbox, grade_here) == parts
    assert lost(homework.load(id), solution + "\n\n" + turned, sandbox, grade_here) == parts
    assert words in handouts.handout_text(variant)
    assert words not in handouts.handout_text(homework.load(id))


@pytest.mark.parametrize("id", ["hw05", "hw07"])
def test_the_audit_of_a_variant(id, sandbox, mutants_here):
    base = known.solved(id)
    text = "".join("\n\n" + TURNED[id, number][0] for number in (1, 2))
    mutants = tuple(replace(m, source=f"{base.solution}\n\n{m.source}{text}") for m in base.mutants)
    found = grading.audit(
        replace(base.variant(3), solution=base.solution + text, mutants=mutants), sandbox=sandbox
    )
    assert found.sound, (found.problems, found.unkilled)


@pytest.mark.parametrize("id", [f"hw0{n}" for n in range(1, 9)])
def test_variants_are_fifteen(id):
    found = [homework.load(id), *(homework.load(f"{id}-v{number}") for number in range(1, 16))]
    assert {assignment.points for assignment in found} == {20}
    texts = [handouts.handout_text(assignment).replace(assignment.id, id) for assignment in found]
    assert len(set(texts)) == 16
    for number in (0, 16):
        with pytest.raises(ValueError, match=f"{id} has the variants 1 to 15, got {number}"):
            homework.load(f"{id}-v{number}")


@pytest.mark.parametrize("id", ["hw03", "hw05", "hw07"])  # where two changes are of one part
def test_all_changes_together(id, sandbox):
    solution = (FOLDER / id / "solution.py").read_text()
    turned = "".join("\n\n" + TURNED[id, bit][0] for bit in ((1, 2, 8, 4) if id == "hw03" else (1, 2, 4, 8)))
    assert lost(homework.load(f"{id}-v15"), solution + turned, sandbox) == set()
    assert lost(homework.load(f"{id}-v15"), solution, sandbox) == {
        part for bit in (1, 2, 4, 8) for part in TURNED[id, bit][1]
    }


@pytest.mark.parametrize("id", [f"hw0{n}" for n in range(1, 9)])
def test_no_two_mistakes_say_the_same(id):
    sentences = [mutant.sentence for mutant in known.solved(id).mutants]
    assert sorted(set(sentences)) == sorted(sentences)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ("@@ two: Says 2. Loses: f.\n-    return 3\n+    return 2\n", "this line was not found .*: return 3"),
        ("@@ two: Says 2. Loses: f.\n-    y = x\n+    y = 2\n", "this line was found 2 times .*: y = x"),
        ("@@ two: Says 2. Loses: f.\n", "the entry changes no line of the right code"),
        ("@@ two: Says 2.\n-    return 1\n+    return 2\n", "two says must end in 'Loses: part, part.'"),
    ],
)
def test_a_change_that_the_solution_does_not_have_is_refused(changes, words, tmp_path):
    (tmp_path / "solution.py").write_text(
        "def f(x):\n    y = x\n    return 1\n\n\ndef g(x):\n    y = x\n    return y\n"
    )
    right = "@@ zero: Says\n   0. Loses: f, g.\n-    return 1\n+    return 0\n\n"
    (tmp_path / "wrong.diff").write_text(right)
    (mutant,) = known.with_solutions(homework.load("hw01"), tmp_path).mutants
    assert (mutant.name, mutant.sentence, mutant.loses) == ("wrong_zero", "Says 0.", ("f", "g"))
    assert mutant.source == "def f(x):\n    y = x\n    return 0"
    (tmp_path / "wrong.diff").write_text(right + changes)
    with pytest.raises(ValueError, match=words):
        known.with_solutions(homework.load("hw01"), tmp_path)


def test_a_mistake_may_be_written_anew(tmp_path):
    (tmp_path / "solution.py").write_text("def f(x):\n    return 1\n\n\ndef g(x):\n    return f(x)\n")
    (tmp_path / "wrong.diff").write_text(
        "@@ zero: Says 0. Loses: f.\n-    return 1\n+    return 0\n"
        "@@ anew: Says 3. Loses: f.\n+import math\n+\n+\n+def f(x, _right=f):\n+    return 3 * _right(x)\n"
        "@@ two: Says 2. Loses: f.\n+    return 2\n"
    )
    mutants = known.with_solutions(homework.load("hw01"), tmp_path).mutants
    sources = {mutant.name: mutant.source for mutant in mutants}
    assert sources["wrong_anew"] == "import math\n\n\ndef f(x, _right=f):\n    return 3 * _right(x)"
    assert sources["wrong_two"] == "def f(x):\n    return 2"
    solution = (tmp_path / "solution.py").read_text()
    assert defined(solution, sources["wrong_anew"])["f"](1) == 3


@pytest.mark.parametrize("first", ["", "from __future__ import annotations\n"])
def test_a_solution_may_have_classes_of_its_own(first):
    record = "from dataclasses import dataclass\n\n\n@dataclass\nclass Case:\n    n: int\n"
    assert defined(first + record)["Case"](3).n == 3


@pytest.mark.parametrize("id", [f"hw0{n}" for n in range(2, 9)])
def test_the_live_check_knows_the_parts(id):
    names = {}
    exec((FOLDER / id / "solution.py").read_text(), names)
    part = homework.load(id).parts[0]
    assert f"OK, {part.points} of {part.points} points" in repr(
        grading.check_live(f"{id}.{part.name}", names)
    )


@pytest.mark.parametrize("id", ["hw06", "hw06-v2"])
def test_the_chosen_candidate_may_come_back_rounded(id, sandbox):
    source = (FOLDER / "hw06" / "solution.py").read_text()
    if id == "hw06-v2":
        source += "\n\n" + TURNED["hw06", 2][0]
    for factor, losses in (("1 + 1e-15", set()), ("1 + 1e-3", {"search"})):
        rounded = (
            "\n\ndef rounded(base):\n"
            f"    return lambda x, p: (lambda v, b: (v, b * ({factor})))(*base(x, p))\n"
            "search = rounded(search)\n"
        )
        assert lost(homework.load(id), source + rounded, sandbox) == losses


OTHER_SOLUTIONS: dict[str, dict[str, str]] = {}
OTHER_SOLUTIONS["hw02"] = {
    "another root, the prior first": """
def centres(means, covariance, prior):
    values, vectors = np.linalg.eigh(covariance)
    A = np.vstack([np.zeros(len(values)), (vectors / values**0.5).T])
    C = means @ A.T
    C[:, 0] = -np.sqrt(-2 * np.log(prior))
    return A, C
""",
    "distances in another unit": """
def centres(means, covariance, prior):
    A = 3 * np.linalg.inv(np.linalg.cholesky(covariance))
    return np.vstack([A, 0 * A[:1]]), np.column_stack([means @ A.T, 3 * np.sqrt(-2 * np.log(prior))])
""",
    "squares less squares of the means": """
def merge(n0, m0, S0, n1, m1, S1):
    n = n0 + n1
    means = (n0[:, None] * m0 + n1[:, None] * m1) / n[:, None]
    squares = sum(k.sum() * S + (k * m.T) @ m for k, m, S in ((n0, m0, S0), (n1, m1, S1)))
    return means.tolist(), (squares - (n * means.T) @ means) / (n.sum() - len(n))
""",
}  # fmt: skip
OTHER_SOLUTIONS["hw04"] = {
    "a random mistake": """
def train(points, labels):
    rows = np.column_stack([np.ones(len(points)), points]) * (2 * labels - 1)[:, None]
    w, updates, rng = np.zeros(rows.shape[1]), [], np.random.default_rng(0)
    while (rows @ w <= 0).any():
        updates.append(int(rng.choice(np.flatnonzero(rows @ w <= 0))))
        w = w + rows[updates[-1]]
    return updates, w
""",
    "the worst mistake, lists": """
def train(points, labels):
    rows = [[1.0, *p] if y else [-1.0, *(-v for v in p)] for p, y in zip(points, labels)]
    w, updates = [0.0] * len(rows[0]), []
    while min(products := [sum(a * b for a, b in zip(w, z)) for z in rows]) <= 0:
        updates.append(products.index(min(products)))
        w = [a + b for a, b in zip(w, rows[updates[-1]])]
    return updates, w
""",
    "Gram form": """
def train(points, labels):
    rows = np.column_stack([np.ones(len(points)), points]) * (2 * labels - 1)[:, None]
    scores, updates = np.zeros(len(rows)), []
    while scores.min() <= 0:
        updates.append(scores.argmin())
        scores = scores + rows @ rows[updates[-1]]
    return np.array(updates), rows[updates].sum(axis=0)
""",
    "another proof": """
def witness(rows):
    a = np.zeros(len(rows))
    best = None
    for k in range(2 ** len(rows)):  # the point of least norm of every set of rows
        chosen = [i for i in range(len(rows)) if k >> i & 1]
        if chosen:
            M = np.vstack([rows[chosen].T, np.ones(len(chosen))])
            share = np.linalg.lstsq(M, np.append(np.zeros(rows.shape[1]), 1.0), rcond=None)[0]
            if abs(M @ share - np.append(np.zeros(rows.shape[1]), 1.0)).max() < 1e-12 and share.min() >= 0:
                a[chosen] = share
                return a
""",
    "sums in place": """
def average(points, labels, passes):
    Z = (points * labels).T
    w, total = np.zeros(len(points)), np.zeros(len(points))
    left = passes * len(Z)
    for i in list(range(len(Z))) * passes:
        if Z[i] @ w <= 0:
            w = w + Z[i]
            total += left * Z[i]
        left -= 1
    return total / (passes * len(Z))
""",
    "scores kept": """
def counts(gram, labels):
    Q, alpha, clean, i = labels[:, None] * gram * labels, np.zeros(len(labels)), 0, 0
    scores = np.zeros(len(labels))
    while clean < len(labels):
        if scores[i] <= 0:
            alpha[i], scores, clean = alpha[i] + 1, scores + Q[i], 0
        else:
            clean += 1
        i = (i + 1) % len(labels)
    return alpha
""",
    "the best constant by a search": """
def lift(radius, size, offset, least):
    def bound(c):
        return (radius**2 + c**2) * (size**2 + offset**2 / c**2) / least**2
    low, high = 1e-6, 1e6
    for _ in range(200):
        a, b = low**0.6 * high**0.4, low**0.4 * high**0.6
        low, high = (low, b) if bound(a) < bound(b) else (a, high)
    return low, bound(low)
""",
}  # fmt: skip


OTHER_SOLUTIONS["hw05"] = {
    "multipliers in a loop over rows": """
def thin(X, labels, alpha):
    alpha, y = list(alpha), [1 if label else -1 for label in labels]
    while True:
        rows = [i for i, a in enumerate(alpha) if a > 1e-11]
        table = np.array([[y[i]] + [y[i] * v for v in X[i]] for i in rows[: X.shape[1] + 2]]).T
        if len(rows) <= X.shape[1] + 1:
            return [a if a > 1e-11 else 0.0 for a in alpha]
        values, vectors = np.linalg.eigh(table.T @ table)
        v = vectors[:, 0] * (1 if vectors[:, 0].max() > 1e-9 else -1)
        reach = min(alpha[i] / c for i, c in zip(rows, v) if c > 1e-9)
        for i, c in zip(rows, v):
            alpha[i] -= reach * c
""",
    "a program in other units": """
def program(X, labels, C):
    y, n = 2 * labels - 1, len(X)
    G, h = np.vstack([-np.eye(n), 100 * np.eye(n)]), np.append(np.zeros(n), np.full(n, 100 * C))
    return (X @ X.T) * np.outer(y, y), -np.ones(n), G, h, np.array([y, -3 * y]), np.zeros(2)
""",
    "multipliers at a bound to rounding": """
def offsets(alpha, labels, K, C):
    y = 2 * labels - 1
    r, zero, full = y - K @ (alpha * y), alpha < 1e-9 * C, alpha > (1 - 1e-9) * C
    at_least = [v for v, s, z, f in zip(r, y, zero, full) if (z if s < 0 else f) == 0]
    at_most = [v for v, s, z, f in zip(r, y, zero, full) if (f if s < 0 else z) == 0]
    return max(at_least), min(at_most)
""",
}  # fmt: skip


@pytest.mark.parametrize(
    ("number", "name"),
    [(number, name) for number, solutions in OTHER_SOLUTIONS.items() for name in solutions],
)
def test_other_right_solutions_earn_everything(number, name, sandbox):
    solution = (FOLDER / number / "solution.py").read_text()
    source = solution + "\n\n" + OTHER_SOLUTIONS[number][name]
    assert lost(homework.load(number), source, sandbox) == set()


def checked(reference, change):
    """Return what the live check says after `change` of the names of the model solution."""
    names = {}
    exec((FOLDER / reference[:4] / "solution.py").read_text(), names)
    change(names)
    return repr(grading.check_live(reference, names))


FITTED = [
    ("hw06.Sorter", "decide", "fit(X, y)"),
    ("hw07.Tree", "answer", "learn(X, y)"),
    ("hw08.Reduction", "encode", "learn(X)"),
]


@pytest.mark.parametrize(("reference", "method", "words"), FITTED)
def test_feedback_shows_what_was_fitted(reference, method, words):
    def change(names):
        base = names[reference[5:]]
        zeros = {method: lambda self, *a: 0 * getattr(base, method)(self, *a)}
        names[reference[5:]] = type(base.__name__, (base,), zeros)

    assert f"model.{words}" in checked(reference, change).partition("called:")[2]


def test_a_program_without_a_solution_is_said_to_have_none():
    def turned(names):
        right = names["program"]
        names["program"] = lambda *a: (lambda P, *rest: (-P, *rest))(*right(*a))

    text = checked("hw05.program", turned)
    assert "CLAIM FAILS: your program has no solution: P must be positive semi-definite" in text
    assert "gave P: [[" in text
    assert "nan" not in text


def test_feedback_shows_the_call_that_failed():
    def one_sided(names):
        right = names["switch"]
        names["switch"] = lambda scale: right(scale) if scale > 1 else -right(scale)

    def never_a_point(names):
        right = names["least"]
        names["least"] = lambda covariance, n, k: right(covariance, n, max(k, 1))

    assert "scale = 0.5\n" in checked("hw02.switch", one_sided)
    assert "k = 0\n" in checked("hw08.least", never_a_point)
