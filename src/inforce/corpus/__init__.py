"""The corpus: the laws held in every version, and the loaders and the doctor that go with it."""
