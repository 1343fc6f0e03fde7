"""What the law is: pure values and rules, no files, no network, no database."""
