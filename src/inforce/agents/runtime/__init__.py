"""What all methods share: the run and its trace, the answer and its support, protocols' tags."""
