// Runs the cells of a page in place. Until "Run" is pressed nothing is loaded; the page is as it was printed.
// A cell that shows lines of a reference module is the place to change them: they run in the module from which they come.
function read(cell) {
  const lines = cell.querySelector(".cell_output div.highlight pre");
  const places = cell.querySelector(".cell_output em")?.textContent.split("; ") ?? [];
  const modules = new Set(places.map((place) => place.match(/^mlnotes\/(\w+)\.py, lines/)?.[1]));
  const [module] = modules.size === 1 && lines ? modules : [];
  const text = module ? lines : cell.querySelector(".cell_input pre");
  return { cell, text, module: module ? "mlnotes." + module : null, edited: false };
}
const cells = [...document.querySelectorAll("article div.cell")].filter((cell) => cell.querySelector(".cell_input pre")).map(read);
const written = ({ edited, text }) => (edited ? text.innerText : text.textContent); // a new line may be a <br>
const PATIENCE = 10000; // milliseconds that an interrupted cell has, on a busy machine too
let worker = null, ready = null, abandon = null, signal = null, done = 0, waiting = null, busy = false, stopped = false;

function start() {
  worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  done = 0;
  ready = new Promise((resolve, reject) => {
    abandon = () => reject(new Error("stopped"));
    worker.onmessage = ({ data }) => (data.ready ? resolve() : waiting(data.outputs));
    worker.onerror = (event) => reject(new Error(event.message || "Python could not be loaded"));
  });
  // Where the page is isolated, page and worker share a number that interrupts what runs.
  signal = crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : null;
  worker.postMessage({ signal });
}

function stop() {
  const asked = waiting;
  stopped = true; // the interrupt may come when its cell has just ended: the next one does not start
  if (!signal || !asked) return end();
  signal[0] = 2; // SIGINT
  setTimeout(() => { if (waiting === asked) end(); }, PATIENCE);
}

function end() {
  if (!worker) return;
  worker.terminate();
  worker = null;
  abandon();
  if (waiting) waiting([["error", "stopped; Python starts anew"]]);
}

const python = (code, module) => new Promise((resolve) => {
  waiting = (outputs) => { waiting = null; resolve(outputs); };
  if (signal) signal[0] = 0; // an interrupt that came too late is not for this cell
  worker.postMessage({ code, module });
});

function show({ cell, module }, outputs) {
  cell.querySelectorAll(module ? ".run-output" : ".cell_output").forEach((old) => old.remove());
  const box = document.createElement("div");
  box.className = "cell_output run-output docutils container";
  for (const [kind, content] of outputs) {
    const part = document.createElement(kind === "image/png" ? "img" : kind === "text/html" || kind === "image/svg+xml" ? "div" : "pre");
    if (kind === "image/png") Object.assign(part, { src: "data:image/png;base64," + content, alt: "the figure as your code draws it" });
    else if (part.tagName === "DIV") part.innerHTML = content;
    else part.textContent = content;
    if (kind === "error") part.className = "run-error";
    box.append(part);
  }
  cell.append(box);
  if (window.MathJax && MathJax.typesetPromise) MathJax.typesetPromise([box]);
}

async function run(number, say) {
  if (busy) return say("another cell is running");
  busy = true;
  stopped = false;
  try {
    if (!worker) { say("Python is being loaded …"); start(); }
    await ready;
    const first = Math.min(done, number); // what stands above comes first, once
    for (let k = first; k <= number; k++) {
      const { module, edited } = cells[k];
      if (module && !edited && k < number) continue; // the module has these lines
      if (stopped) return say("stopped");
      say(`cell ${k + 1} of ${number + 1} …`);
      const outputs = await python(written(cells[k]), module);
      const failed = outputs.some(([kind]) => kind === "error");
      if (k === number || failed || edited) show(cells[k], outputs);
      if (!worker) return say("stopped");
      done = Math.max(done, k + 1);
      if (failed && k < number) return say(`cell ${k + 1}, above, fails; press again to go on`);
    }
    say("");
  } catch (error) {
    end();
    say(String(error.message || error));
  } finally {
    busy = false;
  }
}

cells.forEach((item, number) => {
  const { cell, text, module } = item;
  const bar = document.createElement("p"), words = document.createElement("span");
  bar.className = "run-bar";
  words.setAttribute("role", "status");
  const say = (text) => { words.textContent = " " + text; };
  const button = (name, title, action) => {
    const made = document.createElement("button");
    Object.assign(made, { type: "button", textContent: name, title, onclick: action });
    bar.append(made);
  };
  button("Run", `Run cell ${number + 1} here, after those above it`, () => run(number, say));
  button("Stop", "Stop Python", stop);
  bar.append(words);
  text.spellcheck = false;
  try {
    text.contentEditable = "plaintext-only";
  } catch {
    text.contentEditable = "true"; // an older browser
  }
  text.setAttribute("role", "textbox");
  text.setAttribute("aria-multiline", "true");
  text.setAttribute("aria-label", `Code of cell ${number + 1}, which you may change`);
  text.addEventListener("input", () => { item.edited = true; done = Math.min(done, number); });
  (module ? text.closest("div.highlight") : cell.querySelector(".cell_input")).append(bar);
});

const style = document.createElement("style");
style.textContent = ".run-bar{margin:.3em 0}.run-bar button{margin-right:.5em}.cell_output img{max-width:100%}.run-output pre{white-space:pre-wrap}.run-error{color:#b3261e}@media print{.run-bar,.run-here{display:none}}";
document.head.append(style);
