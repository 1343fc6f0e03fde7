"""Configurations of verl for the two papers, found as ``pkg://inforce.train.verl_plugin.configs``."""
