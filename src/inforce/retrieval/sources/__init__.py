"""Sources an agent can be routed to: guidelines, precedents, books, interpretations, statutes.

Each source answers the same question: which of your documents speak to this, best first
(MSR2, sections 3.3 and 4.3.2).
"""
