"""Penalties: ranges, tiers and amounts, and which of two wordings punishes more lightly."""
