"""LegalAgentBench: 300 tasks over 14 tables and three collections, for agents that use tools."""
