# ruff: noqa: E501
"""Odd but honest files: whatever students do around right answers costs no point.

``BEFORE``, ``SYSTEM`` and ``AFTER`` are lines that stand before or after the model solution; ``WHOLE`` are functions from
the solution's text to a file: its name and its bytes.
"""

import json
import os

import nbformat

BEFORE = {
    # star imports: NumPy alone exports about 500 names
    "a star import": "from numpy import *\n",
    "two star imports": "from numpy import *\nfrom math import *\n",
    "three star imports": "from numpy import *\nfrom numpy.linalg import *\nfrom numpy.random import *\n",
    "five hundred own helpers": "".join(f"def helper_{k}(x): return x + {k}\n" for k in range(600)),
    # packages that are not there, or draw nothing
    "pandas": "import pandas as pd\n",
    "scikit-learn": "from sklearn.linear_model import LogisticRegression\n",
    "SciPy": "import scipy.stats as st\nfrom scipy.special import expit\n",
    "Colab": "from google.colab import drive\ndrive.mount('/content/drive')\n",
    "widgets": "import ipywidgets as widgets\nfrom ipywidgets import interact\n",
    "torch in a try": "try:\n    import torch\nexcept ImportError:\n    torch = None\n",
    "plots": "import matplotlib.pyplot as plt\nfig, ax = plt.subplots(2, 3, figsize=(8, 4))\nax[0, 1].plot([1, 2])\nplt.show()\n",
    "a style and a colour map": "import matplotlib as mpl\nmpl.rcParams['figure.dpi'] = 150\nfrom matplotlib import cm\ncm.viridis(0.5)\n",
    "seaborn": "import seaborn as sns\nsns.set_theme()\n",
    "three dimensions": "from mpl_toolkits.mplot3d import Axes3D\n",
    "the library itself": "import mlnotes\nfrom mlnotes.perceptron import Perceptron\n",
    # what fails while the file is loaded
    "input": "name = input('your name? ')\n",
    "exit": "exit()\n",
    "quit in a branch": "if True:\n    quit()\n",
    "sys.exit": "import sys\nsys.exit('done')\n",
    "a failing assertion": "assert 1 == 2, 'todo'\n",
    "a missing file": "data = open('data/train.csv').read()\n",
    "a missing array": "import numpy as np\nX_train = np.loadtxt('train.txt')\n",
    "a name that is not there yet": "print(row_means([[1, 2]]))\n",
    "a division by zero": "1 / 0\n",
    "a keyboard interrupt": "raise KeyboardInterrupt\n",
    "an argument parser": "import argparse\nargparse.ArgumentParser().parse_args()\n",
    "the command line": "import sys\nn = int(sys.argv[1])\n",
    # what is printed or warned of
    "twenty thousand prints": "for k in range(20_000): print(k)\n",
    "warnings as errors": "import warnings\nwarnings.simplefilter('error')\n",
    "a warning": "import warnings\nwarnings.warn('old')\n",
    "umlauts printed": "print('Größe, naïve, 数学, 🎉')\n",
    "nothing printed": "import contextlib, os, sys\nsys.stdout = open(os.devnull, 'w')\n",
    "standard output closed": "import sys\nsys.stdout.close()\n",
    "logging": "import logging\nlogging.basicConfig(level=logging.DEBUG)\nlogging.debug('x')\n",
    "print options": "import numpy as np\nnp.set_printoptions(precision=2, suppress=True)\n",
    # settings
    "errors of floats raised": "import numpy as np\nnp.seterr(all='raise')\n",
    "a seed": "import numpy as np, random\nnp.random.seed(0)\nrandom.seed(0)\n",
    "a generator": "import numpy as np\nrng = np.random.default_rng(12345)\n",
    "a deep recursion limit": "import sys\nsys.setrecursionlimit(10_000)\n",
    "annotations later": "from __future__ import annotations\n",
    "the working directory": "import os\nos.chdir(os.path.dirname(os.path.abspath('.')) or '.')\n",
    "a thread": "import threading\nt = threading.Thread(target=print)\nt.start(); t.join()\n",
    "a file of its own": "with open('log.txt', 'w') as f: f.write('x')\n",
    "a temporary file": "import tempfile\nwith tempfile.NamedTemporaryFile('w') as f: f.write('x')\n",
    "a pickle": "import pickle\npickle.dump([1], open('a.pkl', 'wb'))\n",
    "time measured": "import time\nstart = time.time()\n",
    "typing": "from typing import List, Optional\nimport numpy.typing as npt\nVector = npt.NDArray\n",
    "a docstring and a licence": '"""Homework 1, by Ada.\n\nAll my own work.\n"""\n__author__ = "Ada"\n__all__ = []\n',
    "a data class": "from dataclasses import dataclass\n@dataclass\nclass Point:\n    x: float = 0.0\n",
    "an enumeration": "from enum import Enum\nclass Label(Enum):\n    NO = 0\n",
    "a decorator": "import functools\ndef timed(f):\n    @functools.wraps(f)\n    def g(*a): return f(*a)\n    return g\n",
    "an old string with escapes": "pattern = '\\\\d+'\nraw = r'\\alpha'\n",
    "a match statement": "def kind(x):\n    match x:\n        case 0: return 'zero'\n        case _: return 'other'\n",
    "asynchronous code": "import asyncio\nasync def g(): return 1\nasyncio.run(g())\n",
    "a name of a builtin": "sum_ = sum\nlist_ = list\ninput = None\n",
}  # fmt: skip

SYSTEM = {  # what asks for something of the system: run in every closed sandbox too
    "a copied file": "import shutil\nopen('a', 'w').write('x')\nshutil.copy('a', 'b')\nshutil.copy2('a', 'c')\n",
    "a folder of data": "import os\nos.makedirs('data/sub', exist_ok=True)\nopen('data/sub/x', 'w').write('1')\nos.chmod('data/sub/x', 0o600)\n",
    "a touched path": "from pathlib import Path\nPath('x').touch()\nPath('y').write_text('1')\n",
    "a shelf": "import shelve\nwith shelve.open('db') as shelf: shelf['x'] = 1\n",
    "a packed file": "import gzip, json\nwith gzip.open('x.gz', 'wt') as f: json.dump([1], f)\njson.load(gzip.open('x.gz', 'rt'))\n",
    "a mapped array": "import numpy as np\nm = np.memmap('m.dat', dtype=float, mode='w+', shape=(100,))\nm[:] = 1\nm.flush()\n",
    "a folder for a while": "import os, tempfile\nplace = tempfile.mkdtemp()\nopen(os.path.join(place, 'x'), 'w').write('1')\n",
    "the home folder": "import os\nos.makedirs(os.path.expanduser('~/data'), exist_ok=True)\nopen(os.path.expanduser('~/data/x'), 'w').write('1')\n",
    "a lock": "import fcntl\nf = open('lock', 'w')\nfcntl.flock(f, fcntl.LOCK_EX)\n",
    "a shortened file": "f = open('x', 'w+')\nf.write('abc')\nf.truncate(1)\n",
    "sixty-four threads": "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(64) as pool: list(pool.map(abs, range(1000)))\n",
    "a pool of threads": "from multiprocessing.pool import ThreadPool\nwith ThreadPool(4) as pool: pool.map(abs, range(100))\n",
    "a pool of processes": "import multiprocessing as mp\nwith mp.Pool(2) as pool: pool.map(abs, [1])\n",
    "an executor of processes": "from concurrent.futures import ProcessPoolExecutor\nwith ProcessPoolExecutor() as pool: list(pool.map(abs, range(10)))\n",
    "a queue of processes": "import multiprocessing as mp\nqueue = mp.Queue()\nqueue.put(1)\n",
    "shared memory": "from multiprocessing import shared_memory\ns = shared_memory.SharedMemory(create=True, size=8)\n",
    "a program": "import subprocess\nprint(subprocess.check_output(['git', 'log']))\n",
    "a download": "import urllib.request\nurllib.request.urlopen('http://example.org/data.csv')\n",
    "the platform": "import platform, getpass\nprint(platform.platform(), platform.node())\ngetpass.getuser()\n",
    "the number of cores": "import os\nprint(os.cpu_count(), len(os.sched_getaffinity(0)))\nos.nice(5)\n",
    "identifiers": "import secrets, uuid\nprint(uuid.uuid4(), uuid.uuid1(), secrets.token_hex(4))\n",
    "a locale": "import locale\nlocale.setlocale(locale.LC_ALL, '')\n",
    "a time zone": "import os, time\nos.environ['TZ'] = 'Europe/Rome'\ntime.tzset()\n",
    "signals": "import signal\nsignal.alarm(0)\nsignal.signal(signal.SIGINT, signal.SIG_DFL)\n",
    "resources": "import resource\nprint(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n",
    "traces of faults": "import faulthandler\nfaulthandler.enable()\n",
    "a collector of garbage": "import gc\ngc.disable()\ngc.collect()\ngc.freeze()\n",
    "a farewell": "import atexit\natexit.register(print, 'bye')\n",
    "a large array": "import numpy as np\nbig = np.zeros((10_000, 5_000))\n",
    "a profile": "import cProfile, timeit, tracemalloc\ntracemalloc.start()\ncProfile.run('sum(range(10))')\ntimeit.timeit('1+1', number=100)\n",
    "a debugger": "import pdb\nbreakpoint()\n",
    "windows": "import tkinter as tk\nroot = tk.Tk()\n",
    "a browser": "import webbrowser\nwebbrowser.open('http://localhost')\n",
    "another path of modules": "import importlib, math, sys\nsys.path.append('/content')\nsys.path.insert(0, '.')\nimportlib.reload(math)\n",
    "executed strings": "exec(compile('z = 1', '<string>', 'exec'))\n",
}  # fmt: skip
FILES_AND_THREADS = tuple(SYSTEM)[:12]  # refused is nothing of these, and nothing is told of them

AFTER = {
    "a main that runs": "if __name__ == '__main__':\n    raise SystemExit('this is a script')\n",
    "a main without a guard": "def main():\n    print(row_means([[1]]))\nmain()\n",
    "tests of its own": "import unittest\nclass T(unittest.TestCase):\n    def test(self): self.fail()\nunittest.main()\n",
    "defined twice": "_first = row_means\ndef row_means(X): return _first(X)\n",
    "vectorised by hand": "row_means = np.frompyfunc(lambda x: x, 1, 1) and row_means\n",
    "a partial": "import functools\nrow_means = functools.partial(row_means)\n",
    "cached": "import functools\nroot = functools.lru_cache(root)\n",
    "a callable object": "class Means:\n    def __call__(self, X): return X.mean(axis=1)\nrow_means = Means()\n",
    "a star import at the end": "from numpy import *\n",
    "type hints": "def row_means(X: 'np.ndarray', /) -> 'np.ndarray': return X.mean(axis=1)\n",
    "defaults and keywords": "def row_means(X, axis=1, *, keep=False, **more): return X.mean(axis=axis)\n",
    "a question at the end": "row_means?\n",
    "a shell line": "!pip install numpy\n",
    "the answer printed": "print(row_means(np.ones((2, 2))))\n",
}  # fmt: skip


def notebook(*cells, **more):
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    made.metadata.update(more)
    return made


def with_plots(text):
    made = notebook(text)
    image = os.urandom(9 << 20).hex()[: 9 << 20]
    made.cells[0].outputs = [nbformat.v4.new_output("display_data", {"image/png": image})]
    return "a.ipynb", nbformat.writes(made).encode()


def third_format(text):
    cell = {"cell_type": "code", "input": text, "outputs": [], "language": "python", "metadata": {}}
    sheets = [{"cells": [cell], "metadata": {}}]
    return "a.ipynb", json.dumps({"nbformat": 3, "metadata": {}, "worksheets": sheets}).encode()


def in_lines(text):
    made = json.loads(nbformat.writes(notebook(text)))
    made["cells"][0]["source"] = text.splitlines(True)
    return "a.ipynb", json.dumps(made).encode()


WHOLE = {
    "ninety thousand characters of data": lambda text: ("a.py", f"{text}\ndata = [{'1.5, ' * 18_000}]\n".encode()),
    "a long comment line": lambda text: ("a.py", f"# {'x' * 80_000}\n{text}".encode()),
    "a long cell": lambda text: ("a.ipynb", nbformat.writes(notebook(f"{text}\nimage = '{'A' * 200_000}'")).encode()),
    "nine megabytes of plots": with_plots,
    "more than a thousand cells": lambda text: ("a.ipynb", nbformat.writes(notebook(*["x = 1"] * 1_050, text)).encode()),
    "format 3": third_format,
    "source in lines": in_lines,
    "suffix in capitals": lambda text: ("A.PY", text.encode()),
    "notebook's suffix in capitals": lambda text: ("A.IPYNB", nbformat.writes(notebook(text)).encode()),
    "a notebook with a byte order mark": lambda text: ("a.ipynb", nbformat.writes(notebook(text)).encode("utf-8-sig")),
    "metadata of elsewhere": lambda text: ("a.ipynb", nbformat.writes(notebook(text, colab={"provenance": []}, widgets={"x": 1})).encode()),
    "a byte order mark and lines of Windows": lambda text: ("a.py", text.replace("\n", "\r\n").encode("utf-8-sig")),
    "form feeds and trailing blanks": lambda text: ("a.py", text.replace("\n\ndef", "   \n\x0c\ndef").encode()),
    "a Unix first line": lambda text: ("a.py", f"#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n{text}".encode()),
    "one long time cell": lambda text: ("a.ipynb", nbformat.writes(notebook(f"%%time\n{text}", "%%capture\nx = 1")).encode()),
    "html and bash cells between": lambda text: ("a.ipynb", nbformat.writes(notebook("%%html\n<b>x</b>", text, "%%bash\nls", "%%writefile x.py\ny = 1")).encode()),
}  # fmt: skip
