"""What evaluation and training measure alike: answers read from text, overlap, judges, cases."""
