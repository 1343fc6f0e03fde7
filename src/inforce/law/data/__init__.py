"""Tables of what is recorded of known laws, as plain text that a lawyer can check line by line.

Each file begins with its format and its source, in lines that begin with ``#``.
"""

from importlib import resources


def table(name: str) -> str:
    """The lines of a file, without those on its format."""
    text = resources.files(__name__).joinpath(f"{name}.txt").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return "\n".join(lines).strip("\n")
