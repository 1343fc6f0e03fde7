"""American case law from CourtListener: opinions, dockets and filings (RECAP), oral arguments.

The service is run by the non-profit Free Law Project; its collection is large and not complete.
What it does not hold may exist; what could not be asked was not checked.
"""
