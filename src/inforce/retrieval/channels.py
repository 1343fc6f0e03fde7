"""The lexical channels of our collections: which terms of a text are searched by BM25."""

from __future__ import annotations

from dataclasses import replace

from inforce.retrieval.tokens import bigrams, tokenize, tokenize_many
from inforce.store import Channel

WORDS = Channel("words", tokenize, analyse_many=tokenize_many)
"""Words, as every collection has them."""

TELLING_WORDS = replace(WORDS, max_share=0.5)
"""Words, less those that more than half of the documents of a large collection have."""

BIGRAMS = Channel("bigrams", bigrams)
"""Pairs of neighbouring characters: what the segmenter cuts differently in question and statute."""
