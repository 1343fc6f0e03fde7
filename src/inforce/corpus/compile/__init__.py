"""Consolidated versions of a law, compiled out of a base text and its amending instruments."""
