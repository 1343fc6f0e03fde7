"""How the encoder and the ranker of statute search are learnt; see `recipes/finding.sh`."""
