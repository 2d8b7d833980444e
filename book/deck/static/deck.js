// A slide that is higher or wider than the screen is shown smaller, on the screen and in print.
"use strict";
function fit(slide) {
  const { height, width } = Reveal.getConfig();
  const wide = [...slide.querySelectorAll("mjx-math, table, pre code")];
  slide.style.fontSize = "";
  for (let size = 1; size > 0.5; ) {  // lines break anew at each size
    const ratio = Math.min(height / slide.offsetHeight, ...wide.map((part) => width / part.scrollWidth));
    if (ratio >= 1) return;
    slide.style.fontSize = `${(size *= 0.98 * ratio)}em`;
  }
}
addEventListener("load", async () => {
  if (window.MathJax && MathJax.startup) await MathJax.startup.promise;
  fit(Reveal.getCurrentSlide());
  Reveal.on("slidechanged", (event) => fit(event.currentSlide));
  Reveal.on("pdf-ready", () => Reveal.getSlides().forEach(fit));
});
