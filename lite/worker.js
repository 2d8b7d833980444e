// Python for the cells of a page: one cell at a time, its outputs as [kind, content].
const shared = new Promise((resolve) => { self.onmessage = ({ data: { signal } }) => resolve(signal); });
const config = await (await fetch("jupyter-lite.json")).json();
const settings = config["jupyter-config-data"].litePluginSettings["@jupyterlite/pyodide-kernel-extension:kernel"];
const { loadPyodide } = await import(new URL(settings.pyodideUrl, self.location).href);
const python = await loadPyodide({ ...settings.loadPyodideOptions, env: { MPLBACKEND: "agg" } });
python.runPython(`
import ast, base64, builtins, contextlib, html, importlib, io, sys, traceback, types

page = types.ModuleType("__main__")
sys.modules["__main__"] = page
shown = []


def display(*values):
    for value in values:
        data, _ = formatter.format(value)
        kind = next(kind for kind in ("text/html", "image/svg+xml", "image/png", "text/markdown", "text/plain") if kind in data)
        content = data[kind]
        shown.append([kind, base64.b64encode(content).decode() if isinstance(content, bytes) else content])


def run(code, module):
    space = vars(importlib.import_module(module) if module else page)
    shown.clear()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            tree = ast.parse(code)
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, "<cell>", "exec"), space)
            if last is not None:
                value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), space)
                if value is not None:
                    display(value)
        except KeyboardInterrupt:
            shown.append(["error", "stopped; what was computed before stays"])
        except BaseException as error:
            where = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "<cell>"]
            line = f"line {where[-1].lineno}: " if where else ""
            shown.append(["error", line + "".join(traceback.format_exception_only(error)).strip()])
    if module and not shown:
        shown.append(["text/plain", f"{module} has these lines now: run a cell below."])
    text = printed.getvalue()
    return ([["text/plain", text]] if text else []) + shown


from IPython.core.formatters import DisplayFormatter
from IPython.core.pylabtools import print_figure
from matplotlib.figure import Figure

formatter = DisplayFormatter()
formatter.formatters["image/png"].for_type(Figure, lambda figure: print_figure(figure, fmt="png"))
builtins.display = display
`);
const signal = await shared;
if (signal) python.setInterruptBuffer(signal);
const run = python.globals.get("run");
self.onmessage = ({ data: { code, module } }) => {
  const outputs = run(code, module).toJs({ create_proxies: false });
  self.postMessage({ outputs });
};
self.postMessage({ ready: true });
