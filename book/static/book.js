// What scrolls sideways can be reached by keyboard.
"use strict";

function reachable() {
  for (const box of document.querySelectorAll("pre, .table-wrapper, div.math, .mlnotes-verdict")) {
    const wide = box.scrollWidth > box.clientWidth + 1;
    if (wide) {
      box.tabIndex = 0;
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", "scrolls sideways");
    }
  }
}

// A formula in a line of text that is wider than the page scrolls in a line of its own.
function unfold() {
  for (const formula of document.querySelectorAll("article mjx-container:not([display])")) {
    formula.classList.remove("wide");
    const block = formula.closest("p, li, dd, td, th, summary, h1, h2, h3") || formula.parentElement;
    if (!block.matches("td, th") && formula.getBoundingClientRect().width > block.clientWidth) {
      formula.classList.add("wide");
      formula.tabIndex = 0;
    }
  }
}

// The words around what a search found are plain text, which would show the source of formulas.
const SIGNS = {
  langle: "⟨", rangle: "⟩", le: "≤", leq: "≤", ge: "≥", geq: "≥", ne: "≠", neq: "≠", in: "∈", sum: "∑", prod: "∏",
  int: "∫", to: "→", infty: "∞", star: "*", mid: "|", lvert: "|", rvert: "|", lVert: "‖", rVert: "‖", cdot: "·",
  times: "×", pm: "±", nabla: "∇", alpha: "α", beta: "β", gamma: "γ", delta: "δ", epsilon: "ε", varepsilon: "ε",
  eta: "η", theta: "θ", kappa: "κ", lambda: "λ", mu: "μ", nu: "ν", xi: "ξ", pi: "π", rho: "ρ", sigma: "σ", tau: "τ",
  phi: "φ", varphi: "φ", chi: "χ", psi: "ψ", omega: "ω", Delta: "Δ", Theta: "Θ", Lambda: "Λ", Sigma: "Σ", Phi: "Φ",
  Omega: "Ω", ldots: "…", dots: "…", cdots: "…", quad: " ", left: "", right: "", mathrm: "", mathbf: "", mathbb: "",
  operatorname: "", text: "", frac: "", hat: "", bar: "", tilde: "",
};
function readable(text) {
  return text.replace(/\\\(([\s\S]*?)\\\)|\\\[([\s\S]*?)\\\]/g, (all, inline, display) =>
    (inline || display)
      .replace(/\\([a-zA-Z]+)/g, (whole, name) => SIGNS[name] ?? name)
      .replace(/\\\|/g, "‖").replace(/\\[,;:! ]/g, " ").replace(/[\\{}]/g, ""));
}
addEventListener("DOMContentLoaded", () => {
  if (typeof Search === "undefined") return;
  const whole = Search.htmlToText;
  Search.htmlToText = (page, anchor) =>
    readable(whole(page.replace(/<\/(?:td|th|summary|li)>/g, "$& "), anchor));
});

addEventListener("load", () => {
  const typeset = window.MathJax && MathJax.startup ? MathJax.startup.promise : Promise.resolve();
  const fit = () => { unfold(); reachable(); };
  typeset.then(fit);
  addEventListener("resize", fit);
});

// the words of a folded cell say what it does; a label of its own would hide them from a screen reader
addEventListener("DOMContentLoaded", () => {
  for (const summary of document.querySelectorAll("summary[aria-label='Toggle hidden content']"))
    summary.removeAttribute("aria-label");
});
