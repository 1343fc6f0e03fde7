"""Works, versions, provisions, and the rules about them: values only, no files, no network."""
