// What scrolls sideways can be reached by keyboard; a lecture links to its slides.
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

addEventListener("load", () => {
  const typeset = window.MathJax && MathJax.startup ? MathJax.startup.promise : Promise.resolve();
  typeset.then(reachable);
  addEventListener("resize", reachable);
  if (/\/lectures\/\d\d_\w+\.html$/.test(location.pathname)) {
    const link = document.createElement("p");
    link.className = "claim-links slides-link";
    link.innerHTML = '<a href="' + location.pathname.replace(/.*\/(.*)\.html$/, "$1.slides.html") + '">Slides</a>';
    document.querySelector("article h1").after(link);
  }
});
