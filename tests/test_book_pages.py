"""What the pages of the book are made of: nothing stays unnoticed that is broken, missing or unproved."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from book import exhibits, links, notebooks, pages, slides, statements
from book.__main__ import write
from book.course import Course, Lecture, ids_of, line_of, slug, source
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


def lecture(*cells):
    return Lecture("01_bayes", [markdown("# Lecture 1: The title"), *cells])


@pytest.fixture
def course(tmp_path):
    """The course, with lectures that state everything in their first section and verdicts that all hold."""
    stated = [line.split()[1] for line in (ROOT / "book/statements.txt").read_text().splitlines()[3:]]
    for path in (ROOT / "lectures").glob("*.ipynb"):
        topics = ("bayes", "datasets") if path.stem == "01_bayes" else (path.stem[3:],)
        mine = [id for id in stated if id.partition(".")[0] in topics]
        cells = [markdown("# Lecture: The title"), markdown("## 1 First\n\nText.", *mine)]
        (tmp_path / path.name).write_text(json.dumps({"cells": cells}))
    (tmp_path / "claims.json").write_text(json.dumps(RECORDS))
    return Course(tmp_path, tmp_path / "claims.json")


# ------------------------------------------------------------------- the course


def test_a_lecture_knows_its_sections_ids_and_figures():
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


@pytest.mark.parametrize("change", ["fails", "missing"])
def test_a_claim_that_does_not_hold_stops_the_book(course, tmp_path, change):
    records = [dict(record) for record in RECORDS]
    if change == "fails":
        records[3]["holds"] = False
    else:
        del records[3]
    (tmp_path / "claims.json").write_text(json.dumps(records))
    with pytest.raises(ValueError, match=re.escape(f"not verified: {RECORDS[3]['id']}")):
        Course(tmp_path, tmp_path / "claims.json")


def test_a_statement_that_is_nowhere_stops_the_book(course):
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
        assert claim.check is None or f"mlnotes/claims/{claim.topic}.py:{line_of(claim)}>" in entry
        assert claim.check is None or "<td>1</td><td>≤ 2</td>" in entry
    errata = statements.errata_page(course)
    found = [claim for claim in course.claims.values() if claim.kind == "erratum"]
    assert all(claim.printed in errata and claim.corrected in errata for claim in found)


def test_the_line_of_a_claim_is_where_its_definition_begins():
    claim = claims.find("bayes.optimal-binary")
    line = (ROOT / "mlnotes/claims/bayes.py").read_text().splitlines()[line_of(claim) - 1]
    assert line.strip() == '"bayes.optimal-binary",'


# ------------------------------------------------------------------- figures, exhibits, races


def test_the_gallery_shows_every_figure_twice_the_course_first(course):
    page = pages.gallery_page(course)
    overview, _, plates = page.partition("\n## The course\n")
    for name, known in course.gallery.items():
        assert f"[![{known['alt']}](figures/{name}.png)](#figure-{name})" in overview
        assert f"(figure-{name})=\n### {name}\n" in plates
    assert page.count("\n## ") == len({known["topic"] for known in course.gallery.values()})
    assert ":width: 528px" in plates  # 4.8 inches, as in a lecture


def test_an_exhibit_is_called_by_its_lecture_and_what_it_changes(course):
    shown = {"output_type": "execute_result", "data": {"text/html": "<div class='mlnotes-exhibit'>"
             "<input type='range' aria-label='bandwidth'></div>"}}  # fmt: skip
    course.lectures[0] = lecture(markdown("## 2 Widths"), code(shown))
    page = exhibits.exhibits_page(course)
    assert (
        "## The title: bandwidth\n\n[Lecture 1, section 2: Widths](#bayes-section-2)\n\n```{raw} html\n<div"
        in page
    )


@pytest.fixture
def raced(course):
    course.benchmarks["topics"] = {
        "pca": [race("PCA fit, n=100000, d=2", 0.5), race("PCA fit, n=1000, d=2", 8, "arpack")],
        "bayes": [race("rule, n=1e+04", 2.0)] * 150,
    }
    course.benchmarks["remarks"] = {"pca": ["grows like n"]}
    return pages.benchmarks_page(course)


def race(task, ratio, peer_name="sklearn brute"):
    times = {"ours": 1.0, "peer": ratio, "ratio": ratio}
    return {"task": task, "peer_name": peer_name, **times, "disagreement": 0.0, "runs": 7}


def test_races_are_summed_up_by_topic_in_the_order_of_the_lectures(raced):
    assert "\n152 races side by side with scikit-learn" in raced
    assert "](#races-bayes) | 150 | 2.00 | 2.00 | 2.00 | 150 |\n" in raced
    assert "](#races-pca) | 2 | 2.00 | 0.50 | 8.00 | 1 |\n" in raced
    assert 0 < raced.index("(races-bayes)=") < raced.index("(races-pca)=")
    assert raced.count("| rule, n=1e+04 | scikit-learn brute | 2.00 | 1,000 | 2,000 | 0 |") == 150
    assert "| PCA fit, n=100,000, d=2 | scikit-learn brute | 0.50 | 1,000 | 500 | 0 |" in raced
    assert raced.endswith("| 8.00 | 1,000 | 8,000 | 0 |\n\n- grows like n\n")


def test_each_table_of_races_says_against_what_and_how():
    assert pages.conditions("perceptron").startswith(
        "The perceptron on separable data against scikit-learn's"
    )
    assert "(`shuffle=False`)" in pages.conditions("perceptron")
    assert r"divisor n\_k" in pages.conditions("bayes")
    assert pages.conditions("no-such-topic") == ""


@pytest.mark.parametrize(
    ("seconds", "shown"), [(5.01e-5, "0.0501"), (1.23456e-2, "12.3"), (0.0999, "99.9"), (1.7372, "1,740")]
)
def test_times_have_three_digits(seconds, shown):
    assert pages.milliseconds(seconds) == shown


def test_the_five_races_of_the_readme_were_run():
    rows = re.findall(r"^\| (.+?) \| .+? \| (\d+\.\d\d) \|$", (ROOT / "README.md").read_text(), re.MULTILINE)
    results = json.loads((ROOT / "benchmarks/results.json").read_text())["topics"].values()
    ran = {(row["task"], f"{row['ratio']:.2f}") for rows in results for row in rows}
    assert len(rows) == 5
    assert set(rows) <= ran


def test_how_to_cite_says_what_the_citation_file_says():
    page = pages.cite_page()
    assert "  author  = {{The mlnotes authors}},\n  title   = {mlnotes: statistical machine learning" in page
    assert "The mlnotes authors, *mlnotes: statistical" in page


# ------------------------------------------------------------------- notebooks


def converted(*cells):
    made = lecture(*cells)
    places = {id: (made, section) for id, section in made.places.items()}
    return notebooks.for_book(made, SimpleNamespace(places=places))["cells"]


def test_statements_and_sections_can_be_linked_to():
    cells = converted(markdown("## 1 One\n\nText.", "bayes.risk"), markdown("Again.", "bayes.risk"))
    assert cells[1]["source"] == "(at-bayes-risk)=\n(bayes-section-1)=\n## 1 One\n\nText."
    assert cells[2]["source"] == "Again."


def test_a_picture_gets_its_text_from_the_caption():
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
def test_what_a_reader_must_not_meet_stops_the_book(cells, sentence):
    with pytest.raises(ValueError, match=re.escape(f"lectures/01_bayes.ipynb, cell c {sentence}")):
        converted(*cells)


@pytest.mark.parametrize("show", [lambda c: c._repr_html_(), lambda c: c.verify()._repr_html_()])
def test_a_theorem_box_links_to_the_index_and_to_the_line_of_its_check(show):
    claim = claims.find("bayes.optimal-binary")
    output = {"output_type": "execute_result", "metadata": {}, "data": {"text/html": show(claim)}}
    page = converted(code(output))[1]["outputs"][0]["data"]["text/html"]
    assert "<a class='claim-id' href='../theorems/bayes.html#claim-bayes-optimal-binary'>" in page
    assert f"href='../code/mlnotes/claims/bayes.html#L{line_of(claim)}'" in page
    assert page.count("<a ") == 2


# ------------------------------------------------------------------- files, links, slides


def test_only_what_changed_is_written_and_what_is_gone_is_deleted(tmp_path):
    write(tmp_path, {"a.md": "one", "b/c.md": "two"})
    before = (tmp_path / "a.md").stat().st_mtime_ns
    write(tmp_path, {"a.md": "one", "d.md": tmp_path / "a.md"})
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


def test_slides_keep_the_article_and_the_formulas(tmp_path):
    (tmp_path / "lectures").mkdir()
    (tmp_path / "lectures/01_bayes.html").write_text(
        '<head><title>T</title><link rel="stylesheet" href="x.css" /></head><nav>menu</nav>'
        '<article role="main">'
        "<section>Text</section></article><script>window.MathJax = {}</script>"
        '<script defer="defer" src="../_static/mathjax/tex-chtml.js"></script><script src="menu.js"></script>'
    )
    slides.write(tmp_path)
    slides.write(tmp_path)  # does not take slides for a lecture
    (made,) = tmp_path.glob("lectures/*.slides.html")
    page = made.read_text()
    kept = ("<main><section>Text", "x.css", "window.MathJax = {}", "mathjax/tex", 'href="01_bayes.html"')
    assert [part for part in kept if part not in page] == []
    assert "menu" not in page


@pytest.mark.needs("book")
@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("The fitted coef_ and |X|.", r"The fitted coef\_ and \|X\|."),
        ("``coef_`` and :math:`x_i |a|_b`.", "``coef_`` and :math:`x_i |a|_b`."),
        (".. math:: a_", ".. math:: a_"),
        (">>> model.coef_", ">>> model.coef_"),
        ("snake_case stays", "snake_case stays"),
    ],
)
def test_docstrings_mean_literally_what_they_say(written, read):
    from book.sphinx_parts import escape_docstring

    lines = [written]
    escape_docstring(None, "function", "f", None, None, lines)
    assert lines == [read]


@pytest.mark.needs("book")
def test_formulas_of_a_docstring_are_left_alone():
    from book.sphinx_parts import escape_docstring

    lines = [
        "Return:",
        "",
        ".. math::",
        "",
        r"    \sum_i |x_i|_",
        "",
        "where coef_ is",
        "",
        "::",
        "",
        "    a_",
    ]
    escape_docstring(None, "function", "f", None, None, lines)
    assert lines[4] == r"    \sum_i |x_i|_"
    assert lines[6] == r"where coef\_ is"
    assert lines[10] == "    a_"


# ------------------------------------------------------------------- what the lectures owe to the book

SOURCES = {
    path.name: json.loads(path.read_text("utf-8"))["cells"] for path in (ROOT / "lectures").glob("*.ipynb")
}


def test_every_statement_of_the_notes_stands_in_a_lecture(course):
    found = {id for cells in SOURCES.values() for cell in cells for id in ids_of(cell)}
    assert [id for id in course.statements if id not in found] == []


@pytest.mark.parametrize("exhibit", ["perceptron_steps", "bandwidths", "penalties"])
def test_every_exhibit_stands_in_a_lecture(exhibit):
    code = [source(cell) for cells in SOURCES.values() for cell in cells if cell["cell_type"] == "code"]
    assert any(f"exhibits.{exhibit}(" in text for text in code)
