"""Write the table of system calls in ``mlnotes/grading/sandbox/confinement.py`` from the kernel's headers.

``python tests/syscalls.py`` writes it; ``test_sandbox.py`` holds it to the headers of the machine. They come
with the C compiler (Debian: linux-libc-dev).
"""

import re
import textwrap
from pathlib import Path

from mlnotes.grading.sandbox import confinement

HEADERS = {
    "x86_64": [
        Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
        Path("/usr/include/asm/unistd_64.h"),
        Path("/usr/x86_64-linux-gnu/include/asm/unistd_64.h"),
    ],
    "aarch64": [Path("/usr/include/asm-generic/unistd.h")],  # its numbers are the generic ones
}
_DEFINED = re.compile(r"#define __NR(3264)?_(\w+)\s+(\d+|__NR3264_\w+)$", re.MULTILINE)
_BLOCK = re.compile(r"(?s)(?<=_TABLE = \{\n).*?(?=\}  # fmt: skip\n# end of what is written)")


def header(machine):
    """The header with the numbers of a machine, None where it is not installed."""
    return next((path for path in HEADERS[machine] if path.exists()), None)


def numbers(machine):
    """The numbers of the calls that the filter names, in their order, as the header says."""
    wide, known = {}, {}
    for kind, name, value in _DEFINED.findall(header(machine).read_text()):
        if kind:
            wide[f"__NR3264_{name}"] = int(value)
        else:
            known.setdefault(name, wide[value] if value in wide else int(value) if value.isdigit() else -1)
    named = {
        name: known[name] for name in confinement.NAMED if 0 <= known.get(name, -1) <= confinement._LAST_KNOWN
    }
    return dict(sorted(named.items(), key=lambda pair: pair[1]))


def block():
    """The source of the table."""
    lines = []
    for machine in HEADERS:
        words = " ".join(f"{name} {number}" for name, number in numbers(machine).items())
        lines += [f'    "{machine}": """', *textwrap.wrap(words, 102, initial_indent=" " * 8,
                  subsequent_indent=" " * 8), '    """,']  # fmt: skip
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    path = Path(confinement.__file__)
    path.write_text(_BLOCK.sub(lambda _: block(), path.read_text()))
