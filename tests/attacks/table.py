"""The attacks, as the files that are handed in.

Each file in ``snippets`` holds the attacks of one kind. What stands above the first ``# %%`` is shared by all
of them; each ``# %% name: sentence.`` begins one attack. What an attack does not define is answered wrong, so
that an honest grader gives it no point.
"""

import ast
import re
from pathlib import Path

WRONG = {
    "fit_mean": "def fit_mean(X):\n    return 0 * X[0] + 7.0\n",
    "classify": "def classify(X, a, b):\n    return [0] * len(X)\n",
    "argmin": "def argmin(f):\n    return 3\n",
    "describe": "def describe(X):\n    return 3\n",
    "Model": "class Model:\n    pass\n",
}


def attacks() -> dict[str, str]:
    """Return the source of each attack by its name."""
    found: dict[str, str] = {}
    for path in sorted(Path(__file__).with_name("snippets").glob("*.py")):
        head, *cells = re.split(r"^# %% ", path.read_text(), flags=re.MULTILINE)
        shared = head.split('"""', 2)[2].strip()
        for cell in cells:
            title, _, code = cell.partition("\n")
            name, _, sentence = title.partition(": ")
            assert name not in found, name
            left = [wrong for other, wrong in WRONG.items() if other not in _defined(code)]
            found[name] = "\n\n".join([f'"""{sentence}"""', shared, code.strip(), *left])
    return found


def _defined(code: str) -> set[str]:
    """The names that a piece of code defines at its top."""
    body = ast.parse(code).body
    names = {item.name for item in body if isinstance(item, (ast.FunctionDef, ast.ClassDef))}
    targets = [target for item in body if isinstance(item, ast.Assign) for target in item.targets]
    return names | {target.id for target in targets if isinstance(target, ast.Name)}
