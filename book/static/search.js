// The order of what a search finds: headings with the very words, then lectures, theorems, the reference, the rest.
"use strict";

var Scorer = {
  score: ([page, title, anchor, description, score]) => {
    const shelf = { lectures: 9, theorems: 6, api: 3 }[page.split("/")[0]] || 0;
    return score + shelf + (title.includes(" > ") ? 20 : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
