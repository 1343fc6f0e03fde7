"""Legal judgment prediction: article, charge and prison term from the facts of a case."""
