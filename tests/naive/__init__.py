"""Slow, obvious twins of the fast kernels: what the tests compare them with."""
