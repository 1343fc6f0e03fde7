"""A task a small model learns in minutes: which term a court pronounced, from the facts of a case.

MSR2's protocol over real cases: list the sentencing factors, ask a source by its name, and give the
term. Which source to ask, and that factors have to be complete, is left to be learnt from rewards.
"""
