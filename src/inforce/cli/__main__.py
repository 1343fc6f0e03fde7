"""``python -m inforce.cli``: the same as ``inforce``."""

from inforce.cli import main

if __name__ == "__main__":
    main()
