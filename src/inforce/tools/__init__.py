"""The tools of agents: typed arguments, and answers a model can act on."""
