"""The training set of LegalSearch-R1 (table 1), made from the sources somebody has.

::

    sources ─▶ examples ─▶ without what is evaluated ─▶ so many a task, over the years ─▶ file

Nothing is supplied: LawBench, LexEval, DISC-LawLLM, cases and dated questions are read from files.
"""
