"""Small models that are trained from nothing, examined, and compared.

A task (`task`) says what is learnt and what is asked in the end; `training` makes the runs, which
leave records (`record`), and `report` puts these side by side.
"""
