"""The training set of LegalSearch-R1 (table 1), made from the sources somebody has.

::

    sources ─▶ examples ─▶ those not evaluated ─▶ so many of each task, over the years ─▶ file

No data is supplied: LawBench, LexEval, DISC-LawLLM, cases and dated questions are read from files.
"""
