"""What the pages of the book are made of: nothing stays unnoticed that is broken, missing or unproved."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks import defaults, growth, summary
from book import exhibits, links, notebooks, pages, pdf, slides, statements
from book.__main__ import decks, reading_order, texts, without_dangling_links, write
from book.course import Course, Lecture, code_of, ids_of, slug
from mlnotes import claims

ROOT = Path(__file__).resolve().parents[1]
RECORDS = [
    {"id": item.id, "holds": True, "evidence": [{"what": "x", "measured": 1.0, "relation": "at_most",
     "bound": 2, "tolerance": 0, "holds": True}]}
    for topic in claims.topics() for item in claims.of(topic) if item.check
]  # fmt: skip


def markdown(text, *ids):
    return {"cell_type": "markdown", "id": "m", "metadata": {"mlnotes": {"ids": [*ids]}}, "source": text}


def code(*outputs):
    return {"cell_type": "code", "id": "c", "metadata": {}, "source": "x", "outputs": [*outputs]}


def picture():
    size = {"image/png": {"width": 528, "height": 352}}
    return {"output_type": "execute_result", "data": {"image/png": "iVBO"}, "metadata": size}


def lecture(*cells, name="01_bayes"):
    return Lecture(name, [markdown("# Lecture 1: The title"), *cells])


@pytest.fixture
def executed(tmp_path):
    """A folder of lectures that state everything in their first section, and verdicts that all hold."""
    stated = [line.split()[1] for line in (ROOT / "book/statements.txt").read_text().splitlines()[3:]]
    (tmp_path / "deeper").mkdir()
    for path in (ROOT / "lectures").glob("**/[0-9]*.ipynb"):
        topics = ("bayes", "datasets") if path.stem == "01_bayes" else (path.stem[3:],)
        beside = path.parent.name == "deeper"
        mine = [] if beside else [id for id in stated if id.partition(".")[0] in topics]
        cells = [markdown("# Lecture: The title"), markdown("## 1 First\n\nText.", *mine)]
        place = tmp_path / path.relative_to(ROOT / "lectures")
        place.write_text(json.dumps({"cells": cells}))
    (tmp_path / "claims.json").write_text(json.dumps(RECORDS))
    return tmp_path


@pytest.fixture
def course(executed):
    """The whole course."""
    return Course(executed, executed / "claims.json")


# ------------------------------------------------------------------- the course


def test_lecture_lists_sections_ids_and_figures():
    made = lecture(
        markdown("## 1 One\n\nText.", "bayes.risk"),
        markdown("*Figure 1.2. A figure. With more words.*"),
        markdown("### 1.1 Still one", "bayes.excess"),
        markdown("## 2 Two $x$", "bayes.oracle"),
    )
    assert (made.number, made.topic, made.title) == (1, "bayes", "The title")
    assert made.sections == {"1": "One", "2": "Two $x$"}
    assert made.places == {"bayes.risk": "1", "bayes.excess": "1", "bayes.oracle": "2"}
    assert made.figures == {"1": ["Figure 1.2"]}


def test_companion_notebook_belongs_to_its_lecture():
    beside = lecture(markdown("## 3 Sharpness", "bayes.risk"), name="deeper/01_bayes")
    assert (beside.number, beside.topic, beside.is_deeper) == (1, "bayes", True)
    assert (beside.label, beside.called) == ("bayes-deeper", "Companion 1")
    assert lecture().label == "bayes"
    course = object.__new__(Course)
    course.lectures = [lecture(markdown("## 2 Risk", "bayes.excess")), beside]
    assert course.places == {"bayes.excess": (course.lectures[0], "2"), "bayes.risk": (beside, "3")}


def test_statement_is_placed_in_the_lecture_on_its_topic(course):
    early = Lecture("02_x", [markdown("# T"), markdown("## 1 One", "pca.eig")])
    late = Lecture("14_pca", [markdown("# T"), markdown("## 2 Two", "pca.eig")])
    deep = Lecture("deeper/14_pca", [markdown("# T"), markdown("## 3 Three", "pca.eig")])
    course.lectures = [early, late, deep]
    assert course.places["pca.eig"] == (late, "2")


@pytest.mark.parametrize("change", ["fails", "missing"])
def test_failing_claim_stops_the_book(course, tmp_path, change):
    records = [dict(record) for record in RECORDS]
    if change == "fails":
        records[3]["holds"] = False
    else:
        del records[3]
    (tmp_path / "claims.json").write_text(json.dumps(records))
    with pytest.raises(ValueError, match=re.escape(f"not verified: {RECORDS[3]['id']}")):
        Course(tmp_path, tmp_path / "claims.json")


def test_missing_statement_stops_the_book(course):
    cells = course.lectures[0].cells
    course.lectures[0] = Lecture("01_bayes", [cells[0], markdown("## 1 First", "bayes.risk")])
    with pytest.raises(
        ValueError, match=r"statements of the notes that no lecture contains: bayes\.setup-iid, "
    ):
        statements.coverage_page(course)


def test_every_statement_of_the_notes_is_listed_once(course):
    lines = (ROOT / "book/statements.txt").read_text().splitlines()
    assert len(course.statements) == 291 == len([line for line in lines if not line.startswith("#")])
    page = statements.coverage_page(course)
    assert len(re.findall(r"^\| `[a-z_]+\.[\w.-]+` \|", page, re.MULTILINE)) == 291


def test_every_claim_is_in_the_index_with_its_statement_and_links(course):
    pages = statements.theorem_pages(course)
    for claim in course.claims.values():
        page = pages[f"theorems/{claim.topic}.md"]
        entry = page.partition(f"(claim-{slug(claim.id)})=\n### {claim.id}\n")[2].partition("\n### ")[0]
        assert (claim.printed or claim.statement) in entry
        assert claim.check is None or code_of(claim).strip().splitlines()[-1] in entry
        assert claim.check is None or "<td>1</td><td>≤ 2</td>" in entry
    errata = statements.errata_page(course)
    found = [claim for claim in course.claims.values() if claim.kind == "erratum"]
    assert all(claim.printed in errata and claim.corrected in errata for claim in found)


def test_evidence_is_shown_for_each_side(course):
    claim = claims.find("pca.eig")
    row = {"relation": "equal", "tolerance": 0, "holds": True}
    course.verdicts[claim.id] = [
        {
            "side": "reference",
            "holds": True,
            "evidence": [{"what": "a", "measured": 1.5, "bound": 1.5, **row}],
        },
        {
            "side": "estimators",
            "holds": True,
            "evidence": [{"what": "b", "measured": 2.5, "bound": 2.5, **row}],
        },
    ]
    shown = statements.measured(claim, course)
    assert "2 measurements of reference and estimators" in shown
    assert (
        shown.index(">reference<")
        < shown.index("<td>1.5</td>")
        < shown.index(">estimators<")
        < shown.index("<td>2.5</td>")
    )


# ------------------------------------------------------------------- a book of some lectures


def test_a_book_of_some_lectures_holds_what_they_teach_and_links_to_nothing_else(executed):
    some = Course(executed, executed / "claims.json", ["07", "08"])
    assert {lecture.number for lecture in some.lectures} == {7, 8}
    assert set(some.topics) == {"perceptron", "duality"}
    assert {figure.topic for figure in some.gallery.values()} <= {"course", "perceptron", "duality"}
    assert [assignment.id for assignment in some.assignments] == ["hw04"]
    assert "05_logistic.ipynb" not in reading_order(some)
    assert "07_perceptron.ipynb" in reading_order(some)
    assert {name for name in decks(some) if name.endswith(".md")} == {
        "07_perceptron.md",
        "08_duality.md",
        "index.md",
    }
    pages = without_dangling_links(texts(some))
    labels = {
        label
        for text in pages.values()
        for label in re.findall(r"\(([\w-]+)\)=\n", text.replace("\\n", "\n"))
    }
    for page, text in pages.items():
        linked = re.findall(r"\]\(#([\w-]+)\)", text)
        assert [label for label in linked if label not in labels] == [], page


def test_links_to_what_is_not_in_the_book_become_words():
    notebook = {
        "cells": [markdown("See [lecture 5](05_logistic.ipynb), [two](deeper/07_a.ipynb) and [x](#here).")]
    }
    pages = {
        "lectures/07_a.ipynb": json.dumps(notebook),
        "lectures/deeper/07_a.ipynb": json.dumps({"cells": []}),
        "a.md": "(here)=\n[out](https://a.test/x.md) [gone](b.md#z) [in](lectures/07_a.ipynb) [y](#there)",
    }
    kept = without_dangling_links(pages)
    said = json.loads(kept["lectures/07_a.ipynb"])["cells"][0]["source"]
    assert said == "See lecture 5, [two](deeper/07_a.ipynb) and [x](#here)."
    assert kept["a.md"] == "(here)=\n[out](https://a.test/x.md) gone [in](lectures/07_a.ipynb) y"


def test_an_unknown_lecture_is_named(executed):
    with pytest.raises(ValueError, match="there is no lecture 99, only 01, 02"):
        Course(executed, executed / "claims.json", ["01", "99"])


# ------------------------------------------------------------------- figures, exhibits, races


def test_gallery_shows_every_figure_in_overview_and_page(course):
    made = pages.gallery_pages(course)
    overview = made["figures.md"]
    assert overview.index("\n## The course\n") < overview.index("\n## Lecture: The title\n")
    for name, figure in course.gallery.items():
        assert f"[![{figure.alt}](figures/{name}.png)](#figure-{name})" in overview
        assert f"(figure-{name})=\n## {name}\n" in made[f"figures/{figure.topic}.md"]
    assert ":width: 528px" in made["figures/bayes.md"]  # 4.8 inches, as in a lecture
    assert "def " in made["figures/bayes.md"]


def test_exhibit_is_titled_by_lecture_and_control(course):
    shown = {"output_type": "execute_result", "data": {"text/html": "<div class='mlnotes-exhibit'>"
             "<input type='range' aria-label='bandwidth'></div>"}}  # fmt: skip
    course.lectures[0] = lecture(markdown("## 2 Widths"), code(shown))
    page = exhibits.exhibits_page(course)
    assert (
        "## The title: bandwidth\n\n[Lecture 1, section 2: Widths](#bayes-section-2)\n\n```{raw} html\n<div"
        in page
    )


def test_benchmarks_show_the_table_of_the_readme_and_every_race(course):
    row = {"low": 0.4, "high": 0.6, "disagreement": 0.0, "our_peak": None}
    race = {"task": "PCA fit, n=100000, d=2", "peer_name": "sklearn", "ours": 1.0, "peer": 0.5, "ratio": 0.5}
    course.races["topics"] = {"pca": [race | row], "bayes": [race | row | {"ratio": 2.0}] * 150}
    page = pages.benchmarks_page(course)
    assert summary.table(course.races) in page
    assert "| PCA fit, n=100,000, d=2 | scikit-learn | 0.50 | 1,000 | 500 | 0 |" in page
    assert page.count("<summary>151 races</summary>") == 1
    assert pages.races_chart(course).startswith(b"<?xml")


def test_table_of_the_readme_is_the_stored_one():
    results = json.loads(summary.RESULTS.read_text())["defaults"]
    readme = (ROOT / "README.md").read_text("utf-8")
    assert summary.in_readme(readme, results) == readme
    assert summary.table(results) in readme


def test_fits_with_high_memory_use_have_a_reason():
    results = json.loads(summary.RESULTS.read_text())["defaults"]
    lines = summary.memory(results)
    assert [line for line in lines if line.endswith("; ")] == []
    rows = [{"task": "tree fit, n=3", "our_peak": ours, "peer_peak": 6.0} for ours in (8.9, 9.1)]
    assert len(summary.memory({"topics": {"tree": rows}})) == 1


def test_growth_has_a_panel_and_a_line_for_each_estimator(course):
    course.growth["curves"] = course.growth["curves"][:4]
    page, picture = pages.benchmarks_page(course), pages.growth_chart(course)
    assert page.partition("## Growth")[2].count("\n| ") == 5
    assert re.search(r"\n\| plug-in \| \d\.\d\d \| \d\.\d\d \| 100,000 \| [\d.,]+ \| [\d.,]+ \|\n", page)
    assert picture == pages.growth_chart(course)
    assert picture.count(b'<g id="axes_') == 6


def test_growth_curve_ends_before_a_fit_of_ten_seconds():
    now = [0.0]

    class Model:
        def __init__(self, power):
            self.power = power

        def fit(self, X, y):
            now[0] += 1e-8 * len(X) ** self.power
            return self

        def predict(self, X):
            assert len(X) == growth.PLACES

    pair = defaults.Pair("bayes", "rule", lambda: Model(1), lambda: Model(2), rows="blobs")
    curve = growth.curve(pair, lambda: now[0])
    assert curve["sizes"] == [100, 300, 1000, 3000, 10000, 30000]
    assert curve["ours"] == pytest.approx([1e-8 * n for n in curve["sizes"]])
    assert curve["slopes"] == pytest.approx({"ours": 1, "peer": 2})


def test_table_shows_the_slowest_race_of_a_topic_with_its_range():
    rows = [
        {"task": "a fit", "ratio": 4.0, "low": 3.0, "high": 5.0},
        {"task": "a predict", "ratio": 0.25, "low": 0.2, "high": 0.5},
    ]
    machine = dict.fromkeys(("processor", "threads", "numpy", "scikit-learn", "python", "clock"), "")
    table = summary.table({"topics": {"naive_bayes": rows}, "machine": machine})
    assert "| naive bayes | 2 | 1.00 | a predict | 0.25 (0.20 to 0.50) |" in table
    assert "In 1 of 2 races mlnotes is at least as fast." in table


def test_citation_page_agrees_with_citation_file():
    page = pages.cite_page()
    assert "  author  = {{The mlnotes authors}},\n  title   = {mlnotes: statistical machine learning" in page
    assert "The mlnotes authors, *mlnotes: statistical" in page


# ------------------------------------------------------------------- notebooks


def converted(*cells, known=None):
    made = lecture(*cells)
    places = {id: (made, section) for id, section in made.places.items()}
    course = SimpleNamespace(
        places=places, claims=known or {}, lectures=[made], topics=[], assignments=[], levels={1: 2}
    )
    return notebooks.for_book(made, course)["cells"]


def test_statements_and_sections_have_link_targets():
    cells = converted(markdown("## 1 One\n\nText.", "bayes.risk"), markdown("Again.", "bayes.risk"))
    assert cells[1]["source"] == "(at-bayes-risk)=\n(bayes-section-1)=\n## 1 One\n\nText."
    assert cells[2]["source"] == "Again."


def test_alternative_text_is_the_caption():
    cells = converted(
        code(picture()), markdown(r"*Figure 1.1. Risk $R(\eta)$ of **all** rules. Left, more.*")
    )
    described = cells[1]["metadata"]["mystnb"]["image"]
    assert described == {"alt": "Figure 1.1. Risk R( eta ) of all rules.", "width": "528px"}


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        ([code(picture()), markdown("Text.")], "draws a figure, and no '*Figure N.N. ...*' follows"),
        ([code(picture())], "draws a figure, and no '*Figure N.N. ...*' follows"),
        ([code({"output_type": "stream", "name": "stderr", "text": "Warning"})], "warns or fails"),
    ],
)
def test_warning_or_figure_without_caption_stops_the_book(cells, sentence):
    with pytest.raises(ValueError, match=re.escape(f"lectures/01_bayes.ipynb, cell c {sentence}")):
        converted(*cells)


@pytest.mark.parametrize("show", [lambda c: c._repr_html_(), lambda c: c.verify()._repr_html_()])
@pytest.mark.parametrize("known", [True, False])
def test_theorem_box_links_to_the_index(show, known):
    claim = claims.find("bayes.optimal-binary")
    output = {"output_type": "execute_result", "metadata": {}, "data": {"text/html": show(claim)}}
    page = converted(code(output), known={claim.id: claim} if known else {})[1]["outputs"][0]["data"][
        "text/html"
    ]
    link = "<a class='claim-id' href='../theorems/bayes.html#claim-bayes-optimal-binary'>"
    assert page.count(link) == page.count("<a ") == known


@pytest.mark.parametrize(
    ("text", "shown", "tags"),
    [
        ("claims.optimal_binary", "<div class='mlnotes-claim'>", ["remove-input"]),
        ("claims.optimal_binary.verify()", "<div class='mlnotes-verdict'>", ["hide-input"]),
        ("import math\n\nimport numpy as np", "", ["hide-input"]),
        ("def rule(x):\n    return x > 0", "", []),
        ("print(rule(3))", "", []),
    ],
)
def test_import_and_claim_cells_are_folded(text, shown, tags):
    cell = {
        **code({"output_type": "execute_result", "metadata": {}, "data": {"text/html": shown}}),
        "source": text,
    }
    assert notebooks.fold(cell) == tags


def test_lecture_links_to_slides_notebook_pdf_and_companion(tmp_path, monkeypatch):
    both = [lecture(), lecture(name="deeper/01_bayes")]
    course = SimpleNamespace(lectures=both, topics=["bayes"], assignments=[], levels={1: 2})
    printed = tmp_path / "mlnotes.pdf"
    monkeypatch.setattr(notebooks, "PRINTED", printed)
    assert "mlnotes.pdf" not in notebooks.doors(both[0], course)  # before `make pdf`
    printed.touch()
    assert notebooks.doors(both[0], course) == (
        '{.claim-links}\n[Level 2](index.md) · <a href="../slides/01_bayes.html">Slides</a>'
        " · {download}`Notebook <../notebooks/01_bayes.ipynb>`"
        " · {download}`PDF of the course <../mlnotes.pdf>`"
        " · [Companion](deeper/01_bayes.ipynb) · [Statements and checks](../theorems/bayes.md)"
    )
    assert "[The lecture](../01_bayes.ipynb)" in notebooks.doors(both[1], course)
    assert "slides" not in notebooks.doors(both[1], course)


def test_every_lecture_has_a_level(course):
    assert list(course.levels) == list(range(1, len(course.levels) + 1))
    assert set(course.levels.values()) == {1, 2, 3}


def test_a_handout_says_which_homework_it_is_and_links_to_its_lecture(course):
    path = ROOT / "lectures/homework/hw05_svm.ipynb"
    text = "".join(json.loads(pages.handout(path, course))["cells"][0]["source"])
    assert text.startswith("# Homework 5: Support vector machines")
    assert "[lecture 9](../09_svm.ipynb)" in text


# ------------------------------------------------------------------- files, links, slides


def test_write_touches_only_changed_files(tmp_path):
    write(tmp_path, {"a.md": "one", "b/c.md": "two"})
    before = (tmp_path / "a.md").stat().st_mtime_ns
    write(tmp_path, {"a.md": "one", "d.md": b"one"})
    assert (tmp_path / "a.md").stat().st_mtime_ns == before
    assert sorted(path.name for path in tmp_path.rglob("*.md")) == ["a.md", "d.md"]
    assert (tmp_path / "d.md").read_text() == "one"


def test_broken_links_are_found(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.html").write_text("<p id='here'><a href='#here'></a><a href='../b.html#there'></a></p>")
    (tmp_path / "b.html").write_text(
        "<a name='there'></a><a href='in/a.html#nowhere'></a><img src='gone.png'>"
        "<a href='in/a.html?q=1#here'></a>"
        "<a href='https://example.org/x'></a><a href='mailto:a@example.org'></a>"
    )
    assert links.broken(tmp_path) == ["b.html: gone.png", "b.html: in/a.html#nowhere"]


TEXT = r"""## 4 The bound

Some words. A row is a **mistake** if its product is not positive. More words.

**Theorem 4.1.** *At most*

$$
t \le R^2/\delta^2 .
$$

*Proof.* One step.

Another step. ∎

After the proof we talk.

<details><summary>Solution</summary>

$$ secret $$

</details>
"""


def test_slides_show_statements_and_leave_the_text_to_the_speaker():
    made = lecture(markdown(TEXT), code(picture()), markdown("*Figure 4.1. What it shows. What else.*"))
    shown, pictures = slides.cut(made)
    text = "\n\n".join("\n\n".join([slide.heading, *slide.body]) for slide in shown)
    said = "\n\n".join("\n\n".join(slide.notes) for slide in shown)
    assert [slide.heading for slide in shown][:2] == ["# Lecture 1: The title", "## 4 The bound"]
    assert "A row is a **mistake** if its product is not positive." in text
    assert "More words." not in text
    assert "More words." in said
    assert "\n\n{.fragment}\n*Proof.* One step.\n\n{.fragment}\nAnother step. ∎" in text
    assert "After the proof we talk." not in text
    assert "secret" not in text + said
    assert list(pictures) == ["01_bayes-1.png"]
    assert ":alt: Figure 4.1. What it shows." in text
    assert shown[-1].body[-1] == "What it shows."


def test_cell_metadata_can_exclude_a_slide():
    silent = {**markdown("**Definition.** A thing."), "metadata": {"slideshow": {"slide_type": "skip"}}}
    spoken = {**markdown("**Definition.** Another."), "metadata": {"slideshow": {"slide_type": "notes"}}}
    shown, _ = slides.cut(lecture(markdown("## 1 One\n\n$$ x $$"), silent, spoken))
    assert [slide.body for slide in shown] == [[], ["$$ x $$"]]
    assert shown[-1].notes == ["**Definition.** Another."]


def test_long_text_is_split_over_slides():
    steps = "\n\n".join(f"**Step {k}** " + "word " * 40 for k in range(9))
    shown, _ = slides.cut(lecture(markdown(f"## 1 One\n\n{steps}")))
    assert len(shown) > 3
    assert max(slide.lines for slide in shown) <= slides.ROOM
    assert {slide.heading for slide in shown[2:]} == {"### 1 One"}


def test_slides_show_definitions_but_no_tests_or_plots():
    cells = [
        {**code(), "source": "def f(x):\n    return x\n\n\nassert f(1) == 1"},
        {**code(), "source": "def draw(ax):\n    ax.plot([1])"},
    ]
    shown, _ = slides.cut(lecture(markdown("## 1 One"), *cells))
    assert shown[-1].body == ["```python\ndef f(x):\n    return x\n```"]


def test_slides_show_source_code_below_the_words_that_lead_to_it():
    functions = "\n\n\n".join(f"def f{k}():\n" + "    x\n" * 6 + "    x" for k in range(3))
    shown = {
        "output_type": "execute_result",
        "data": {"text/markdown": f"```python\n{functions}\n```\n*a.py*"},
    }
    shown, _ = slides.cut(
        lecture(markdown("## 1 One\n\nA **term**.\n\n$$ x $$\n\nThat is the whole program:"), code(shown))
    )
    assert [slide.body[0] for slide in shown[1:]][1] == "That is the whole program:"
    assert "\n\n\n".join(slide.body[-1][10:-4] for slide in shown[2:]) == functions
    assert len(shown) == 4


def test_short_slides_are_joined():
    text = "## 1 One\n\n### 1.1 First\n\nA **term**.\n\n**Theorem 1.**\n\n$$ x $$\n\n## 2 Two"
    shown, _ = slides.cut(lecture(markdown(text), markdown("### 2.1 Bare\n\nSee **that**."), code(picture())))
    assert [slide.heading for slide in shown[1:]] == ["## 1 One", "## 2 Two"]
    assert shown[1].body == ["**1.1 First**", "A **term**.", "**Theorem 1.**", "$$ x $$"]
    assert shown[2].body[:2] == ["**2.1 Bare**", "See **that**."]
    assert shown[2].body[2].startswith("```{image}")


def test_exercises_are_shown_without_their_solutions():
    asked = "**Exercise 1** (easy). Why? Say it."
    text = f"## 9 Exercises\n\n{asked}\n\n<details>secret</details>\n\n**Where to go on.** Far."
    shown, _ = slides.cut(lecture(markdown(text)))
    assert shown[-1].body == [asked]
    assert shown[-1].notes == []


# ------------------------------------------------------------------- the printed book


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("The **hard margin** is **here.**", ["hard margin"]),
        ("**Theorem 4.1** (Novikoff). *At most*", ["Novikoff, Theorem 4.1"]),
        ("**Theorem 3.3 (Cover and Hart, 1967).**", ["Cover and Hart, Theorem 3.3"]),
        ("**Theorem 9.1** (Karush, Kuhn, Tucker; not proved here).", ["Karush, Kuhn, Tucker, Theorem 9.1"]),
        ("**Theorem 4.3.** (a) and **risk of x**", ["risk of x"]),
        ("| **a term** | in a table |", []),
        ("*Figure 1.2. A **grey area**.*", []),
    ],
)
def test_terms_and_named_theorems_are_indexed(text, entries):
    entered = "".join(f"```{{index}} single: {entry}\n```\n\n" for entry in entries)
    assert pdf.indexed(f"Before.\n\n{text}") == f"Before.\n\n{entered}{text}"


def test_the_printed_book_has_every_lecture_the_errata_and_no_measurements(course):
    draws = {**code(picture()), "source": "plots.curves(x)"}
    asks = {**code({"output_type": "execute_result", "data": {"text/html": "<div class='mlnotes-claim'>"}})}
    works = {**code({"output_type": "stream", "name": "stdout", "text": "3"}), "source": "print(1 + 2)"}
    solved = "<details><summary>Solution</summary>\n\n{}\n\n</details>"
    folded = markdown(f"{solved.format('Words.')}\n\n{solved.format('$$ x $$')}")
    course.lectures[0] = lecture(markdown("## 1 One", "bayes.risk"), draws, asks, works, folded)
    pages = pdf.texts(course)
    names = [f"lectures/{one.name}" for one in course.lectures]
    assert re.findall(r"^[\w/]+$", pages["index.md"].partition("maxdepth")[2], re.MULTILINE) == [
        *names,
        "errata",
    ]
    cells = json.loads(pages["lectures/01_bayes.ipynb"])["cells"]
    words, solution = draws["source"], "*Solution.* Words.\n\n\n\n*Solution.* \n\n$$ x $$\n\n"
    assert [cell["source"] for cell in cells[2:]] == [words, works["source"], solution]
    assert cells[2]["metadata"]["tags"] == ["remove-input"]
    assert all(
        claim.corrected in pages["errata.md"] for claim in course.claims.values() if claim.kind == "erratum"
    )


def test_missing_latex_is_reported_in_one_sentence(monkeypatch, capsys):
    monkeypatch.setenv("PATH", "")
    assert pdf.main([]) == 1
    said = capsys.readouterr().err
    assert said.startswith("pdf: xelatex, latexmk, makeindex not found; on Debian: apt-get install latexmk ")
    assert said.count("\n") == 1


# ------------------------------------------------------------------- what the lectures owe to the book

SOURCES = {
    path: json.loads(path.read_text("utf-8"))["cells"] for path in (ROOT / "lectures").glob("**/[0-9]*.ipynb")
}


def test_every_statement_of_the_notes_stands_in_a_lecture(course):
    found = {id for cells in SOURCES.values() for cell in cells for id in ids_of(cell)}
    assert [id for id in course.statements if id not in found] == []
