"""What checks certificates of answers; it imports nothing of the planner."""

from planner.certificate.check import PRECISION, ctx, reader_of, verify

__all__ = ["reader_of", "verify"]

ctx.prec = max(ctx.prec, PRECISION)  # all threads share it, and one may end while others compute
