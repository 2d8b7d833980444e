// Runs the cells of a page in place. Until "Run" is pressed nothing is loaded; the page is as it was printed.
const cells = [...document.querySelectorAll("article div.cell")].filter((cell) => cell.querySelector("pre"));
const source = (cell) => cell.querySelector(".cell_input pre");
let worker = null, ready = null, done = 0, waiting = null;

function start() {
  worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  done = 0;
  ready = new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => (data.ready ? resolve() : waiting(data.outputs));
    worker.onerror = (event) => reject(new Error(event.message || "Python could not be loaded"));
  });
}

function stop() {
  if (worker) worker.terminate();
  worker = null;
  if (waiting) waiting([["error", "stopped; Python starts anew"]]);
}

const python = (code) => new Promise((resolve) => {
  waiting = (outputs) => { waiting = null; resolve(outputs); };
  worker.postMessage({ code });
});

function show(cell, outputs) {
  cell.querySelectorAll(".cell_output").forEach((old) => old.remove());
  const box = document.createElement("div");
  box.className = "cell_output docutils container";
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
  try {
    if (!worker) { say("Python is being loaded …"); start(); }
    await ready;
    const first = Math.min(done, number); // what stands above comes first, once
    for (let k = first; k <= number; k++) {
      say(`cell ${k + 1} of ${number + 1} …`);
      const outputs = await python(source(cells[k]).textContent);
      const failed = outputs.some(([kind]) => kind === "error");
      if (k === number || failed || cells[k].dataset.edited) show(cells[k], outputs);
      if (failed && k < number) { say(`cell ${k + 1}, above, fails`); return; }
      if (!worker) return say("stopped");
      done = Math.max(done, k + 1);
    }
    say("");
  } catch (error) {
    stop();
    say(String(error.message || error));
  }
}

cells.forEach((cell, number) => {
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
  const text = source(cell);
  Object.assign(text, { contentEditable: "true", spellcheck: false });
  text.setAttribute("role", "textbox");
  text.setAttribute("aria-multiline", "true");
  text.setAttribute("aria-label", `Code of cell ${number + 1}, which you may change`);
  text.addEventListener("input", () => { cell.dataset.edited = "yes"; done = Math.min(done, number); });
  cell.querySelector(".cell_input").append(bar);
});

const style = document.createElement("style");
style.textContent = ".run-bar{margin:.3em 0}.run-bar button{margin-right:.5em}.cell_output img{max-width:100%}.run-error{color:#b3261e;white-space:pre-wrap}@media print{.run-bar,.run-here{display:none}}";
document.head.append(style);
