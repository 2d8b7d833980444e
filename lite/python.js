// Pyodide for notebooks and pages. What it unpacks and compiles is kept in the browser: from the second start on,
// packages are files at once, and modules are read as bytecode, each as long as its source is the same.
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
const PACKAGES = "import sysconfig; sysconfig.get_path('platlib')";
const PAUSE = 1000; // milliseconds without a new module, after which they are saved
const here = (name) => new URL(name, import.meta.url).href;

export async function loadPyodide({ stdout, stderr, ...options }) {
  const python = await (begun ?? start(options));
  if (stdout) python.setStdout({ batched: stdout });
  if (stderr) python.setStderr({ batched: stderr });
  return python;
}

async function start({ indexURL, packages, digest, ...options }) {
  const store = await globalThis.caches?.open("mlnotes packages").catch(() => null); // there may be no storage
  const name = here(`packages-${digest}`);
  const stored = store?.match(name).then(async (tree) => tree && [Number(tree.headers.get("index")), await tree.arrayBuffer()]);
  const { loadPyodide } = await import(here(indexURL + "pyodide.mjs"));
  const python = await loadPyodide({ ...options, indexURL: here(indexURL) });
  await keep(python, here(`compiled-${python.version}`));
  const tree = await stored;
  if (tree) {
    restore(python, ...tree);
    return python;
  }
  const wheels = packages.filter((name) => name.endsWith(".whl"));
  const carried = (name) => wheels.some((wheel) => wheel.split("/").pop().startsWith(name.replace("-", "_") + "-"));
  const known = packages.filter((name) => !wheels.includes(name) && !carried(name));
  await python.loadPackage([...known, ...wheels.map(here)], { messageCallback: () => {} });
  if (store) save(python, store, name).catch(() => {}); // no room
  return python;
}

// The files of all packages in a row, after an index of their paths and lengths.
async function save({ FS, loadedPackages, runPython }, store, name) {
  const files = [], contents = [];
  const add = (folder) => {
    for (const entry of FS.readdir(folder)) {
      if (entry === "." || entry === "..") continue;
      const path = `${folder}/${entry}`, { node } = FS.lookupPath(path);
      if (FS.isDir(node.mode)) add(path);
      else {
        files.push([path, node.usedBytes]);
        contents.push(node.contents.subarray(0, node.usedBytes)); // no copy
      }
    }
  };
  add(runPython(PACKAGES));
  const index = new TextEncoder().encode(JSON.stringify({ files, loadedPackages }));
  for (const { url } of await store.keys()) if (url.startsWith(here("packages-"))) await store.delete(url); // of an older site
  await store.put(name, new Response(new Blob([index, ...contents]), { headers: { index: index.length } }));
}

function restore({ FS, loadedPackages, runPython }, length, tree) {
  const index = JSON.parse(new TextDecoder().decode(new Uint8Array(tree, 0, length)));
  let at = length, last = "";
  for (const [path, size] of index.files) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (folder !== last) FS.mkdirTree((last = folder));
    FS.writeFile(path, new Uint8Array(tree, at, size), { canOwn: true });
    at += size;
  }
  Object.assign(loadedPackages, index.loadedPackages);
  runPython("import importlib; importlib.invalidate_caches()");
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
