"""The process that runs a student's code: it answers questions, and knows no test, expected value or seed.

It loads the submission, calls its functions and reads its attributes as the grader asks, over the two pipes
that were its standard input and output. What the student prints goes to a third pipe. Runs as a script with
one argument, the JSON settings; needs ``wire.py`` and ``confinement.py`` beside it, and NumPy.
"""

from __future__ import annotations
import __future__

import _ast as ast  # the module above it, and others that are not here, are slow to load
import builtins
import contextlib
import gc
import importlib.util
import json
import os
import re
import sys
import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

SEED = 20_240_229  # public: the student's own randomness is the same for everyone, and in every run
_RANDOM = {"random", "numpy.random"}
MODULE = "submission"
_MAGIC = re.compile(r"(\s*)(?!\s)([%!?]|[\w\s.,\[\]]+=\s*[%!]|[^#'\"(]*\?\s*$)")  # t = %time f(), np.sum?
_CHECK = re.compile(r"mlnotes(\.grading)?")
_NO_PYTHON = SyntaxError, ValueError, RecursionError, MemoryError  # what the parser raises
_MAX_NAMES = 500


def _sibling(name: str) -> types.ModuleType:
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"{name}.py")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


class Silent:
    """Stands for everything of a plotting library: can be called, indexed and read, and draws nothing."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> Silent:
        """Draw nothing."""
        return self

    def __getitem__(self, key: Any) -> Silent:
        return self

    def __setitem__(self, key: Any, value: Any) -> None: ...

    def __iter__(self) -> Any:
        return iter((self, self))

    def __enter__(self) -> Silent:
        return self

    def __exit__(self, *error: Any) -> None: ...


def _subplots(nrows: int = 1, ncols: int = 1, *, squeeze: bool = True, **kwargs: Any) -> tuple[Silent, Any]:
    import numpy as np

    axes = np.empty((nrows, ncols), dtype=object)
    axes.fill(Silent())
    if not squeeze:
        return Silent(), axes
    return Silent(), axes[0, 0] if axes.size == 1 else axes.reshape(-1) if 1 in axes.shape else axes


class SilentPlots:
    """Finder of modules that serves a stand-in for the plotting libraries, and nothing else."""

    names = ("matplotlib", "pylab", "seaborn", "IPython", "mpl_toolkits")

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """Serve the names of plotting libraries only."""
        if name.partition(".")[0] not in self.names:
            return None
        return importlib.util.spec_from_loader(name, self, is_package=True)  # type: ignore[arg-type]

    def create_module(self, spec: Any) -> types.ModuleType:
        """Return an empty module."""
        return types.ModuleType(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """Let every name of the module be silent."""
        silent = Silent()

        def lookup(name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            return _subplots if name == "subplots" else silent

        module.__getattr__ = lookup  # type: ignore[method-assign]


class AtImport:
    """Finder of modules that does something to a module when it is first imported.

    What few submissions use would take a quarter of the time in which a worker starts.
    """

    def __init__(self, name: str, then: Callable[[Any], object]) -> None:
        self.name, self.then, self.asked = name, then, False

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """Serve this one module."""
        if name != self.name or self.asked:
            return None
        self.asked = True
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self.asked = False
        assert spec is not None
        loader: Any = spec.loader
        execute = loader.exec_module

        def exec_module(module: types.ModuleType) -> None:
            execute(module)
            self.then(module)

        loader.exec_module = exec_module
        return spec


_DOCS = ("numpy._core._add_newdocs", "numpy._core._add_newdocs_scalars")
_SPEAKS_OF_DOCS = re.compile(r"doc|help|info")


class Late(types.ModuleType):
    """Stands for a module while NumPy is loaded, and later where NumPy names it: loads it when it is used."""

    def __getattr__(self, name: str) -> Any:
        if name[:2] == "__":
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(importlib.import_module(self.__name__), name)


class LateMasked(Late):
    """``np.ma`` until it is used: np.unique, which asks whether its argument is masked, does not load it."""

    def is_masked(self, value: object) -> bool:
        """Return whether `value` is a masked array with a masked entry."""
        return self.__name__ in sys.modules and importlib.import_module(self.__name__).is_masked(value)


def _load_numpy(whole: bool) -> None:
    """Load NumPy; if not the whole, but for what few submissions ask for, which is loaded when they do.

    That is the help of functions in C, the types for type checkers, masked arrays and what it takes from the
    standard library for single functions: two fifths of the time in which a worker starts.
    """
    if whole:
        import numpy

        return
    import _datetime  # type: ignore[import-not-found]  # all of the module above it that C code asks for

    names = ("ast", "inspect", "pickle", "platform", "textwrap", "weakref")
    late: dict[str, Any] = {name: Late(name) for name in names}
    late["inspect"].__dict__.update(cleandoc=lambda doc: doc, signature=lambda function: None)
    types_of_arrays = types.ModuleType("numpy._typing")
    types_of_arrays.__getattr__ = lambda name: list  # type: ignore[method-assign]  # as in NDArray[Any]
    late |= {name: types.ModuleType(name) for name in _DOCS}
    late |= {"numpy._typing": types_of_arrays, "datetime": _datetime}
    late = {name: module for name, module in late.items() if name not in sys.modules}
    sys.modules |= late
    import numpy

    for name, module in late.items():
        if sys.modules.get(name) is module:
            del sys.modules[name]
    if "numpy.ma" not in sys.modules:
        numpy.ma = LateMasked("numpy.ma")


def strip_magics(source: str) -> tuple[str, bool]:
    """Return `source` with IPython's magics and shell lines blanked, and whether there were any."""
    lines = source.split("\n")
    whole = source.lstrip().startswith("%%")
    if whole:
        if source.split(maxsplit=1)[0] not in ("%%time", "%%timeit", "%%capture"):
            return "", True
        lines = ["" if line.lstrip().startswith("%%") else line for line in lines]
        source = "\n".join(lines)
    with contextlib.suppress(*_NO_PYTHON):
        compile(source, MODULE, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
        return source, whole  # a '%' or '!' that Python accepts is Python
    kept = [f"{magic[1]}pass" if (magic := _MAGIC.match(line)) else line for line in lines]
    return "\n".join(kept), whole or kept != lines


def _is_self_check(statement: ast.stmt) -> bool:
    """Whether a statement imports or calls the handout's ``check("hw01.part")``."""
    if isinstance(statement, ast.ImportFrom):
        return bool(_CHECK.fullmatch(statement.module or "")) and [a.name for a in statement.names] == [
            "check"
        ]
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "check"


def _future(statement: ast.stmt) -> int:
    """Return the compiler flags that a ``from __future__ import`` switches on for what follows."""
    if not isinstance(statement, ast.ImportFrom) or statement.module != "__future__":
        return 0
    features = [getattr(__future__, alias.name, None) for alias in statement.names]
    return sum(feature.compiler_flag for feature in features if feature is not None)


class Submission:
    """The student's module, the instances made of its classes, and how to speak of both."""

    def __init__(self, wire: types.ModuleType, replies: int, requests: int, module: types.ModuleType) -> None:
        self.wire, self.replies, self.requests, self.module = wire, replies, requests, module
        self.instances: dict[int, Any] = {}
        self.numbers: dict[int, int] = {}
        self.files: dict[str, str] = {}
        self.future = 0
        self.request: Any = None
        self.anew = False

    def serve(self) -> None:
        """Answer requests until the grader goes away."""
        while True:
            self.request = None
            message = self.wire.receive(self.requests, self.resolve)
            self.request, self.anew = message["id"], message.get("anew", False)
            self.reply(getattr(self, f"do_{message['do']}"), message.get("with", ()))

    def reply(self, operation: Any, arguments: tuple) -> None:
        """Send what the operation gives, or what it raises."""
        try:
            if self.anew:
                self.start_anew()
            answer = {"id": self.request, "value": operation(*arguments)}
            self.flush()
            frame = self.wire.pack(answer, self.refer)
        except self.wire.WireError as error:
            frame = self.wire.pack({"id": self.request, "unfit": str(error)})
        except BaseException as error:  # of SystemExit too: it is the student's verdict, not our end
            self.flush()
            frame = self.wire.pack({"id": self.request, "raised": self.described(error)})
        self.write(frame)

    def write(self, frame: bytes) -> None:
        """Write a frame to the grader."""
        view = memoryview(frame)
        while view:
            view = view[os.write(self.replies, view) :]

    def flush(self) -> None:
        """Have everything printed reach the grader before the answer does."""
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except BaseException:  # the student may have replaced or closed it
                continue

    def start_anew(self) -> None:
        """Forget the instances and start the public randomness again."""
        self.instances.clear()
        self.numbers.clear()
        gc.collect(1)
        for name in _RANDOM & sys.modules.keys():  # the others start there when they are imported
            sys.modules[name].seed(SEED)

    # What may be asked

    def do_cell(self, label: str, pieces: list, skipped: list) -> list:
        """Run one cell statement by statement, but for the `skipped` ones; return notes on what did not work.

        Which statement comes next is told before it runs, so that after a hang the others can be run again.
        """
        notes: list = []
        source = "".join(pieces)
        if _SPEAKS_OF_DOCS.search(source):
            for name in _DOCS:
                with contextlib.suppress(ImportError):  # before NumPy 2 they are there already
                    importlib.import_module(name)
        self.files[label] = source
        if "linecache" in sys.modules:
            self.show(sys.modules["linecache"])
        source, magics = strip_magics(source)
        if magics:
            notes.append(
                {"type": "", "text": f"{label}: lines with % or ! were skipped", "line": 0, "code": ""}
            )
        try:
            statements = compile(source, label, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
        except _NO_PYTHON as error:
            return [*notes, self.described(error)]
        assert isinstance(statements, ast.Module)
        for number, statement in enumerate(statements.body):
            if number in skipped or _is_self_check(statement):
                continue
            self.write(self.wire.pack({"id": self.request, "at": number, "line": statement.lineno}))
            try:
                self.future |= _future(statement)
                body = ast.Module([statement], [])
                exec(compile(body, label, "exec", self.future, dont_inherit=True), self.module.__dict__)
            except BaseException as error:
                if len(notes) < 20:
                    notes.append(self.described(error))
        self.flush()
        return notes

    def show(self, linecache: Any) -> None:
        """Let tracebacks and ``inspect`` see the lines of the submission."""
        for label, source in self.files.items():
            linecache.cache[label] = (len(source), None, source.splitlines(True), label)

    def do_names(self, asked: tuple = ()) -> dict:
        """Return names of the submission and of which kind each is: those `asked` for, and the latest."""
        defined = self.module.__dict__
        latest = [name for name in reversed(list(defined)) if isinstance(name, str) and name[:1] != "_"]
        listed = [name for name in asked if name in defined] + latest[:_MAX_NAMES]
        return {name[:100]: kind(defined[name]) for name in listed}

    def do_call(self, name: str, arguments: tuple) -> Any:
        """Call a function of the submission."""
        return getattr(self.module, name)(*arguments)

    def do_construct(self, name: str, arguments: tuple) -> Any:
        """Construct an instance of a class of the submission; it stays here."""
        return self.keep(getattr(self.module, name)(*arguments))

    def do_method(self, instance: Any, name: str, arguments: tuple, chained: bool) -> Any:
        """Call a method; with `chained` its result is not used and the instance stands for it."""
        result = getattr(instance, name)(*arguments)
        return self.refer(instance) if chained else result

    def do_attribute(self, instance: Any, name: str) -> Any:
        """Read an attribute."""
        return getattr(instance, name)

    # How objects are named across the process boundary

    def keep(self, instance: Any) -> Any:
        """Keep an instance and return its name."""
        number = len(self.instances)
        self.instances[number] = instance
        self.numbers[id(instance)] = number
        return self.wire.Reference("instance", number)

    def refer(self, value: Any) -> Any:
        """Return the name of an instance that is kept, None for anything else."""
        number = self.numbers.get(id(value))
        return None if number is None else self.wire.Reference("instance", number)

    def resolve(self, reference: Any) -> Any:
        """Return what a name of the grader's stands for."""
        if reference.kind == "instance":
            return self.instances[reference.key]
        if reference.kind == "student":
            return getattr(self.module, reference.key)
        return lambda *arguments: self.callback(reference.key, arguments)

    def callback(self, number: int, arguments: tuple) -> Any:
        """Ask the grader for the value of one of its functions."""
        message = {"id": self.request, "callback": number, "with": arguments}
        self.write(self.wire.pack(message, self.refer))
        answer = self.wire.receive(self.requests, self.resolve)
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer["value"]

    def described(self, error: BaseException) -> dict:
        """Return the type, the words and the place of an exception."""
        try:
            text = str(error.msg if isinstance(error, SyntaxError) else error)
        except BaseException:
            text = "(its message cannot be shown)"
        line, label = self.place(error)
        lines = self.files.get(label, "").splitlines()
        code = lines[line - 1].strip() if 1 <= line <= len(lines) else ""
        where = f"{label}, line {line}" if line else ""
        name = type(error).__name__
        return {"type": str(name)[:100], "text": text[:500], "line": line, "where": where, "code": code[:200]}

    def place(self, error: BaseException) -> tuple[int, str]:
        """Return line and cell of the student's code where an exception came from; 0 if nowhere."""
        if isinstance(error, SyntaxError) and error.filename in self.files:
            return error.lineno or 0, str(error.filename)
        found = (0, "")
        trace = error.__traceback__
        while trace is not None:
            label = trace.tb_frame.f_code.co_filename
            if label in self.files:
                found = (trace.tb_lineno, label)
            trace = trace.tb_next
        return found


def kind(value: Any) -> str:
    """Return what a value is to a part that asks for a name."""
    return "class" if isinstance(value, type) else "function" if callable(value) else "value"


def _open_doors() -> list[str]:
    """Try what the confinement refuses; return what is still possible."""
    import _socket as socket

    def fork() -> None:
        if os.fork() == 0:
            os._exit(0)

    tries = {
        "files of the system": lambda: os.close(os.open("/etc/passwd", os.O_RDONLY)),
        "a folder outside its own": lambda: os.close(os.open("/var/tmp", os.O_RDONLY)),
        "TCP": lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM).close(),
        "UDP": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close(),
        "local sockets": lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM).close(),
        "other processes": lambda: os.kill(os.getppid(), 0),
        "new processes": fork,
        "new programs": lambda: os.execv(sys.executable, [sys.executable, "-c", ""]),
    }
    found = []
    for door, attempt in tries.items():
        try:
            attempt()
            found.append(door)
        except OSError:
            continue
    return found


def _prepare(settings: dict) -> tuple[int, int]:
    """Move the pipes away from the standard descriptors, give up privileges; return requests and replies."""
    requests, replies = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    os.close(null)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True, errors="backslashreplace")  # type: ignore[union-attr]
    os.chdir(settings["home"])
    os.environ.pop("PWD", None)  # bubblewrap adds it to what the grader set
    confinement = _sibling("confinement")
    if sys.platform != "win32":
        confinement.limits(**settings["limits"])
    if sys.platform == "linux":
        confinement.die_with_parent()
    if settings["confined"]:
        confinement.no_new_privileges()
        if settings["landlock"]:
            confinement.landlock(settings["readable"], settings["writable"])
        confinement.seccomp(settings["channel"])
    return requests, replies


def main() -> None:
    """Run the worker with the settings of the first argument."""
    gc.disable()  # a sixth of the time in which a worker starts, and nothing that is loaded ever goes
    settings = json.loads(sys.argv[1])
    sys.dont_write_bytecode = True  # the staged folder is not to be written to
    sys.argv[:] = [MODULE]
    if settings["packages"]:
        sys.path.append(settings["packages"])
    _load_numpy(settings["whole"])  # before its files are out of reach
    requests, replies = _prepare(settings)
    wire = _sibling("wire")
    sys.path[:] = [p for p in sys.path if p]
    module = sys.modules[MODULE] = types.ModuleType(MODULE)
    submission = Submission(wire, replies, requests, module)
    sys.meta_path[:0] = [AtImport(name, lambda found: found.seed(SEED)) for name in sorted(_RANDOM)]
    sys.meta_path.insert(0, AtImport("linecache", submission.show))
    sys.meta_path.append(SilentPlots())
    builtins.exit = builtins.quit = sys.exit  # type: ignore[assignment]
    gc.freeze()  # before anything looks through what is loaded
    submission.start_anew()
    gc.enable()
    doors = _open_doors() if settings["confined"] else []
    submission.write(wire.pack({"id": "ready", "open": doors}))
    try:
        submission.serve()
    finally:
        os._exit(0)  # no atexit, no destructor of the student's


if __name__ == "__main__":
    main()
