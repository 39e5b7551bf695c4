"""What checks certificates of answers; it imports nothing of the planner."""

from planner.certificate.check import reader_of, verify

__all__ = ["reader_of", "verify"]
