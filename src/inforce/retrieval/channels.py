"""The lexical channels of our collections: which terms of a text are searched by BM25."""

from __future__ import annotations

from inforce.retrieval.tokens import bigrams, tokenize
from inforce.store import Channel

WORDS = Channel("words", tokenize)
"""Words, as every collection has them."""

TELLING_WORDS = Channel("words", tokenize, max_share=0.5)
"""Words, less those that more than half of the documents of a large collection have."""

BIGRAMS = Channel("bigrams", bigrams)
"""Pairs of neighbouring characters: what the segmenter cuts differently in question and statute."""
