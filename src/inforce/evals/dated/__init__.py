"""Dated questions: made from any corpus, for any agent, scored for law of another time."""
