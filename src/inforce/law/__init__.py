"""What the law is: works, versions, and rules about them; pure values, no files, no network."""
