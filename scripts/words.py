"""List words of a private dialect in prose, with better ones: ``python scripts/words.py [FILE ...]``.

Prose is Markdown, docstrings, comments, strings with a space, and the sentences of mistakes; code in
backticks and formulas are not. ``.codespell/dialect.txt`` has the words, ``.codespell/exceptions.txt`` the
files that need one: ``glob | word, word | reason``, where ``*`` stands for any word.
"""

import io
import json
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from contextlib import suppress
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CODE = re.compile(r"^```.*?^```|`+[^`]+`+|\$\$.+?\$\$|\$[^$\n]+\$|\]\([^)]*\)", re.MULTILINE | re.DOTALL)


def settings(name: str) -> list[str]:
    """Return the lines of a file of settings, without comments."""
    lines = (ROOT / ".codespell" / name).read_text("utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


def prose(text: str, suffix: str) -> Iterator[tuple[int, str]]:
    """Yield pieces of prose with the lines where they start."""
    if suffix in (".md", ".diff"):
        yield 1, re.sub(r"^[-+].*|Kills:.*", "", text, flags=re.MULTILINE) if suffix == ".diff" else text
    elif suffix == ".ipynb":
        for cell in json.loads(text)["cells"]:
            kind = ".py" if cell["cell_type"] == "code" else ".md"
            yield from ((0, piece) for _, piece in prose("".join(cell["source"]), kind))
    elif suffix == ".py":
        with suppress(tokenize.TokenError, SyntaxError):  # of a student's file or a magic
            for token in tokenize.generate_tokens(io.StringIO(text).readline):
                kind = tokenize.tok_name[token.type]
                if kind == "COMMENT" or (kind in ("STRING", "FSTRING_MIDDLE") and " " in token.string):
                    yield token.start[0], token.string


def main(names: list[str]) -> int:
    """Print ``file:line: word -> better`` for each find; return 1 if there is one."""
    words = [line.rpartition(" -> ") for line in settings("dialect.txt")]
    dialect = [(re.compile(rf"\b(?:{word})\b", re.IGNORECASE), better) for word, _, better in words]
    excused = [[part.strip() for part in line.split("|")] for line in settings("exceptions.txt")]
    tracked = ["git", "ls-files", "*.md", "*.py", "*.ipynb", "*.diff"]
    listed = subprocess.run(tracked, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    n_found = 0
    for name in names or listed.splitlines():
        allowed = {w.strip() for glob, some, _ in excused if fnmatch(name, glob) for w in some.split(",")}
        for start, piece in prose((ROOT / name).read_text("utf-8"), Path(name).suffix):
            bare = CODE.sub(lambda code: "\n" * code[0].count("\n") or " ", piece)
            for word, better in dialect:
                for found in word.finditer(bare):
                    if not {"*", found[0].lower()} & allowed:
                        n_found, line = n_found + 1, start + bare.count("\n", 0, found.start())
                        print(f"{name}:{line}: {found[0]} -> {better}")
    return min(n_found, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
