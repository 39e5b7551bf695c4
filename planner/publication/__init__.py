"""The planned study, run once on real records: noisy answers, and a ledger of what was spent."""
