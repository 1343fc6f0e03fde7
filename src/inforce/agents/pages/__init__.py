"""Templates of the pages that show what agents did."""
