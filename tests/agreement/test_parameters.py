"""Parameters: one default for a reference module and the estimators, and limits where they are documented.

A row of `EDGES` has an estimator or a function of the topic, a parameter, what else is given, values at the
edge that are accepted, and values beyond it that are refused by name.
"""

import importlib
import inspect
import warnings
from pathlib import Path

import numpy as np
import pytest

import mlnotes

ESTIMATORS = Path(mlnotes.__file__).parent / "estimators"
TOPICS = [topic for topic in mlnotes.LECTURES if (ESTIMATORS / f"{topic}.py").exists()]
OTHER_DEFAULTS = {  # where the estimator and the reference module differ: both
    "logistic": {"LogisticRegression": {"max_iter": (1000, 100)}}
}
COUNT = [1], [0, -1, 1.5, True, "1"]
POSITIVE, NATURAL = ([1e-3, 3], [0, -1, np.inf, np.nan, "1"]), ([0, 2.5], [-1e-9, np.inf, np.nan, "1"])
SHARE, UNIT = ([0.01, 0.99], [0, 1, -0.1]), ([0, 1], [-1e-9, 1 + 1e-9])
RNG = {"rng": np.random.default_rng(0)}
SWITCH = [True, False], [2, "yes", None]
PRIORS = ["equal", None, [0.25, 0.75]], ["even", [0.5, 0.6], [1.0, 0.0], [1.0]]
GIVEN = PRIORS[0][1:], PRIORS[1]
FOUR = {"model": mlnotes.MemorisingClassifier(), "X": np.zeros((4, 1)), "y": [0, 1, 0, 1]}
SLOPE = {"value": lambda w: float(w @ w), "gradient": lambda w: 2 * w, "start": [1.0]}
STEP = SLOPE | {"step": 0.5}
DRAWN = {"gradient": lambda w, rows: w, "start": [1.0], "n_steps": 2, "n_rows": 2, "step": 0.5}
MACHINE = [
    ("degree", {"kernel": "poly"}, *COUNT), ("coef0", {"kernel": "poly"}, *NATURAL), ("gamma", {}, *POSITIVE),
    ("gamma", {}, ["scale", "auto"], ["none"]), ("kernel", {}, ["linear", "rbf", "poly"], ["sigmoid", None]),
]  # fmt: skip
TREE = [
    ("criterion", {}, ["gini", "entropy", "misclassification"], ["Gini", None]),
    ("max_depth", {}, [0, 1, None], [-1, 1.5]), ("min_samples_split", {}, [2], [1, 2.5]),
    ("min_samples_leaf", {}, *COUNT),
    ("max_features", {}, [1, 2, 0.01, 1.0, "sqrt", None], [0, 3, 0.0, 1.1, "log"]),
]  # fmt: skip
MANY = [("n_estimators", {}, *COUNT), ("oob_score", {}, *SWITCH), ("n_jobs", {}, [1, 2, None], [0, 1.5])]
EDGES = {
    "bayes": {"PlugInClassifier": [("density", {}, ["gaussian"], ["normal"])]},
    "evaluation": {
        "k_folds": [("k", {"n": 5, **RNG}, [2, 5], [1, 0, 2.5]), ("n", {"k": 3, **RNG}, [3, 4], [2, 3.5])],
        **{
            name: [("probability", {"y_true": [0, 1]}, [[0.1, 0.9]], [[0.1, 1.1], [-0.1, 0.9], [0.1]])]
            for name in ("brier_score", "log_loss")
        },
        "cross_validate": [
            ("folds", FOUR, [[([0, 1], [2, 3]), ([2, 3], [0, 1])]],
             [[([0, 1], [2, 4]), ([2, 3], [0, 1])], [([0, 1], [2, 3]), ([2, 4], [0, 1])],
              [([0, 1], [2, 3]), ([-1, 3], [0, 1])], [([0, 1], [2, 3])],
              [([0, 1], [2, 3], [0])], [([0, 1],)], [([[0, 1]], [2, 3])], [([], [2, 3])],
              [([0.0, 1.0], [2, 3])], [([0, 1], [1, 2, 3])]]),
        ],
        "choose_threshold": [
            (name, {"y_true": [0, 1], "score": [0.1, 0.9]}, [0, 2.5], [-1e-9, -0.5, np.inf, np.nan])
            for name in ("false_positive", "false_negative")
        ],
        "leave_one_out": [("n", {}, [2], [1, 2.5])],
        "calibration_curve": [("n_bins", {"y_true": [0, 1], "probability": [0.1, 0.9]}, *COUNT)],
        "error_interval": [
            ("n", {"n_errors": 0}, *COUNT), ("n_errors", {"n": 3}, [0, 3], [-1, 4]),
            ("confidence", {"n": 3, "n_errors": 1}, *SHARE),
            ("method", {"n": 3, "n_errors": 1}, ["exact", "hoeffding"], ["wald"]),
        ],
    },
    "neighbors": {"KNeighborsClassifier": [("n_neighbors", {}, [1, 12], [0, -1, 1.5, 13])]},
    "discriminant": {
        "LinearDiscriminantAnalysis": [
            ("shrinkage", {}, *UNIT), ("n_components", {}, [1, None], [0, 2, 1.5]), ("priors", {}, *PRIORS)
        ],
        "QuadraticDiscriminantAnalysis": [("reg_param", {}, *UNIT), ("priors", {}, *PRIORS)],
    },
    "logistic": {
        "LogisticRegression": [
            ("penalty", {}, ["l2", None], ["l1"]), ("C", {}, [1e-3, np.inf], [0, -1, np.nan, -np.inf]),
            ("solver", {}, ["lbfgs", "gd", "sgd"], ["newton"]), ("fit_intercept", {}, *SWITCH),
            ("tol", {}, *NATURAL), ("max_iter", {}, *COUNT), ("batch_size", {"solver": "sgd"}, *COUNT),
            ("class_weight", {}, ["balanced", {0: 1e-3}, None], ["even", {2: 1.0}, {0: 0.0}]),
        ]
    },
    "descent": {
        "gradient_descent": [
            ("step", SLOPE, [1e-3, "backtracking"], [0, -0.5, "newton"]),
            ("n_steps", STEP, [0, 1], [-1, 1.5]),
            ("tol", STEP, *NATURAL), ("n_rows", STEP, *COUNT),
        ],
        "accelerated_descent": [("step", SLOPE, *POSITIVE), ("convexity", STEP, [0, 2], [-1e-9, 2.1])],
        "stochastic_gradient_descent": [
            *((name, DRAWN | RNG, *COUNT) for name in ("n_rows", "batch_size", "every")),
            ("step", DRAWN | RNG, [1e-3, lambda t: 1e-3], [0, lambda t: 0.0, lambda t: -0.5]),
        ],
    },
    "perceptron": {
        "Perceptron": [
            ("pick", {}, ["cyclic", "random"], ["any"]),
            ("output", {}, ["last", "average", "vote"], ["best"]),
            ("eta0", {}, *POSITIVE), ("fit_intercept", {}, *SWITCH), ("max_iter", {}, *COUNT),
        ],
        "KernelPerceptron": [
            ("kernel", {}, ["linear"], ["rbf"]), ("fit_intercept", {}, *SWITCH), ("max_iter", {}, *COUNT)
        ],
    },
    "duality": {},
    "svm": {
        "SVC": [
            *MACHINE, ("C", {}, *POSITIVE[:1], [0, -1, np.nan]), ("multi_class", {}, ["ovo", "ovr"], ["all"]),
            ("tol", {}, *SHARE)
        ],
        "OneClassSVM": [*MACHINE, ("nu", {}, [0.01, 1], [0, 1 + 1e-9])],
    },
    "density": {
        "Histogram": [("n_bins", {}, [1, "cv"], [0, 1.5, "auto"])],
        "KernelDensity": [
            ("bandwidth", {}, [1e-3, "silverman", "scott"], [0, 1e301, "best"]),
            ("kernel", {}, ["gaussian"], ["normal"]),
        ],
        "DensityThreshold": [("level", {}, *SHARE)],
    },
    "naive_bayes": {
        "NaiveBayes": [
            ("marginals", {}, ["gaussian", "kernel", "histogram"], ["normal"]),
            ("var_smoothing", {}, *POSITIVE),
            ("n_bins", {"marginals": "histogram"}, *COUNT), ("alpha", {}, *NATURAL), ("priors", {}, *GIVEN),
        ],
        "MultinomialNaiveBayes": [("alpha", {}, *NATURAL), ("priors", {}, *GIVEN)],
        "KernelDensityClassifier": [("priors", {}, *GIVEN), ("bandwidth", {}, [0.5], [0, "best"])],
    },
    "tree": {
        "DecisionTreeClassifier": [*TREE, ("ccp_alpha", {}, *NATURAL)],
    },
    "ensemble": {
        "AdaBoostClassifier": [("n_estimators", {}, *COUNT)],
        "BaggingClassifier": MANY,
        "RandomForestClassifier": [*TREE, *MANY],
    },
    "pca": {
        "PCA": [
            ("n_components", {}, [1, 2, 0.01, 0.99, None], [0, 3, 0.0, 1.0, -0.5, True, "1"]),
            ("whiten", {}, *SWITCH), ("solver", {}, ["auto", "eigh", "gram", "svd"], ["lapack"]),
        ]
    },
}  # fmt: skip


def defaults(thing):
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):  # no signature
        return {}
    return {p.name: p.default for p in parameters if type(p.default) in (bool, int, float, str)}


@pytest.mark.parametrize("topic", TOPICS)
def test_defaults_are_those_of_the_reference_module(topic):
    modules = [importlib.import_module(f"mlnotes.{name}") for name in mlnotes.modules_of(topic)]
    reference = {name: thing for module in modules for name, thing in vars(module).items()}
    module, different = importlib.import_module(f"mlnotes.estimators.{topic}"), {}
    own = [
        name for name, thing in vars(module).items() if getattr(thing, "__module__", "") == module.__name__
    ]
    for name in getattr(module, "__all__", own):
        ours, theirs = defaults(getattr(module, name)), defaults(reference.get(name))
        both = {key: (ours[key], theirs[key]) for key in ours if key in theirs}
        if values := {key: pair for key, pair in both.items() if pair[0] != pair[1]}:
            different[name] = values
    assert different == OTHER_DEFAULTS.get(topic, {})


@pytest.mark.parametrize("topic", TOPICS)
def test_parameters_are_refused_beyond_their_edges(topic):
    rng = np.random.default_rng(0)
    X, y = np.abs(rng.standard_normal((12, 2))), np.arange(12) % 2
    module = importlib.import_module(f"mlnotes.estimators.{topic}")
    for name, rows in EDGES.get(topic, {}).items():
        thing = getattr(module, name, None) or getattr(mlnotes, name)
        data = X[:, 0] if name == "Histogram" else X

        def ask(values, thing=thing, data=data):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                answer = thing(**values)
                return answer.fit(data, y) if inspect.isclass(thing) else answer

        for parameter, others, accepted, refused in rows:
            for value in accepted:
                ask({**others, parameter: value})
            for value in refused:
                values = {**others, parameter: value}
                with pytest.raises((ValueError, TypeError), match=parameter):
                    ask(values)
