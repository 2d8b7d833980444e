// Slides: cut a lecture at its headings, cut again what is higher than the screen, and show one piece at a time.
"use strict";

const main = document.querySelector("main");
const slides = [];
let current = 0;

function cut(section) {
  let slide = null;
  for (const child of [...section.children]) {
    if (child.tagName === "SECTION") { cut(child); slide = null; continue; }
    if (!slide) { slide = document.createElement("div"); slide.className = "slide"; slides.push(slide); }
    slide.append(child);
  }
}

function paginate(room) {
  for (let k = 0; k < slides.length; k++) {
    const slide = slides[k];
    slide.classList.add("shown");
    const top = slide.getBoundingClientRect().top;
    const blocks = [...slide.children];
    let first = blocks.findIndex((b, i) => i > 1 && b.getBoundingClientRect().bottom - top > room);
    if (first > 2 && blocks[first - 1].textContent.length < 30 && !blocks[first - 1].querySelector("img")) first -= 1;
    if (first > 1) {
      const rest = document.createElement("div");
      rest.className = "slide";
      const heading = slide.querySelector("h1, h2, h3");
      if (heading) rest.append(heading.cloneNode(true));
      rest.append(...blocks.slice(first));
      slide.after(rest);
      slides.splice(k + 1, 0, rest);
    }
    slide.classList.remove("shown");
  }
}

function show(number) {
  slides[current].classList.remove("shown");
  current = Math.max(0, Math.min(slides.length - 1, number));
  slides[current].classList.add("shown");
  document.getElementById("place").value = `${current + 1} / ${slides.length}`;
  history.replaceState(null, "", `#${current + 1}`);
  scrollTo(0, 0);
}

addEventListener("load", async () => {
  if (window.MathJax && MathJax.startup) await MathJax.startup.promise;
  const lecture = main.querySelector("section");
  cut(lecture);
  main.replaceChildren(...slides);
  paginate(innerHeight - 90);
  document.getElementById("back").onclick = () => show(current - 1);
  document.getElementById("on").onclick = () => show(current + 1);
  addEventListener("keydown", (event) => {
    if (event.target instanceof HTMLInputElement) return;
    const step = { ArrowRight: 1, PageDown: 1, " ": 1, ArrowLeft: -1, PageUp: -1 }[event.key];
    if (step) { event.preventDefault(); show(current + step); }
    if (event.key === "Home") show(0);
    if (event.key === "End") show(slides.length - 1);
  });
  show(Number(location.hash.slice(1)) - 1 || 0);
});
