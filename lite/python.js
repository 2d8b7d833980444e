// Pyodide for notebooks and pages. What Python compiles is kept in the browser: from the second start on, modules
// are read as bytecode, each as long as its source is the same.
const KEEP = `
import marshal, zipimport
from importlib.machinery import SourceFileLoader
from importlib.util import source_hash


class Compiled:
    def __init__(self, stored):
        self.codes = marshal.loads(stored) if stored else {}
        self.unsaved = 0
        plain, zipped = SourceFileLoader.source_to_code, zipimport._compile_source
        SourceFileLoader.source_to_code = lambda loader, source, path, **options: self.code(
            path, source, lambda: plain(loader, source, path, **options)
        )
        zipimport._compile_source = lambda path, source: self.code(path, source, lambda: zipped(path, source))

    def code(self, path, source, compiled):
        digest = source_hash(source)
        known, code = self.codes.get(path, (None, None))
        if known == digest:
            return marshal.loads(code)
        self.unsaved += 1
        code = compiled()
        self.codes[path] = digest, marshal.dumps(code)
        return code

    def stored(self):
        self.unsaved = 0
        return marshal.dumps(self.codes)
`;
const PAUSE = 1000; // milliseconds without a new module, after which they are saved
const here = (name) => new URL(name, import.meta.url).href;

export async function loadPyodide({ stdout, stderr, ...options }) {
  const python = await (begun ?? start(options));
  if (stdout) python.setStdout({ batched: stdout });
  if (stderr) python.setStderr({ batched: stderr });
  return python;
}

async function start({ indexURL, packages, ...options }) {
  const { loadPyodide } = await import(here(indexURL + "pyodide.mjs"));
  const python = await loadPyodide({ ...options, indexURL: here(indexURL) });
  await keep(python, here(`compiled-${python.version}`));
  const wheels = packages.filter((name) => name.endsWith(".whl"));
  const carried = (name) => wheels.some((wheel) => wheel.split("/").pop().startsWith(name.replace("-", "_") + "-"));
  const known = packages.filter((name) => !wheels.includes(name) && !carried(name));
  await python.loadPackage([...known, ...wheels.map(here)], { messageCallback: () => {} });
  return python;
}

async function keep(python, name) {
  if (crossOriginIsolated) return; // an interrupt that is meant for a cell could hit the saving
  const store = await globalThis.caches?.open("mlnotes compiled").catch(() => null);
  if (!store) return; // no storage here: modules are compiled each time
  const stored = await (await store.match(name))?.arrayBuffer();
  const Compiled = python.runPython(KEEP + "Compiled", { globals: python.toPy({}) });
  const compiled = Compiled(stored && python.toPy(new Uint8Array(stored)));
  let seen = 0;
  setInterval(() => {
    const { unsaved } = compiled;
    if (unsaved && unsaved === seen) {
      const bytes = compiled.stored();
      store.put(name, new Response(bytes.toJs())).catch(() => {}); // no room
      bytes.destroy();
    }
    seen = unsaved;
  }, PAUSE);
}

// As a worker of its own this begins before there is a kernel, while the page is being loaded; see the extension.
// The first message is the address of the kernel's script, and the others are for that.
async function begin() {
  const held = [];
  const hold = (event) => {
    event.stopImmediatePropagation();
    if (held.push(event) === 1) import(event.data.kernel).then(release);
  };
  const release = () => {
    removeEventListener("message", hold);
    for (const { data, ports } of held.slice(1)) dispatchEvent(new MessageEvent("message", { data, ports }));
  };
  addEventListener("message", hold);
  const config = await (await fetch(here("jupyter-lite.json"))).json();
  const settings = config["jupyter-config-data"].litePluginSettings["@jupyterlite/pyodide-kernel-extension:kernel"];
  const python = await start(settings.loadPyodideOptions);
  python.pyimport("IPython.core.application");
  return python;
}

const begun = self.name === "early" ? begin() : null;
