"""Amending instruments compiled into consolidated versions."""
