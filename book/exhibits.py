"""The page of exhibits: those of the executed lectures, with where they stand."""

from __future__ import annotations

import re

from book.course import Course, words


def exhibits_page(course: Course) -> str:
    """Return every exhibit that a lecture shows."""
    parts = [words("exhibits")]
    for lecture in course.lectures:
        for section, cell in lecture.walk():
            for output in cell.get("outputs", []):
                found = "".join(output.get("data", {}).get("text/html", ""))
                if "class='mlnotes-exhibit'" in found:
                    control = re.search(r"<input [^>]*aria-label='([^']*)'", found)
                    assert control, "an exhibit has no control"
                    parts.append(
                        f"## {lecture.title}: {control[1]}\n\n[{lecture.called}, section {section}: "
                        f"{lecture.sections[section]}](#{lecture.label}-section-{section})\n\n"
                        f"```{{raw}} html\n{found}\n```\n"
                    )
    return "\n".join(parts)
