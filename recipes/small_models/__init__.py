"""Small models that are trained from nothing, evaluated on held-out questions, and compared.

A task (`temporal_search`, `sentencing`) says what is learnt and what is asked; `runner` makes the
runs, `record` stores what they came to, `report` compares them; the recipes call them.
"""
