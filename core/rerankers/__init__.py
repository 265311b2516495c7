"""Adapters of the port `core.ports.reranker`."""
