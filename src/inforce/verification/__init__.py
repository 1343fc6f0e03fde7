"""Whether what a document cites and quotes was the law on the days it is about.

`verifying.Verifier` reads a document (`inforce.documents`), finds its citations, quotations, crime
names and case numbers, and says of each what is so, what is not, and what could not be checked.
Nothing that was not checked is passed.
"""
