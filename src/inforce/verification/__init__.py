"""Whether what a document cites and quotes was the law on the days it is about.

`verifier.Verifier` checks a document (`inforce.documents`): it finds citations, quotations, crime
names and case numbers, and says of each whether it is right, what is wrong, or why it could not be
checked. Nothing passes unchecked.
"""
