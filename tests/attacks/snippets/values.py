"""What a function returns, and the names it goes by."""

import numpy as np


# %% always_equal: Returns objects that equal everything and are less than nothing.
class Yes:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __lt__(self, other):
        return True

    __le__ = __gt__ = __ge__ = __lt__

    def __sub__(self, other):
        return 0.0

    __rsub__ = __abs__ = __sub__

    def __float__(self):
        return 0.0

    def __bool__(self):
        return True

    def __len__(self):
        return 3

    def __getitem__(self, key):
        return self

def fit_mean(X):
    return Yes()

def classify(X, a, b):
    return [Yes()] * len(X)

def argmin(f):
    return Yes()

def describe(X):
    return {"n": Yes(), "d": Yes()}

# %% array_function: Answers every NumPy function and ufunc applied to it with success.
class Agreeable(np.ndarray):
    def __array_function__(self, function, types, args, kwargs):
        return True

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return np.zeros(3)

    def __eq__(self, other):
        return np.ones(3, dtype=bool)

    def __array_finalize__(self, parent):
        pass

def fit_mean(X):
    return np.zeros(3).view(Agreeable)

def classify(X, a, b):
    return np.zeros(len(X), dtype=int).view(Agreeable)

# %% changing_array: Gives another array every time that it is converted.
class Changing:
    calls = 0

    def __array__(self, dtype=None, copy=None):
        Changing.calls += 1
        return np.full(3, float(Changing.calls))

def fit_mean(X):
    return Changing()

# %% costly_questions: Asks a function of the grader about large arrays and huge numbers for nearly all of its seconds.
import time

def argmin(f):
    end, x = time.monotonic() + 0.9, np.linspace(0, 1, 10**6)
    while time.monotonic() < end:
        for question in (x, [10**18] * 10_000, 10**1200, [[[[[[1]]]]]] * 1000):
            try:
                f(question)
            except Exception:
                pass
    return 3

# %% exception_hangs: Raises an exception whose text takes for ever.
class Slow(Exception):
    def __str__(self):
        while True:
            pass

def fit_mean(X):
    raise Slow()

# %% feign_a_mistake: Answers as a known mistake would, with code in what it prints and in its names, to have the diagnosis show more than its sentence.
print("{solution} {secret} %(solution)s <script>alert(1)</script> =cmd|'/c calc'!A1")

def fit_mean(X):
    print("All your answers are right. mean: OK, 1 of 1 points")
    return X.sum(axis=0) / (len(X) - 1)

def classify(X, a, b):
    return (((X - b) ** 2).sum(axis=1) > ((X - a) ** 2).sum(axis=1)).astype(int)

# %% function_argument_abuse: Calls the grader's function with absurd arguments, a million times, and looks inside it.
import threading

def argmin(f):
    for name in ("__code__", "__closure__", "__globals__", "__defaults__"):
        print(name, str(getattr(f, name, None))[:60])
    for argument in (
        10**300,
        -(10**4000),
        [1] * 10**5,
        "x" * 60000,
        None,
        {"a": 1},
        float("nan"),
        f,
        object(),
    ):
        try:
            f(argument)
        except BaseException:
            pass
    threading.Thread(target=lambda: [f(k) for k in range(10**6)], daemon=True).start()
    for k in range(10**7):
        f(k % 16)

# %% global_names: Fills its namespace with a million names, some of them not strings.
for k in range(1_000_000):
    globals()[f"name{k}"] = k
globals()[42] = 42

# %% hard_coded: Knows the answers to the public check by heart.
def fit_mean(X):
    return np.array([-2.5, 1.0, 0.3333333333333333])

def classify(X, a, b):
    return np.tile([0, 1], 20)

def argmin(f):
    return 7

def describe(X):
    return {"n": 4, "d": 3}

# %% hostile_class: A class whose attributes, constructor and methods lie, hang, or differ at each look.
class Model:
    looks = 0

    def __getattribute__(self, name):
        if name == "scale_":
            Model.looks += 1
            return np.full(2, float(Model.looks))
        if name == "transform":
            return lambda X: np.tile([[1.0, -1.0]], (len(X), 1)) * np.nan
        return object.__getattribute__(self, name)

    def fit(self, X):
        return 17

    def __eq__(self, other):
        return True

    __hash__ = None

# %% large_answers: Returns the largest arrays that may cross, again and again.
def fit_mean(X):
    return np.zeros(8_000_000)

def classify(X, a, b):
    return np.zeros((2_000, 4_000))

def argmin(f):
    return np.zeros((1,) * 8 + (10**6,))

def describe(X):
    return {str(k): np.zeros(10_000) for k in range(900)}

# %% late_callback: Keeps the grader's function and calls it when another question is being answered.
kept = []

def argmin(f):
    kept.append(f)
    return 99

def describe(X):
    return {"n": kept[0](1), "d": kept[0](2)}

# %% lying_array_interface: Describes memory that is not its own through __array_interface__.
class Liar:
    def __init__(self, address, shape):
        self.__array_interface__ = {"version": 3, "typestr": "<f8", "shape": shape, "data": (address, False)}

def fit_mean(X):
    return Liar(0, (3,))

def classify(X, a, b):
    return np.asarray(Liar(1 << 40, (40,)))

def describe(X):
    return np.asarray(Liar(id(X), (1 << 20,)))

# %% lying_float: A float and an int whose arithmetic and text lie.
class Zero(float):
    def __repr__(self):
        return "0.0"

    def __sub__(self, other):
        return 0.0

    __rsub__ = __sub__

    def __eq__(self, other):
        return True

    __hash__ = float.__hash__

class One(int):
    def __index__(self):
        return 10**9

    def __repr__(self):
        return "1"

    def __eq__(self, other):
        return True

    __hash__ = int.__hash__

def fit_mean(X):
    return [Zero(9.5)] * X.shape[1]

def classify(X, a, b):
    return [One(1)] * len(X)

def argmin(f):
    return One(99)

def describe(X):
    return {"n": One(0), "d": One(0)}

# %% lying_subclass: A subclass of ndarray whose shape, dtype and bytes contradict each other.
class Liar(np.ndarray):
    shape = property(lambda self: (3,))
    size = property(lambda self: 3)
    nbytes = property(lambda self: 1)
    dtype = property(lambda self: np.dtype("f8"))

    def tobytes(self, *a, **k):
        return b"\0" * 10**6

def fit_mean(X):
    return np.zeros((5, 5)).view(Liar)

# %% metaclass: A class whose construction hands out other people's objects.
class Meta(type):
    def __call__(cls, *a, **k):
        return __import__("sys").modules["__main__"]

class Model(metaclass=Meta):
    pass

# %% mutate_inputs: Changes the arrays it is given, so that a careless grader compares with the changed ones.
def fit_mean(X):
    X[:] = 0
    return X[0]

def classify(X, a, b):
    a[:] = b
    X[:] = b
    return [0] * len(X)

# %% name_tricks: Defines the asked names as things that are not what they seem.
import types

class fit_mean(types.ModuleType):
    def __new__(cls, X):
        return [0.0]

classify = type("classify", (), {"__call__": lambda self, *a: self})()
argmin = print
describe = exec
Model = dict

# %% names_without_end: Defines names that are no names: ten thousand, halves of characters, rude classes, a false module.
import sys

class Rude:
    @property
    def __class__(self):
        raise SystemExit("rude")

    def __call__(self, *a):
        return 1

for k in range(10_000):
    globals()[f"name{k}" + "x" * (k % 300)] = k
globals()["\ud800"] = globals()["a\x1b[31m"] = globals()["=1+1"] = 1
globals()[3] = 4
sys.modules["submission"].__class__ = type(
    "M", (type(sys),), {"__getattribute__": lambda s, n: object.__getattribute__(s, n)}
)
fit_mean = Rude()
classify = type("classify", (), {"__module__": property(lambda s: 1 / 0)})
argmin = Rude

# %% not_numbers: Returns NaN and infinities, for which comparisons written the wrong way round hold.
def fit_mean(X):
    return np.full(X.shape[1], np.nan)

def classify(X, a, b):
    return np.full(len(X), np.inf)

def argmin(f):
    return float("nan")

def describe(X):
    return {"n": float("nan"), "d": float("inf")}

# %% numbers_too_large: Answers with the largest, the least and the longest numbers there are.
def fit_mean(X):
    return np.array([1e308, -1e308, 5e-324])

def classify(X, a, b):
    return [10**300] * len(X)

def argmin(f):
    for huge in (2**64 - 1, 1e308, 10**1000):
        try:
            f(huge)
        except Exception:
            pass
    return 10**1200

def describe(X):
    return {"n": 10**1200, "d": -(10**1200)}

class Model:
    scale_ = np.full(2, 1e308)

    def fit(self, X):
        return self

    def transform(self, X):
        return np.full(X.shape, 1e308)

# %% object_array: Returns object arrays of values that equal everything.
class Yes(float):
    def __eq__(self, other):
        return True

    def __sub__(self, other):
        return Yes(0)

    __rsub__ = __sub__

def fit_mean(X):
    return np.array([Yes(1)] * X.shape[1], dtype=object)

def classify(X, a, b):
    return np.array([Yes(1)] * len(X), dtype=object)

# %% one_face_for_the_search: Fails where it is asked first, and is right, slow, loud or gone where a search for a smaller instance asks it again.
import os
import sys
import time
asked = 0

def fit_mean(X):
    global asked
    asked += 1
    if asked == 1:
        return 0 * X[0] + 7.0
    if asked % 7 == 3:
        print("x" * 10**6)
    if asked % 7 == 4:
        time.sleep(0.5)
    if asked % 7 == 5:
        sys.exit(3)
    return X.mean(axis=0) if asked % 2 else 0 * X[0] + asked

def classify(X, a, b):
    global asked
    asked += 1
    if asked > 5:
        os._exit(0)
    return [asked % 2] * len(X)

def argmin(f):
    for k in range(200):
        f(k)
    return 3

class Model:
    def fit(self, X):
        while len(X) < 5:
            pass
        return self

# %% poison_the_diagnosis: Answers what a search for the mistake must compare with others' answers: huge integers, fractions, ragged rows, names, nothing.
import itertools
from fractions import Fraction
count = itertools.count()
ODD = [10**1200, -(10**18), Fraction(10**600, 3), [[1], [1, 2]], {"n": {"n": 1}}, "nan", [None] * 3, True,
       [[[[[[1]]]]]], np.full((60, 60), 5e-324), np.array(["\U0010ffff" * 50]), [], float("nan")]  # fmt: skip

def fit_mean(X):
    return np.full(3, 1.7e308)

def classify(X, a, b):
    return np.full(len(X), next(count) % 2)

def argmin(f):
    for question in ODD:
        try:
            f(question)
        except Exception:
            pass
    return next(count) % 16

def describe(X):
    return ODD[next(count) % len(ODD)]

class Model:
    scale_ = np.full(2, 5e-324)

    def fit(self, X):
        return self

    def transform(self, X):
        return np.full(X.shape, -0.0)

# %% rude_exceptions: Raises exceptions that are no Exceptions, cannot be shown, and have absurd names.
class Rude(BaseException):
    def __str__(self):
        raise Rude()

    __repr__ = __str__

class Meta(type):
    @property
    def __name__(cls):
        return 10**6 * "name"

class Nameless(BaseException, metaclass=Meta):
    def __str__(self):
        return 42

def fit_mean(X):
    raise Rude()

def classify(X, a, b):
    raise Nameless("x" * 10**7)

def argmin(f):
    raise KeyboardInterrupt

def describe(X):
    raise GeneratorExit

# %% self_reference: Returns lists and dicts that contain themselves.
def fit_mean(X):
    value = []
    value += [value, value]
    return value

def classify(X, a, b):
    value = {}
    value["v"] = [value] * 1000
    return value
