"""What evaluation and training both measure: answers read from text, overlap, judges, cases."""
