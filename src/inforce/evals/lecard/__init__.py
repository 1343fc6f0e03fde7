"""LeCaRDv2: finding similar criminal judgments, 800 queries with graded judgements."""
