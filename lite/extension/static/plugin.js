// The commands behind three buttons of the notebook toolbar. Written in the form that JupyterLab loads: no build step.
(() => {
  const notebook = (app) => {
    const panel = app.shell.currentWidget;
    return panel && panel.context && panel.sessionContext ? panel : null;
  };

  async function download(app) {
    const panel = notebook(app);
    if (!panel) return;
    await panel.context.save();
    const text = JSON.stringify(panel.context.model.toJSON(), null, 1) + "\n";
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/x-ipynb+json" }));
    link.download = panel.context.path.split("/").pop();
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }

  async function startAfresh(app) {
    const panel = notebook(app);
    if (!panel) return;
    const { path } = panel.context;
    const question = `Replace your ${path} by the one of the course? Your changes to it are lost; Download keeps a copy.`;
    if (!window.confirm(question)) return;
    await panel.context.save(); // so that nothing writes the old text again later
    await app.serviceManager.contents.delete(path);
    await panel.context.revert();
    await panel.sessionContext.restartKernel();
  }

  // Where the page is cross-origin isolated a running cell is interrupted, and what it has computed stays: page and
  // worker share two numbers, the interrupt that Python looks for, and 1 while cells that wait are not to begin.
  // Elsewhere, or if a cell goes on, Python starts anew.
  const isolated = window.crossOriginIsolated;
  // JupyterLite's own way to such a worker hangs as Python starts, about every second time on a busy machine.
  if (isolated) Object.defineProperty(window, "crossOriginIsolated", { value: false });
  const PATIENCE = 10000; // milliseconds: the first traceback takes seconds on a busy machine
  const TRIES = 3;
  const workers = [], numbers = new Map(); // of Python; by the kernel's id
  let early = null;
  window.Worker = class extends window.Worker {
    constructor(url, options) {
      const given = /\/comlink\.worker\./.test(url) ? early : null; // to the first kernel
      if (given) early = null;
      const worker = given ?? super(url, options);
      if (given) given.postMessage({ kernel: String(url) });
      else workers.push(new WeakRef(worker));
      return worker;
    }
  };
  // With a notebook to open, Python is loaded beside the interface, in the worker that its kernel then gets.
  if (/[?&]path=[^&]*\.ipynb/.test(location.search)) {
    early = new Worker(new URL("../../../python.js", document.currentScript.src), { type: "module", name: "early" });
  }

  const LISTEN = `
def listen(id):
    import js, pyodide_js
    from pyodide.ffi import create_proxy
    def take(event):
        if getattr(event.data, "stops", None) != id:
            return
        numbers = event.data.numbers
        pyodide_js.setInterruptBuffer(numbers)
        skip = lambda lines: ["raise KeyboardInterrupt\\n"] if js.Atomics.load(numbers, 1) else lines
        get_ipython().input_transformers_cleanup.append(skip)
    js.self.addEventListener("message", create_proxy(take))
`;

  async function share(kernel) {
    const shared = new Int32Array(new SharedArrayBuffer(8));
    const code = `${LISTEN}listen("${kernel.id}"); del listen`;
    const { content } = await kernel.requestExecute({ code, silent: true, store_history: false }).done;
    if (content.status !== "ok") return;
    for (const worker of workers) worker.deref()?.postMessage({ stops: kernel.id, numbers: shared });
    numbers.set(kernel.id, shared);
  }

  function prepare(panel) {
    const { sessionContext } = panel;
    sessionContext.kernelChanged.connect((_, { newValue }) => newValue && share(newValue));
    sessionContext.statusChanged.connect((_, status) => {
      const kernel = sessionContext.session?.kernel;
      if (kernel && status.endsWith("restarting")) {
        numbers.delete(kernel.id);
        share(kernel);
      }
    });
  }

  async function until(condition, milliseconds) {
    const end = Date.now() + milliseconds;
    while (!condition() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  const waiting = (panel) => panel.content.widgets.filter(({ model }) => model.executionState === "running").length;
  const busy = (panel) => panel.sessionContext.session?.kernel?.status === "busy";

  async function stop(app) {
    const panel = notebook(app);
    if (!panel) return;
    const shared = numbers.get(panel.sessionContext.session?.kernel?.id);
    if (shared) {
      shared[1] = 1;
      for (let left = TRIES; left > 0 && busy(panel); left--) {
        shared[0] = 2; // SIGINT; Python sets it to 0 when it takes it
        await until(() => !shared[0] || !busy(panel), PATIENCE);
        if (shared[0]) break;
        for (let cells = null; busy(panel) && cells !== waiting(panel); ) {
          cells = waiting(panel);
          await until(() => !busy(panel), PATIENCE / 2);
        }
      }
      shared.fill(0);
      if (!busy(panel)) return;
    }
    await panel.sessionContext.restartKernel();
  }

  const plugin = {
    id: "mlnotes-lite:plugin",
    autoStart: true,
    activate: (app) => {
      if (isolated) app.docRegistry.addWidgetExtension("Notebook", { createNew: prepare });
      app.commands.addCommand("mlnotes:download", {
        label: "Download",
        caption: "Save this notebook, with your changes, as a file: this is what you hand in",
        execute: () => download(app),
      });
      app.commands.addCommand("mlnotes:start-afresh", {
        label: "Start afresh",
        caption: "Replace this notebook by the one of the course; asks first",
        execute: () => startAfresh(app),
      });
      app.commands.addCommand("mlnotes:stop", {
        label: "Stop",
        caption: "End what runs; where it cannot be interrupted Python starts anew, and the notebook stays",
        execute: () => stop(app),
      });
    },
  };

  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB["mlnotes-lite"] = {
    init: () => {},
    get: async () => () => ({ __esModule: true, default: plugin }),
  };
})();
