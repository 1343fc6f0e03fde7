"""The 13 tasks of LegalSearch-R1: seven in its domain, six examinations outside it (section 4)."""
