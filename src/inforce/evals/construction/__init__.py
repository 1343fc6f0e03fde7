"""Questions made from tables: paths through look-ups, entities that complete them, their answers.

The framework of LegalAgentBench (section 3.3.2) for any world of tables and look-ups: a planning
tree, paths chosen by coverage, entities found by executing the paths, questions, answers, and two
checks: one by machine, which solves every task again, and one by people.
"""
