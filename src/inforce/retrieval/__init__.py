"""How the law is found: query analysis, three channels, one fused ranking, all under a date."""
