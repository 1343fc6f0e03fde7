"""The extractive answer: the provisions that governed, quoted, and what the law says today."""
