"""The study without privacy, beside the private one (Hsu14 §6)."""
