"""LegalSearchQA and the bar exam: questions with four choices (L-MARS, section 4)."""
