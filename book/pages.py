"""The other generated pages: gallery, homework, benchmarks, reference, how to cite, and the front page."""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from benchmarks import summary
from book.course import PRINTED, ROOT, Course, slug, source, words
from book.statements import escaped, folded, opened, part_label
from mlnotes import LECTURES, modules_of
from mlnotes.homework import Assignment, Class, Function, Part
from mlnotes.show.gallery import GalleryFigure

FRONT = "course-theorems"  # the figure of the front page
FIRST = ["course"]  # what comes before the lectures


def gallery_pages(course: Course) -> dict[str, str]:
    """Return the overview of the figures, and a page for each topic: caption, files, code."""
    drawn = {figure.topic for figure in course.gallery.values()}
    topics = [topic for topic in [*FIRST, *course.topics] if topic in drawn]
    pages, overview = {}, []
    for topic in topics:
        title = "The course" if topic in FIRST else course.title_of(topic)
        figures = [figure for figure in course.gallery.values() if figure.topic == topic]
        small = "\n".join(f"[![{f.alt}](figures/{f.name}.png)](#figure-{f.name})" for f in figures)
        overview.append(f"## {title}\n\n{{.contact}}\n{small}\n")
        pages[f"figures/{topic}.md"] = "\n".join([f"# Figures: {title}\n", *map(_figure, figures)])
    listed = "\n".join(f"figures/{topic}" for topic in topics)
    return {"figures.md": words("figures", small="\n".join(overview), topics=listed), **pages}


def _figure(figure: GalleryFigure) -> str:
    name = figure.name
    return (
        f"(figure-{name})=\n## {name}\n\n```{{image}} {name}.png\n:alt: {figure.alt}\n"
        f":width: {_width(name)}px\n:class: plate\n:loading: lazy\n```\n\n{figure.caption}\n\n"
        f"{{.claim-links}}\n{{download}}`PNG <{name}.png>`\n\n"
        f"{folded('The function that draws it', inspect.getsource(figure.function))}\n"
    )


def _width(name: str) -> int:
    """Return the width of a figure in the pixels of a screen: 110 an inch, as in a lecture."""
    header = (ROOT / f"figures/gallery/{name}.png").read_bytes()[:24]
    return int.from_bytes(header[16:20], "big") * 110 // 200


def handout_files(course: Course) -> list[Path]:
    """Return the handouts of the assignments."""
    known = {assignment.id for assignment in course.assignments}
    files = sorted((ROOT / "lectures/homework").glob("*.ipynb"))
    return [path for path in files if path.stem.partition("_")[0] in known]


def handout(path: Path, course: Course) -> str:
    """Return a handout whose title says which homework it is, with a link to its lecture."""
    notebook = json.loads(path.read_text("utf-8"))
    id = path.stem.partition("_")[0]
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            text = re.sub(r"^# (?!Homework)", f"# Homework {int(id[2:])}: ", source(cell), flags=re.MULTILINE)
            cell["source"] = re.sub(r"`lectures/((?:deeper/)?(\d\d)_\w+\.ipynb)`", _lecture_link, text)
    return json.dumps(notebook)


def _lecture_link(found: re.Match[str]) -> str:
    return f"[lecture {int(found[2])}](../{found[1]})"


def homework_page(course: Course) -> str:
    """Return the assignments: what each part asks, its points, and the claims that decide."""
    handouts = {path.stem.partition("_")[0]: path.stem for path in handout_files(course)}
    titles = {assignment.id: f"{assignment.id}: {assignment.title}" for assignment in course.assignments}
    listed = "\n".join(f"{titles[id]} <lectures/homework/{stem}>" for id, stem in handouts.items())
    parts = [words("homework", handouts=listed)]
    for assignment in course.assignments:
        name = handouts.get(assignment.id)
        parts.append(
            f"(homework-{assignment.id})=\n## {assignment.id}: {assignment.title}\n\n{assignment.intro}\n"
        )
        if name:
            parts.append(
                f"{{.claim-links}}\n[Read the handout](lectures/homework/{name}.ipynb) · "
                f"{{download}}`download it <notebooks/homework/{name}.ipynb>`\n"
            )
        parts += [_part(assignment, part, course) for part in assignment.parts]
    return "\n".join(parts)


def _part(assignment: Assignment, part: Part, course: Course) -> str:
    writes = ", ".join(_signature(item) for item in part.writes)
    points = f"{part.points:g} point{'s' if part.points != 1 else ''}"
    lines = [f"({part_label(assignment.id, part.name)})=", f"### {assignment.id}, {part.name}: {points}", ""]
    if part.manual:
        lines += [f"A written derivation, marked by hand. {part.rubric}", ""]
    else:
        lines += [f"Write {writes}. What decides:", ""]
    for claim in part.claims:
        known = claim.id in course.claims
        name = f"[{claim.id}](#claim-{slug(claim.id)})" if known else f"`{claim.id}`"
        lines.append(f"- {name}: {claim.statement}")
    return "\n".join([*lines, ""])


def _signature(item: Function | Class) -> str:
    return (
        f"`{item.name}({', '.join(item.parameters)})`"
        if isinstance(item, Function)
        else f"class `{item.name}`"
    )


def benchmarks_page(course: Course) -> str:
    """Return the times against scikit-learn: charts, a table of topics, growth with n, all races folded."""
    rows = [_race(row) for races in course.races["topics"].values() for row in races]
    heavy = [f"- {line}" for line in summary.memory(course.races)]
    slopes = "\n".join(
        f"| {curve['name']} | {curve['slopes']['ours']:.2f} | {curve['slopes']['peer']:.2f} "
        f"| {curve['sizes'][-1]:,} | {milliseconds(curve['ours'][-1])} | {milliseconds(curve['peer'][-1])} |"
        for curve in course.growth["curves"]
    )
    why = conditions("defaults").partition("\n\n")[2]
    races = "\n".join(
        [
            opened("What was measured, and why ours is slower where it is", why),
            opened(f"{len(heavy)} fits that take over 1.5 times the peer's memory", "\n".join(heavy)),
            opened(f"{len(rows)} races", "\n".join([_HEAD, *rows])),
        ]
    )
    growth = conditions("growth").partition("\n\n")[2]
    table = summary.table(course.races)
    return words("benchmarks", table=table, races=races, growth=growth, slopes=slopes)


def races_chart(course: Course) -> bytes:
    """Return a picture of all races, a line for each topic: the ratio of each, and the geometric mean."""
    from mlnotes.show import plots

    topics = list(course.races["topics"].items())[::-1]
    with plots.style():
        figure, ax = plots.panels(1, 1, width=7.2, height=0.8 + 0.34 * len(topics))
        for height, (_, races) in enumerate(topics):
            ratios = [race["ratio"] for race in races]
            ax.plot(ratios, [height] * len(races), "o", color="#0072b2", alpha=0.35, markersize=5)
            ax.plot(summary.mean(races), height, "|", color="black", markersize=16, markeredgewidth=2)
        ax.axvline(1, color="black", linewidth=1)
        ax.set_xscale("log")
        ax.set_yticks(range(len(topics)), [course.title_of(topic) for topic, _ in topics])
        ax.set_xlabel("scikit-learn's time / ours: right of the line mlnotes is faster")
        return plots.picture_bytes(figure, "svg")


def growth_chart(course: Course) -> bytes:
    """Return a picture of times against n, a panel an estimator: ours, the peer's, and their last slopes."""
    from mlnotes.show import plots

    curves = course.growth["curves"]
    n_rows = len(curves) // 3 + 1  # with a place for the legend
    sides = (
        ("ours", "mlnotes", plots.BLUE, "o", {"x": 0.97, "y": 0.05, "ha": "right"}),
        ("peer", "scikit-learn", plots.VERMILLION, "^", {"x": 0.05, "y": 0.83, "ha": "left"}),
    )
    with plots.style():
        size = {"width": 7.2, "height": 0.5 + 1.45 * n_rows}
        figure, axes = plots.panels(n_rows, 3, **size, sharex=True, sharey=True, squeeze=False)
        for ax, curve in zip(axes.flat, curves, strict=False):
            for side, name, color, marker, place in sides:
                ax.loglog(curve["sizes"], curve[side], color=color, marker=marker, markersize=3.5, label=name)
                ax.text(**place, s=f"{curve['slopes'][side]:.2f}", color=color, transform=ax.transAxes)
            ax.set_title(curve["name"])
        for column in range(len(curves) % 3, 3):
            axes[-1, column].set_axis_off()
            axes[n_rows - 2, column].tick_params(labelbottom=True)
        axes[-1, -1].legend(*axes[0, 0].get_legend_handles_labels(), loc="center")
        figure.supxlabel("observations n")
        figure.supylabel("seconds")
        return plots.picture_bytes(figure, "svg")


_HEAD = "| task | against | ratio | mlnotes, ms | peer, ms | differ by |\n|:--|:--|--:|--:|--:|--:|"


def _ratio(value: float) -> str:
    """Return a ratio with two decimals, a large one with three digits: ``"0.15"``, ``"36,200"``."""
    return f"{float(f'{value:.3g}'):,.0f}" if value >= 100 else f"{value:.2f}"


def conditions(topic: str) -> str:
    """Return what the module of a topic's races says of them, as Markdown."""
    file = ROOT / f"benchmarks/{topic}.py"
    said = (ast.get_docstring(ast.parse(file.read_text("utf-8"))) or "") if file.exists() else ""
    return "`".join(part if n % 2 else escaped(part) for n, part in enumerate(re.split("`+", said)))


def _race(row: dict[str, Any]) -> str:
    task = re.sub(r"\d{5,}", lambda found: f"{int(found[0]):,}", escaped(row["task"]))
    peer = re.sub(r"^sklearn\b", "scikit-learn", row["peer_name"])
    differ = f"{row['disagreement']:.0e}" if row["disagreement"] else "0"
    times = f"{milliseconds(row['ours'])} | {milliseconds(row['peer'])}"
    return f"| {task} | {escaped(peer)} | {_ratio(row['ratio'])} | {times} | {differ} |"


def milliseconds(seconds: float) -> str:
    """Return a time with three digits: ``"0.0501"``, ``"12.3"``, ``"1,740"``."""
    time = 1e3 * seconds
    return f"{float(f'{time:.3g}'):,.0f}" if time >= 100 else f"{time:.3g}"


FOLDERS = {  # what the reference shows beside the reference modules
    "Estimators": ("estimators", "For real data, in the conventions of scikit-learn."),
    "Engines": ("engines", "Fast paths of the estimators. They may change with any version."),
    "Distributions and data": ("datasets", "Where data come from."),
    "Pictures": ("show", "Plots, sliders and figures."),
}
OTHERS = (
    "checks",
    "checking.claims",
    "checking.evidence",
    "grading.assignment.parts",
    "grading.assignment.stubs",
)


def reference_pages(course: Course) -> dict[str, str]:
    """Return a page for each module: a reference module as it is, the others from their docstrings."""
    shown = [module for topic in LECTURES for module in modules_of(topic)]
    groups = [("Reference modules", "The lectures in code: what to read.", shown)]
    for title, (folder, said) in FOLDERS.items():
        files = sorted((ROOT / "mlnotes" / folder).glob("[!_]*.py"))
        groups.append((title, said, [f"{folder}.{path.stem}" for path in files]))
    groups.append(("Claims and homework", "How to write your own.", OTHERS))
    names = [name for _, _, modules in groups for name in modules]
    pages = {f"api/{name}.md": module_page(name, name in shown, course.gallery) for name in names}
    parts = [f"## {title}\n\n{said}\n\n{module_table(modules)}" for title, said, modules in groups]
    pages["api/index.md"] = words("reference", modules="\n".join(parts), names="\n".join(names))
    return pages


def file_of(module: str) -> Path:
    """Return the file of a module of the package."""
    return ROOT / "mlnotes" / f"{module.replace('.', '/')}.py"


def module_table(modules: Sequence[str]) -> str:
    """Return a table of modules, each with the first sentence of its docstring."""
    rows = [f"| [mlnotes.{name}]({name}.md) | {first_sentence(file_of(name))} |" for name in modules]
    return "\n".join(["| module | what it is |", "|:--|:--|", *rows, ""])


EXAMPLES = {  # figures that modules of pictures draw
    "show.curves": ("bayes-plugin-rate",),
    "show.diagrams": ("tree-saheart",),
    "show.models": ("evaluation-models", "evaluation-calibration", "tree-pruning", "pca-scree"),
    "show.plane": ("tree-partition",),
}


def module_page(name: str, shown: bool, figures: Mapping[str, GalleryFigure]) -> str:
    """Return the page of a module: its code if that is `shown`, else its pictures and docstrings."""
    if shown:
        code = file_of(name).read_text("utf-8").strip()
        return f"# mlnotes.{name}\n\n````{{code-block}} python\n{code}\n````\n"
    examples = "".join(
        f"[![{figures[example].alt}](../figures/{example}.png)](#figure-{example})\n\n"
        f"{figures[example].caption}\n\n"
        for example in EXAMPLES.get(name, ())
        if example in figures  # those of lectures that a book leaves out are not
    )
    heading = "## Examples\n\n" if examples else ""
    return f"# mlnotes.{name}\n\n{heading}{examples}```{{eval-rst}}\n.. automodule:: mlnotes.{name}\n```\n"


def first_sentence(file: Path) -> str:
    """Return the first sentence of a module's docstring as Markdown."""
    said = (ast.get_docstring(ast.parse(file.read_text("utf-8"))) or "").split("\n\n")[0]
    return re.sub(r"`+([^`]+)`+", r"`\1`", re.sub(r":math:`([^`]+)`", r"$\1$", " ".join(said.split())))


def cite_page() -> str:
    """Return how to cite the project, from CITATION.cff."""
    known = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    names = [person["name"] for person in known["authors"]]
    authors = " and ".join(f"{{{name}}}" for name in names)
    fields = ("message", "title", "version", "license")
    return words("cite", authors=authors, names=", ".join(names), **{field: known[field] for field in fields})


def front_page(course: Course) -> str:
    """Return the front page, whose numbers are counted."""
    errata = sum(claim.kind == "erratum" for claim in course.claims.values())
    shown = course.gallery[FRONT]
    known = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    repository = f" · [repository]({known['repository-code']})" if "repository-code" in known else ""
    printed = f" · {{download}}`PDF <{PRINTED.name}>`" if PRINTED.exists() else ""
    return words(
        "index",
        printed=printed,
        figure=FRONT,
        alt=shown.alt,
        caption=shown.caption,
        lectures="\n".join(f"lectures/{lecture.name}" for lecture in course.lectures),
        repository=repository,
        version=known["version"],
        n_claims=len(course.claims) - errata,
        n_errata=errata,
        n_lectures=sum(not lecture.is_deeper for lecture in course.lectures),
        n_figures=len(course.gallery),
    )
