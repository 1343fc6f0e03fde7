"""Agents: how each method of research works, one folder a method; `runtime` is what all share."""
