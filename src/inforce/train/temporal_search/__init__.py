"""A task a small model learns in minutes: which version of an article governed on a day.

The question names a law, an article and the day of the facts; the answer is the citation of the
version in force then. The search is the real one, over a real corpus, and it goes by the time a
query names: who leaves the day out is shown today's law. So the task can only be learnt by learning
to ask about the right time, which is what LegalSearch-R1 is about.
"""
