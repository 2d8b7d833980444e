// A slide that is higher than the screen is shown smaller, on the screen and in print.
"use strict";
function fit(slide) {
  slide.style.fontSize = "";
  const ratio = Reveal.getConfig().height / slide.offsetHeight;
  if (ratio < 1) slide.style.fontSize = `${Math.max(0.5, 0.97 * ratio)}em`;
}
addEventListener("load", async () => {
  if (window.MathJax && MathJax.startup) await MathJax.startup.promise;
  fit(Reveal.getCurrentSlide());
  Reveal.on("slidechanged", (event) => fit(event.currentSlide));
  Reveal.on("pdf-ready", () => Reveal.getSlides().forEach(fit));
});
