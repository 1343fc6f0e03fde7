"""Search: statutes under a date, stored sources, and a person's own documents."""
