"""The files of an exam: sheets for the students, the key for the instructor.

A sheet is one Markdown text. Pandoc and Typst, which come as wheels and need no LaTeX, turn it into a PDF;
pandoc alone into a page for a browser to print.
"""

from __future__ import annotations

import html
import os
import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from mlnotes.exam import RULES, Exam
from mlnotes.exam.questions import Instance, tex
from mlnotes.grading.assignment import handouts
from mlnotes.grading.cohort.gradebooks import csv_text
from mlnotes.grading.feedback.output_files import file_stem
from mlnotes.grading.feedback.reports import cell
from mlnotes.grading.results import clean

FORMATS = ("pdf", "html", "notebook")
_NEED = 'needs {}: pip install "mlnotes[exam]"; --format {} needs {}'
_LINE = r"\_" * 20
_TOGETHER = "```{=typst}\n#block(breakable: false)[\n```\n\n"
_SPACE = "\n\n```{=typst}\n#v(4.5cm)\n```\n\n```{=html}\n<div class='space'></div>\n```\n\n"
_NEXT_PAGE = "\n\n```{=typst}\n#pagebreak()\n```\n\n"
_END = "\n\n```{=typst}\n]\n```\n\n"

_TYPST = """#set page(paper: "a4", margin: (x: 2.4cm, y: 2.2cm),
  footer: context [#sys.inputs.who #h(1fr) #counter(page).display("1 / 1", both: true)])
#set text(size: 11pt, lang: "en")
#show heading.where(level: 1): set text(size: 16pt)
#show heading.where(level: 2): set block(above: 1.4em)
"""
_HTML = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>TITLE</title><style>
:root { color-scheme: light dark; }
body { font: 1.05rem/1.5 serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 1.6rem 0 .3rem; } .space { height: 9rem; }
math[display="block"], p { overflow-x: auto; overflow-y: hidden; }
@media print { :root { color-scheme: light; } body { margin: 0; }
  h2 { break-after: avoid; } h1 { break-before: page; } }
</style></head><body>
"""


def write(exam: Exam, out: Path, format: str = "pdf", progress: Callable[[], object] = lambda: None) -> None:
    """Write ``out/students`` and ``out/instructor``; all of it or nothing.

    Parameters
    ----------
    exam : Exam
    out : Path
        A folder that is not there yet.
    format : {"pdf", "html", "notebook"}
        Of the printed sheets; notebooks are written in any case.
    progress : callable
        Called after each student.

    Raises
    ------
    ValueError
        If the folder is there, or a package is missing.
    """
    if out.exists():
        raise ValueError(
            f"{out} is there already, and may hold an exam that was handed out; give another --out"
        )
    printer = _printer(format)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".exam") as scratch:
        folder = Path(scratch, "exam")
        for name in ("students", "instructor"):
            (folder / name).mkdir(parents=True)
        os.chmod(folder / "instructor", 0o700)
        keys, rows = [], [["student", "part", "question", "answer", "tolerance"]]
        for student, name in exam.students.items():
            sheet, who = exam.sheet(student), f"{name} ({student})" if name else student
            stem = folder / "students" / file_stem(student)
            _text(Path(f"{stem}.ipynb"), notebook(exam, sheet, who))
            printer(Path(f"{stem}.{format}"), sheet_text(exam, sheet, who), who)
            keys.append(key_text(exam, sheet, who))
            for n, item in enumerate(sheet, start=1):
                answer = " ".join(map(tex, item.answer.ravel()))
                rows.append([cell(student), f"q{n}", item.question.name, answer, tex(item.tolerance)])
            progress()
        inner = folder / "instructor"
        printer(inner / f"key.{format}", _NEXT_PAGE.join(keys), "Key: not for students")
        _text(inner / "key.csv", csv_text(rows))
        _text(inner / "exam.py", key_file(exam))
        (inner / "secret.key").write_bytes(exam.secret + b"\n")
        shutil.move(folder, out)


def sheet_text(exam: Exam, sheet: list[Instance], who: str) -> str:
    """Return a student's sheet as Markdown."""
    asked = [
        f"{_TOGETHER}## {n}. (2 points; lecture {item.question.lecture})\n\n{item.text}{_SPACE}"
        f"Answer ({item.form}): {_LINE}{_END}"
        for n, item in enumerate(sheet, start=1)
    ]
    head = f"# {_plain(exam.heading)}\n\n**{_plain(who)}** · {2 * len(sheet)} points"
    return "\n\n".join([head, RULES, *asked])


def key_text(exam: Exam, sheet: list[Instance], who: str) -> str:
    """Return the key to a sheet as Markdown: answer, worked way, and the usual slip with its answer."""
    lines = [f"# Key: {_plain(exam.heading)}\n\n**{_plain(who)}**"]
    for n, item in enumerate(sheet, start=1):
        free = ", or another that does it" if item.accepts else ""
        lines.append(
            f"**{n}.** {item.text}\n\n**${tex(item.answer)}$**{free}. {item.way}\n\n"
            f"*Slip:* {item.slip} That gives ${tex(item.wrong)}$."
        )
    return "\n\n".join(lines)


def notebook(exam: Exam, sheet: list[Instance], who: str) -> str:
    """Return a student's sheet as the text of a notebook: a cell a question, with a function to fill in."""
    assignment = exam.assignment()
    head = (
        f"# {_plain(exam.heading)}\n\n**{_plain(who)}** · {assignment.points:g} points\n\n{RULES}\n\n"
        "Put each answer behind `return`; several numbers are a list. You may compute in further cells, with "
        "NumPy and the standard library. Save the notebook under its own name and hand it in."
    )
    cells = [
        handouts.markdown(assignment, "title", head),
        handouts.code(assignment, "imports", "import math\n\nimport numpy as np"),
    ]
    for n, item in enumerate(sheet, start=1):
        part = item.part(n)
        text = f"## {n}. (2 points; lecture {item.question.lecture})\n\n{item.text}"
        cells += [
            handouts.markdown(assignment, f"{part.name}-question", text),
            handouts.code(assignment, f"{part.name}-code", handouts.stub(part.writes[0])),
        ]
    return handouts.notebook_text(handouts.notebook(assignment, cells))


def key_file(exam: Exam) -> str:
    """Return the Python file that ``mlnotes grade`` takes."""
    digests = {student: exam.digest(student) for student in exam.students}
    return (
        '"""An exam with its secret: whoever has this file can compute every answer. Not for students.\n\n'
        '    mlnotes grade exam.py SUBMISSIONS --roster roster.csv\n"""\n\n'
        "from mlnotes.exam import Exam\n\n"
        f"assignment = Exam(\n    secret={exam.secret!r},\n    seed={exam.seed},\n"
        f"    lectures={exam.lectures},\n    each={exam.each},\n    title={exam.title!r},\n"
        f"    students={dict(exam.students)!r},\n    digests={digests!r},\n).assignment()\n"
    )


def _printer(format: str) -> Callable[[Path, str, str], None]:
    """Return what writes a Markdown text in a format; say at once what is missing for it."""
    if format not in FORMATS:
        raise ValueError(f"format must be one of {', '.join(FORMATS)}, got {format!r}")
    if format == "notebook":
        return lambda path, text, who: (
            None if path.parent.name == "students" else _text(path.with_suffix(".md"), text)
        )
    try:
        import pypandoc

        pypandoc.get_pandoc_path()
    except (ImportError, OSError):
        raise ValueError(f"--format {format} " + _NEED.format("pandoc", "notebook", "nothing")) from None
    if format == "html":
        return lambda path, text, who: _text(
            path,
            _HTML.replace("TITLE", html.escape(who)) + _pandoc(text, "html", "--mathml") + "</body></html>\n",
        )
    try:
        import typst
    except ImportError:
        raise ValueError("--format pdf " + _NEED.format("Typst", "html", "pandoc alone")) from None
    return lambda path, text, who: typst.compile(
        (_TYPST + _pandoc(text, "typst")).encode(), output=str(path), sys_inputs={"who": who}
    )


def _pandoc(text: str, to: str, *options: str) -> str:
    import pypandoc

    extra = ["--sandbox", *options]
    return pypandoc.convert_text(text, to, format="markdown-auto_identifiers", extra_args=extra)


def _plain(text: str) -> str:
    """Return a text, such as a student's name, in which Markdown finds nothing to do."""
    return re.sub(r"([^\w\s])", r"\\\1", " ".join(clean(text).split()))


def _text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
