"""The anatomy of a lecture: what fits a class, what it shows, and what stands in the notebook beside it.

Words are counted as a class meets them: all text of a lecture, with formulas inside a line as words, without
formulas that stand alone and without the folded solutions of exercises, which are read at home. With all of
that a lecture has up to a third more words. Cells are all cells, those of code too.
"""

import json
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "lectures"
SPLIT = [path for path in sorted(FOLDER.glob("[0-9]*.ipynb")) if (FOLDER / "deeper" / path.name).exists()]
NAMED = {"ids": lambda path: path.stem}


def texts(path, kind):
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == kind]


def n_words(path):
    """Of what is read in class: no formula that stands alone, no folded solution."""
    text = re.sub(
        r"\$\$.*?\$\$|<details>.*?</details>", " ", "\n\n".join(texts(path, "markdown")), flags=re.DOTALL
    )
    return len(text.split())


@pytest.mark.parametrize("path", SPLIT, **NAMED)
def test_a_lecture_fits_a_class(path):
    assert n_words(path) <= 3000
    assert len(texts(path, "markdown") + texts(path, "code")) <= 45
    title = texts(path, "markdown")[0]
    for word in ("minutes", "You need", "Afterwards"):
        assert word in title


@pytest.mark.parametrize("path", SPLIT, **NAMED)
def test_a_lecture_has_figures_source_and_a_slider(path):
    code = texts(path, "code")
    assert sum(text.startswith("*Figure ") for text in texts(path, "markdown")) >= 5
    assert any("show.watch(" in text for text in code)
    assert any("show.source(" in text for text in code)


@pytest.mark.parametrize("path", SPLIT, **NAMED)
def test_figures_are_numbered_in_the_order_of_reading(path):
    found = re.findall(r"^\*Figure (\d+)\.(\d+)\.", "\n\n".join(texts(path, "markdown")), re.MULTILINE)
    places = [(int(section), int(number)) for section, number in found]
    assert places == sorted(places)


@pytest.mark.parametrize("path", SPLIT, **NAMED)
def test_at_most_a_tenth_of_the_cells_check_claims(path):
    code = texts(path, "code")
    asks = [text for text in code if re.search(r"\bclaims\.\w|\bverified\(", text)]
    assert 0 < len(asks) <= 0.1 * len(code + texts(path, "markdown"))


@pytest.mark.parametrize("path", SPLIT, **NAMED)
def test_exercises_have_levels_and_folded_solutions(path):
    text = "\n\n".join(texts(path, "markdown"))
    exercises = re.findall(r"^\*\*Exercise \d+\*\* \((easy|medium|hard)\)", text, re.MULTILINE)
    assert 6 <= len(exercises) <= 12
    assert set(exercises) == {"easy", "medium", "hard"}
    folded = re.findall(r"<details><summary>Solution</summary>\n\n.+?\n\n</details>", text, re.DOTALL)
    assert len(folded) == len(exercises)


@pytest.mark.parametrize("path", SPLIT, **NAMED)
def test_each_notebook_names_the_other(path):
    assert f"(deeper/{path.name})" in texts(path, "markdown")[0]
    assert f"(../{path.name})" in texts(FOLDER / "deeper" / path.name, "markdown")[0]


@pytest.mark.parametrize("path", SPLIT, **NAMED)
def test_an_id_stands_in_one_of_the_two(path):
    def ids(path):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        return [id for cell in cells for id in cell["metadata"].get("mlnotes", {}).get("ids", [])]

    assert set(ids(path)) & set(ids(FOLDER / "deeper" / path.name)) == set()


@pytest.mark.parametrize("path", SPLIT, **NAMED)
def test_numbers_of_statements_are_given_once(path):
    both = texts(path, "markdown") + texts(FOLDER / "deeper" / path.name, "markdown")
    stated = re.findall(
        r"^\*\*((?:Theorem|Lemma|Proposition|Corollary) \d+\.\d+)\*\*", "\n".join(both), re.MULTILINE
    )
    assert len(stated) == len(set(stated))
    tags = re.findall(r"\\tag\{([^}]+)\}", "\n".join(both))
    assert len(tags) == len(set(tags))
    figures = re.findall(r"^\*(Figure \d+\.\d+)\.", "\n".join(both), re.MULTILINE)
    assert len(figures) == len(set(figures))


# ------------------------------------------------------------------- the reading order

LISTED = (FOLDER / "README.md").read_text("utf-8")
ROWS = re.findall(
    r"^\| (\d+) \| \[.+?\]\((\d\d_\w+)\.ipynb\).+?\| (\d+) \| [123] \| ([\d, –]+) \|", LISTED, re.MULTILINE
)


def numbers(text):
    return [int(number) for number in re.findall(r"\d+", text)]


def test_minutes_and_what_builds_on_what_are_those_of_the_lectures():
    assert [int(number) for number, *_ in ROWS] == list(range(1, len(ROWS) + 1))
    assert len(ROWS) > 10
    for number, name, minutes, earlier in ROWS:
        title = texts(FOLDER / f"{name}.ipynb", "markdown")[0]
        said = re.search(r"^\*(\d+) minutes\. You need: (.+?) Afterwards", title, re.MULTILINE)
        needs = re.findall(r"lectures? (\d+(?:(?:, | and )\d+)*)", said[2])
        assert (minutes, numbers(earlier)) == (said[1], numbers(" ".join(needs))), name
        assert all(before < int(number) for before in numbers(earlier))


def test_a_course_has_what_its_lectures_build_on():
    builds_on = {int(number): numbers(earlier) for number, _, _, earlier in ROWS}
    table = LISTED[LISTED.index("| course |") :].partition("\n\n")[0]
    courses = [numbers(row.split("|")[2]) for row in table.splitlines()[2:]]
    assert [len(course) for course in courses] == [4, 6, len(ROWS)]
    for course in courses:
        for place, lecture in enumerate(course):
            assert set(builds_on[lecture]) <= set(course[:place]), (course, lecture)


def test_a_letter_means_one_thing_or_the_lecture_says_so():
    tables = {}
    for path in sorted(FOLDER.glob("[0-9]*.ipynb")):
        table = "\n".join(texts(path, "markdown")).partition("| symbol |")[2].partition("\n\n")[0]
        tables[int(path.stem[:2])] = table.splitlines()[2:]
    listed = re.findall(r"^\| \$(\\?\w+?)(?:_k)?\$ \| (.+?) \| (.*?) ?\|$", LISTED, re.MULTILINE)
    assert len(listed) == 9
    for letter, first, later in listed:
        alone = (
            r"(?<!\\hat)(?<![A-Za-z\\{])"
            + re.escape(letter)
            + (r"(?![A-Za-z_])" if letter == "\\mu" else r"(?![A-Za-z])")
        )
        rows = {
            n: [row for row in table if re.search(alone, row.split(" | ")[0])] for n, table in tables.items()
        }
        assert {n for n, found in rows.items() if found} == {*numbers(first), *numbers(later)}, letter
        for n in numbers(later):
            assert any("(in lecture" in row for row in rows[n]), (letter, n)
