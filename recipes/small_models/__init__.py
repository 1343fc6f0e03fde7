"""Small models that are trained from scratch, evaluated on held-out questions, and compared.

A task (`temporal_search`, `sentencing`) has questions, lessons and an environment; `runner` trains
and evaluates a model on it, `record` stores the results, `report` compares them, and `command` is
what the two recipes have in common.
"""
