"""Slides: what a lecture shows, cut from what it says. The rest of its text becomes the speaker's notes.

A slide holds one idea: a statement, the steps of a proof, a formula with the words before it, a picture, a
short piece of code. Sphinx makes a reveal.js deck of the Markdown that comes out of here.
"""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from book.course import CAPTION, Lecture, source
from book.notebooks import first_sentence

STATED = re.compile(r"\*\*(?:Theorem|Lemma|Proposition|Corollary|Definition|Algorithm|Claim|Fact)\b")
PROVED = re.compile(r"\*{1,2}Proof\b")
ENDS = re.compile(r"∎|■|\\square\b|\\blacksquare\b")
# Words that belong to what follows: they are no whole sentence, or announce it.
LEADS = re.compile(r"\*\*Watch it\b|\*\*[^*]+\*\*$|(?!\$\$|[|`-]|1\.)[^\0]*[^.?!*)∎■]$")
SEEN = r"\$\$|^```|^\||\*\*.+?\*\*|^- |^1\. |^\{\.fragment\}"  # formulas, pictures, terms, lists, proofs
SKIPPED = re.compile(
    r"^#+ (?:[\d.]+ )?.*\b(?:errata|references|sources|notation|where to go|got wrong)\b", re.IGNORECASE
)
DEFINES = re.compile(r"(?:@.*\n)*(?:def|class) (?!verified\b)")
DRAWS = re.compile(r"\b(?:ax|axes|plots|show)\b")
SPLIT = re.compile(r"(?<=[.?!])(?<!e\.g\.)(?<!i\.e\.)\s+(?=[A-Z*$])")
UNSAID = "(the caption of the picture)"
ROOM = 14  # lines of a slide below its title
SHORT = 6  # lines of a slide that is joined with the next or the one before
CODE = 22  # lines of code on a slide, whose letters are smaller
CHARACTERS = 76  # of a line


@dataclass
class Slide:
    """One screen: its heading with the signs for its level, what it shows, and what the speaker says.

    `last` is the heading of a slide that it took.
    """

    heading: str
    body: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    last: str = ""

    @property
    def lines(self) -> int:
        """About how many lines the body takes."""
        return sum(map(height, self.body))

    @property
    def title(self) -> str:
        """The heading without the signs for its level."""
        return self.heading.lstrip("# ")

    @property
    def shows(self) -> bool:
        """Whether there is more to look at than words that open a section."""
        return re.search(SEEN, "\n".join(self.body), re.MULTILINE) is not None

    def opens(self, other: Slide) -> bool:
        """Return whether this is a section's name, with words at most, and the other slide its first."""
        return self.heading.startswith("## ") and not self.shows and other.heading.startswith("###")

    def has_room_for(self, other: Slide) -> bool:
        """Return whether two slides under one heading, one of them short, fit on one; a picture shrinks."""
        if other.title != (self.last or self.title) or any(block.startswith("```{") for block in self.body):
            return False
        if any(block.startswith("```{image}") for block in other.body):
            return self.lines <= SHORT - 2
        if min(self.lines, other.lines) > SHORT:
            return False
        return self.lines + other.lines <= ROOM or (self.lines <= ROOM and other.lines <= 2)

    def take(self, other: Slide) -> None:
        """Put another slide below this one, with its heading where that is a new one."""
        new = other.title != (self.last or self.title)
        self.body += [*([f"**{other.title}**"] if new else []), *other.body]
        self.notes += other.notes
        self.last = other.title


def blocks(text: str) -> Iterator[str]:
    """Yield the paragraphs, displays, lists, tables and fenced pieces of a Markdown text."""
    text = re.sub(r"<details.*?</details>", "", text, flags=re.DOTALL)
    # links to other notebooks: the deck has no such page
    text = re.sub(r"\[([^\]]+)\]\([\w./]+\.ipynb\)", r"\1", text)
    for piece in re.split(r"(^\$\$.*?^\$\$$|^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL):
        if piece.startswith(("$$", "```")):
            yield piece
        else:
            yield from filter(None, (part.strip() for part in re.split(r"\n\s*\n", piece)))


def height(block: str) -> int:
    """Return about how many lines a block takes on a slide."""
    if block.startswith("$$"):
        return 2 + block.count("\\\\") + block.count("\\frac")
    if block.startswith(("```{image}", "```{raw}")):
        return ROOM
    if block.startswith(("|", "```")):
        return 1 + block.count("\n")
    spoken = re.sub(r"\\[a-zA-Z]+|[{}$*]", "", block)
    return 1 + sum(math.ceil(len(line) / CHARACTERS) for line in spoken.split("\n"))


def cut(lecture: Lecture) -> tuple[list[Slide], dict[str, bytes]]:
    """Return the slides of a lecture, and its pictures by file name."""
    deck = Deck(lecture.name)
    for cell in lecture.cells:
        kind = cell["metadata"].get("slideshow", {}).get("slide_type", "")
        if kind == "skip":
            continue
        if cell["cell_type"] == "markdown":
            for block in blocks(source(cell)):
                deck.say(block) if kind == "notes" else deck.add(block)
        else:
            deck.add_code(cell)
    return deck.shown(), deck.pictures


class Deck:
    """The slides so far, and whether the text is in the middle of a statement or a proof."""

    def __init__(self, name: str) -> None:
        self.name, self.state, self.skips = name, "", False
        self.slides: list[Slide] = []
        self.pictures: dict[str, bytes] = {}

    def shown(self) -> list[Slide]:
        """Return the slides that have something to look at; the words of the others go to their speaker."""
        kept: list[Slide] = []
        for slide in self.slides:
            if kept and slide.heading.startswith("###") and not slide.shows:
                kept[-1].notes += [*slide.body, *slide.notes]
            elif kept and (kept[-1].opens(slide) or kept[-1].has_room_for(slide)):
                kept[-1].take(slide)
            else:
                kept.append(slide)
        return kept

    def turn(self, heading: str) -> None:
        """Begin a slide; one that shows nothing yet gets the heading of its section."""
        self.slides.append(Slide(heading))

    def show(self, block: str) -> None:
        """Put a block on the slide, or on the next one if it has no room."""
        slide = self.slides[-1]
        if slide.body and slide.lines + height(block) > ROOM:
            self.lead(f"### {slide.title}", slide.body[1:])
        self.slides[-1].body.append(block)

    def lead(self, heading: str, before: list[str]) -> None:
        """Begin a slide with the words before, if they lead to what it will show."""
        led = [self.slides[-1].body.pop()] if before and LEADS.match(before[-1]) else []
        self.turn(heading)
        self.slides[-1].body += led

    def say(self, text: str) -> None:
        """Leave a text to the speaker."""
        self.slides[-1].notes.append(text)

    def add(self, block: str) -> None:
        """Put a block of text where it belongs."""
        if heading := re.match(r"#+ .*", block):
            self.state, self.skips = "", bool(SKIPPED.match(block))
            if not self.skips:
                self.turn(re.sub(r"^#{3,}", "###", heading[0]))
            block = block[heading.end() :].strip()
        self.skips = self.skips or block.startswith("**Notation**")
        if self.skips or not block or not self.slides or block.startswith(("**How to read", "**Where to go")):
            return
        if STATED.match(block):
            self.state = "stated"
            if self.slides[-1].body:
                self.turn(f"### {self.slides[-1].title}")
        elif PROVED.match(block):
            self.state = "proved"
        elif self.state == "stated" and not block.startswith(("*", "$$", "-", "1")):
            self.state = ""
        if self.state == "proved":
            self.show(block if block.startswith(("$$", "|", "-", "1")) else f"{{.fragment}}\n{block}")
            self.state = "" if ENDS.search(block) else self.state
        elif self.state == "stated" or block.startswith(("$$", "|", "- ", "* ", "1. ", "**Exercise")):
            self.show(block)
        elif caption := CAPTION.match(block):
            self._caption(block, caption)
        else:
            self._paragraph(block)

    def _caption(self, text: str, caption: re.Match[str]) -> None:
        """Show the first sentence of a caption below its picture, and give it to those who cannot see."""
        said = f"{caption[1]}. {first_sentence(text)}"
        shown = SPLIT.split(text[caption.end() :].strip())[0].strip("* ")
        self.slides[-1].body = [*(block.replace(UNSAID, said) for block in self.slides[-1].body), shown]
        self.say(text)

    def _paragraph(self, text: str) -> None:
        """Show the sentences that define a term, lead to a formula or open a slide; say the others."""
        sentences = SPLIT.split(text)
        shown = [text] if re.fullmatch(r"\*[^*].*[^*]\*", text, re.DOTALL) else []
        shown = shown or [s for s in sentences if re.search(r"\*\*.+?\*\*", s)]
        if not text.endswith((".", "?", "!", "*", ")")) and sentences[-1] not in shown:
            shown.append(sentences[-1])
        if not shown and not self.slides[-1].body:
            shown = sentences[:1]
        if shown:
            self.show(" ".join(shown))
        if " ".join(shown) != text:
            self.say(text)

    def add_code(self, cell: dict[str, Any]) -> None:
        """Show a picture, an exhibit, or a short definition; what tests or asks a claim is no slide."""
        if self.skips or not self.slides:
            return
        text, heading = source(cell), f"### {self.slides[-1].title}"
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/png" in data:
                name = f"{self.name}-{len(self.pictures) + 1}.png"
                self.pictures[name] = base64.b64decode("".join(data["image/png"]))
                self.turn(heading)
                self.slides[-1].body.append(f"```{{image}} {name}\n:class: r-stretch\n:alt: {UNSAID}\n```")
            elif "mlnotes-exhibit" in (html := "".join(data.get("text/html", ""))):
                self.lead(heading, self.slides[-1].body)
                self.slides[-1].body.append(f"```{{raw}} html\n{html}\n```")
            elif (shown := "".join(data.get("text/markdown", ""))).startswith("```python\n"):  # its source
                self._code(heading, shown[10:].partition("\n```")[0].split("\n\n\n"))
        defined = [part for part in text.strip().split("\n\n\n") if DEFINES.match(part)]
        if sum(part.count("\n") + 1 for part in defined) <= CODE and not DRAWS.search(text):
            self._code(heading, defined)

    def _code(self, heading: str, parts: list[str]) -> None:
        """Show functions, as many as have room, on slides of their own."""
        while parts:
            room = [sum(part.count("\n") + 3 for part in parts[:n]) <= CODE for n in range(1, len(parts) + 1)]
            n = max(1, sum(room))
            self.lead(heading, self.slides[-1].body)
            self.slides[-1].body.append("```python\n" + "\n\n\n".join(parts[:n]) + "\n```")
            parts = parts[n:]


def markdown(lecture: Lecture) -> tuple[str, dict[str, bytes]]:
    """Return the deck of a lecture as Markdown for Sphinx, and its pictures."""
    slides, pictures = cut(lecture)
    parts = []
    for slide in slides:
        notes = "\n\n".join(slide.notes)
        said = f"````{{revealjs-notes}}\n{notes}\n````\n" if notes else ""
        parts.append("\n\n".join([slide.heading, *slide.body, said]))
    return "\n\n".join(parts), pictures
