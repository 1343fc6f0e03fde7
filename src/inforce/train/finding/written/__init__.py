"""Questions written for the rules of the statutes; README.md says how."""
