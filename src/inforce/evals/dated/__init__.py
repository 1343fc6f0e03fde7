"""Dated questions: made from any corpus, put to any agent, scored for law of another time."""
