"""Construction of tasks from tables (LegalAgentBench, section 3.3.2, for any tables and look-ups).

A planning tree of look-ups, paths chosen by coverage, entities that complete them, questions and
answers, and two checks: by machine, which solves every task again, and by people.
"""
