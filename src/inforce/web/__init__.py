"""The open web: search, guarded fetching, extraction, reading, and case law."""
